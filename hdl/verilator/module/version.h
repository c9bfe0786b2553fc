/* SPDX-License-Identifier: Apache-2.0 */
/* All that the simulator, and what becomes part of modules, know of versions of Verilator: 5006 is
 * 5.006. A module is compiled with SME_VERILATOR, its own version. */
#ifndef SME_VERILATOR_VERSION_H
#define SME_VERILATOR_VERSION_H

/* Versions that work. The newest is the newest that the tests ran with. */
#define SME_VERILATOR_OLDEST 5006
#define SME_VERILATOR_NEWEST 5048
/* XML says all that is asked, and is gone since this one. JSON before 5.044 does not say what is
 * signed. */
#define SME_VERILATOR_WRITES_JSON 5046

#ifdef SME_VERILATOR
/* Random numbers come from a generator that belongs to a thread, the class VlRNG; before, from a
 * function. Later a process may have a generator of its own. */
#define SME_RANDOM_CLASS (SME_VERILATOR >= 5010)
#define SME_RANDOM_OF_PROCESS (SME_VERILATOR >= 5048)
/* Writers of waveforms have a common base, and say what kinds of signals and scopes there are. */
#define SME_TRACE_BASE (SME_VERILATOR >= 5024)
#define SME_TRACE_KINDS (SME_VERILATOR >= 5018)
#endif

#endif
