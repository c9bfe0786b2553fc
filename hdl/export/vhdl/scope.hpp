// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

/// The type of a signal: std_logic, unsigned or signed.
enum class Shape : std::uint8_t { bit, bits, number };

Shape shape_of(std::uint64_t width, bool is_signed);
/// Returns "std_logic", "unsigned(7 downto 0)", "integer".
std::string type_text(const rtl::Declared& what);
std::string type_text(std::uint64_t width, bool is_signed);
/// Returns the type without its range: "std_logic", "unsigned", "signed".
const char* type_mark(Shape shape);

/// The meaning of a module's names at an expression.
struct Scope {
    const Names& names;
    std::map<std::string, rtl::Declared> declared = {};
    std::map<std::string, const rtl::Function*> functions = {};
    std::map<std::string, std::uint64_t> words = {};   // of memories
    std::map<std::string, std::string> variables = {}; // of a process: the variable that replaces
                                                       // each signal
    std::map<std::string, rtl::ExprRef> constants = {};

    Shape shape_of(const rtl::Expr& expr) const;
    /// Returns the declared shape, or that of the place if it has no declaration.
    bool is_signed(const rtl::Place& place) const;
    Shape target_shape(const rtl::Place& place) const;
};

} // namespace sme::hdl::vhdl
