// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/sequence_maker.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "yaml/fuzz/make/sequence_walk.hpp"

namespace sme::fuzz {

namespace {

class SequenceMaker {
public:
    SequenceMaker(Maker& maker, Choices& choices) : m_{maker}, c_{choices} {}

    SequenceItems sequence() {
        for (unsigned k = c_.below(3); k > 0; --k)
            procedure();
        SequenceItems made = list(3);
        if (!takes_cycle(made.front()))
            made.insert(made.begin(), targets());
        return made;
    }
    const std::vector<SequenceProcedure>& procedures() const { return procedures_; }

private:
    static bool takes_cycle(const SequenceItem& item) {
        return item.kind <= SequenceItem::Kind::receive;
    }

    void procedure() {
        SequenceProcedure made;
        made.name = m_.fresh("do");
        made.parameter = m_.fresh("v");
        in_procedure_ = true;
        parameter_ = made.parameter;
        may_ = procedures_.empty() ? May{true, false, false} : May{true, true, true};
        made.items = list(2);
        if (!takes_cycle(made.items.front()))
            made.items.insert(made.items.begin(), targets());
        may_ = {true, true, true};
        parameter_.clear();
        in_procedure_ = false;
        unused_.clear();
        procedures_.push_back(std::move(made));
    }

    SequenceItems list(unsigned depth) {
        SequenceItems made;
        for (unsigned k = c_.between(1, 3); k > 0; --k) {
            made.push_back(item(depth));
            if (made.back().kind == SequenceItem::Kind::word)
                break;
        }
        return made;
    }

    SequenceItems round(unsigned depth) {
        ++loops_;
        SequenceItems made = list(depth - 1);
        --loops_;
        if (!takes_cycle(made.front()))
            made.insert(made.begin(), targets());
        return made;
    }

    SequenceItem item(unsigned depth) {
        const unsigned kind = c_.below(depth > 0 ? 24 : 10);
        if (kind < 4)
            return targets();
        if (kind < 6)
            return bounded(SequenceItem::Kind::wait, depth);
        if (kind < 8)
            return pause();
        if (kind < 9)
            return may_.write_y ? bounded(SequenceItem::Kind::send, depth) : targets();
        if (kind < 10)
            return may_.write_a ? bounded(SequenceItem::Kind::receive, depth) : targets();
        if (kind < 14)
            return choice(depth);
        if (kind < 15)
            return match(depth);
        if (kind < 17)
            return loop(depth);
        if (kind < 19)
            return repeat(depth);
        if (kind < 21)
            return word();
        return kind < 23 ? call() : parallel(depth);
    }

    /// Two sequences at the same time; one writes y and sends, the other writes a and receives.
    SequenceItem parallel(unsigned depth) {
        if (!may_.write_y || !may_.write_a)
            return targets();
        SequenceItem made;
        made.kind = SequenceItem::Kind::parallel;
        const unsigned loops = std::exchange(loops_, 0);
        const May may = may_;
        for (const bool first : {true, false}) {
            unused_.clear();
            may_ = {first, !first, false};
            ++inside_;
            made.arms.emplace_back(std::nullopt, list(depth - 1));
            --inside_;
        }
        may_ = may;
        loops_ = loops;
        unused_.clear();
        return made;
    }

    SequenceItem call() {
        // the first does not write a, nor leave a branch
        const std::size_t most = may_.leave && !in_procedure_ ? procedures_.size()
                                 : may_.write_y ? std::min<std::size_t>(procedures_.size(), 1)
                                                : 0;
        if (most == 0)
            return targets();
        SequenceItem made;
        made.kind = SequenceItem::Kind::call;
        const SequenceProcedure& called = procedures_[c_.below(static_cast<unsigned>(most))];
        made.text = called.name;
        made.index = called.parameter;
        made.value = value();
        made.is_inline = c_.chance(30);
        return made;
    }

    bool writes_y() { return may_.write_y && (!may_.write_a || c_.chance(50)); }

