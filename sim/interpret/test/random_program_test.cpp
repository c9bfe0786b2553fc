// SPDX-License-Identifier: Apache-2.0
//
// Compares random networks in the interpreter with a simple evaluation of the same expressions,
// written from the language definition only: every bus and state in every cycle, and the fault
// report.
#include "base/digest.hpp"
#include "interpret/test/random_network.hpp"
#include "interpret/test/yaml_run.hpp"

#include <fmt/format.h>

namespace {

using namespace sme;
using test::Line;
using test::RandomFamily;
using test::RandomNetwork;
using test::ScalarType;
using test::TargetLines;
using test::Term;
using test::TermRef;
using test::Texts;

/// Leaves the step of an instance.
struct Fault {};

/// The network as the language defines it, one instance after the other.
class Walk {
public:
    explicit Walk(const RandomNetwork& network) : network_{network} {
        for (const RandomFamily& family : network.families) {
            Family result;
            result.wires.assign(family.size, 0);
            result.states.assign(family.size, family.initial);
            result.words.assign(family.size, std::vector<Integer>(RandomNetwork::memory_words,
                                                                  family.memory_type.wrap(1)));
            families_.push_back(std::move(result));
        }
    }

    /// Runs one cycle; returns the faulting processes, in source order.
    Texts cycle() {
        Texts faulted;
        std::vector<Family> next = families_;
        for (family_ = 0; family_ < families_.size(); ++family_) // readers of a wire come later
            if (text().has_wire)
                for (instance_ = 0; instance_ < text().size; ++instance_)
                    families_[family_].wires[instance_] = next[family_].wires[instance_] =
                        chosen(text().wire).value_or(0);
        for (family_ = static_cast<unsigned>(families_.size()); family_-- > 0;) {
            next[family_].written.emplace_back();
            for (instance_ = 0; instance_ < text().size; ++instance_) {
                next[family_].written.back().push_back(unwritten());
                try {
                    step(next[family_]);
                } catch (const Fault&) {
                    faulted.push_back(fmt::format("p{}[{}]", family_, instance_));
                }
            }
        }
        families_ = std::move(next);
        ++cycle_;
        return faulted;
    }

    Integer read(unsigned family, unsigned instance) const {
        const unsigned delay = network_.families[family].delay;
        return cycle_ < delay ? 0 : families_[family].written[cycle_ - delay][instance];
    }
    Integer wire(unsigned family, unsigned k) const { return families_[family].wires[k]; }
    Integer state(unsigned family, unsigned k, std::size_t number) const {
        return families_[family].states[k][number];
    }

private:
    struct Family {
        std::vector<Integer> wires;
        std::vector<std::vector<Integer>> written; // cycle, instance
        std::vector<std::vector<Integer>> states, words;
    };

    const RandomFamily& text() const { return network_.families[family_]; }

    Integer unwritten() const {
        return text().hold && cycle_ > 0 ? families_[family_].written[cycle_ - 1][instance_] : 0;
    }

    /// Evaluates everything before it changes anything.
    void step(Family& next) const {
        std::vector<std::optional<Integer>> states;
        for (const TargetLines& lines : text().state_lines)
            states.push_back(chosen(lines));
        const std::optional<Integer> out = chosen(text().out);
        std::optional<Integer> word;
        Integer at = 0;
        if (text().has_memory && (word = chosen(text().memory))) {
            at = of(text().memory.word);
            if (at >= RandomNetwork::memory_words)
                throw Fault{};
        }
        for (std::size_t k = 0; k < states.size(); ++k)
            if (states[k])
                next.states[instance_][k] = *states[k];
        if (out)
            next.written.back()[instance_] = *out;
        if (word)
            next.words[instance_][static_cast<std::size_t>(at)] = *word;
    }

    std::optional<Integer> chosen(const Line& line) const {
        for (const auto& [value, condition] : line.entries)
            if (!condition || of(condition) != 0)
                return of(value);
        return std::nullopt;
    }

