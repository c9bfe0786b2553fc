// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/test/scratch.hpp"
#include "network/build.hpp"
#include "runtime/observer.hpp"

namespace trace_test {

using sme::test::Scratch;
using sme::test::text_of;

/// A network without processes. The test itself fills its arena, in which the slots are contiguous.
class Buses final : public sme::Observed {
public:
    explicit Buses(const std::string& name) { graph_.name = name; }

    sme::BusFamily& add(const std::string& name, sme::TypeRef type,
                        std::vector<sme::Shape::Dimension> dimensions = {}) {
        sme::BusFamily family;
        family.name = name;
        family.type = std::move(type);
        family.shape.dimensions = std::move(dimensions);
        return graph_.add(std::move(family));
    }
    void add_domain(const std::string& name, sme::ClockRate rate) {
        graph_.domains.push_back({name, rate, {}});
    }
    /// Call after the last `add`.
    void lay_out() {
        std::size_t bytes = 0;
        for (const sme::BusFamily& bus : graph_.buses) {
            const auto each = sme::slot_size(bus);
            bytes = (bytes + 7) / 8 * 8;
            slots_.push_back(sme::Segments::affine(bus.count, static_cast<std::int64_t>(bytes),
                                                   static_cast<std::int64_t>(each)));
            bytes += each * bus.count;
        }
        arena_.assign(bytes, std::byte{0});
    }
    template <class T> void set(std::size_t family, std::size_t element, std::size_t at, T value) {
        std::memcpy(&arena_[static_cast<std::size_t>(slots_[family].at(element)) + at], &value,
                    sizeof value);
    }
    sme::Frame frame(std::uint64_t cycle, bool wires_settled = true) {
        return {arena_.data(), nullptr, cycle, nullptr, wires_settled};
    }

    const sme::Graph& graph() const override { return graph_; }
    const sme::Segments& slots(std::size_t family) const override { return slots_[family]; }
    const std::byte* memory(std::uint32_t, std::size_t, std::uint64_t) const override {
        return nullptr; // the network has no process
    }

    const sme::MissingWires& missing() const override { return missing_; }

private:
    sme::MissingWires missing_;
    sme::Graph graph_;
    std::vector<sme::Segments> slots_;
    std::vector<std::byte> arena_;
};

} // namespace trace_test
