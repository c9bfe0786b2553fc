// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "actors/plans.hpp"
#include "base/diagnostic.hpp"
#include "network/graph.hpp"
#include "sme/group.hpp"
#include "sme/untimed.hpp"

namespace sme::actors {

struct RunOptions {
    UntimedOptions untimed = {}; ///< runners, digests and so on
    /// Each actor fires at most so often; then it waits for ever.
    std::uint64_t firings = std::numeric_limits<std::uint64_t>::max();
    /// Channels hold at least so many messages, whatever their depth is.
    std::uint32_t places = 1;
    /// When set, the run ends soon after it becomes true. May be null.
    const std::atomic<bool>* interrupt = nullptr;
    /// Asked now and then of a group that records, on the thread that steps it: false ends the run,
    /// as what it records cannot be written. May be null.
    std::function<bool(const Group& recorder)> can_write = {};
    /// Takes lines that actors print, one at a time, from any thread. May be null.
    std::function<void(const std::string& line)> print = {};
};

enum class End : std::uint8_t {
    completed,   ///< all actors are done
    cut,         ///< some have fired as often as they may, and the others wait
    halted,      ///< an output has all its rows
    failed,      ///< an output has another row than it expects, or cannot be written
    deadlocked,  ///< actors wait for each other
    faulted,     ///< an actor had a fault
    interrupted, ///< by `RunOptions::interrupt`
};

struct Result {
    End end = End::completed;
    std::string explanation; ///< of a deadlock
    std::vector<Diagnostic> faults;
    /// In the order of the file; none when a fault or an interruption ended the run.
    std::vector<ChannelReport> channels;
    std::uint64_t actors = 0;
    std::uint64_t channel_count = 0;
    std::uint64_t firings = 0; ///< of all actors
};

/// All parts of one instance of a process, in their order.
class InstanceSteps {
public:
    virtual ~InstanceSteps() = default;
    virtual void step(const Frame& frame) = 0;
};

/// One run of the actors of a network without a clock, which must outlive it.
class Run {
public:
    /// `plans` are those of `graph`. Builds the groups: files that are recorded are begun.
    Run(const Graph& graph, std::vector<Plan> plans, const RunOptions& options);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /// The groups of process families, by number; null where there is none.
    const std::vector<Group*>& groups() const;
    /// From now on these step the instances of a family, on the same slots and memories; they must
    /// outlive the run. From any thread, also while it runs; once.
    void exchange(std::uint32_t family, InstanceSteps* const* steps);

    /// Runs until all actors are done, or something ends it. Once.
    Result run();

private:
    struct Network;
    std::unique_ptr<Network> network_;
};

} // namespace sme::actors