    /// The selected arm overrides the lines outside; conditions after the last arm that mentions
    /// the target do not affect it.
    std::optional<Integer> chosen(const TargetLines& lines) const {
        std::size_t mentioned = lines.arms.size();
        while (mentioned > 0 && lines.arms[mentioned - 1].entries.empty())
            --mentioned;
        for (std::size_t arm = 0; arm < mentioned; ++arm)
            if (!text().conditions[arm] || of(text().conditions[arm]) != 0) {
                if (const auto found = chosen(lines.arms[arm]))
                    return found;
                break;
            }
        return chosen(lines.outer);
    }

    Integer of(const TermRef& term) const { return term->type.wrap(value(*term)); }

    Integer input(unsigned number) const {
        const test::InputPort& port = text().inputs[number];
        const unsigned at = (instance_ + port.shift) % network_.families[port.family].size;
        return port.wire ? wire(port.family, at) : read(port.family, at);
    }

    static Integer arithmetic(const std::string& op, Integer a, Integer b) {
        if (op == "*") // modulo 2^64
            return Integer{static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)};
        return op == "+"   ? a + b
               : op == "-" ? a - b
               : op == "&" ? (a & b)
               : op == "|" ? (a | b)
                           : (a ^ b);
    }
    static bool compared(const std::string& op, Integer a, Integer b) {
        return op == "=="   ? a == b
               : op == "!=" ? a != b
               : op == "<"  ? a < b
               : op == "<=" ? a <= b
               : op == ">"  ? a > b
                            : a >= b;
    }
    static Integer shifted(const ScalarType& type, const std::string& op, Integer a, Integer by) {
        for (Integer k = 0; k < by; ++k) // by doubling, or by halving toward the lower number
            a = op == "<<" ? type.wrap(a * 2) : (a - (a & 1)) / 2;
        return a;
    }
    static Integer rotated(const ScalarType& type, bool left, Integer a, Integer by) {
        const auto places = static_cast<unsigned>(by % type.width);
        Integer turned = 0;
        for (unsigned k = 0; k < type.width; ++k) {
            const unsigned to = (left ? k + places : k + type.width - places) % type.width;
            turned |= (a >> k & 1) << to;
        }
        return turned;
    }

    Integer value(const Term& term) const {
        using Kind = Term::Kind;
        const auto operand = [&](std::size_t k) { return of(term.kids[k]); };
        switch (term.kind) {
        case Kind::literal: return term.value;
        case Kind::index: return instance_;
        case Kind::input: return input(term.number);
        case Kind::state: return state(family_, instance_, term.number);
        case Kind::let: return of(text().lets[term.number]);
        case Kind::own: return read(family_, instance_);
        case Kind::word: {
            const Integer at = operand(0);
            if (at >= RandomNetwork::memory_words)
                throw Fault{};
            return families_[family_].words[instance_][static_cast<std::size_t>(at)];
        }
        case Kind::binary: return arithmetic(term.op, operand(0), operand(1));
        case Kind::compare: return compared(term.op, operand(0), operand(1));
        case Kind::shift: return shifted(term.type, term.op, operand(0), operand(1));
        case Kind::divide: {
            const Integer a = operand(0), b = operand(1);
            if (b == 0)
                throw Fault{};
            return term.op == "/" ? a / b : a % b;
        }
        case Kind::negate: return -operand(0);
        case Kind::complement: return ~operand(0);
        case Kind::logical_not: return operand(0) == 0;
        case Kind::both: return operand(0) != 0 && operand(1) != 0;
        case Kind::either: return operand(0) != 0 || operand(1) != 0;
        case Kind::implies: return operand(0) == 0 || operand(1) != 0;
        case Kind::choose: return operand(0) != 0 ? operand(1) : operand(2);
        case Kind::cast: return operand(0);
        case Kind::slice:
            return (operand(0) >> term.low) & ((Integer{1} << (term.high - term.low + 1)) - 1);
        case Kind::bit: {
            const Integer base = operand(0), at = operand(1);
            if (at >= 8)
                throw Fault{};
            return base >> static_cast<int>(at) & 1;
        }
        case Kind::cat: {
            const unsigned width = term.kids[1]->type.width;
            return operand(0) * (Integer{1} << width) + (operand(1) & ((Integer{1} << width) - 1));
        }
        case Kind::smaller: return std::min(operand(0), operand(1));
        case Kind::larger: return std::max(operand(0), operand(1));
        case Kind::reverse: {
            const Integer bits = operand(0);
            Integer turned = 0;
            for (unsigned k = 0; k < term.type.width; ++k)
                turned = turned * 2 + (bits >> k & 1);
            return turned;
        }
        case Kind::rotate: return rotated(term.type, term.op == "rotl", operand(0), operand(1));
        }
        return 0;
    }

