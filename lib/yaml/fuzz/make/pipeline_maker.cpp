// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/pipeline_maker.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace sme::fuzz {

namespace {

/// An item on its way: the value it came with, then those of the stages.
using Item = std::vector<unsigned>;

struct Cycle {
    unsigned phase = 0, sum = 0; // an input in 4 bits, and the state
};

struct Value {
    std::string text;
    std::function<unsigned(const Item&, const Cycle&)> of;
};

enum class Ends { buses, valids, stream_to_valid, streams };

struct Pipeline {
    Ends ends = Ends::buses;
    bool collapses = false;
    std::vector<std::vector<Value>> stages; // what each makes, besides the output
    Value output;
    std::size_t sums = 0; // the stage of the state
    Value sum;
    unsigned more = 0; // stages by division: then it has no state, and reads nothing but items
};

class PipelineMaker {
public:
    PipelineMaker(Maker& maker, Choices& choices) : m_{maker}, c_{choices} {}

    Pipeline make() {
        Pipeline made;
        constexpr Ends often[] = {Ends::buses,           Ends::valids,  Ends::valids,
                                  Ends::stream_to_valid, Ends::streams, Ends::streams};
        made.ends = often[c_.below(6)];
        made.collapses = c_.chance(50);
        made.stages.resize(c_.between(1, 4));
        made.sums = c_.below(static_cast<unsigned>(made.stages.size()));
        is_bus_ = made.ends == Ends::buses;
        if (made.ends == Ends::valids && c_.chance(80))
            made.more = c_.between(1, 3);
        alone_ = made.more > 0;
        for (std::size_t stage = 0; stage < made.stages.size(); ++stage) {
            stage_ = stage;
            reads_sum_ = stage == made.sums && !alone_;
            for (unsigned k = c_.between(stage == 0 ? 1 : 0, 2); k > 0; --k) {
                Value value = sum_of_two();
                names_.push_back(m_.fresh("v"));
                made.stages[stage].push_back(
                    {fmt::format("{}: {}", names_.back(), value.text), std::move(value.of)});
            }
            if (reads_sum_) {
                Value value = sum_of_two();
                made.sum = {fmt::format("sum: sum + ({})", value.text),
                            [of = value.of](const Item& item, const Cycle& now) {
                                return (now.sum + of(item, now)) % 256;
                            }};
            }
        }
        made.output = sum_of_two();
        return made;
    }

private:
    Value operand() {
        const auto most = static_cast<unsigned>(names_.size());
        switch (c_.below(reads_sum_ ? 5 : 4)) {
        case 0: {
            const unsigned number = c_.below(256);
            return {fmt::format("u8({})", number),
                    [number](const Item&, const Cycle&) { return number; }};
        }
        case 1:
            if (alone_)
                return {"u8(7)", [](const Item&, const Cycle&) { return 7; }};
            return {"u8(phase)", [](const Item&, const Cycle& now) { return now.phase; }};
        case 4: return {"sum", [](const Item&, const Cycle& now) { return now.sum; }};
        default: {
            const unsigned k = c_.below(most + 1);
            if (k > 0)
                return {names_[k - 1], [k](const Item& item, const Cycle&) { return item[k]; }};
            // of a bus, later stages read what comes in their cycle
            if (is_bus_ && stage_ > 0)
                return {"u8(phase) ^ 1",
                        [](const Item&, const Cycle& now) { return now.phase ^ 1; }};
            return {is_bus_ ? "x" : "x.data",
                    [](const Item& item, const Cycle&) { return item[0]; }};
        }
        }
    }

    Value sum_of_two() {
        Value a = operand(), b = operand();
        if (c_.chance(50))
            return {fmt::format("({}) + ({})", a.text, b.text),
                    [a = a.of, b = b.of](const Item& item, const Cycle& now) {
                        return (a(item, now) + b(item, now)) % 256;
                    }};
        return {fmt::format("({}) ^ ({})", a.text, b.text),
                [a = a.of, b = b.of](const Item& item, const Cycle& now) {
                    return a(item, now) ^ b(item, now);
                }};
    }

    Maker& m_;
    Choices& c_;
    bool is_bus_ = false, reads_sum_ = false, alone_ = false;
    std::size_t stage_ = 0;
    std::vector<std::string> names_;
};

/// Moves items from stage to stage.
class Belt {
public:
    explicit Belt(const Pipeline& pipeline) : p_{pipeline}, slots_(pipeline.stages.size()) {
        std::size_t size = 1;
        for (const auto& stage : pipeline.stages)
            size += stage.size();
        if (pipeline.ends == Ends::buses) // there are items from the beginning
            for (std::size_t k = 1; k < slots_.size(); ++k)
                slots_[k] = Item(size);
        size_ = size;
    }

    struct Result {
        bool valid = false; // the last stage has an item
        unsigned data = 0;
    };

    /// Does one cycle. `arrives`: an item is offered; `ready`: what comes out is taken.
    Result cycle(std::optional<unsigned> arrives, bool ready, Cycle now) {
        now.sum = sum;
        slots_[0].reset();
        if (arrives) {
            slots_[0] = Item(size_);
            (*slots_[0])[0] = *arrives;
        }
        std::size_t value = 1;
        std::vector<std::optional<Item>> made = slots_;
        for (std::size_t k = 0; k < slots_.size(); ++k)
            for (const Value& each : p_.stages[k]) {
                if (made[k])
                    (*made[k])[value] = each.of(*made[k], now);
                ++value;
            }
        Result result;
        if (made.back()) {
            result.valid = true;
            result.data = p_.output.of(*made.back(), now);
        }
        // from the end: an item moves if the next place is free, or becomes free
        std::vector<bool> moves(slots_.size());
        bool free = ready;
        const bool all = !slots_.back() || ready;
        for (std::size_t k = slots_.size(); k-- > 0;) {
            moves[k] = free;
            free = p_.collapses || k + 1 == slots_.size() ? !slots_[k] || free : all;
        }
        if (made[p_.sums] && moves[p_.sums] && p_.more == 0)
            sum = p_.sum.of(*made[p_.sums], now);
        for (std::size_t k = slots_.size(); k-- > 1;)
            if (moves[k - 1])
                slots_[k] = made[k - 1];
        return result;
    }

