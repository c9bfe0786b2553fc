// SPDX-License-Identifier: Apache-2.0
#include "native/fuzz/slots.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "engine/access.hpp"
#include "engine/slots/state.hpp"

namespace sme::fuzz {

namespace {

std::string_view bytes_at(const std::byte* slot, std::size_t bytes) {
    return {reinterpret_cast<const char*>(slot), bytes};
}

/// Converts little-endian bytes to a number.
std::string number(std::string_view bytes) {
    std::string digits = "0x";
    for (std::size_t k = bytes.size(); k-- > 0;)
        digits += fmt::format("{:02x}", static_cast<unsigned char>(bytes[k]));
    return digits;
}

/// The difference of two slots of one bus element.
std::string element_difference(const BusFamily& bus, std::uint64_t element, std::string_view found,
                               std::string_view expected) {
    const std::string name = bus.element_name(element);
    const auto show = [&](const std::string& what, std::size_t at, std::size_t bytes) {
        return fmt::format("{} is {}, but {} interpreted", what, number(found.substr(at, bytes)),
                           number(expected.substr(at, bytes)));
    };
    for (const Leaf& leaf : bus.type->scalars())
        if (const std::size_t bytes = leaf.type->size();
            found.substr(leaf.offset, bytes) != expected.substr(leaf.offset, bytes))
            return show(fmt::format("bus '{}{}'", name, leaf.path), leaf.offset, bytes);
    const auto at = static_cast<std::size_t>(
        std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin());
    return show(fmt::format("byte {} of bus '{}' (values from 0, marks from {})", at, name,
                            bus.type->size()),
                at, 1);
}

} // namespace

std::string slots_of(const engine::Engine& engine, const Graph& graph) {
    std::string result;
    for (const BusFamily& bus : graph.buses)
        for (std::uint64_t k = 0; k < bus.count; ++k)
            result += bytes_at(engine.access().value(bus.first + k), engine::kept_bytes(bus));
    return result;
}

std::string slot_difference(const Graph& graph, const std::string& found,
                            const std::string& expected) {
    if (found == expected)
        return {};
    std::size_t at = 0;
    for (const BusFamily& bus : graph.buses) {
        const std::size_t bytes = engine::kept_bytes(bus);
        for (std::uint64_t k = 0; k < bus.count; ++k, at += bytes) {
            const std::string_view one = std::string_view{found}.substr(at, bytes);
            const std::string_view other = std::string_view{expected}.substr(at, bytes);
            if (one != other)
                return element_difference(bus, bus.first + k, one, other);
        }
    }
    return "there are other buses";
}

void Watcher::open(const Observed& observed) {
    const Graph& graph = observed.graph();
    for (std::size_t b = 0; b < graph.buses.size(); ++b)
        for (std::uint64_t k = 0; k < graph.buses[b].count; ++k)
            slots_.push_back({observed.slots(b).at(k), engine::kept_bytes(graph.buses[b])});
}

void Watcher::step(unsigned, Range, const Frame& frame) {
    Cycle& now = cycles_.emplace_back(Cycle{{}, frame.wires_settled});
    for (const Slot& slot : slots_)
        now.slots += bytes_at(frame.read + slot.offset, slot.bytes);
}

} // namespace sme::fuzz