    const RandomNetwork& network_;
    std::vector<Family> families_;
    std::uint64_t cycle_ = 0;
    unsigned family_ = 0, instance_ = 0;
};

/// The first difference between the two; empty if equal.
std::string difference(const RandomNetwork& network, const Walk& walk, test::YamlRun& run) {
    for (const BusFamily& bus : run.graph().buses) {
        unsigned family = 0, state = 0;
        const bool is_state = std::sscanf(bus.name.c_str(), "p%u.s%u", &family, &state) == 2;
        if (!is_state)
            family = static_cast<unsigned>(bus.name[1] - '0');
        const bool wire = bus.name[0] == 'w';
        for (unsigned k = 0; k < network.families[family].size; ++k) {
            const Integer ours =
                test::scalar_at(run.engine().access().value(bus.first + k), *bus.type);
            const Integer expected = is_state ? walk.state(family, k, state)
                                     : wire   ? walk.wire(family, k)
                                              : walk.read(family, k);
            if (ours != expected)
                return fmt::format("{} is {}, but must be {}", bus.element_name(bus.first + k),
                                   to_string(ours), to_string(expected));
        }
    }
    return "";
}

struct Counts {
    unsigned faulted = 0, wires = 0, memories = 0, large = 0;
};

void try_network(unsigned seed, bool faults, Counts& counts) {
    const RandomNetwork network{seed, faults};
    const std::string text = network.yaml();
    CAPTURE(seed);
    CAPTURE(faults);
    for (const RandomFamily& family : network.families) {
        counts.wires += family.has_wire;
        counts.memories += family.has_memory;
        counts.large += family.size > 128;
    }
    test::YamlRun run{text};
    INFO(text);
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    Walk walk{network};
    for (int cycle = 0; cycle < 6; ++cycle) {
        CAPTURE(cycle);
        const Texts expected = walk.cycle();
        const RunEnd ending = run.run();
        REQUIRE(difference(network, walk, run) == "");
        Texts faulted;
        for (const std::string& fault : run.faults()) {
            faulted.push_back(fault.substr(0, fault.find(':')));
            CHECK((fault.ends_with(": divide-by-zero") || fault.ends_with(": index-fault")));
        }
        REQUIRE(faulted == expected);
        REQUIRE((ending == RunEnd::faulted) == !expected.empty());
        if (!expected.empty()) {
            ++counts.faulted;
            return;
        }
    }
}

} // namespace

TEST_CASE("random networks with wires give what a plain walk gives, on every bus in every cycle") {
    Counts counts;
    for (unsigned seed = 1; seed <= 250; ++seed)
        try_network(seed, false, counts);
    CHECK(counts.faulted == 0);
    CHECK(counts.wires > 100); // the generator makes enough of them
    CHECK(counts.memories > 100);
    CHECK(counts.large > 50);
}

TEST_CASE("a seed is one network, whatever compiler drew it") {
    Digest drawn;
    for (unsigned seed = 1; seed <= 20; ++seed)
        drawn.add(RandomNetwork{seed, seed % 2 == 0}.yaml());
    CHECK(drawn.value() == 3331210021364052371U);
}

TEST_CASE("random networks that may fault do so in the same cycle and the same instances") {
    Counts counts;
    for (unsigned seed = 1001; seed <= 1150; ++seed)
        try_network(seed, true, counts);
    CHECK(counts.faulted > 30);
    CHECK(counts.faulted < 140);
}
