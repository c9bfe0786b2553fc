// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

/// std_logic, unsigned or signed.
enum class Shape : std::uint8_t { bit, bits, number };

Shape shape_of(std::uint64_t width, bool is_signed);
/// "std_logic", "unsigned(7 downto 0)", "integer"
std::string type_text(const rtl::Declared& what);
std::string type_text(std::uint64_t width, bool is_signed);
/// The whole word: "std_logic", "unsigned", "signed".
const char* type_mark(Shape shape);

/// What the names of a module mean where an expression stands.
struct Scope {
    const Names& names;
    std::map<std::string, rtl::Declared> declared = {};
    std::map<std::string, const rtl::Function*> functions = {};
    std::map<std::string, std::uint64_t> words = {};   // of memories
    std::map<std::string, std::string> variables = {}; // of a process: what stands for a signal
    std::map<std::string, rtl::ExprRef> constants = {};

    Shape shape_of(const rtl::Expr& expr) const;
    /// As it is declared, or where nothing declares it, as the place says.
    bool is_signed(const rtl::Place& place) const;
    Shape target_shape(const rtl::Place& place) const;
};

} // namespace sme::hdl::vhdl
