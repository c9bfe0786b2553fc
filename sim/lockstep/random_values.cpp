// SPDX-License-Identifier: Apache-2.0
#include "lockstep/random_rows.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lockstep/comparison.hpp"
#include "network/build.hpp"

namespace sme::lockstep {

namespace {

class RandomValues final : public Group {
public:
    RandomValues(std::uint64_t seed, const Build& build) : seed_{seed} {
        for (std::uint32_t p = 0; p < build.ports.size(); ++p) {
            const BusFamily& bus = build.bus_at(p, 0);
            slots_.push_back({build.ports[p].offsets.at(0), bus.type->size(), slot_size(bus),
                              bus.type->leaves()});
        }
    }

    void step(unsigned, Range, const Frame& frame) override {
        for (std::size_t p = 0; p < slots_.size(); ++p) {
            const Slot& slot = slots_[p];
            std::byte* const at = frame.write + slot.offset;
            std::memset(at, 0, slot.value_bytes);
            std::memset(at + slot.value_bytes, 1, slot.bytes - slot.value_bytes);
            const std::uint64_t place = mixed(mixed(seed_ + p) + frame.cycle);
            for (std::size_t k = 0; k < slot.leaves.size(); ++k) {
                const Leaf& leaf = slot.leaves[k];
                const std::uint64_t value = random_scalar(*leaf.type, mixed(place + k));
                std::memcpy(at + leaf.offset, &value,
                            std::min<std::size_t>(leaf.type->size(), sizeof value));
            }
        }
    }

private:
    struct Slot {
        std::int64_t offset;
        std::size_t value_bytes;
        std::size_t bytes;
        std::vector<Leaf> leaves;
    };

    std::uint64_t seed_;
    std::vector<Slot> slots_;
};

/// The ports of a source under rules: its outputs, then the `ready` of each handshake.
struct RuledInputs {
    std::vector<std::uint64_t> elements;
    RandomRules rules;
};

/// Part 0 writes the wires of a row; when they have settled, the last part draws the next row and
/// writes its registers.
class RuledValues final : public Group {
public:
    RuledValues(const RuledInputs& inputs, std::uint64_t seed, ClockRate rate, const Build& build)
        : rows_{build.graph, inputs.elements, inputs.rules, seed}, rate_{rate},
          kept_(inputs.elements.size()) {
        for (std::uint32_t p = 0; p < inputs.elements.size(); ++p) {
            const BusFamily& bus = build.bus_at(p, 0);
            slots_.push_back({build.ports[p].offsets.at(0), slot_size(bus), bus.wire()});
        }
        for (std::size_t k = 0; k < inputs.rules.handshakes.size(); ++k) {
            const RandomRules::Handshake& handshake = inputs.rules.handshakes[k];
            const auto place = static_cast<std::size_t>(
                std::find(inputs.elements.begin(), inputs.elements.end(), handshake.element) -
                inputs.elements.begin());
            handshakes_.push_back(
                {place, handshake.valid, build.ports[inputs.elements.size() + k].offsets.at(0)});
        }
        const std::size_t first = inputs.elements.size() + inputs.rules.handshakes.size();
        for (std::size_t k = 0; k < rows_.lookback().elements().size(); ++k)
            seen_.push_back(build.ports[first + k].offsets.at(0));
        found_ = rows_.draw(kept_);
    }

    void step(unsigned part, Range range, const Frame& frame) override {
        if (part == 0) {
            put(frame, true);
            return;
        }
        if (rate_.rises_after(frame.cycle)) {
            for (const Handshake& each : handshakes_)
                kept_[each.place] = rows_.value(each.place)[each.valid] != std::byte{0} &&
                                    frame.read[each.ready] == std::byte{0};
            rows_.lookback().note([&](std::size_t k) { return frame.read + seen_[k]; });
            found_ = found_ && rows_.draw(kept_);
            if (!found_)
                frame.control->fault(range.first, rows_.problem());
        }
        put(frame, false);
    }

    void state(Archive& archive) override { rows_.state(archive); }

private:
    struct Slot {
        std::int64_t offset;
        std::size_t bytes;
        bool wire;
    };
    struct Handshake {
        std::size_t place;
        std::uint32_t valid;
        std::int64_t ready;
    };

    void put(const Frame& frame, bool wires) const {
        for (std::size_t p = 0; p < slots_.size(); ++p) {
            const Slot& slot = slots_[p];
            if (slot.wire != wires)
                continue;
            std::byte* const at = frame.write + slot.offset;
            std::memset(at, 1, slot.bytes);
            std::memcpy(at, rows_.value(p), rows_.bytes(p));
        }
    }

