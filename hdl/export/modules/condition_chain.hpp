// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sme::hdl {

/// Adds statements behind others. Where both are a chain of the same conditions ("if (a) begin …
/// end else if (b) begin … end"), the bodies of one condition become one. Nonblocking assignments
/// mean the same in either form. All lines begin with `indent`.
void add_statements(std::string& text, const std::string& statements, const std::string& indent);

} // namespace sme::hdl
