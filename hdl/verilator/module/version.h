/* SPDX-License-Identifier: Apache-2.0 */
/* All dependencies of the simulator, and of code in modules, on Verilator's version: 5006 is
 * 5.006. SME_VERILATOR is the version with which a module is compiled. */
#ifndef SME_VERILATOR_VERSION_H
#define SME_VERILATOR_VERSION_H

/* Supported versions. The newest is the newest one tested. */
#define SME_VERILATOR_OLDEST 5006
#define SME_VERILATOR_NEWEST 5048
/* XML has everything needed, but was removed in this version. JSON before 5.044 does not record
 * signedness. */
#define SME_VERILATOR_WRITES_JSON 5046

#ifdef SME_VERILATOR
/* Random numbers come from a generator per thread, the class VlRNG; before, from a function.
 * Later, a process may have its own generator. */
#define SME_RANDOM_CLASS (SME_VERILATOR >= 5010)
#define SME_RANDOM_OF_PROCESS (SME_VERILATOR >= 5048)
/* Waveform writers have a common base class, and receive kinds of signals and scopes. */
#define SME_TRACE_BASE (SME_VERILATOR >= 5024)
#define SME_TRACE_KINDS (SME_VERILATOR >= 5018)
#endif

#endif
