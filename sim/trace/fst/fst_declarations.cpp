// SPDX-License-Identifier: Apache-2.0
#include "trace/fst/fst_declarations.hpp"

#include "trace/vcd/vcd_names.hpp"

namespace sme::trace {

namespace {

std::string digits_of(std::uint64_t value, std::uint64_t width_bits) {
    std::string digits;
    for (std::uint64_t bit = width_bits; bit-- > 0;)
        digits += value >> bit & 1 ? '1' : '0';
    return digits;
}

} // namespace

void FstDeclarations::write_scope(const std::string& name, ScopeKind kind) {
    writer_.open_scope(name, kind == ScopeKind::structure);
}

void FstDeclarations::write_scope_end() {
    writer_.close_scope();
}

void FstDeclarations::write_comment(const std::string& text) {
    writer_.comment(text);
}

void FstDeclarations::write_variable(std::uint32_t, std::string_view name, const Type& type) {
    reference_.clear();
    append_reference(reference_, name, type.width_bits());
    const auto width_bits = static_cast<std::uint32_t>(type.width_bits());
    const std::uint32_t enumeration = enumeration_of(type);
    writer_.signal(reference_, width_bits, type.name(), enumeration);
    widths_.push_back(width_bits);
}

void FstDeclarations::write_clock(std::string_view name) {
    writer_.alias(std::string{name}, 1, 1);
}

std::uint32_t FstDeclarations::enumeration_of(const Type& type) {
    if (type.kind() != TypeKind::enumeration)
        return 0;
    const auto [known, is_new] = enumerations_.emplace(type.written_out(), 0);
    if (is_new) {
        std::vector<fst::NamedValue> values;
        for (const Member& member : type.members())
            values.push_back({member.name, digits_of(member.value, type.width_bits())});
        known->second = writer_.enumeration(sanitised(type.name()), values);
    }
    return known->second;
}

} // namespace sme::trace
