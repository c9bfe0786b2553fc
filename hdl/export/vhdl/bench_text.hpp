// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sme::hdl::vhdl {

/// The process of a test bench, as a format string: 0 cycles, 1 calls that drive inputs, 2 calls
/// that compare, 3 edges before cycle 0; and assignments: 4 all clocks rise, 5 they fall, 6 resets
/// end, 7 the clocks of this cycle rise. Replace "@name" with a unique name.
extern const char* const bench_process;

} // namespace sme::hdl::vhdl