    SequenceItem targets() {
        SequenceItem made;
        made.written = value();
        made.writes_y = writes_y();
        return made;
    }

    SequenceItem bounded(SequenceItem::Kind kind, unsigned depth) {
        SequenceItem made;
        made.kind = kind;
        made.value = kind == SequenceItem::Kind::wait ? condition() : value();
        if (kind != SequenceItem::Kind::receive && c_.chance(40))
            made.written = value();
        made.writes_y = writes_y();
        if (kind != SequenceItem::Kind::receive && may_.write_y && c_.chance(30))
            made.lasting = value();
        if (c_.chance(40)) {
            made.within = c_.between(1, 4);
            made.has_late = depth > 0 && c_.chance(50);
            if (made.has_late)
                made.late = list(depth - 1);
        }
        return made;
    }

    SequenceItem pause() {
        SequenceItem made;
        made.kind = SequenceItem::Kind::pause;
        made.value = number();
        made.writes_y = writes_y();
        if (c_.chance(40))
            made.written = value();
        if (may_.write_y && c_.chance(40))
            made.lasting = value();
        return made;
    }

    SequenceItem choice(unsigned depth) {
        SequenceItem made;
        made.kind = SequenceItem::Kind::choice;
        for (unsigned k = c_.between(1, 2); k > 0; --k)
            made.arms.emplace_back(condition(), list(depth - 1));
        if (c_.chance(50))
            made.arms.emplace_back(std::nullopt, list(depth - 1));
        return made;
    }

    SequenceItem match(unsigned depth) {
        SequenceItem made;
        made.kind = SequenceItem::Kind::match;
        for (unsigned k = c_.between(1, 2); k > 0; --k)
            made.arms.emplace_back(std::nullopt, list(depth - 1));
        made.arms.emplace_back(std::nullopt, list(depth - 1));
        return made;
    }

    SequenceItem loop(unsigned depth) {
        SequenceItem made;
        made.kind = SequenceItem::Kind::loop;
        made.value = condition();
        made.body = round(depth);
        return made;
    }

    SequenceItem repeat(unsigned depth) {
        SequenceItem made;
        made.kind = SequenceItem::Kind::repeat;
        made.value = number();
        made.is_for = c_.chance(60);
        // loops one after the other may use one name
        made.index = unused_.empty() || c_.chance(50) ? m_.fresh("k") : unused_.back();
        std::erase(unused_, made.index);
        if (made.is_for || c_.chance(50))
            open_.push_back(made.index);
        const bool named = !open_.empty() && open_.back() == made.index;
        made.body = round(depth);
        if (named)
            open_.pop_back();
        else
            made.text = "unnamed";
        unused_.push_back(made.index);
        return made;
    }

    SequenceItem word() {
        SequenceItem made;
        made.kind = SequenceItem::Kind::word;
        const unsigned kind = c_.below(loops_ > 0 ? 8 : 4);
        made.text = kind == 0 ? "stop" : kind < 4 ? "restart" : kind < 6 ? "break" : "continue";
        if (kind < 4 && in_procedure_ && inside_ == 0)
            made.text = kind == 3 && may_.leave ? "restart" : "return";
        else if (kind < 4 && !may_.leave)
            return targets();
        return made;
    }

    SequenceValue value() {
        if (!parameter_.empty() && c_.chance(30))
            return {parameter_ + " + 2",
                    [name = parameter_](const SequenceValues& v) {
                        return (v.arguments.at(name) + 2) % 256;
                    },
                    true};
        switch (c_.below(open_.empty() ? 3 : 4)) {
        case 0: {
            const unsigned number = c_.below(256);
            return {std::to_string(number), [number](const SequenceValues&) { return number; },
                    true};
        }
        case 1: return {"a + 1", [](const SequenceValues& v) { return (v.a + 1) % 256; }};
        case 2: return {"a ^ u8(phase)", [](const SequenceValues& v) { return v.a ^ v.phase; }};
        default: {
            const std::string index = m_.one_of(open_);
            return {fmt::format("a + u8({})", index),
                    [index](const SequenceValues& v) { return (v.a + v.indices.at(index)) % 256; }};
        }
        }
    }

