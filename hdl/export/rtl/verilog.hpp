// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "export/rtl/module.hpp"

namespace sme::hdl::rtl {

/// Verilog-2005. Where a line may end well, `line_mark` stands.
std::string verilog(const ExprRef& expr);
std::string verilog(const Place& place);
std::string verilog(const Module& module);
/// " #(.name(value), …)"; nothing where nothing is given.
std::string verilog(const std::vector<Given>& given);

/// "[7:0] ", "" for one bit: what stands between `wire` and the name.
std::string range_of(std::uint64_t width);

} // namespace sme::hdl::rtl
