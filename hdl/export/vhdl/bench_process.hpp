// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sme::hdl::vhdl {

/// The process of a test bench, as a format: 0 cycles, 1 the calls that drive inputs, 2 those that
/// compare, 3 edges with rst, 4 clk, 5 rst. "@name" stands for a name that nothing else has.
extern const char* const bench_process;

} // namespace sme::hdl::vhdl
