// SPDX-License-Identifier: Apache-2.0
//
// A sequence is followed by functions that each do the rest of it: an item calls the next one
// when it is complete. Nothing here knows of states or of program points.
#include "yaml/fuzz/make/sequence_maker.hpp"

#include <functional>
#include <map>
#include <memory>

#include <fmt/format.h>

namespace sme::fuzz {

namespace {

/// What a sequence reads and writes.
struct Values {
    unsigned phase = 0; // the cycle, in 4 bits
    unsigned a = 0;     // a state of 8 bits
    unsigned y = 0;     // an output, 0 unless it is written
    bool sends = false;
    unsigned sent = 0;
    std::map<std::string, unsigned> indices;
};

/// A value as text, and as it is.
struct Value {
    std::string text;
    std::function<unsigned(const Values&)> of;
};

struct Item;
using Items = std::vector<Item>;

struct Item {
    enum class Kind { targets, wait, pause, send, receive, choice, match, loop, repeat, word };
    Kind kind = Kind::targets;
    std::string text;     // of a word
    Value value;          // condition, number or subject
    std::string index;    // of a repeat
    bool is_for = true;   // else it is written "repeat"
    bool writes_y = true; // else it writes a
    std::optional<Value> written, lasting;
    unsigned within = 0; // 0: no limit
    std::vector<std::pair<std::optional<Value>, Items>> arms;
    Items body, late;
    bool has_late = false;
};

bool accepts(unsigned phase) {
    return phase % 3 != 1;
}
bool offers(unsigned phase) {
    return phase % 4 != 2;
}

class SequenceMaker {
public:
    SequenceMaker(Maker& maker, Choices& choices) : m_{maker}, c_{choices} {}

    Items sequence() {
        Items made = list(3);
        if (!takes_cycle(made.front()))
            made.insert(made.begin(), targets());
        return made;
    }

private:
    static bool takes_cycle(const Item& item) { return item.kind <= Item::Kind::receive; }

    Items list(unsigned depth) {
        Items made;
        for (unsigned k = c_.between(1, 3); k > 0; --k) {
            made.push_back(item(depth));
            if (made.back().kind == Item::Kind::word)
                break;
        }
        return made;
    }

    Items round(unsigned depth) {
        ++loops_;
        Items made = list(depth - 1);
        --loops_;
        if (!takes_cycle(made.front()))
            made.insert(made.begin(), targets());
        return made;
    }

    Item item(unsigned depth) {
        const unsigned kind = c_.below(depth > 0 ? 20 : 10);
        if (kind < 4)
            return targets();
        if (kind < 6)
            return bounded(Item::Kind::wait, depth);
        if (kind < 8)
            return pause();
        if (kind < 9)
            return bounded(Item::Kind::send, depth);
        if (kind < 10)
            return bounded(Item::Kind::receive, depth);
        if (kind < 14)
            return choice(depth);
        if (kind < 15)
            return match(depth);
        if (kind < 17)
            return loop(depth);
        if (kind < 19)
            return repeat(depth);
        return word();
    }

    Item targets() {
        Item made;
        made.written = value();
        made.writes_y = c_.chance(50);
        return made;
    }

    Item bounded(Item::Kind kind, unsigned depth) {
        Item made;
        made.kind = kind;
        made.value = kind == Item::Kind::wait ? condition() : value();
        if (kind == Item::Kind::wait && c_.chance(40))
            made.written = value();
        made.writes_y = c_.chance(50);
        if (kind != Item::Kind::receive && c_.chance(30))
            made.lasting = value();
        if (c_.chance(40)) {
            made.within = c_.between(1, 4);
            made.has_late = depth > 0 && c_.chance(50);
            if (made.has_late)
                made.late = list(depth - 1);
        }
        return made;
    }

    Item pause() {
        Item made;
        made.kind = Item::Kind::pause;
        made.value = number();
        if (c_.chance(40))
            made.written = value();
        if (c_.chance(40))
            made.lasting = value();
        return made;
    }

    Item choice(unsigned depth) {
        Item made;
        made.kind = Item::Kind::choice;
        for (unsigned k = c_.between(1, 2); k > 0; --k)
            made.arms.emplace_back(condition(), list(depth - 1));
        if (c_.chance(50))
            made.arms.emplace_back(std::nullopt, list(depth - 1));
        return made;
    }

    Item match(unsigned depth) {
        Item made;
        made.kind = Item::Kind::match;
        for (unsigned k = c_.between(1, 2); k > 0; --k)
            made.arms.emplace_back(std::nullopt, list(depth - 1));
        made.arms.emplace_back(std::nullopt, list(depth - 1));
        return made;
    }

