// SPDX-License-Identifier: Apache-2.0
//
// What the loader knows before the run: types, numbers, conditions that never change. It is asked
// with the names of the place, of which it learns no more than their types.
#include <set>

#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::Value;

namespace {

/// A node of which nothing is known.
expr::NodeId unknown(expr::Builder& builder, expr::Scalar type) {
    constexpr std::uint32_t nowhere = 1u << 30; // no port has that number
    return builder.leaf({expr::Op::load, type, nowhere + static_cast<std::uint32_t>(builder.size()),
                         expr::no_node, expr::no_node, 0});
}

} // namespace

Value opaque(const Term& term, expr::Builder& builder) {
    if (term.known())
        return Value::number(term.low);
    if (term.kind == Term::Kind::number)
        return Value::long_number(term.words);
    if (term.kind == Term::Kind::exact)
        return Value::between(
            unknown(builder,
                    expr::scalar_between(term.low, term.high).value_or(expr::Scalar{64, true})),
            term.low, term.high);
    Value made;
    if (term.kind == Term::Kind::constants) {
        made.kind = Value::Kind::constants;
        made.constants = term.constants;
    } else if (term.kind == Term::Kind::memory) {
        made.kind = Value::Kind::memory;
        made.memory = std::make_shared<expr::MemoryRef>(
            expr::MemoryRef{term.memory->memory, term.memory->type, term.memory->dimensions});
    } else if (term.kind == Term::Kind::ports) {
        made.kind = Value::Kind::family;
        auto family = std::make_shared<expr::Family>();
        family->what = "port";
        family->lows = term.lows;
        family->counts = term.counts;
        family->element = [&builder, type = term.type](std::uint64_t, const Location&) {
            return opaque(Term::of(type, ""), builder);
        };
        made.family = std::move(family);
    } else if (term.is_typed()) {
        std::vector<expr::NodeId> leaves;
        for (const Leaf& leaf : term.type->leaves())
            leaves.push_back(unknown(builder, expr::Scalar::of(*leaf.type)));
        made = Value::of(term.type, std::move(leaves));
    }
    return made;
}

/// The names of a place, for the loader.
class Translator::ConstantEvaluator final : public expr::Scope {
public:
    explicit ConstantEvaluator(Translator& translator)
        : translator_{translator}, home_{translator.site_.home()}, elaborator_{
                                                                       translator.site_.builder(),
                                                                       *this, diagnostics_} {
        work_.left = ~std::uint64_t{0};
        translator.site_.builder().loops().from = expr::Work::usual_loops_from;
    }

    expr::Work& work() override { return work_; }
    bool allows_random() const override { return true; }
    const Value* find(const std::string& name) override {
        if (const auto known = values_.find(name); known != values_.end())
            return &known->second;
        expr::Builder& builder = translator_.site_.builder();
        if (const auto local = translator_.locals_.find(name); local != translator_.locals_.end())
            return &(values_[name] = opaque(local->second, builder));
        if (std::optional<Value> own = translator_.site_.value(name))
            return &(values_[name] = std::move(*own));
        return home_.find(name);
    }
    TypeRef find_type(const std::string& name) override { return home_.find_type(name); }
    const expr::Function* find_function(const std::string& name) override {
        return home_.find_function(name);
    }
    std::optional<TypeRef> make_type(const std::string& name, const std::vector<TypeRef>& arguments,
                                     const Location& where) override {
        return home_.make_type(name, arguments, where);
    }
    void names(std::vector<std::string>&) const override {}

    expr::Elaborator& elaborator() { return elaborator_; }

private:
    Translator& translator_;
    expr::Scope& home_;
    expr::Work work_;
    Diagnostics diagnostics_;
    std::map<std::string, Value> values_;
    expr::Elaborator elaborator_;
};

std::optional<bool> Translator::known_condition(const expr::Ast& ast) {
    ConstantEvaluator evaluator{*this};
    const auto node = evaluator.elaborator().condition(ast, "a condition");
    const auto known = node ? site_.builder().constant_value(*node) : std::nullopt;
    return known ? std::optional{*known != 0} : std::nullopt;
}

std::optional<Integer> Translator::known_number(const expr::Ast& ast) {
    ConstantEvaluator evaluator{*this};
    return evaluator.elaborator().constant(ast, "a number");
}

TypeRef Translator::type(const expr::Ast& ast) {
    ConstantEvaluator evaluator{*this};
    return evaluator.elaborator().type(ast);
}

TypeRef Translator::value_type(const expr::Ast& ast) {
    ConstantEvaluator evaluator{*this};
    return evaluator.elaborator().evaluate(ast).type;
}

std::vector<bool>
Translator::possible_arms(const expr::Ast& subject, const Location& where,
                          const std::vector<const std::vector<expr::Pattern>*>& arms) {
    ConstantEvaluator evaluator{*this};
    std::vector<expr::Match::Arm> texts;
    for (const std::vector<expr::Pattern>* patterns : arms)
        texts.push_back({patterns, where});
    const auto match = expr::Match::of(subject, where, texts, evaluator.elaborator());
    std::vector<bool> possible;
    for (std::size_t k = 0; k < arms.size(); ++k)
        possible.push_back(!match || match->is_possible(k));
    return possible;
}

} // namespace sme::hdl
