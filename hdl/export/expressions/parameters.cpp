// SPDX-License-Identifier: Apache-2.0
//
// Numbers computed from parameters that stay parameters in Verilog.
#include <fmt/format.h>

#include "export/expressions/translator.hpp"
#include "export/modules/module_text.hpp"

namespace sme::hdl {

using expr::Ast;
using expr::Operator;
using expr::Typed;

namespace {

const char* word_of(Operator op) {
    switch (op) {
    case Operator::add: return "plus";
    case Operator::subtract: return "minus";
    case Operator::multiply: return "times";
    default: return nullptr;
    }
}

} // namespace

Translator::Formula Translator::formula(const Typed& typed) {
    const Integer value = typed.value.low;
    Formula number{rtl::number(value), to_string(value), false};
    if (!typed.ast)
        return number;
    if (typed.kind == Typed::Kind::leaf && typed.ast->kind == Ast::Kind::name) {
        const std::string& name = typed.ast->text;
        if (locals_.count(name) > 0 || !module_.keeps(name) || site_.find(name))
            return number;
        return {rtl::at(Place::integer(*module_.number(name, value))), name, true};
    }
    if (typed.kind != Typed::Kind::binary || !word_of(typed.ast->op) || typed.operands.size() != 2)
        return number;
    const auto& [a, b] = std::tie(*typed.operands[0], *typed.operands[1]);
    if (!a.value.is_constant() || !b.value.is_constant())
        return number;
    const Formula x = formula(a), y = formula(b);
    if (!x.kept && !y.kept)
        return number;
    const std::string op = expr::spelling(typed.ast->op);
    return {rtl::grouped(rtl::integer(op.c_str(), x.value, y.value)),
            fmt::format("{}_{}_{}", x.hint, word_of(typed.ast->op), y.hint), true};
}

Term Translator::computed(const Typed& typed) {
    Term made = Term::number_of(typed.value.low);
    if (const Formula found = formula(typed); found.kept)
        made.name = module_.derived(found.hint, found.value, typed.value.low);
    return made;
}

} // namespace sme::hdl
