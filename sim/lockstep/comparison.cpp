// SPDX-License-Identifier: Apache-2.0
#include "lockstep/comparison.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "bits/scalar_text.hpp"
#include "network/access.hpp"
#include "network/build.hpp"
#include "sme/internal/archive.hpp"

namespace sme::lockstep {

Graph isolated(const Graph& graph, Pair& pair) {
    Graph result;
    result.name = pair.name;
    result.declared = graph.declared;
    result.buses = graph.buses;
    for (Pair::Families* const families : {&pair.first, &pair.second}) {
        const std::size_t begin = result.processes.size();
        for (std::size_t f = families->begin; f < families->end; ++f)
            result.processes.push_back(graph.processes[f]);
        *families = {begin, result.processes.size()};
    }
    return result;
}

namespace {

/// The elements at the inputs, or the outputs, of processes.
std::set<std::uint64_t> bound_elements(const Graph& graph, bool written) {
    std::set<std::uint64_t> result;
    for (const ProcessFamily& family : graph.processes)
        for (const Port& port : family.ports)
            for (std::uint64_t k = 0; port.output == written && k < port.buses.size(); ++k)
                result.insert(static_cast<std::uint64_t>(port.buses.at(k)));
    return result;
}

} // namespace

std::vector<std::uint64_t> open_inputs(const Graph& graph) {
    const std::set<std::uint64_t> written = bound_elements(graph, true);
    std::vector<std::uint64_t> open;
    for (const std::uint64_t element : bound_elements(graph, false))
        if (!written.count(element) && !graph.family_of(element).input)
            open.push_back(element);
    return open;
}

void make_inputs(Graph& graph) {
    const std::set<std::uint64_t> written = bound_elements(graph, true);
    for (BusFamily& bus : graph.buses) {
        const auto writer = written.lower_bound(bus.first);
        if ((writer != written.end() && *writer < bus.first + bus.count) || bus.has_initial ||
            bus.state || bus.traced)
            continue;
        bus.input = true;
        bus.unwritten = Unwritten::hold;
        bus.delay = std::min(bus.delay, 1U);
    }
}

ProcessFamily feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                        const std::string& name) {
    ProcessFamily feeder;
    feeder.name = name;
    feeder.helper = true;
    Part& part = feeder.parts.emplace_back();
    part.may_fault = false;
    for (const std::uint64_t element : elements) {
        Port port;
        port.name = graph.bus_name(element);
        port.output = true;
        port.type = graph.family_of(element).type;
        port.buses = Segments::affine(1, static_cast<std::int64_t>(element), 0);
        part.writes.push_back({static_cast<std::uint32_t>(feeder.ports.size())});
        feeder.ports.push_back(std::move(port));
    }
    return feeder;
}

std::vector<std::byte> initial_of(const Graph& graph, std::uint64_t element) {
    const BusFamily& family = graph.family_of(element);
    const std::size_t size = family.type->size();
    if (family.initial.empty())
        return std::vector<std::byte>(size);
    const std::size_t place = family.initial.size() == size ? 0 : (element - family.first) * size;
    const auto from = family.initial.begin() + static_cast<std::ptrdiff_t>(place);
    return {from, from + static_cast<std::ptrdiff_t>(size)};
}

void set_initial(Graph& graph, std::uint64_t element, const std::byte* value) {
    const auto found = std::find_if(graph.buses.begin(), graph.buses.end(), [&](const auto& each) {
        return element >= each.first && element < each.first + each.count;
    });
    BusFamily& family = *found;
    const std::size_t size = family.type->size();
    if (family.initial.size() != size * family.count) {
        std::vector<std::byte> all;
        for (std::uint64_t k = 0; k < family.count; ++k) {
            const std::vector<std::byte> one = initial_of(graph, family.first + k);
            all.insert(all.end(), one.begin(), one.end());
        }
        family.initial = std::move(all);
    }
    std::copy(value, value + size,
              family.initial.begin() +
                  static_cast<std::ptrdiff_t>((element - family.first) * size));
    family.has_initial = true;
}

} // namespace sme::lockstep

