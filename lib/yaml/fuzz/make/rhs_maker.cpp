// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/rhs_maker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::fuzz {

namespace {

using Means = std::function<void(const Env&, unsigned, Patches&)>;

Means means(const Term& term) {
    if (!term.meaning)
        return {};
    return [value = term.meaning](const Env& env, unsigned low, Patches& patches) {
        patches.push_back({low, value(env)});
    };
}

} // namespace

/// Writes the text plain, quoted, or over several lines.
void RhsMaker::spread(RhsText& result, const std::string& text) {
    const unsigned way = c_.below(10);
    if (way == 6 && result.below.empty()) {
        m_.use(Production::quoted_scalar);
        result.line = c_.chance(50) ? "\"" + text + "\"" : "'" + text + "'";
        return;
    }
    // break between two words, so the second line does not begin with "-" or "#"
    std::size_t space = text.find(' ', text.size() / 2);
    while (space != text.npos &&
           std::string_view{"-#|&?"}.find(text[space + 1]) != std::string_view::npos)
        space = text.find(' ', space + 1);
    const bool splits = space != text.npos;
    if (way < 7) {
        result.line = text;
        return;
    }
    if (way == 7 && splits) {
        m_.use(Production::longer_lines);
        result.line = text.substr(0, space);
        result.below = {text.substr(space + 1)};
        return;
    }
    m_.use(way == 8 ? Production::folded_scalar : Production::block_scalar);
    result.line = way == 8 ? ">" : "|";
    result.below = splits ? Lines{text.substr(0, space), text.substr(space + 1)} : Lines{text};
}

RhsText RhsMaker::line(const Term& term) {
    RhsText result;
    spread(result, term.text);
    result.meaning = means(term);
    return result;
}

RhsText RhsMaker::rhs(const TypeOf& type, int depth, bool always) {
    terms_.set_budget(40);
    if (depth > 1) {
        if (c_.chance(8))
            return list(type, depth, always);
        if (c_.chance(10))
            return choice(type, depth, always);
        if (c_.chance(14))
            return matched(type, depth, always);
    }
    if (type->kind == Shape::Kind::structure && c_.chance(40))
        return fields(type, depth, always);
    return expression(type, depth, always);
}

RhsText RhsMaker::expression(const TypeOf& type, int depth, bool always) {
    m_.use(Production::rhs_expression);
    const Term value = terms_.term(type, depth);
    if (always || !c_.chance(25))
        return line(value);
    m_.use(Production::rhs_when);
    const Term when = terms_.condition(2);
    RhsText result;
    spread(result, fmt::format("{} when {}", value.text, when.text));
    if (value.meaning && when.meaning)
        result.meaning = [=](const Env& env, unsigned low, Patches& patches) {
            if (when.meaning(env)[0])
                patches.push_back({low, value.meaning(env)});
        };
    return result;
}

RhsText RhsMaker::list(const TypeOf& type, int depth, bool always) {
    m_.use(Production::rhs_list);
    struct Entry {
        Term value, when;
    };
    std::vector<Entry> entries;
    RhsText result;
    const unsigned count = c_.between(1, 3);
    bool known = true;
    for (unsigned k = 0; k < count; ++k) {
        entries.push_back({terms_.term(type, depth - 1), terms_.condition(2)});
        result.below.push_back(
            fmt::format("- {} when {}", entries[k].value.text, entries[k].when.text));
        known = known && entries[k].value.meaning && entries[k].when.meaning;
    }
    if (always || c_.chance(40)) {
        const Term last = terms_.term(type, depth - 1);
        result.below.push_back("- " + last.text);
        known = known && last.meaning;
        entries.push_back({last, {"", boolean(), [](const Env&) { return truth(true); }}});
    }
    if (known)
        result.meaning = [=](const Env& env, unsigned low, Patches& patches) {
            for (const Entry& each : entries)
                if (each.when.meaning(env)[0])
                    return patches.push_back({low, each.value.meaning(env)});
        };
    return result;
}

