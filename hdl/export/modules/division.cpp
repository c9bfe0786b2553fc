// SPDX-License-Identifier: Apache-2.0
#include "export/modules/division.hpp"

#include "export/rtl/module.hpp"

namespace sme::hdl {

void divide_bits(rtl::Function& made, const Type& type, bool remainder, Names& names) {
    const std::uint64_t width = type.width_bits();
    made.variables = {{names.take("bits"), width, false, false},
                      {names.take("divisor"), width + 1, false, false},
                      {names.take("rest"), width + 1, false, false},
                      {names.take("step"), 32, true, true}};
    const auto all = [&](std::size_t k) {
        return Place::all_of(made.variables[k].name, made.variables[k].width);
    };
    const Place bits = all(0), divisor = all(1), rest = all(2);
    const auto sign_of = [&](std::size_t k) {
        return rtl::at(Place::all_of(made.inputs[k].name, width).part(width - 1, 1));
    };
    const auto magnitude = [&](std::size_t k) {
        const rtl::Declared& input = made.inputs[k];
        const ExprRef whole = rtl::at(Place::all_of(input.name, input.width, input.is_signed));
        return type.is_signed()
                   ? rtl::as_unsigned(rtl::select(sign_of(k), rtl::unary("-", whole), whole))
                   : whole;
    };
    const ExprRef zero = rtl::literal(0, 1);
    rtl::Statement::Arm fits{
        rtl::binary(">=", Level::relation, rtl::at(rest), rtl::at(divisor)),
        {},
        false,
        {rtl::Statement::assign(rest, rtl::binary("-", Level::sum, rtl::at(rest), rtl::at(divisor)),
                                false),
         rtl::Statement::assign(bits.part(0, 1), rtl::literal(1, 1), false)}};
    made.body = {rtl::Statement::assign(bits, magnitude(0), false),
                 rtl::Statement::assign(divisor, rtl::joined({zero, magnitude(1)}), false),
                 rtl::Statement::assign(rest, rtl::zero(width + 1), false),
                 rtl::Statement::loop(
                     made.variables[3].name, 0, static_cast<Integer>(width),
                     {rtl::Statement::assign(rest,
                                             rtl::joined({rtl::at(rest.part(0, width)),
                                                          rtl::at(bits.part(width - 1, 1))}),
                                             false),
                      rtl::Statement::assign(
                          bits, rtl::joined({rtl::at(bits.part(0, width - 1)), zero}), false),
                      rtl::Statement::chain({fits})})};
    const ExprRef found = remainder ? rtl::at(rest.part(0, width)) : rtl::at(bits);
    made.value = found;
    if (!type.is_signed())
        return;
    const ExprRef turned =
        remainder ? sign_of(0) : rtl::binary("!=", Level::equality, sign_of(0), sign_of(1));
    made.value = rtl::as_signed(rtl::select(turned, rtl::unary("-", found), found));
}

} // namespace sme::hdl
