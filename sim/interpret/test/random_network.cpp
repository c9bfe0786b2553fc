// SPDX-License-Identifier: Apache-2.0
#include "interpret/test/random_network.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::test {

std::string ScalarType::name() const {
    return is_bool ? "bool" : fmt::format("{}{}", is_signed ? "i" : "u", width);
}

Integer ScalarType::wrap(Integer value) const {
    const Integer modulus = Integer{1} << width;
    Integer rest = value % modulus;
    if (rest < 0)
        rest += modulus;
    return is_signed && rest >= modulus / 2 ? rest - modulus : rest;
}

namespace {

using Kind = Term::Kind;
constexpr ScalarType bool_type{1, false, true};

/// Two operands. A braced initialiser draws them from left to right with any compiler; function
/// arguments would be drawn in any order, and a seed would give different networks.
struct Operands {
    TermRef a, b;
};

/// Makes the terms of one family.
class Maker {
public:
    Maker(std::mt19937& random, const std::vector<RandomFamily>& before, RandomFamily& family,
          bool faults)
        : random_{random}, before_{before}, family_{family}, faults_{faults} {}

    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    bool chance(unsigned percent) { return below(100) < percent; }

    ScalarType type() {
        constexpr unsigned usual[] = {1, 4, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64};
        return {chance(60) ? usual[below(12)] : below(64) + 1, chance(40), false};
    }
    ScalarType unsigned_type(unsigned most) { return {below(most) + 1, false, false}; }
    ScalarType type_or_bool() { return chance(20) ? bool_type : type(); }

    void make() {
        const unsigned lets = below(4);
        for (unsigned k = 0; k < lets; ++k)
            family_.lets.push_back(term(type_or_bool(), 3));
        if (chance(60)) {
            const unsigned arms = below(3) + 1;
            for (unsigned k = 0; k < arms; ++k)
                family_.conditions.push_back(
                    k > 0 && k + 1 == arms && chance(50) ? nullptr : new_condition());
        }
        for (const ScalarType& state : family_.states)
            family_.state_lines.push_back(target(state));
        family_.out = target(family_.out_type);
        if (family_.has_wire)
            family_.wire = target(family_.wire_type);
        if (family_.has_memory) {
            family_.memory.word = word_index();
            family_.memory.outer = line(family_.memory_type, true);
            family_.memory.arms.resize(family_.conditions.size());
        }
    }

private:
    TermRef new_condition() { // no two arms are equal
        for (;;) {
            TermRef result = term(bool_type, 2);
            const auto same = [&](const TermRef& other) { return other->text == result->text; };
            if (std::none_of(family_.conditions.begin(), family_.conditions.end(), same))
                return result;
        }
    }

    Line line(ScalarType type, bool conditional) {
        Line result;
        const unsigned entries = chance(70) ? 1 : below(3) + 1;
        for (unsigned k = 0; k < entries; ++k)
            result.entries.push_back({term(type, 4), k + 1 < entries || conditional || chance(30)
                                                         ? term(bool_type, 2)
                                                         : nullptr});
        return result;
    }

    TargetLines target(ScalarType type) {
        TargetLines result;
        if (chance(90))
            result.outer = line(type, false);
        for (std::size_t k = 0; k < family_.conditions.size(); ++k)
            result.arms.push_back(chance(40) ? line(type, false) : Line{});
        return result;
    }

    static std::shared_ptr<Term> make_term(Kind kind, ScalarType type, std::string text,
                                           std::vector<TermRef> kids = {}) {
        auto result = std::make_shared<Term>();
        result->kind = kind;
        result->type = type;
        result->text = std::move(text);
        result->kids = std::move(kids);
        return result;
    }

    TermRef literal(ScalarType type, bool bare) {
        const Integer factor{random_()};
        Integer value = type.wrap(factor * random_());
        if (chance(60))
            value = type.wrap(Integer{below(5)} - 2);
        if (type.is_bool) // a constant bool would let conditions fold away
            return compared(bool_type, 0);
        auto result = make_term(Kind::literal, type, to_string(value));
        if (!bare)
            result->text = fmt::format("{}({})", type.name(), result->text);
        result->bare = bare;
        result->value = value;
        return result;
    }

    /// All names of a type, or of any type.
    std::vector<TermRef> names(const ScalarType* wanted) {
        std::vector<TermRef> found;
        const auto offer = [&](Kind kind, ScalarType type, std::string text, unsigned number) {
            if (wanted && !(type == *wanted))
                return;
            auto result = make_term(kind, type, std::move(text));
            result->number = number;
            found.push_back(result);
        };
        for (unsigned k = 0; k < family_.inputs.size(); ++k) {
            const InputPort& input = family_.inputs[k];
            const RandomFamily& from =
                input.family < before_.size() ? before_[input.family] : family_;
            offer(Kind::input, input.wire ? from.wire_type : from.out_type, fmt::format("a{}", k),
                  k);
        }
        for (unsigned k = 0; k < family_.states.size(); ++k)
            offer(Kind::state, family_.states[k], fmt::format("s{}", k), k);
        for (unsigned k = 0; k < family_.lets.size(); ++k)
            offer(Kind::let, family_.lets[k]->type, fmt::format("l{}", k), k);
        offer(Kind::own, family_.out_type, "o", 0);
        return found;
    }

