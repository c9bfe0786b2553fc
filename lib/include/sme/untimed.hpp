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

/// How a Kahn network is run without a clock.
struct UntimedOptions {
    /// Threads that run processes, those of `Runner::own` not counted.
    unsigned runners = 1;
    /// From which runner an idle one steals; not 0: also the order in which processes start, and
    /// how long batches run.
    std::uint64_t seed = 0;
    /// Each process has a thread of the operating system, and `runners` counts for nothing.
    bool thread_per_process = false;
    /// Artificial deadlocks, which deeper channels would not have, are resolved by enlarging one.
    bool enlarge = true;
    /// No channel is enlarged when the slots of all would take more.
    std::size_t channel_bytes_max = std::numeric_limits<std::size_t>::max();
    /// Makes `ChannelReport::digest`.
    bool digests = false;
};

/// One channel after a run.
struct ChannelReport {
    std::string name;
    std::uint32_t declared_depth;
    std::uint32_t depth; ///< at the end: greater where an artificial deadlock was resolved
    std::uint64_t sent;
    std::uint64_t received;
    std::uint64_t digest; ///< of what was sent, in order; 0 unless wanted
};

enum class UntimedEnd : std::uint8_t {
    completed,  ///< all processes have returned
    deadlocked, ///< processes wait for each other, and no depth would help, or none was allowed
};

struct UntimedResult {
    UntimedEnd end = UntimedEnd::completed;
    /// Of a deadlock: who waits for whom, on which channel, its fill and depth; what would help.
    std::string explanation;
    std::vector<ChannelReport> channels; ///< in order of declaration
    bool completed() const { return end == UntimedEnd::completed; }
};

/// One run of a network, as fast as the machine allows: runner threads resume processes that can
/// go on, in batches that draw together who communicates, and steal batches from each other
/// (Ritson, Sampson and Barnes, 2009). The first process runs on the thread that calls `run`.
class Untimed {
public:
    /// Makes the processes and channels. Throws NetworkError when a channel lacks a reader or a
    /// writer. `network` may end before the run, but not change.
    explicit Untimed(const KahnNetwork& network, const UntimedOptions& options = {});
    ~Untimed();
    Untimed(Untimed&&) noexcept;
    Untimed& operator=(Untimed&&) noexcept;

    /// Runs until all processes have returned, or are in deadlock. Throws what went wrong in a
    /// process as KahnFault, after all runners have stopped. Once.
    UntimedResult run();

    /// A process object; after the run, or before it. Throws NetworkError for a handle of another
    /// network.
    template <class P> P& process(const KahnHandle<P>& handle) {
        if (auto* const found = dynamic_cast<detail::HostedProcess<P>*>(hosted(handle.id())))
            return found->process;
        throw NetworkError{"this run has no such process; the handle is of another network"};
    }

private:
    detail::Hosted* hosted(std::uint32_t id);

    struct Run;
    std::unique_ptr<Run> run_;
};

} // namespace sme
