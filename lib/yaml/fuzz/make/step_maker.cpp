// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/step_maker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::fuzz {

void StepMaker::add(StepText& to, const StepText& more) {
    append(to.lines, more.lines);
    if (!to.meaning || !more.meaning) {
        to.meaning = {};
        return;
    }
    to.meaning = [first = to.meaning, second = more.meaning](const Env& env, Changes& changes) {
        first(env, changes);
        second(env, changes);
    };
}

namespace {

StepText nothing() {
    return {{}, [](const Env&, Changes&) {}};
}

} // namespace

StepText StepMaker::step(const std::vector<Unit>& units) {
    StepText result = block(units, 2, true);
    if (result.lines.empty() || !c_.chance(20))
        return result;
    // a list of maps: first the lines, then the choices
    m_.use(Production::step_list);
    for (std::size_t k = 0; k < result.lines.size(); ++k)
        result.lines[k] = (k == 0 || k == choices_at_ ? "- " : "  ") + result.lines[k];
    return result;
}

/// Returns lines for some units, then up to three choices that divide the units between them.
StepText StepMaker::block(const std::vector<Unit>& units, int depth, bool outermost) {
    StepText result = nothing();
    for (const Unit& unit : units)
        if (unit.whole ? outermost : c_.chance(outermost ? 85 : 60))
            add(result, lines_of(unit, outermost));
    std::vector<Unit> free;
    for (const Unit& unit : units)
        if (chosen_.count(unit.key) == 0 && !unit.whole)
            free.push_back(unit);
    if (outermost)
        choices_at_ = result.lines.size();
    if (depth == 0 || free.empty() || !c_.chance(outermost ? 70 : 35))
        return result;
    const unsigned blocks = std::min(c_.between(1, 2), static_cast<unsigned>(free.size()));
    if (blocks > 1)
        m_.use(Production::two_chains);
    std::set<std::string> taken;
    for (unsigned k = 0; k < blocks; ++k) {
        std::vector<Unit> share;
        for (std::size_t each = k; each < free.size(); each += blocks)
            share.push_back(free[each]);
        if (!outermost)
            m_.use(Production::step_nested);
        add(result, c_.chance(50) ? chain(share, depth, taken) : match(share, depth, taken));
    }
    return result;
}

namespace {

/// Returns a block as written below its key; "{}" if empty.
Lines under(const std::string& key, const Lines& block, Maker& maker) {
    if (block.empty()) {
        maker.use(Production::step_empty);
        return {key + ": {}"};
    }
    Lines result{key + ":"};
    append(result, indented(block));
    return result;
}

} // namespace

StepText StepMaker::chain(const std::vector<Unit>& units, int depth, std::set<std::string>& taken) {
    StepText result = nothing();
    std::vector<std::pair<Term, StepMeaning>> options;
    const unsigned count = c_.between(1, 3);
    const bool with_else = c_.chance(50) && taken.insert("else").second; // at most one in a map
    bool known = true;
    for (unsigned k = 0; k < count + (with_else ? 1 : 0); ++k) {
        const bool last = k == count;
        m_.use(last ? Production::step_else : k == 0 ? Production::step_if : Production::step_elif);
        const Term when = last ? Term{"", boolean(), [](const Env&) { return truth(true); }}
                               : rhs_.key_condition(taken);
        const StepText inner = block(units, depth - 1, false);
        const std::string key = last ? "else" : (k == 0 ? "if " : "elif ") + when.text;
        append(result.lines, under(key, inner.lines, m_));
        options.emplace_back(when, inner.meaning);
        known = known && when.meaning && inner.meaning;
    }
    result.meaning = {};
    if (known)
        result.meaning = [options](const Env& env, Changes& changes) {
            for (const auto& [when, inner] : options)
                if (when.meaning(env)[0])
                    return inner(env, changes);
        };
    return result;
}

