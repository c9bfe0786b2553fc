// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sme/kahn.hpp"

namespace sme {

/// A Kahn network as plain data.
struct KahnGraph {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Family {
        Name name;
        std::uint64_t first;
        std::uint64_t count;
        bool indexed; ///< its channels are name[0], name[1], …
        Depth depth;
        const internal::ChannelKind* kind;
    };
    struct Ends {
        std::uint32_t reader = none; ///< a process
        std::uint32_t writer = none;
        bool shares_reader = false; ///< several readers; `reader` is the first
        bool shares_writer = false;
    };
    struct Process {
        Name name;
        std::unique_ptr<internal::Maker> maker;
        std::optional<Runner> runner;
        bool high = false;
        bool timed = false;                       ///< it waits for real time
        const char* leaves_determinism = nullptr; ///< the reason; null: it is a Kahn process
    };

    std::string name;
    std::uint64_t number = next_number(); ///< in handles; no two networks have the same
    std::vector<Family> families;         ///< by first channel
    std::vector<Ends> channels;
    std::vector<Process> processes;
    std::vector<Name> barriers;

    /// The number of a channel in its network, of that in a handle: its lower half.
    static std::uint32_t channel_of(std::uint64_t handle) {
        return static_cast<std::uint32_t>(handle);
    }
    /// Returns whether a handle belongs to a channel of this network.
    bool has(std::uint64_t handle) const {
        return handle >> 32 == number && channel_of(handle) < channels.size();
    }
    /// The number of a barrier. Throws NetworkError for a handle of another network.
    std::uint32_t barrier_of(std::uint64_t handle) const;
    const Family& family_of(std::uint64_t channel) const;
    std::string channel_name(std::uint64_t channel) const;
    std::string process_name(std::uint32_t process) const;
    std::string why_not_deterministic() const; ///< see KahnNetwork
    /// Throws the KahnFault of a process that used a channel against the rules.
    [[noreturn]] void fault(std::uint32_t process, std::uint64_t channel, const char* what) const;
    /// The same for a fault without a channel.
    [[noreturn]] void fault(std::uint32_t process, const char* what) const;
    /// Throws NetworkError with all channels that have an open end; `has_outside` tells which
    /// channels have that end outside the network. Null: no channel does.
    void check(const std::function<bool(std::uint64_t channel)>& has_outside = {}) const;

private:
    static std::uint64_t next_number() {
        static std::atomic<std::uint32_t> last{0}; // relaxed: only the numbers themselves matter
        return last.fetch_add(1, std::memory_order_relaxed);
    }
};

/// For parts whose message types are known at run time only.
struct KahnAccess {
    /// `kind` must outlive the network. Returns the content of the channel's handle.
    static std::uint64_t add_channel(KahnNetwork& network, const Name& name, Depth depth,
                                     const internal::ChannelKind& kind) {
        return network.add_channels(name, 1, false, depth, kind);
    }
};

/// "name", or "name[3]".
std::string text_of(const Name& name);
/// "models/ring.cpp:17: "
std::string place_of(const Name& name);
/// Throws NetworkError if a channel cannot have that depth.
void check_depth(const Name& name, Depth depth);

} // namespace sme