    RandomRows rows_;
    ClockRate rate_;
    std::vector<bool> kept_;
    std::vector<Slot> slots_;
    std::vector<Handshake> handshakes_;
    std::vector<std::int64_t> seen_; // offsets of the elements to look back at
    bool found_ = true;
};

} // namespace

void shorten_delays(Graph& graph, const std::vector<std::uint64_t>& inputs) {
    for (BusFamily& family : graph.buses) {
        const auto from = std::lower_bound(inputs.begin(), inputs.end(), family.first);
        const auto to = std::lower_bound(from, inputs.end(), family.first + family.count);
        if (static_cast<std::uint64_t>(to - from) == family.count)
            family.delay = std::min(family.delay, 1u);
    }
}

ProcessFamily ruled_feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                              const RandomRules& rules, const std::string& name) {
    ProcessFamily source = feeder_of(graph, elements, name);
    Part wires, registers;
    wires.may_fault = false;
    registers.shares_state = true;
    for (std::uint32_t p = 0; p < elements.size(); ++p)
        (graph.family_of(elements[p]).wire() ? wires : registers).writes.push_back({p});
    const auto read = [&](std::uint64_t element) {
        Port port;
        port.name = graph.bus_name(element);
        port.type = graph.family_of(element).type;
        port.buses = Segments::affine(1, static_cast<std::int64_t>(element), 0);
        registers.reads.push_back({static_cast<std::uint32_t>(source.ports.size())});
        source.ports.push_back(std::move(port));
    };
    for (const RandomRules::Handshake& handshake : rules.handshakes)
        read(handshake.ready);
    const Lookback lookback{graph, rules};
    for (const std::uint64_t element : lookback.elements())
        read(element);
    source.parts = {std::move(wires), std::move(registers)};
    return source;
}

std::shared_ptr<const GroupFactory> random_feeder(std::vector<std::uint64_t> elements,
                                                  RandomRules rules, std::uint64_t seed,
                                                  ClockRate rate) {
    return factory_of<RuledValues>(RuledInputs{std::move(elements), std::move(rules)}, seed, rate);
}

RandomRules about(const RandomRules& rules, const std::vector<std::uint64_t>& elements,
                  const Graph& graph) {
    const auto has = [&](std::uint64_t element) {
        return std::binary_search(elements.begin(), elements.end(), element);
    };
    const auto is_written = [&](const RandomRules::Earlier& earlier) {
        return has(earlier.element) ||
               std::any_of(graph.processes.begin(), graph.processes.end(), [&](const auto& each) {
                   return std::any_of(each.ports.begin(), each.ports.end(), [&](const Port& port) {
                       for (std::uint64_t k = 0; port.output && k < port.buses.size(); ++k)
                           if (static_cast<std::uint64_t>(port.buses.at(k)) == earlier.element)
                               return true;
                       return false;
                   });
               });
    };
    RandomRules result = rules;
    std::erase_if(result.ranges, [&](const auto& each) { return !has(each.element); });
    std::erase_if(result.handshakes, [&](const auto& each) { return !has(each.element); });
    std::erase_if(result.assumptions, [&](const auto& each) {
        return !std::all_of(each.elements.begin(), each.elements.end(), has) ||
               !std::all_of(each.earlier.begin(), each.earlier.end(), is_written);
    });
    return result;
}

void add_random_values(Graph& graph, std::uint64_t seed) {
    ProcessFamily source = feeder_of(graph, open_inputs(graph), "random values");
    source.kind = factory_of<RandomValues>(seed);
    if (!source.ports.empty())
        graph.processes.push_back(std::move(source));
}

std::optional<Diagnostic> add_random_values(Graph& graph, std::uint64_t seed,
                                            const RandomRules& rules) {
    RuledInputs inputs{open_inputs(graph), {}};
    inputs.rules = about(rules, inputs.elements, graph);
    if (inputs.rules.empty()) {
        add_random_values(graph, seed);
        return std::nullopt;
    }
    shorten_delays(graph, inputs.elements);
    RandomRows first{graph, inputs.elements, inputs.rules, seed};
    if (!first.draw(std::vector<bool>(inputs.elements.size())))
        return first.problem();
    ProcessFamily source = ruled_feeder_of(graph, inputs.elements, inputs.rules, "random values");
    for (std::size_t p = 0; p < inputs.elements.size(); ++p)
        if (!graph.family_of(inputs.elements[p]).wire())
            set_initial(graph, inputs.elements[p], first.value(p));
    source.kind = random_feeder(std::move(inputs.elements), std::move(inputs.rules), seed, {});
    graph.processes.push_back(std::move(source));
    return std::nullopt;
}

} // namespace sme::lockstep