StepText StepMaker::match(const std::vector<Unit>& units, int depth, std::set<std::string>& taken) {
    m_.use(Production::step_match);
    Arms found = rhs_.arms();
    while (!taken.insert(found.subject.text).second)
        found.subject.text = fmt::format("({})", found.subject.text);
    StepText result{{fmt::format("match {}:", found.subject.text)}, {}};
    std::vector<std::pair<std::function<bool(const Bits&)>, StepMeaning>> options;
    bool known = static_cast<bool>(found.subject.meaning);
    for (const Arms::Arm& arm : found.arms) {
        const StepText inner = block(units, depth - 1, false);
        append(result.lines, indented(under(arm.patterns, inner.lines, m_)));
        options.emplace_back(arm.holds, inner.meaning);
        known = known && inner.meaning;
    }
    if (known)
        result.meaning = [options, subject = found.subject](const Env& env, Changes& changes) {
            const Bits value = subject.meaning(env);
            for (const auto& [holds, inner] : options)
                if (holds(value))
                    return inner(env, changes);
        };
    return result;
}

StepText StepMaker::lines_of(const Unit& unit, bool outermost) {
    const Place whole{unit.text, unit.type, unit.key, [](const Env&) { return 0u; }};
    if (unit.whole)
        return assign(whole, 0);
    if (unit.dimensions != 0)
        return elements(whole, unit.dimensions, 2, outermost);
    return c_.chance(45) ? parts(whole, 3, outermost) : assign(whole, 3);
}

StepText StepMaker::assign(const Place& place, int depth) {
    const RhsText value = rhs_.rhs(place.type, depth, depth == 0);
    StepText result{entry(place.text, value), {}};
    if (place.low && value.meaning)
        result.meaning = [low = place.low, value = value.meaning,
                          key = place.key](const Env& env, Changes& changes) {
            Patches patches;
            value(env, 0, patches);
            for (const Patch& patch : patches)
                put(changes.at(key), low(env) + patch.low, patch.bits);
        };
    return result;
}

/// Assigns some parts of a place, one line each.
StepText StepMaker::parts(const Place& place, int depth, bool outermost) {
    if (depth > 0 && place.type->kind == Shape::Kind::structure)
        return struct_parts(place, depth, outermost);
    if (depth > 0 && place.type->kind == Shape::Kind::array)
        return elements(place, 0, depth, outermost);
    if (place.type->is_integer() && place.type->width > 1)
        return integer_parts(place, outermost);
    m_.use(Production::target_whole);
    return assign(place, depth);
}

StepText StepMaker::struct_parts(const Place& place, int depth, bool outermost) {
    StepText result = nothing();
    for (std::size_t k = 0; k < place.type->fields.size(); ++k) {
        if (c_.chance(40))
            continue;
        m_.use(Production::target_field);
        const unsigned at = field_low(*place.type, k);
        Place inner{place.text + "." + place.type->fields[k].first,
                    place.type->fields[k].second,
                    place.key,
                    {}};
        if (place.low)
            inner.low = [low = place.low, at](const Env& env) { return low(env) + at; };
        add(result, c_.chance(40) ? parts(inner, depth - 1, outermost) : assign(inner, depth - 1));
    }
    return result;
}

/// Assigns a disjoint slice and bit, or one bit at a computed index.
StepText StepMaker::integer_parts(const Place& place, bool outermost) {
    const unsigned width = place.type->width;
    StepText result = nothing();
    const auto part = [&](const std::string& text, const TypeOf& type,
                          const std::function<unsigned(const Env&)>& at) {
        Place inner{place.text + text, type, place.key, {}};
        if (place.low && at)
            inner.low = [low = place.low, at](const Env& env) { return low(env) + at(env); };
        add(result, assign(inner, 2));
    };
    if (outermost && c_.chance(30)) {
        const Exact at = rhs_.terms().index(width, 2);
        m_.use(Production::target_chosen_bit);
        chosen_.insert(place.key);
        std::function<unsigned(const Env&)> position;
        if (at.meaning)
            position = [at](const Env& env) { return static_cast<unsigned>(at.meaning(env)); };
        part(fmt::format("[{}]", at.text), boolean(), position);
        return result;
    }
    const unsigned cut = c_.between(1, width - 1);
    if (c_.chance(70)) {
        const unsigned high = c_.between(cut, width - 1);
        m_.use(Production::target_slice);
        part(fmt::format("[{}:{}]", high, cut), integer(high - cut + 1, false),
             [cut](const Env&) { return cut; });
    }
    if (c_.chance(70)) {
        const unsigned bit = c_.below(cut);
        m_.use(Production::target_bit);
        part(fmt::format("[{}]", bit), boolean(), [bit](const Env&) { return bit; });
    }
    return result;
}

