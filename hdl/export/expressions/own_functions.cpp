// SPDX-License-Identifier: Apache-2.0
//
// The network's own functions: one Verilog function per typing of the arguments. Numbers without a
// type are part of the typing. A call with a memory or an array of ports is expanded at the call: a
// Verilog function does not wake its caller when a signal that it reads changes.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "export/expressions/translator.hpp"
#include "export/modules/module_set.hpp"
#include "expr/typing/functions.hpp"

namespace sme::hdl {

namespace {

/// The inside of a function: its arguments and lets.
class FunctionContext final : public EmitContext {
public:
    /// `caller` is the site of the call, where the function is expanded; null: a separate function.
    FunctionContext(const expr::BoundBody& body, EmitContext& around, EmitContext* caller)
        : body_{body}, module_{around.module()}, caller_{caller}, names_{&module_.names()},
          translator_{*this} {}

    std::optional<HdlValue> find(const std::string& name) override {
        if (const auto known = terms_.find(name); known != terms_.end())
            return known->second;
        const expr::BoundExpr* const value = let(name);
        if (!value)
            return std::nullopt;
        return terms_[name] = translator_.let_value(*value, name);
    }
    const expr::BoundExpr* let(const std::string& name) override {
        const auto found = body_.lets.find(name);
        return found == body_.lets.end() ? nullptr : found->second.get();
    }
    ModuleText& module() override { return module_; }
    std::string keep(const std::string& hint, const Type& type, const ExprRef& value,
                     bool moves) override {
        if (caller_)
            return caller_->keep(hint, type, value, moves);
        if (moves)
            if (const auto known = loops_.kept(value))
                return *known;
        std::string name = names_.take(hint);
        if (!moves || !loops_.in_elements())
            made_.variables.push_back(declared(name, type));
        if (moves)
            loops_.keep(name, type, value);
        else
            made_.body.push_back(rtl::Statement::assign(
                Place::all_of(name, type.width_bits(), type.is_signed()), value, false));
        return name;
    }

    std::string variable(const std::string& hint, const Type* type) override {
        if (caller_)
            return caller_->variable(hint, type);
        std::string name = names_.take(hint);
        made_.variables.push_back(type ? declared(name, *type)
                                       : rtl::Declared{name, 32, true, true});
        return name;
    }
    LoopText& loops() override { return caller_ ? caller_->loops() : loops_; }
    Names& names() override { return caller_ ? caller_->names() : names_; }
    std::string element_index(const std::string& index) override {
        if (caller_)
            return caller_->element_index(index);
        std::string& name = element_indices_[index];
        if (name.empty())
            name = names_.take(index);
        return name;
    }
    void add(rtl::Net variable, rtl::Statements statements) override {
        if (caller_)
            return caller_->add(std::move(variable), std::move(statements));
        made_.variables.push_back(variable.what);
        append(made_.body, std::move(statements));
    }
    void add(rtl::Elements elements) override {
        if (caller_)
            return caller_->add(std::move(elements));
        const auto set = [](const Place& target, const ExprRef& value) {
            return rtl::Statement::assign(target, value, false);
        };
        made_.variables.push_back(elements.whole.what);
        for (rtl::Elements::Run& run : elements.runs) {
            for (const rtl::Generate::Loop& loop : run.loops)
                if (std::none_of(made_.variables.begin(), made_.variables.end(),
                                 [&](const auto& each) { return each.name == loop.variable; }))
                    made_.variables.push_back({loop.variable, 32, true, true});
            rtl::Statements lines;
            for (const rtl::Net& net : run.nets) {
                made_.variables.push_back(net.what);
                lines.push_back(set(
                    Place::all_of(net.what.name, net.what.width, net.what.is_signed), net.value));
            }
            lines.push_back(set(run.element.target, run.element.value));
            std::vector<LoopRange> ranges;
            for (const rtl::Generate::Loop& loop : run.loops)
                ranges.push_back({loop.variable, loop.low, loop.end});
            append(made_.body, for_loops(ranges, std::move(lines)));
        }
        for (const rtl::Assign& other : elements.others)
            made_.body.push_back(set(other.target, other.value));
    }
    void run(rtl::Statement start, rtl::Statements statements, bool moves) override {
        if (caller_)
            caller_->run(std::move(start), std::move(statements), moves);
        else if (moves)
            loops_.add(std::move(start), std::move(statements));
        else {
            made_.body.push_back(std::move(start));
            append(made_.body, std::move(statements));
        }
    }