    SequenceValue condition() {
        const unsigned bit = c_.below(2);
        if (!parameter_.empty() && c_.chance(30))
            return {fmt::format("{}[{}]", parameter_, bit),
                    [bit, name = parameter_](const SequenceValues& v) {
                        return v.arguments.at(name) >> bit & 1;
                    },
                    true};
        switch (c_.below(open_.empty() ? 2 : 3)) {
        case 0:
            return {fmt::format("phase[{}]", bit),
                    [bit](const SequenceValues& v) { return v.phase >> bit & 1; }};
        case 1:
            return {fmt::format("not a[{}]", bit),
                    [bit](const SequenceValues& v) { return (v.a >> bit & 1) ^ 1; }};
        default: {
            const std::string index = m_.one_of(open_);
            return {fmt::format("u8({}) != {}", index, bit),
                    [index, bit](const SequenceValues& v) {
                        return v.indices.at(index) != bit ? 1u : 0u;
                    },
                    true};
        }
        }
    }

    /// A number of cycles or rounds.
    SequenceValue number() {
        if (c_.chance(30))
            return {"a[1:0]", [](const SequenceValues& v) { return v.a & 3; }};
        const unsigned number = c_.between(1, 3);
        return {std::to_string(number), [number](const SequenceValues&) { return number; }, true};
    }

    /// What items may do: write y and send, write a and receive, stop and restart.
    struct May {
        bool write_y = true, write_a = true, leave = true;
    };