StepMaker::Place StepMaker::element_of(const Place& place, const std::string& index,
                                       const Exact& at) const {
    Place result{place.text + index, place.type->element, place.key, {}};
    if (place.low && at.meaning)
        result.low = [low = place.low, at, width = result.type->width](const Env& env) {
            return low(env) + width * static_cast<unsigned>(at.meaning(env));
        };
    return result;
}

/// Assigns elements: one at a computed index, two at constant indices, a row, or all of a range.
StepText StepMaker::elements(const Place& place, unsigned dimensions, int depth, bool outermost) {
    const bool ports = dimensions != 0;
    const bool rows = place.type->element->kind == Shape::Kind::array;
    const bool two = dimensions == 2 || (rows && c_.chance(70));
    if (c_.chance(30))
        return ranged(place, two ? 2 : 1);
    const auto fixed = [&](unsigned value) {
        return Exact{std::to_string(value), [=](const Env&) { return std::int64_t{value}; }, value,
                     value};
    };
    const auto one = [&](const Exact& first, const Exact& second) {
        Place inner = element_of(place, fmt::format("[{}]", first.text), first);
        if (two)
            inner = element_of({place.text, inner.type, inner.key, inner.low},
                               fmt::format("[{}, {}]", first.text, second.text), second);
        m_.use(ports          ? Production::target_port_element
               : rows && !two ? Production::target_row
                              : Production::target_element);
        return first.low == first.high && c_.chance(25) && depth > 1
                   ? parts(inner, depth - 1, false)
                   : assign(inner, 2);
    };
    const unsigned outer = place.type->count;
    const unsigned inner = two ? place.type->element->count : 1;
    if (outermost && c_.chance(60)) {
        chosen_.insert(place.key);
        const Exact first = rhs_.terms().index(outer, 2);
        return one(first, two ? rhs_.terms().index(inner, 1) : fixed(0));
    }
    StepText result = one(fixed(0), fixed(c_.below(inner)));
    if (outer > 1 && c_.chance(50))
        add(result, one(fixed(c_.between(1, outer - 1)), fixed(c_.below(inner))));
    return result;
}

/// Assigns name[k < n]: each element of a range, with its index in the value.
StepText StepMaker::ranged(const Place& place, unsigned dimensions) {
    m_.use(dimensions == 2 ? Production::target_two_ranges : Production::target_range);
    struct Range {
        std::string name;
        unsigned low, end;
    };
    std::vector<Range> ranges;
    std::string text;
    TypeOf type = place.type;
    for (unsigned d = 0; d < dimensions; ++d) {
        Range range{m_.fresh("n"), 0, c_.between(1, type->count)};
        if (range.end > 1 && c_.chance(30))
            range.low = c_.between(1, range.end - 1);
        text += fmt::format("{}{}{} < {}", text.empty() ? "" : ", ",
                            range.low != 0 ? fmt::format("{} <= ", range.low) : "", range.name,
                            range.end);
        names_.exact.push_back({range.name,
                                [name = range.name](const Env& env) {
                                    return static_cast<std::int64_t>(number_of(env.at(name)));
                                },
                                range.low, std::int64_t{range.end} - 1});
        ranges.push_back(range);
        type = type->element;
    }
    const RhsText value = rhs_.rhs(type, 2, false);
    names_.exact.resize(names_.exact.size() - dimensions);
    StepText result{entry(fmt::format("{}[{}]", place.text, text), value), {}};
    if (!place.low || !value.meaning)
        return result;
    const unsigned row = dimensions == 2 ? place.type->element->width : 0, width = type->width;
    result.meaning = [=, low = place.low, key = place.key](const Env& env, Changes& changes) {
        const Range& inner = ranges.back();
        Env bound{&env, {}};
        const unsigned first = row != 0 ? ranges[0].low : 0, end = row != 0 ? ranges[0].end : 1;
        for (unsigned i = first; i < end; ++i)
            for (unsigned j = inner.low; j < inner.end; ++j) {
                bound.values[ranges[0].name] = bits_of(i, 32);
                bound.values[inner.name] = bits_of(j, 32);
                Patches patches;
                value.meaning(bound, low(env) + i * row + j * width, patches);
                for (const Patch& patch : patches)
                    put(changes.at(key), patch.low, patch.bits);
            }
    };
    return result;
}

} // namespace sme::fuzz