/// Returns a map of fields: all fields if a value is required, some of them in a step.
RhsText RhsMaker::fields(const TypeOf& type, int depth, bool always) {
    m_.use(Production::rhs_fields);
    RhsText result;
    std::vector<std::pair<unsigned, Means>> parts;
    bool known = true;
    for (std::size_t k = 0; k < type->fields.size(); ++k) {
        const auto& [name, field] = type->fields[k];
        const bool last = result.below.empty() && k + 1 == type->fields.size();
        if (!always && !last && c_.chance(30)) {
            m_.use(Production::rhs_partial_fields);
            continue;
        }
        const RhsText part = rhs(field, depth - 1, always);
        append(result.below, entry(name, part));
        parts.emplace_back(field_low(*type, k), part.meaning);
        known = known && part.meaning;
    }
    if (known)
        result.meaning = [parts](const Env& env, unsigned low, Patches& patches) {
            for (const auto& [at, part] : parts)
                part(env, low + at, patches);
        };
    return result;
}

Term RhsMaker::key_condition(std::set<std::string>& taken) {
    terms_.set_budget(8);
    Term result = terms_.condition(2);
    // YAML keys have at most 1024 characters and must be unique
    if (result.text.size() > 300)
        result = terms_.literal(boolean(), false);
    if (taken.count(result.text) != 0)
        result = {fmt::format("({}) or u32({}) == 0", result.text, taken.size()), boolean(),
                  result.meaning, by_or};
    taken.insert(result.text);
    return result;
}

RhsText RhsMaker::choice(const TypeOf& type, int depth, bool always) {
    m_.use(Production::rhs_if);
    RhsText result;
    std::vector<std::pair<Term, RhsText>> options;
    std::set<std::string> taken;
    const unsigned count = c_.between(1, 3);
    bool known = true;
    for (unsigned k = 0; k < count; ++k) {
        if (k > 0)
            m_.use(Production::rhs_elif);
        options.emplace_back(key_condition(taken), rhs(type, depth - 1, always));
        const auto& [when, value] = options.back();
        append(result.below, entry((k == 0 ? "if " : "elif ") + when.text, value));
        known = known && when.meaning && value.meaning;
    }
    if (always || c_.chance(50)) {
        const RhsText last = rhs(type, depth - 1, always);
        append(result.below, entry("else", last));
        options.emplace_back(Term{"", boolean(), [](const Env&) { return truth(true); }}, last);
        known = known && last.meaning;
    }
    if (known)
        result.meaning = [options](const Env& env, unsigned low, Patches& patches) {
            for (const auto& [when, value] : options)
                if (when.meaning(env)[0])
                    return value.meaning(env, low, patches);
        };
    return result;
}

RhsText RhsMaker::matched(const TypeOf& type, int depth, bool always) {
    m_.use(Production::rhs_match);
    const Arms found = arms();
    RhsText result;
    std::vector<std::pair<std::function<bool(const Bits&)>, Means>> options;
    Lines lines;
    bool known = static_cast<bool>(found.subject.meaning);
    for (const Arms::Arm& arm : found.arms) {
        const RhsText value = rhs(type, depth - 2, always);
        append(lines, entry(arm.patterns, value));
        options.emplace_back(arm.holds, value.meaning);
        known = known && value.meaning;
    }
    result.below = {fmt::format("match {}:", found.subject.text)};
    append(result.below, indented(lines));
    if (known)
        result.meaning = [options, subject = found.subject](const Env& env, unsigned low,
                                                            Patches& patches) {
            const Bits value = subject.meaning(env);
            for (const auto& [holds, part] : options)
                if (holds(value))
                    return part(env, low, patches);
        };
    return result;
}

Arms RhsMaker::arms() {
    TypeOf type = c_.chance(25) ? boolean() : terms_.some_integer(false);
    for (const TypeOf& each : names_.types)
        if (each->kind == Shape::Kind::enumeration && c_.chance(40))
            type = each;
    for (const Name& name : names_.values) // a constant can be a pattern
        if (!name.fixed.empty() && name.type->is_integer() && !name.type->is_wide() &&
            c_.chance(12))
            type = name.type;
    terms_.set_budget(6);
    Term subject = terms_.term(type, 1);
    if (subject.text.size() > 300)
        subject = terms_.literal(type, false);
    Arms result = type->kind == Shape::Kind::enumeration ? member_arms(type)
                  : type->kind == Shape::Kind::boolean   ? Arms{}
                  : type->width > 2 && c_.chance(45)     ? bit_arms(type)
                                                         : number_arms(type);
    if (type->kind == Shape::Kind::boolean) {
        m_.use(Production::pattern_boolean);
        m_.use(Production::match_all);
        result.arms = {{"true", [](const Bits& x) { return x[0]; }},
                       {"false", [](const Bits& x) { return !x[0]; }}};
    }
    result.subject = subject;
    return result;
}

