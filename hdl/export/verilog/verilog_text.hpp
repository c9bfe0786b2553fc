// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export/rtl/module.hpp"

namespace sme::hdl::rtl {

/// Writes Verilog-2005, with `line_mark` at optional line breaks.
std::string verilog(const ExprRef& expr);
std::string verilog(const Place& place);
std::string verilog(const Module& module);
/// Returns " #(.name(value), …)"; empty if no value is given.
std::string verilog(const std::vector<Given>& given);

/// Returns the range between `wire` and the name: "[7:0] ", or "" for one bit.
std::string range_of(std::uint64_t width);

} // namespace sme::hdl::rtl
