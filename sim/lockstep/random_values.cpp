// SPDX-License-Identifier: Apache-2.0
#include "lockstep/random_values.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lockstep/isolated.hpp"
#include "network/build.hpp"

namespace sme::lockstep {

namespace {

/// A number for each (seed, place): the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

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
            for (std::size_t leaf = 0; leaf < slot.leaves.size(); ++leaf)
                put(slot.leaves[leaf], mixed(place + leaf), at);
        }
    }

private:
    struct Slot {
        std::int64_t offset;
        std::size_t value_bytes;
        std::size_t bytes;
        std::vector<Leaf> leaves;
    };

    static void put(const Leaf& leaf, std::uint64_t random, std::byte* slot) {
        const Type& type = *leaf.type;
        const auto width = static_cast<unsigned>(type.width_bits());
        const std::uint64_t ones =
            width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
        std::uint64_t value = random;
        if (type.kind() == TypeKind::enumeration)
            value = type.members()[random % type.members().size()].value;
        else if (width > 3) { // of small numbers all come anyway
            switch (mixed(random) % 16) {
            case 0: value = 0; break;
            case 1: value = ones; break;
            case 2: value = std::uint64_t{1} << (width - 1); break;
            case 3: value = ones >> 1; break;
            case 4: value = 1; break;
            default: break;
            }
        }
        value &= ones;
        if (type.is_signed() && (value >> (width - 1)) != 0)
            value |= ~ones;
        std::memcpy(slot + leaf.offset, &value, std::min<std::size_t>(type.size(), sizeof value));
    }

    std::uint64_t seed_;
    std::vector<Slot> slots_;
};

class RandomFactory final : public GroupFactory {
public:
    explicit RandomFactory(std::uint64_t seed) : seed_{seed} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        return std::make_unique<RandomValues>(seed_, build);
    }

private:
    std::uint64_t seed_;
};

} // namespace

std::shared_ptr<const GroupFactory> random_values(std::uint64_t seed) {
    return std::make_shared<RandomFactory>(seed);
}

void add_random_values(Graph& graph, std::uint64_t seed) {
    ProcessFamily source = feeder_of(graph, open_inputs(graph), "random values");
    source.kind = random_values(seed);
    if (!source.ports.empty())
        graph.processes.push_back(std::move(source));
}

} // namespace sme::lockstep