    TermRef word_index() { return term({faults_ ? 3u : 2u, false, false}, 1); }

    TermRef cast(ScalarType type, TermRef from) {
        const std::string text = fmt::format("{}({})", type.name(), from->text);
        return make_term(Kind::cast, type, text, {std::move(from)});
    }

    TermRef leaf(ScalarType type) {
        if (const auto fitting = names(&type); !fitting.empty() && chance(70))
            return fitting[below(static_cast<unsigned>(fitting.size()))];
        if (type.is_bool)
            return compared(type, 0);
        if (family_.has_memory && type == family_.memory_type && chance(50)) {
            TermRef at = word_index();
            return make_term(Kind::word, type, fmt::format("m[{}]", at->text), {at});
        }
        if (chance(20))
            return literal(type, false);
        if (chance(15))
            return make_term(Kind::index, type, fmt::format("{}(k)", type.name()));
        const auto any = names(nullptr);
        return cast(type, any[below(static_cast<unsigned>(any.size()))]);
    }

    TermRef binary(Kind kind, ScalarType type, const char* op, const Operands& of) {
        const auto& [a, b] = of;
        auto result =
            make_term(kind, type, fmt::format("({} {} {})", a->text, op, b->text), {a, b});
        result->op = op;
        return result;
    }

    TermRef operand(ScalarType type, int depth) { // the right one may be a bare number
        return !type.is_bool && chance(25) ? literal(type, true) : term(type, depth);
    }

    TermRef compared(ScalarType type, int depth) {
        constexpr const char* ops[] = {"==", "!=", "<", "<=", ">", ">="};
        const auto any = names(nullptr);
        TermRef a = any[below(static_cast<unsigned>(any.size()))];
        if (depth > 0)
            a = term(this->type(), depth - 1);
        if (a->type.is_bool)
            return depth > 0 || chance(50) ? a : binary(Kind::compare, type, "!=", {a, a});
        const char* const op = ops[below(6)];
        return binary(Kind::compare, type, op, {a, operand(a->type, depth - 1)});
    }

    TermRef logic(int depth) {
        switch (below(7)) {
        case 0: {
            TermRef a = term(bool_type, depth - 1);
            return make_term(Kind::logical_not, bool_type, fmt::format("(not {})", a->text), {a});
        }
        case 1:
            return binary(Kind::both, bool_type, "and",
                          {term(bool_type, depth - 1), term(bool_type, depth - 1)});
        case 2:
            return binary(Kind::either, bool_type, "or",
                          {term(bool_type, depth - 1), term(bool_type, depth - 1)});
        case 3:
            return binary(Kind::implies, bool_type, "implies",
                          {term(bool_type, depth - 1), term(bool_type, depth - 1)});
        case 4:
            return binary(Kind::binary, bool_type, "^",
                          {term(bool_type, depth - 1), term(bool_type, depth - 1)});
        case 5: return chosen(bool_type, depth);
        default: return compared(bool_type, depth);
        }
    }

    TermRef chosen(ScalarType type, int depth) {
        TermRef c = term(bool_type, depth - 1), yes = term(type, depth - 1), no;
        do
            no = operand(type, depth - 1);
        while (no->text == yes->text);
        // if the condition is known, only an untyped number may remain
        return make_term(Kind::choose, type,
                         fmt::format("{}(if {} then {} else {})", no->bare ? type.name() : "",
                                     c->text, yes->text, no->text),
                         {c, yes, no});
    }

    TermRef divided(ScalarType type, int depth) {
        const char* op = chance(50) ? "/" : "%";
        const TermRef a = term(type, depth - 1), b = term(type, depth - 1);
        TermRef quotient = binary(Kind::divide, type, op, {a, b});
        if (faults_ && chance(40))
            return quotient;
        const TermRef test = binary(Kind::compare, bool_type, "!=", {b, zero(type)});
        return make_term(
            Kind::choose, type,
            fmt::format("(if {} then {} else {})", test->text, quotient->text, a->text),
            {test, quotient, a});
    }

    TermRef zero(ScalarType type) {
        auto result = make_term(Kind::literal, type, "0");
        result->bare = true;
        return result;
    }

    TermRef cut(ScalarType type, int depth) { // a slice, of an unsigned type
        const unsigned base = type.width + below(65 - type.width);
        const ScalarType from{base, chance(50), false};
        auto result = make_term(Kind::slice, type, "", {term(from, depth - 1)});
        result->low = below(base - type.width + 1);
        result->high = result->low + type.width - 1;
        result->text =
            fmt::format("{}[{}:{}]", cast(from, result->kids[0])->text, result->high, result->low);
        return result;
    }