    Maker& m_;
    Choices& c_;
    unsigned loops_ = 0; // around the item
    May may_;
    bool in_procedure_ = false;
    unsigned inside_ = 0;   // branches of the procedure
    std::string parameter_; // of the procedure
    std::vector<SequenceProcedure> procedures_;
    std::vector<std::string> open_, unused_;
};

std::string block(const SequenceItem& item) {
    return fmt::format("{{{}: {}}}", item.writes_y ? "y" : "a", item.written->text);
}

/// Writes items as lines of a list.
Lines lines_of(const SequenceItems& items) {
    Lines all;
    const auto add = [&](const std::string& first, const Lines& rest) {
        all.push_back("- " + first);
        append(all, indented(rest, 2));
    };
    const auto below = [](const std::string& key, const SequenceItems& inner) {
        Lines result{key};
        append(result, indented(lines_of(inner), 2));
        return result;
    };
    for (const SequenceItem& item : items) {
        Lines lines;
        switch (item.kind) {
        case SequenceItem::Kind::targets: lines = {block(item)}; break;
        case SequenceItem::Kind::wait: lines = {"wait: " + item.value.text}; break;
        case SequenceItem::Kind::pause: lines = {"pause: " + item.value.text}; break;
        case SequenceItem::Kind::send:
            lines = {fmt::format("send: {{to: {}}}", item.value.text)};
            break;
        case SequenceItem::Kind::receive:
            lines = {fmt::format("receive: {{{}: from}}", item.writes_y ? "y" : "a")};
            break;
        case SequenceItem::Kind::parallel: {
            Lines arms;
            for (const auto& [condition, inner] : item.arms) {
                arms.push_back("-");
                append(arms, indented(lines_of(inner), 2));
            }
            lines = {"parallel:"};
            append(lines, indented(arms, 2));
            break;
        }
        case SequenceItem::Kind::call:
            lines = {fmt::format("{}: {}({})", item.is_inline ? "inline" : "call", item.text,
                                 item.value.text)};
            break;
        case SequenceItem::Kind::choice:
            for (const auto& [condition, inner] : item.arms)
                append(lines, below(condition ? fmt::format("{} {}:", lines.empty() ? "if" : "elif",
                                                            condition->text)
                                              : "else:",
                                    inner));
            break;
        case SequenceItem::Kind::match: {
            Lines arms;
            for (std::size_t k = 0; k < item.arms.size(); ++k)
                append(arms, below(k + 1 < item.arms.size() ? fmt::format("{}:", k) : "else:",
                                   item.arms[k].second));
            lines = {"match a[1:0]:"};
            append(lines, indented(arms, 2));
            break;
        }
        case SequenceItem::Kind::loop:
            lines = below("while " + item.value.text + ":", item.body);
            break;
        case SequenceItem::Kind::repeat:
            if (item.is_for) {
                lines = below(fmt::format("for {} < {}:", item.index, item.value.text), item.body);
                break;
            }
            lines = {"repeat: " + item.value.text};
            if (item.text.empty())
                lines.push_back("index: " + item.index);
            append(lines, below("do:", item.body));
            break;
        case SequenceItem::Kind::word: lines = {item.text}; break;
        }
        if (item.written && item.kind != SequenceItem::Kind::targets)
            lines.push_back("then: " + block(item));
        if (item.lasting)
            lines.push_back(fmt::format("set: {{y: {}}}", item.lasting->text));
        if (item.within > 0)
            lines.push_back(fmt::format("within: {}", item.within));
        if (item.has_late)
            append(lines, below("else:", item.late));
        add(lines[0], {lines.begin() + 1, lines.end()});
    }
    return all;
}

} // namespace

void add_sequence(Maker& maker, Choices& choices, Home& home, unsigned cycles) {
    maker.use(Production::sequence);
    SequenceMaker sequence{maker, choices};
    const SequenceItems items = sequence.sequence();
    const std::string phase = maker.fresh("phase"), y = maker.fresh("b"), out = maker.fresh("tx"),
                      in = maker.fresh("rx"), process = maker.fresh("p"), taken = maker.fresh("p"),
                      stream = maker.fresh("Link");
    append(home.bus_lines, {phase + ": u4", y + ": u8", fmt::format("{}: {}(u8)", out, stream),
                            fmt::format("{}: {}(u8)", in, stream)});
    home.type_lines.push_back(
        fmt::format("{}(T): {{valid: bool, data: T, back ready: bool}}", stream));
    append(home.process_lines, {maker.fresh("p") + ":",
                                "  out: " + phase,
                                "  step:",
                                fmt::format("    {0}: {0} + 1", phase), //
                                maker.fresh("p") + ":",
                                fmt::format("  in: {{phase: {}}}", phase),
                                fmt::format("  out: {{x: {}}}", in),
                                "  step:",
                                "    x.valid: phase % 4 != 2",
                                "    x.data: u8(phase) * 5", //
                                taken + ":",
                                fmt::format("  in: {{phase: {}, x: {}}}", phase, out),
                                "  state: {sum: u8}",
                                "  step:",
                                "    x.ready: phase % 3 != 1",
                                "    sum: sum * 3 + x.data when x.valid and x.ready", //
                                process + ":",
                                fmt::format("  in: {{phase: {}, from: {}}}", phase, in),
                                fmt::format("  out: {{y: {}, to: {}}}", y, out),
                                "  state: {a: u8}",
                                "  sequence:"});
    append(home.process_lines, indented(lines_of(items), 4));
    if (!sequence.procedures().empty())
        home.process_lines.push_back("  procedures:");
    for (const SequenceProcedure& each : sequence.procedures()) {
        append(home.process_lines,
               {fmt::format("    {}:", each.name),
                fmt::format("      in: {{{}: u8}}", each.parameter), "      sequence:"});
        append(home.process_lines, indented(lines_of(each.items), 8));
    }
    const SequenceCycle follow = followed(items, sequence.procedures());
    SequenceValues values;
    unsigned sum = 0;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
        values.phase = cycle % 16;
        if (cycle > 0)
            home.check_lines.push_back(
                fmt::format("- at {}: {} == {} and {}.a == {} and {}.sum == {}", cycle, y, values.y,
                            process, values.a, taken, sum));
        follow(values);
        if (values.sends && stream_accepts(values.phase))
            sum = (sum * 3 + values.sent) % 256;
    }
}

} // namespace sme::fuzz
