// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sme::hdl::vhdl {

/// The process of a test bench, as a format: 0 cycles, 1 the calls that drive inputs, 2 those that
/// compare, 3 edges before cycle 0; and assignments: 4 all clocks rise, 5 they fall, 6 resets end,
/// 7 those clocks rise that do in this cycle. "@name" stands for a name that nothing else has.
extern const char* const bench_process;

} // namespace sme::hdl::vhdl