namespace sme::lockstep {

namespace {

constexpr std::size_t cycles_shown = 4;
constexpr std::size_t max_inputs = 64;

class Comparer final : public Group {
public:
    Comparer(std::shared_ptr<Comparison> into, const Build& build) : into_{std::move(into)} {
        const std::size_t outputs = into_->pair.outputs.size();
        into_->moved.assign(outputs, false); // discards the result of an earlier run
        into_->cycles = 0;
        into_->difference.reset();
        for (std::size_t p = 0; p < build.ports.size(); ++p) {
            const BusFamily& bus = build.bus_at(static_cast<std::uint32_t>(p), 0);
            const auto element = static_cast<std::uint64_t>(build.ports[p].buses.at(0));
            slots_.push_back(
                {build.ports[p].offsets.at(0), bus.type, bus.wire(), bus.element_name(element)});
            if (p >= 2 * outputs)
                input_bytes_ += bus.type->size();
        }
        first_seen_.resize(outputs);
    }

    void step(unsigned, Range, const Frame& frame) override {
        if (into_->difference)
            return;
        keep_inputs(frame);
        const std::size_t outputs = into_->pair.outputs.size();
        for (std::size_t k = 0; k < outputs; ++k) {
            const Slot& first = slots_[2 * k];
            const Slot& second = slots_[2 * k + 1];
            if (first.wire && !frame.wires_settled)
                continue;
            const std::byte* const a = frame.read + first.offset;
            const std::byte* const b = frame.read + second.offset;
            if (!is_same(k, a, b, frame.cycle))
                return differ(k, a, b, frame);
            look_for_move(k, a, first.type->size());
        }
        if (frame.wires_settled)
            into_->cycles = compared(frame.cycle + 1);
    }

    void state(Archive& archive) override {
        archive(into_->moved, into_->cycles, first_seen_, seen_);
        first_seen_.resize(into_->pair.outputs.size());
    }

private:
    struct Slot {
        std::int64_t offset;
        TypeRef type;
        bool wire;
        std::string name;
    };

    /// The number of compared cycles: those with known values.
    std::uint64_t compared(std::uint64_t cycles) const {
        for (const auto& known : into_->pair.known)
            cycles = std::min(cycles, known->cycles);
        return cycles;
    }

    /// True if all known bits are equal.
    bool is_same(std::size_t output, const std::byte* a, const std::byte* b,
                 std::uint64_t cycle) const {
        const std::size_t bytes = slots_[2 * output].type->size();
        if (into_->pair.known.empty())
            return std::memcmp(a, b, bytes) == 0;
        const KnownBits& known = *into_->pair.known[output];
        if (cycle >= known.cycles)
            return true;
        if (known.bits.empty())
            return std::memcmp(a, b, bytes) == 0;
        const std::byte* const bits =
            known.bits.data() + known.rate.edges_before(cycle) * known.bytes;
        for (std::size_t k = 0; k < bytes; ++k)
            if (((a[k] ^ b[k]) & bits[k]) != std::byte{0})
                return false;
        return true;
    }

    void look_for_move(std::size_t output, const std::byte* value, std::size_t bytes) {
        if (into_->moved[output])
            return;
        std::vector<std::byte>& first = first_seen_[output];
        if (first.empty())
            first.assign(value, value + bytes);
        else if (std::memcmp(first.data(), value, bytes) != 0)
            into_->moved[output] = true;
    }

    /// Records the inputs of the last cycles, the oldest first.
    void keep_inputs(const Frame& frame) {
        if (!frame.wires_settled)
            return;
        std::vector<std::byte> values;
        values.reserve(input_bytes_);
        for (std::size_t p = 2 * into_->pair.outputs.size(); p < slots_.size(); ++p) {
            const std::byte* const slot = frame.read + slots_[p].offset;
            values.insert(values.end(), slot, slot + slots_[p].type->size());
        }
        if (seen_.size() == cycles_shown)
            seen_.erase(seen_.begin());
        seen_.emplace_back(frame.cycle, std::move(values));
    }

    void differ(std::size_t output, const std::byte* a, const std::byte* b, const Frame& frame) {
        const Slot& slot = slots_[2 * output];
        Comparison::Difference found{
            frame.cycle, slot.name, value_text(*slot.type, a, b), value_text(*slot.type, b, a), {}};
        for (const auto& [cycle, values] : seen_) {
            auto& shown = found.inputs.emplace_back(cycle, std::vector<Comparison::Seen>{}).second;
            const std::byte* value = values.data();
            for (std::size_t p = 2 * into_->pair.outputs.size(); p < slots_.size(); ++p) {
                shown.push_back({slots_[p].name, value_text(*slots_[p].type, value)});
                value += slots_[p].type->size();
            }
        }
        into_->cycles = frame.cycle;
        into_->difference = std::move(found);
        frame.control->fail();
    }

