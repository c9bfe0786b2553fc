// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sme/kahn.hpp"

namespace sme {

/// Options for a run of a Kahn network without a clock.
struct UntimedOptions {
    /// Threads that run processes, not counting those of `Runner::own`.
    unsigned runners = 1;
    /// Selects the runner from which an idle one steals; if not 0, also the order in which
    /// processes start and the length of batches.
    std::uint64_t seed = 0;
    /// Gives each process its own operating system thread; `runners` is then ignored.
    bool thread_per_process = false;
    /// Resolves artificial deadlocks, which deeper channels would avoid, by enlarging a channel.
    bool enlarge = true;
    /// The limit for the slots of all channels: no channel is enlarged beyond it.
    std::size_t channel_bytes_max = std::numeric_limits<std::size_t>::max();
    /// Computes `ChannelReport::digest`.
    bool digests = false;
    /// How many of the processes that others make may run at once.
    std::size_t made_max = 1'000'000;
    /// Refuses a network that is not deterministic.
    bool deterministic = false;
};

/// The state of a channel after a run.
struct ChannelReport {
    std::string name;
    std::uint32_t declared_depth;
    std::uint32_t depth; ///< at the end: larger if an artificial deadlock was resolved
    std::uint64_t sent;
    std::uint64_t received;
    std::uint64_t digest; ///< of the messages sent, in order; 0 unless requested
};

enum class UntimedEnd : std::uint8_t {
    completed,  ///< all processes have returned
    deadlocked, ///< processes wait for each other, and no larger depth helps or is allowed
};

struct UntimedResult {
    UntimedEnd end = UntimedEnd::completed;
    /// For a deadlock: which process waits for which, on which channel, its fill and depth; a
    /// remedy.
    std::string explanation;
    std::vector<ChannelReport> channels; ///< in order of declaration
    std::uint64_t made = 0;              ///< processes that others made
    bool completed() const { return end == UntimedEnd::completed; }
};

/// A run of a network, as fast as the machine allows. Runner threads resume processes that are
/// ready, in batches that gather communicating processes, and steal batches from each other
/// (Ritson, Sampson and Barnes, 2009). The thread that calls `run` is one of the runners.
class Untimed {
public:
    /// Creates the processes and channels. Throws NetworkError if a channel lacks a reader or a
    /// writer. `network` may be destroyed before the run, but must not change.
    explicit Untimed(const KahnNetwork& network, const UntimedOptions& options = {});
    ~Untimed();
    Untimed(Untimed&&) noexcept;
    Untimed& operator=(Untimed&&) noexcept;

    /// Runs until all processes have returned or are in deadlock. Throws the failure of a process
    /// as KahnFault, after all runners have stopped. Call it once.
    UntimedResult run();

    /// Returns a process object, before or after the run. Throws NetworkError for a handle of
    /// another network.
    template <class P> P& process(const KahnHandle<P>& handle) {
        if (const KahnGraph* const of = graph(); of != nullptr && handle.is_of(*of))
            return static_cast<detail::HostedProcess<P>&>(hosted(handle.id())).process;
        throw NetworkError{"this run has no such process; the handle is of another network"};
    }

private:
    const KahnGraph* graph() const; ///< null after a move
    detail::Hosted& hosted(std::uint32_t id);

    struct Run;
    std::unique_ptr<Run> run_;
};

} // namespace sme