    Item loop(unsigned depth) {
        Item made;
        made.kind = Item::Kind::loop;
        made.value = condition();
        made.body = round(depth);
        return made;
    }

    Item repeat(unsigned depth) {
        Item made;
        made.kind = Item::Kind::repeat;
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

    Item word() {
        Item made;
        made.kind = Item::Kind::word;
        const unsigned kind = c_.below(loops_ > 0 ? 8 : 4);
        made.text = kind == 0 ? "stop" : kind < 4 ? "restart" : kind < 6 ? "break" : "continue";
        return made;
    }

    Value value() {
        switch (c_.below(open_.empty() ? 3 : 4)) {
        case 0: {
            const unsigned number = c_.below(256);
            return {std::to_string(number), [number](const Values&) { return number; }};
        }
        case 1: return {"a + 1", [](const Values& v) { return (v.a + 1) % 256; }};
        case 2: return {"a ^ u8(phase)", [](const Values& v) { return v.a ^ v.phase; }};
        default: {
            const std::string index = m_.one_of(open_);
            return {fmt::format("a + u8({})", index),
                    [index](const Values& v) { return (v.a + v.indices.at(index)) % 256; }};
        }
        }
    }

    Value condition() {
        const unsigned bit = c_.below(2);
        switch (c_.below(open_.empty() ? 2 : 3)) {
        case 0:
            return {fmt::format("phase[{}]", bit),
                    [bit](const Values& v) { return v.phase >> bit & 1; }};
        case 1:
            return {fmt::format("not a[{}]", bit),
                    [bit](const Values& v) { return (v.a >> bit & 1) ^ 1; }};
        default: {
            const std::string index = m_.one_of(open_);
            return {fmt::format("u8({}) != {}", index, bit),
                    [index, bit](const Values& v) { return v.indices.at(index) != bit ? 1u : 0u; }};
        }
        }
    }

    /// A number of cycles or rounds.
    Value number() {
        if (c_.chance(30))
            return {"a[1:0]", [](const Values& v) { return v.a & 3; }};
        const unsigned number = c_.between(1, 3);
        return {std::to_string(number), [number](const Values&) { return number; }};
    }

    Maker& m_;
    Choices& c_;
    unsigned loops_ = 0; // around the item
    std::vector<std::string> open_, unused_;
};

std::string block(const Item& item) {
    return fmt::format("{{{}: {}}}", item.writes_y ? "y" : "a", item.written->text);
}

/// Writes items as lines of a list.
Lines lines_of(const Items& items) {
    Lines all;
    const auto add = [&](const std::string& first, const Lines& rest) {
        all.push_back("- " + first);
        append(all, indented(rest, 2));
    };
    const auto below = [](const std::string& key, const Items& inner) {
        Lines result{key};
        append(result, indented(lines_of(inner), 2));
        return result;
    };
    for (const Item& item : items) {
        Lines lines;
        switch (item.kind) {
        case Item::Kind::targets: lines = {block(item)}; break;
        case Item::Kind::wait: lines = {"wait: " + item.value.text}; break;
        case Item::Kind::pause: lines = {"pause: " + item.value.text}; break;
        case Item::Kind::send: lines = {fmt::format("send: {{to: {}}}", item.value.text)}; break;
        case Item::Kind::receive:
            lines = {fmt::format("receive: {{{}: from}}", item.writes_y ? "y" : "a")};
            break;
        case Item::Kind::choice:
            for (const auto& [condition, inner] : item.arms)
                append(lines, below(condition ? fmt::format("{} {}:", lines.empty() ? "if" : "elif",
                                                            condition->text)
                                              : "else:",
                                    inner));
            break;
        case Item::Kind::match: {
            Lines arms;
            for (std::size_t k = 0; k < item.arms.size(); ++k)
                append(arms, below(k + 1 < item.arms.size() ? fmt::format("{}:", k) : "else:",
                                   item.arms[k].second));
            lines = {"match a[1:0]:"};
            append(lines, indented(arms, 2));
            break;
        }
        case Item::Kind::loop: lines = below("while " + item.value.text + ":", item.body); break;
        case Item::Kind::repeat:
            if (item.is_for) {
                lines = below(fmt::format("for {} < {}:", item.index, item.value.text), item.body);
                break;
            }
            lines = {"repeat: " + item.value.text};
            if (item.text.empty())
                lines.push_back("index: " + item.index);
            append(lines, below("do:", item.body));
            break;
        case Item::Kind::word: lines = {item.text}; break;
        }
        if (item.written && item.kind != Item::Kind::targets)
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

/// Does the items of a sequence, cycle by cycle.
class Walk {
public:
    explicit Walk(const Items& sequence) : sequence_{sequence} { begin(); }

    /// Does one cycle, with `values` as they are in it; returns what it writes.
    Values cycle(Values values) {
        now_ = values;
        if (!item_)
            std::exchange(next_, nullptr)();
        values.indices = now_.indices;
        Values written = values;
        written.y = 0;
        written.sends = false;
        do_item(written);
        written.indices = now_.indices;
        return written;
    }
    /// True if the item of this cycle offers `sent`.
    bool sends() const { return sends_; }

private:
    using Rest = std::function<void()>;
    struct Loop {
        Rest leave, go_on;
    };

    void begin() {
        next_ = [this] { list(sequence_, 0, [this] { restart(); }, {}); };
    }

    void restart() {
        now_.indices.clear();
        list(sequence_, 0, [this] { restart(); }, {});
    }

    void list(const Items& items, std::size_t at, const Rest& after, const Loop& loop) {
        if (at == items.size())
            return after();
        one(
            items[at], [this, &items, at, after, loop] { list(items, at + 1, after, loop); }, loop);
    }

    void one(const Item& item, const Rest& after, const Loop& loop) {
        switch (item.kind) {
        case Item::Kind::choice:
            for (const auto& [condition, inner] : item.arms)
                if (!condition || condition->of(now_) != 0)
                    return list(inner, 0, after, loop);
            return after();
        case Item::Kind::match: {
            const std::size_t arm = std::min<std::size_t>(now_.a & 3, item.arms.size() - 1);
            return list(item.arms[arm].second, 0, after, loop);
        }
        case Item::Kind::loop: return while_loop(item, after);
        case Item::Kind::repeat:
            if (item.value.of(now_) == 0)
                return after();
            now_.indices[item.index] = 0;
            return round(item, after);
        case Item::Kind::word:
            if (item.text == "restart")
                return restart();
            if (item.text != "stop")
                return item.text == "break" ? loop.leave() : loop.go_on();
            [[fallthrough]];
        default:
            item_ = &item;
            after_ = after;
            loop_ = loop;
            count_ = 0;
        }
    }

    void while_loop(const Item& item, const Rest& after) {
        if (item.value.of(now_) == 0)
            return after();
        const Rest again = [this, &item, after] { while_loop(item, after); };
        list(item.body, 0, again, {after, again});
    }

    void round(const Item& item, const Rest& after) {
        const Rest leave = [this, &item, after] {
            now_.indices.erase(item.index);
            after();
        };
        const Rest again = [this, &item, leave, after] {
            if (now_.indices[item.index] + 1 >= item.value.of(now_))
                return leave();
            ++now_.indices[item.index];
            round(item, after);
        };
        list(item.body, 0, again, {leave, again});
    }

    void do_item(Values& written) {
        const Item& item = *item_;
        bool complete = true;
        sends_ = item.kind == Item::Kind::send;
        if (item.lasting)
            written.y = item.lasting->of(now_);
        switch (item.kind) {
        case Item::Kind::wait: complete = item.value.of(now_) != 0; break;
        case Item::Kind::pause: complete = count_ + 1 >= item.value.of(now_); break;
        case Item::Kind::send:
            complete = accepts(now_.phase);
            written.sent = item.value.of(now_);
            break;
        case Item::Kind::receive: complete = offers(now_.phase); break;
        case Item::Kind::word: complete = false; break; // stop
        default: break;
        }
        if (complete && item.written)
            (item.writes_y ? written.y : written.a) = item.written->of(now_);
        if (complete && item.kind == Item::Kind::receive)
            (item.writes_y ? written.y : written.a) = now_.phase * 5u;
        ++count_;
        if (complete)
            next_ = after_;
        else if (item.within == count_)
            next_ = [this, &item, after = after_, loop = loop_] {
                list(item.late, 0, after, loop);
            };
        else
            return;
        item_ = nullptr;
    }

    const Items& sequence_;
    Values now_;
    const Item* item_ = nullptr; // null: `next_` finds it
    Rest next_, after_;
    Loop loop_;
    unsigned count_ = 0; // cycles that the item has lasted
    bool sends_ = false;
};

} // namespace

void add_sequence(Maker& maker, Choices& choices, Home& home, unsigned cycles) {
    maker.use(Production::sequence);
    const Items items = SequenceMaker{maker, choices}.sequence();
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
    Walk walk{items};
    Values values;
    unsigned sum = 0;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
        values.phase = cycle % 16;
        if (cycle > 0)
            home.check_lines.push_back(
                fmt::format("- at {}: {} == {} and {}.a == {} and {}.sum == {}", cycle, y, values.y,
                            process, values.a, taken, sum));
        values = walk.cycle(values);
        if (walk.sends() && accepts(values.phase))
            sum = (sum * 3 + values.sent) % 256;
    }
}

} // namespace sme::fuzz