    unsigned sum = 0;

private:
    const Pipeline& p_;
    std::vector<std::optional<Item>> slots_; // what each stage has
    std::size_t size_ = 0;
};

/// Returns what arrives in the cycle, as a source that sees this phase offers it.
std::optional<unsigned> arrival(Ends ends, unsigned phase) {
    const unsigned data = phase * 5 + 1;
    return ends == Ends::buses || phase % 3 != 1 ? std::optional{data} : std::nullopt;
}

} // namespace

void add_pipeline(Maker& maker, Choices& choices, Home& home, unsigned cycles) {
    maker.use(Production::pipeline);
    const Pipeline pipeline = PipelineMaker{maker, choices}.make();
    const bool is_bus = pipeline.ends == Ends::buses;
    const bool from_stream = pipeline.ends > Ends::valids,
               to_stream = pipeline.ends == Ends::streams;
    const std::string phase = maker.fresh("phase"), x = maker.fresh("in"), y = maker.fresh("out"),
                      process = maker.fresh("p"), taken = maker.fresh("p"),
                      stream = maker.fresh("Link"), valid = maker.fresh("Valid");
    home.type_lines.push_back(
        fmt::format("{}(T): {{valid: bool, data: T, back ready: bool}}", stream));
    home.type_lines.push_back(fmt::format("{}(T): {{valid: bool, data: T}}", valid));
    const auto type = [&](bool is_stream) {
        return is_bus ? std::string{"u8"} : fmt::format("{}(u8)", is_stream ? stream : valid);
    };
    append(home.bus_lines, {phase + ": u4", fmt::format("{}: {}", x, type(from_stream)),
                            fmt::format("{}: {}", y, type(to_stream))});
    append(home.process_lines, {maker.fresh("p") + ":", "  out: " + phase,
                                "  step:", fmt::format("    {0}: {0} + 1", phase), //
                                maker.fresh("p") + ":", fmt::format("  in: {{phase: {}}}", phase),
                                fmt::format("  out: {{x: {}}}", x), "  step:"});
    append(home.process_lines,
           is_bus ? Lines{"    x: u8(phase) * 5 + 1"}
                  : Lines{"    x.valid: phase % 3 != 1", "    x.data: u8(phase) * 5 + 1"});
    append(home.process_lines, {taken + ":", fmt::format("  in: {{phase: {}, x: {}}}", phase, y),
                                "  state: {sum: u8}", "  step:"});
    if (to_stream)
        home.process_lines.push_back("    x.ready: phase % 4 != 2");
    append(home.process_lines,
           {fmt::format("    sum: sum * 3 + {}", is_bus      ? "x"
                                                 : to_stream ? "x.data when x.valid and x.ready"
                                                             : "x.data when x.valid"),
            process + ":", fmt::format("  in: {{phase: {}, x: {}}}", phase, x),
            fmt::format("  out: {{y: {}}}", y)});
    if (pipeline.more > 0)
        home.process_lines.push_back(fmt::format("  balance: {}", pipeline.more));
    else
        home.process_lines.push_back("  state: {sum: u8}");
    if (to_stream)
        home.process_lines.push_back(pipeline.collapses ? "  stall: bubble" : "  stall: whole");
    home.process_lines.push_back("  pipeline:");
    for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage) {
        Lines lines;
        for (const Value& value : pipeline.stages[stage])
            lines.push_back(value.text);
        if (stage == pipeline.sums && pipeline.more == 0)
            lines.push_back(pipeline.sum.text);
        if (stage + 1 == pipeline.stages.size())
            lines.push_back("y: " + pipeline.output.text);
        if (lines.empty())
            lines.push_back(maker.fresh("v") + ": u8(1)");
        for (std::size_t k = 0; k < lines.size(); ++k)
            home.process_lines.push_back(fmt::format("    {} {}", k == 0 ? "-" : " ", lines[k]));
    }
    Belt belt{pipeline};
    unsigned sum = 0;
    std::deque<Belt::Result> before(pipeline.more + 1); // what registers pass on
    std::optional<unsigned> arrives = is_bus ? std::optional{0u} : std::nullopt;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
        const unsigned now = cycle % 16;
        if (cycle > 0)
            home.check_lines.push_back(
                fmt::format("- at {}: {}.sum == {}", cycle, taken, sum) +
                (pipeline.more > 0 ? "" : fmt::format(" and {}.sum == {}", process, belt.sum)));
        if (from_stream)
            arrives = arrival(pipeline.ends, now);
        const bool ready = !to_stream || now % 4 != 2;
        const Belt::Result result = belt.cycle(arrives, ready, {now, 0});
        const Belt::Result seen = to_stream ? result : before.front();
        if (is_bus || (seen.valid && ready))
            sum = (sum * 3 + seen.data) % 256;
        before.pop_front();
        before.push_back(result);
        if (!from_stream)
            arrives = arrival(pipeline.ends, now);
    }
}

} // namespace sme::fuzz