    /// `moves`: the term differs in each step of the surrounding loops.
    void set(const std::string& name, HdlValue term, bool moves) {
        terms_[name] = std::move(term);
        if (moves)
            translator_.argument_moves(name);
    }
    void add_input(const std::string& name, const HdlValue& argument) {
        const std::string own = names_.take(name);
        made_.inputs.push_back(declared(own, *argument.type));
        HdlValue term = identifier(own, argument.type);
        terms_[name] = argument.kind == HdlValue::Kind::exact
                           ? HdlValue::between(std::move(term), argument.low, argument.high)
                           : term;
    }
    /// Returns the function's result.
    HdlValue result() { return translator_.value(*body_.value); }

    /// Returns the function under its name.
    rtl::Function function(const std::string& name, const HdlValue& result) {
        const Location& declared_at = body_.function->declared;
        made_.comments = comments_above(declared_at);
        if (const std::string behind = comment_behind(declared_at); !behind.empty())
            made_.comments.push_back(behind);
        made_.result = declared(name, *result.type);
        made_.value = Translator::code(result);
        return std::move(made_);
    }

private:
    const expr::BoundBody& body_;
    ModuleText& module_;
    EmitContext* caller_; // the function is expanded there; null: a separate function
    Names names_;
    std::map<std::string, HdlValue> terms_;
    std::map<std::string, std::string> element_indices_;
    rtl::Function made_;
    LoopText loops_;
    Translator translator_;
};

/// Tests whether an argument becomes an input of the function; a known value is part of the typing.
bool is_input(const HdlValue& argument) {
    return argument.is_typed() || (argument.kind == HdlValue::Kind::exact && !argument.known());
}

/// Returns the key of a typing; "" if the function must be expanded at the call.
std::string typing(const std::vector<HdlValue>& arguments) {
    std::string key;
    bool moves = false;
    for (const HdlValue& argument : arguments) {
        moves = moves || is_input(argument);
        if (argument.known())
            key += fmt::format(" {}", to_string(argument.low));
        else if (argument.kind == HdlValue::Kind::exact)
            key += fmt::format(" {}..{}", to_string(argument.low), to_string(argument.high));
        else if (argument.is_typed())
            key += fmt::format(" {}:{}", argument.type->name(), argument.type->width_bits());
        else if (argument.kind == HdlValue::Kind::constants)
            key += fmt::format(" {}", static_cast<const void*>(argument.constants.get()));
        else
            return {};
    }
    return moves ? key : std::string{};
}

} // namespace

/// Calls the function already written for this typing.
HdlValue Translator::called(HdlValue function, const HdlValues& arguments) {
    if (!function.expr)
        return function;
    std::vector<ExprRef> given;
    for (const HdlValue& argument : arguments)
        if (is_input(argument))
            given.push_back(code(argument));
    function.expr = rtl::call(function.expr->text, std::move(given), function.expr->width,
                              function.expr->is_signed);
    return function;
}

HdlValue Translator::own_call(const expr::BoundExpr& bound) {
    // a body without a value needs values that are known at the call: it is expanded there
    const expr::BoundDetails& details = bound.more();
    const expr::BoundBody& body = details.body->value ? *details.body : *details.body_here;
    const expr::Function& function = *body.function;
    HdlValues arguments;
    for (const expr::BoundRef& each : bound.operands)
        arguments.push_back(write(*each));
    const std::string types = details.body->value ? typing(arguments) : std::string{};
    const std::string key = fmt::format("{} {}", static_cast<const void*>(&function), types);
    if (const auto written = module_.results().find(key);
        !types.empty() && written != module_.results().end())
        return called(written->second, arguments);
    const auto inside =
        std::make_unique<FunctionContext>(body, context_, types.empty() ? &context_ : nullptr);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::string& name = function.parameters[k].name;
        HdlValue argument = arguments[k];
        if (!types.empty() && is_input(argument)) {
            inside->add_input(name, argument);
            continue;
        }
        if (types.empty() && argument.is_typed() && argument.level() != Level::primary)
            argument = placed(argument, name);
        inside->set(name, argument, context_.loops().is_open() && moves(*bound.operands[k]));
    }
    HdlValue result = inside->result();
    if (types.empty())
        return result;
    if (!result.type || result.kind == HdlValue::Kind::constants)
        return module_.results()[key] = result;
    const std::string name = module_.names().take(function.name);
    module_.add_function(inside->function(name, result));
    HdlValue made = HdlValue::of(
        result.type, rtl::call(name, {}, result.type->width_bits(), result.type->is_signed()));
    if (result.kind == HdlValue::Kind::exact)
        made = HdlValue::between(made, result.low, result.high);
    return called(module_.results()[key] = made, arguments);
}

} // namespace sme::hdl
