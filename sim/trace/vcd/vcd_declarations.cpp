// SPDX-License-Identifier: Apache-2.0
#include "trace/vcd/vcd_declarations.hpp"

#include <fmt/format.h>

#include "trace/vcd/vcd_names.hpp"

namespace sme::trace {

void VcdDeclarations::write_scope(const std::string& name, ScopeKind) {
    file_.write(fmt::format("$scope module {} $end\n", name));
}

void VcdDeclarations::write_scope_end() {
    file_.write("$upscope $end\n");
}

void VcdDeclarations::write_comment(const std::string& text) {
    file_.write(fmt::format("$comment {} $end\n", text));
}

void VcdDeclarations::write_variable(std::uint32_t signal, std::string_view name,
                                     const Type& type) {
    line_ = "$var wire ";
    line_ += fmt::format_int{type.width_bits()}.c_str();
    line_ += ' ';
    line_ += identifier(signal);
    line_ += ' ';
    append_reference(line_, name, type.width_bits());
    line_ += " $end\n";
    file_.write(line_);
}

void VcdDeclarations::write_clock(std::string_view name) {
    file_.write(fmt::format("$var wire 1 {} {} $end\n", identifier(0), name));
}

} // namespace sme::trace
