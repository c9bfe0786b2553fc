// SPDX-License-Identifier: Apache-2.0
//
// The network's own functions: a Verilog function for each typing of their arguments. Numbers
// without a type are part of the typing. What is called with a memory or an array of ports is
// written where it is called: a function in Verilog wakes nobody when what it reads changes.
#include <algorithm>

#include <fmt/format.h>

#include "export/expressions/translator.hpp"
#include "export/written.hpp"

namespace sme::hdl {

namespace {

/// The inside of a function: its arguments and lets.
class FunctionSite final : public Site {
public:
    FunctionSite(const expr::Function& function, ModuleText& module, Site* caller)
        : function_{function}, module_{module}, caller_{caller}, names_{&module.names()},
          translator_{*this} {}

    std::optional<Term> find(const std::string& name) override {
        if (const auto known = terms_.find(name); known != terms_.end())
            return known->second;
        const auto let = std::find_if(function_.lets.begin(), function_.lets.end(),
                                      [&](const expr::LetText& each) { return each.name == name; });
        if (let == function_.lets.end())
            return std::nullopt;
        std::map<std::string, Term> hidden;
        hidden.swap(translator_.locals());
        Term value = translator_.let_value(*let);
        hidden.swap(translator_.locals());
        if (value.is_typed())
            value = translator_.placed(value, name);
        return terms_[name] = value;
    }
    std::optional<expr::Value> value(const std::string& name) override {
        if (const auto known = values_.find(name); known != values_.end())
            return known->second;
        const std::optional<Term> term = find(name);
        if (!term)
            return std::nullopt;
        return values_[name] = opaque(*term, builder());
    }
    expr::Scope& home() override { return *function_.home; }
    expr::Builder& builder() override { return caller_ ? caller_->builder() : builder_; }
    ModuleText& module() override { return module_; }
    std::string keep(const std::string& hint, const Type& type, const std::string& text) override {
        if (caller_)
            return caller_->keep(hint, type, text);
        const bool changes = loops_.changes(text);
        if (changes)
            if (const auto known = loops_.kept(text))
                return *known;
        std::string name = names_.take(hint);
        if (changes) {
            variables_ += fmt::format("        reg {}{};\n", range_of(type), name);
            loops_.keep(name, text);
            return name;
        }
        variables_ += fmt::format("        reg {}{};\n", range_of(type), name);
        lines_ += fmt::format("            {} = {};\n", name, text);
        return name;
    }

    std::string variable(const std::string& hint, const std::string& type) override {
        if (caller_)
            return caller_->variable(hint, type);
        std::string name = names_.take(hint);
        variables_ += fmt::format("        {}{};\n", type, name);
        return name;
    }
    LoopText& loops() override { return caller_ ? caller_->loops() : loops_; }
    void run(const std::string& variable, const std::string& start,
             const std::string& statements) override {
        if (caller_)
            caller_->run(variable, start, statements);
        else if (loops_.changes(start + statements))
            loops_.add(variable, start + statements);
        else
            lines_ += indented(start + statements, "            ");
    }

    void set(const std::string& name, Term term) { terms_[name] = std::move(term); }
    void add_input(const std::string& name, const Term& argument) {
        const std::string own = names_.take(name);
        inputs_ += fmt::format("        input {}{};\n", range_of(*argument.type), own);
        Term term = identifier(own, argument.type);
        terms_[name] = argument.kind == Term::Kind::exact
                           ? Term::between(std::move(term), argument.low, argument.high)
                           : term;
    }
    bool has_inputs() const { return !inputs_.empty(); }
    Translator& translator() { return translator_; }

    std::string text(const std::string& name, const Term& result) {
        std::vector<std::string> comments = comments_above(function_.declared);
        if (const std::string behind = comment_behind(function_.declared); !behind.empty())
            comments.push_back(behind);
        const std::string head =
            fmt::format("\n{}    function {}{};\n{}{}", comment_lines(comments, "    "),
                        range_of(*result.type), name, inputs_, variables_);
        const std::string value = translator_.text(result);
        if (lines_.empty())
            return fmt::format("{}        {} = {};\n    endfunction\n", head, name, value);
        return fmt::format("{}        begin\n{}            {} = {};\n        end\n"
                           "    endfunction\n",
                           head, lines_, name, value);
    }

private:
    const expr::Function& function_;
    ModuleText& module_;
    Site* caller_; // written there; null: a function of its own
    Names names_;
    expr::Builder builder_;
    std::map<std::string, Term> terms_;
    std::map<std::string, expr::Value> values_;
    std::string inputs_, variables_, lines_;
    LoopText loops_;
    Translator translator_;
};

/// What makes one typing differ from another; "" where it has to be written at the call.
std::string typing(const std::vector<Term>& arguments) {
    std::string key;
    bool moves = false;
    for (const Term& argument : arguments) {
        moves = moves || argument.is_typed() ||
                (argument.kind == Term::Kind::exact && !argument.known());
        if (argument.known())
            key += fmt::format(" {}", to_string(argument.low));
        else if (argument.kind == Term::Kind::exact)
            key += fmt::format(" {}..{}", to_string(argument.low), to_string(argument.high));
        else if (argument.is_typed())
            key += fmt::format(" {}:{}", argument.type->name(), argument.type->width_bits());
        else if (argument.kind == Term::Kind::constants)
            key += fmt::format(" {}", static_cast<const void*>(argument.constants.get()));
        else
            return {};
    }
    return moves ? key : std::string{};
}

} // namespace

Term Translator::own_call(const expr::Function& function, const expr::Ast& ast) {
    std::vector<Term> arguments;
    for (std::size_t k = 1; k < ast.operands.size(); ++k)
        arguments.push_back(evaluate(*ast.operands[k]));
    if (arguments.size() != function.parameters.size())
        return {};
    const std::string types = typing(arguments);
    FunctionSite inside{function, module_, types.empty() ? &site_ : nullptr};
    std::string given;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::string& name = function.parameters[k].name;
        const bool is_input =
            !types.empty() && (arguments[k].is_typed() ||
                               (arguments[k].kind == Term::Kind::exact && !arguments[k].known()));
        if (is_input) {
            inside.add_input(name, arguments[k]);
            given += (given.empty() ? "" : ", ") + text(arguments[k]);
        } else {
            Term argument = arguments[k];
            if (types.empty() && argument.is_typed() && argument.level != Level::primary)
                argument = placed(argument, name);
            inside.set(name, argument);
        }
    }
    const std::string key = fmt::format("{} {}", static_cast<const void*>(&function), types);
    if (const auto known = module_.results().find(key);
        !types.empty() && known != module_.results().end()) {
        Term made = known->second;
        if (!made.text.empty())
            made.text = fmt::format("{}({})", made.text, given);
        return made;
    }
    Term result = inside.translator().value(function.body);
    if (types.empty() || !result.type || result.kind == Term::Kind::constants) {
        if (!types.empty())
            module_.results()[key] = result;
        return result;
    }
    const std::string name = module_.names().take(function.name);
    module_.add_function(inside.text(name, result));
    Term made = Term::of(result.type, name);
    if (result.kind == Term::Kind::exact)
        made = Term::between(made, result.low, result.high);
    module_.results()[key] = made;
    made.text = fmt::format("{}({})", name, given);
    return made;
}

} // namespace sme::hdl