    std::shared_ptr<Comparison> into_;
    std::vector<Slot> slots_; // two for each output, then those of the inputs
    std::vector<std::vector<std::byte>> first_seen_;
    std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> seen_;
    std::size_t input_bytes_ = 0;
};

Port port_at(const Graph& graph, std::uint64_t element) {
    Port port;
    port.name = graph.bus_name(element);
    port.type = graph.family_of(element).type;
    port.buses = Segments::affine(1, static_cast<std::int64_t>(element), 0);
    return port;
}

/// The buses that the first implementation reads and does not write itself.
std::vector<std::uint64_t> inputs_of(const Graph& graph, const Pair& pair) {
    if (!pair.inputs.empty())
        return {pair.inputs.begin(), pair.inputs.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                               pair.inputs.size(), max_inputs))};
    std::set<std::uint64_t> read, written;
    for (std::size_t f = pair.first.begin; f < pair.first.end; ++f)
        for (const Port& port : graph.processes[f].ports)
            for (std::uint64_t k = 0; k < port.buses.size(); ++k)
                (port.output ? written : read).insert(static_cast<std::uint64_t>(port.buses.at(k)));
    std::vector<std::uint64_t> inputs;
    std::set_difference(read.begin(), read.end(), written.begin(), written.end(),
                        std::back_inserter(inputs));
    if (inputs.size() > max_inputs)
        inputs.resize(max_inputs);
    return inputs;
}

} // namespace

std::shared_ptr<const Comparison> add_comparison(Graph& graph, const Pair& pair) {
    auto result = std::make_shared<Comparison>();
    result->pair = pair;
    result->moved.resize(pair.outputs.size());
    ProcessFamily observer;
    observer.name = fmt::format("comparison of {}", pair.name);
    observer.observer = true;
    observer.declared = pair.where;
    Part& part = observer.parts.emplace_back();
    const auto read = [&](std::uint64_t element) {
        part.reads.push_back({static_cast<std::uint32_t>(observer.ports.size())});
        observer.ports.push_back(port_at(graph, element));
    };
    for (const Pair::Outputs& output : pair.outputs) {
        result->outputs.push_back(graph.bus_name(output.first));
        read(output.first);
        read(output.second);
    }
    for (const std::uint64_t input : inputs_of(graph, pair))
        read(input);
    observer.kind = factory_of<Comparer>(result);
    graph.processes.push_back(std::move(observer));
    return result;
}

} // namespace sme::lockstep

namespace sme {

std::shared_ptr<const Agreement> compare(Network& network, const Name& name,
                                         const std::vector<BusPair>& outputs,
                                         const std::vector<AnyBus>& inputs) {
    Graph& graph = NetworkAccess::graph(network);
    Pair pair;
    pair.name = name.text();
    pair.where = location_of(name);
    const auto own = [&](const internal::BusKey& bus) {
        if (!graph.has(bus))
            throw NetworkError{fmt::format("{}:{}: '{}' compares a bus of another network",
                                           name.file(), name.line(), name.text())};
        return bus.id;
    };
    for (const BusPair& output : outputs)
        pair.outputs.push_back({own(output.first), own(output.second)});
    for (const AnyBus& input : inputs)
        pair.inputs.push_back(own(input.key));
    return lockstep::add_comparison(graph, pair);
}

std::string Agreement::text_of(const std::vector<Seen>& inputs) {
    std::string line;
    for (const Seen& seen : inputs)
        line += fmt::format("{}{} = {}", line.empty() ? "" : ", ", seen.bus, seen.value);
    return line;
}

std::string Agreement::text() const {
    if (!difference)
        return {};
    std::string result =
        fmt::format("in cycle {}, '{}' is {}, but {} by the other implementation\n",
                    difference->cycle, difference->bus, difference->first, difference->second);
    for (const auto& [cycle, inputs] : difference->inputs)
        if (!inputs.empty())
            result += fmt::format("inputs in cycle {}: {}\n", cycle, text_of(inputs));
    return result;
}

} // namespace sme
