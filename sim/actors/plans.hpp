// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/build.hpp"
#include "network/graph.hpp"
#include "sme/internal/group.hpp"

namespace sme::actors {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// A port of a process that is the end of a channel, as numbers of the family's ports.
struct ChannelPort {
    std::uint32_t data = none; ///< valid and the message
    std::uint32_t ready = none;
    std::uint32_t closed = none; ///< the sender is done
    bool sends = false;
};

/// The role of a family of processes in a run without a clock.
struct Plan {
    enum class Kind : std::uint8_t { actor, source, recorder };
    Kind kind;
    std::uint32_t family;
    std::vector<ChannelPort> ports; ///< inputs, then outputs, in the order of the file
    std::uint32_t firing = none;    ///< the state that holds the result of a step
};

/// Plans all families of a network that was loaded to run without a clock. Reports everything that
/// prevents such a run.
std::vector<Plan> plans_of(const Graph& graph, Diagnostics& diagnostics);

/// True if an element of a bus family is a channel.
inline bool is_channel(const Graph& graph, std::uint64_t element) {
    return graph.family_of(element).places > 0;
}

/// The slots of the processes of a run without a clock, and the groups that step them. Each
/// instance has private slots for its inputs and outputs, on its own cache lines. Messages are
/// copied between channels and slots.
class Layout {
public:
    /// The layout of one family. Offsets are relative to the beginning of an instance.
    struct Family {
        std::uint64_t first = 0;  // of instance 0, in the arenas
        std::uint64_t stride = 0; // from one instance to the next
        std::uint64_t states = 0; // bytes of states, which come first
        std::vector<std::uint32_t> ports;
        std::unique_ptr<Group> group;
    };

    Layout(const Graph& graph, const std::vector<Plan>& plans, std::uint64_t seed);

    const Family& operator[](std::uint32_t plan) const { return families_[plan]; }
    std::size_t size() const { return families_.size(); }
    /// The read slots of an instance.
    std::byte* read(std::uint32_t plan, std::uint64_t instance) const {
        return arenas_[0].get() + families_[plan].first + instance * families_[plan].stride;
    }
    std::byte* write(std::uint32_t plan, std::uint64_t instance) const {
        return arenas_[1].get() + families_[plan].first + instance * families_[plan].stride;
    }
    Frame frame(Control& control) const {
        return {arenas_[0].get(), arenas_[1].get(), 0, &control};
    }
    std::uint64_t arena_bytes() const { return bytes_; }

private:
    struct Freed {
        void operator()(std::byte* memory) const;
    };
    using Arena = std::unique_ptr<std::byte, Freed>;

    void place(const Graph& graph, const ProcessFamily& family);
    void fill(const Graph& graph, const ProcessFamily& family, Family& result);
    void build(const Graph& graph, const ProcessFamily& family, std::uint64_t seed, Family& result);

    std::vector<Family> families_; // by plan
    std::uint64_t bytes_ = 0;
    Arena arenas_[2];
    std::vector<std::vector<std::byte>> memories_;
};

} // namespace sme::actors
