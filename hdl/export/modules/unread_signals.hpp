// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sme::hdl {

/// Stands in a module's text before what an instance drives, until the text is finished.
constexpr char driven_mark = '\x03';

/// The text of a module without the wires and constants that nothing reads. Bits of ports, of
/// registers and of other wires that nothing reads end in a wire called `unused`, by which lint
/// knows that this is meant.
std::string without_unread(std::string text);

} // namespace sme::hdl