    TermRef single_bit(int depth) {
        const ScalarType from{8, chance(50), false};
        TermRef base = term(from, depth - 1);
        TermRef at = term({faults_ ? 4u : 3u, false, false}, 1);
        const std::string text = fmt::format("{}[{}]", cast(from, base)->text, at->text);
        return make_term(Kind::bit, bool_type, text, {base, at});
    }

    TermRef joined(ScalarType type, int depth) {
        const unsigned left = below(type.width - 1) + 1;
        TermRef a = term({left, chance(50), false}, depth - 1);
        TermRef b = term({type.width - left, chance(50), false}, depth - 1);
        return make_term(Kind::cat, type, fmt::format("cat({}, {})", a->text, b->text), {a, b});
    }

    /// A call with one operand or two.
    TermRef call(Kind kind, ScalarType type, const char* name, const Operands& of) {
        const auto& [a, b] = of;
        const std::string text = b ? fmt::format("{}({}, {})", name, a->text, b->text)
                                   : fmt::format("{}({})", name, a->text);
        std::vector<TermRef> kids{a};
        if (b)
            kids.push_back(b);
        auto result = make_term(kind, type, text, std::move(kids));
        result->op = name;
        return result;
    }

    TermRef shifted(ScalarType type, int depth) {
        const char* const op = chance(50) ? "<<" : ">>";
        return binary(Kind::shift, type, op,
                      {term(type, depth - 1), term(unsigned_type(8), depth - 1)});
    }

    TermRef rotated(ScalarType type, int depth) {
        const char* const name = chance(50) ? "rotl" : "rotr";
        return call(Kind::rotate, type, name,
                    {term(type, depth - 1), term(unsigned_type(8), depth - 1)});
    }

    TermRef term(ScalarType type, int depth) {
        if (depth <= 0 || chance(12))
            return leaf(type);
        if (type.is_bool)
            return chance(15) ? single_bit(depth) : logic(depth);
        constexpr const char* ops[] = {"+", "-", "*", "&", "|", "^"};
        switch (below(14)) {
        case 0:
        case 1: return chosen(type, depth);
        case 2: return divided(type, depth);
        case 3: return shifted(type, depth);
        case 4: return cast(type, term(type_or_bool(), depth - 1));
        case 5:
            if (!type.is_signed)
                return cut(type, depth);
            [[fallthrough]];
        case 6:
            if (!type.is_signed && type.width > 1)
                return joined(type, depth);
            [[fallthrough]];
        case 7: {
            TermRef a = term(type, depth - 1);
            const bool minus = chance(50);
            return make_term(minus ? Kind::negate : Kind::complement, type,
                             fmt::format("({}{})", minus ? "-" : "~", cast(type, a)->text), {a});
        }
        case 8:
            return chance(50) ? call(Kind::smaller, type, "min",
                                     {term(type, depth - 1), operand(type, depth - 1)})
                              : call(Kind::larger, type, "max",
                                     {term(type, depth - 1), operand(type, depth - 1)});
        case 9:
            return chance(50) ? call(Kind::reverse, type, "reverse", {term(type, depth - 1), {}})
                              : rotated(type, depth);
        default: {
            const char* const op = ops[below(6)];
            return binary(Kind::binary, type, op,
                          {term(type, depth - 1), operand(type, depth - 1)});
        }
        }
    }

    std::mt19937& random_;
    const std::vector<RandomFamily>& before_;
    RandomFamily& family_;
    bool faults_;
};

} // namespace

RandomNetwork::RandomNetwork(unsigned seed, bool faults) {
    std::mt19937 random{seed};
    constexpr unsigned sizes[] = {2, 3, 7, 33, 64, 100, 257, 300};
    const unsigned count = static_cast<unsigned>(random() % 3) + 1;
    for (unsigned f = 0; f < count; ++f) {
        RandomFamily family;
        Maker maker{random, families, family, faults};
        family.size = sizes[maker.below(8)];
        family.out_type = maker.type_or_bool();
        family.wire_type = maker.type_or_bool();
        family.memory_type = maker.type();
        family.has_wire = !faults && maker.chance(60);
        family.has_memory = maker.chance(40);
        family.hold = maker.chance(40);
        family.delay = maker.chance(70) ? 1 : maker.below(4) + 1;
        for (unsigned k = maker.below(3) + 1; k > 0; --k) {
            InputPort input{maker.below(f + 1), false, maker.below(5)};
            input.wire = input.family < f && families[input.family].has_wire && maker.chance(60);
            family.inputs.push_back(input);
        }
        for (unsigned k = maker.below(3) + 1; k > 0; --k) {
            family.states.push_back(maker.type_or_bool());
            family.initial.push_back(family.states.back().wrap(Integer{random()}));
        }
        maker.make();
        families.push_back(std::move(family));
    }
}

} // namespace sme::test
