// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/scope.hpp"

#include <fmt/format.h>

namespace sme::hdl::vhdl {

using rtl::Expr;
using rtl::Place;

Shape shape_of(std::uint64_t width, bool is_signed) {
    return is_signed ? Shape::number : width == 1 ? Shape::bit : Shape::bits;
}

const char* type_mark(Shape shape) {
    return shape == Shape::bit ? "std_logic" : shape == Shape::bits ? "unsigned" : "signed";
}

std::string type_text(std::uint64_t width, bool is_signed) {
    const Shape shape = shape_of(width, is_signed);
    return shape == Shape::bit ? std::string{type_mark(shape)}
                               : fmt::format("{}({} downto 0)", type_mark(shape), width - 1);
}

std::string type_text(const rtl::Declared& what) {
    return what.is_integer ? "integer" : type_text(what.width, what.is_signed);
}

bool Scope::is_signed(const Place& place) const {
    const auto found = declared.find(place.name);
    return found == declared.end() ? place.is_signed : found->second.is_signed;
}

Shape Scope::shape_of(const Expr& expr) const {
    const bool is_number = expr.kind == Expr::Kind::place
                               ? expr.place.whole() && is_signed(expr.place)
                               : expr.is_signed;
    return vhdl::shape_of(expr.width, is_number);
}

Shape Scope::target_shape(const Place& place) const {
    const bool is_part = !place.whole() && place.width == 1;
    return is_part ? Shape::bit : vhdl::shape_of(place.width, is_signed(place));
}

} // namespace sme::hdl::vhdl