Arms RhsMaker::member_arms(const TypeOf& type) {
    m_.use(Production::pattern_member);
    Arms result;
    std::size_t at = 0;
    const bool all = c_.chance(50);
    while (at < type->members.size() - (all ? 0 : 1)) {
        std::vector<std::uint64_t> values;
        std::string text;
        const std::size_t end =
            std::min(type->members.size() - (all ? 0 : 1), at + c_.between(1, 2));
        for (; at < end; ++at) {
            const auto& [name, value] = type->members[at];
            values.push_back(value);
            text += fmt::format("{}{}{}", text.empty() ? "" : ", ",
                                c_.chance(30) ? type->text + "." : "", name);
        }
        result.arms.push_back({text, [values](const Bits& x) {
                                   return std::count(values.begin(), values.end(), number_of(x)) >
                                          0;
                               }});
    }
    m_.use(all ? Production::match_all : Production::match_else);
    if (!all)
        result.arms.push_back({"else", [](const Bits&) { return true; }});
    return result;
}

/// Returns arms with numbers, several in an arm, and a constant among them; all values for small
/// types.
Arms RhsMaker::number_arms(const TypeOf& type) {
    m_.use(Production::pattern_number);
    Arms result;
    std::vector<Bits> taken;
    const bool all = type->width <= 3;
    const auto add = [&](const std::string& text, std::vector<Bits> values) {
        taken.insert(taken.end(), values.begin(), values.end());
        result.arms.push_back({text, [values = std::move(values)](const Bits& x) {
                                   return std::find(values.begin(), values.end(), x) !=
                                          values.end();
                               }});
    };
    for (const Name& name : names_.values)
        if (!name.fixed.empty() && same(*name.type, *type) && taken.empty() && c_.chance(60)) {
            m_.use(Production::pattern_constant);
            add(name.text, {name.fixed});
        }
    const unsigned wanted = all ? 1u << type->width : c_.between(2, 5);
    for (unsigned tries = 0; taken.size() < wanted && tries < 40;) {
        std::vector<Bits> values;
        std::string text;
        const unsigned several = c_.between(1, 2);
        for (unsigned k = 0; k < several && taken.size() + values.size() < wanted; ++k, ++tries) {
            const Bits value = bits_of(all ? tries : c_.word() >> c_.below(60), type->width);
            if (std::find(taken.begin(), taken.end(), value) != taken.end() ||
                std::find(values.begin(), values.end(), value) != values.end())
                continue;
            text += (text.empty() ? "" : ", ") + terms_.literal_of(type, value, true).text;
            values.push_back(value);
        }
        if (values.size() > 1)
            m_.use(Production::pattern_list);
        if (!values.empty())
            add(text, values);
    }
    m_.use(all ? Production::match_all : Production::match_else);
    if (!all)
        result.arms.push_back({"else", [](const Bits&) { return true; }});
    return result;
}

/// Returns patterns that fix two bits and leave the others open.
Arms RhsMaker::bit_arms(const TypeOf& type) {
    m_.use(Production::pattern_bits);
    Arms result;
    const unsigned low = c_.below(type->width - 1), high = c_.between(low + 1, type->width - 1);
    const unsigned count = c_.between(1, 4);
    for (unsigned value = 0; value < count; ++value) {
        std::string digits(type->width, '?');
        digits[type->width - 1 - low] = (value & 1) != 0 ? '1' : '0';
        digits[type->width - 1 - high] = (value & 2) != 0 ? '1' : '0';
        result.arms.push_back({"0b" + digits, [=](const Bits& x) {
                                   return x[low] == ((value & 1) != 0) &&
                                          x[high] == ((value & 2) != 0);
                               }});
    }
    m_.use(count == 4 ? Production::match_all : Production::match_else);
    if (count < 4)
        result.arms.push_back({"else", [](const Bits&) { return true; }});
    return result;
}

} // namespace sme::fuzz
