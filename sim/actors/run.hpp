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
#include "sme/internal/group.hpp"
#include "sme/results.hpp"
#include "sme/untimed.hpp"

namespace sme::actors {

struct RunOptions {
    UntimedOptions untimed = {}; ///< runners, digests and so on
    /// The maximum number of firings per actor; an actor that reaches it waits forever.
    std::uint64_t firings = std::numeric_limits<std::uint64_t>::max();
    /// The minimum number of messages that a channel holds, whatever its depth.
    std::uint32_t places = 1;
    /// The run ends soon after this becomes true. May be null.
    const std::atomic<bool>* interrupt = nullptr;
    /// Called occasionally for a recording group, on the thread that steps it. False ends the run,
    /// since the recording cannot be written. May be null.
    std::function<bool(Group& recorder)> can_write = {};
    /// Receives the lines that actors print, one at a time, from any thread. May be null.
    std::function<void(const std::string& line)> print = {};
};

struct Result {
    RunEnd end = RunEnd::completed;
    bool at_limit = false;   ///< some actors reached their limit of firings, and the others wait
    std::string explanation; ///< of a deadlock
    std::vector<Diagnostic> faults;
    /// In file order; empty if a fault or an interruption ended the run.
    std::vector<ChannelReport> channels;
    std::uint64_t actors = 0;
    std::uint64_t channel_count = 0;
    std::uint64_t firings = 0; ///< of all actors
};

/// All parts of one instance of a process, in order.
class InstanceSteps {
public:
    virtual ~InstanceSteps() = default;
    virtual void step(const Frame& frame) = 0;
};

/// One run of the actors of a network without a clock; the network must outlive it.
class Run {
public:
    /// `plans` are those of `graph`. Builds the groups and begins the recorded files.
    Run(const Graph& graph, std::vector<Plan> plans, const RunOptions& options);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /// The groups of process families, by number; null if absent.
    const std::vector<Group*>& groups() const;
    /// From now on, `steps` steps the instances of a family, on the same slots and memories; it
    /// must outlive the run. Any thread may call it, also during the run, but only once per family.
    void swap_executor(std::uint32_t family, InstanceSteps* const* steps);

    /// Runs until all actors are done, or another condition ends the run. Call it once.
    Result run();

private:
    struct Network;
    std::unique_ptr<Network> network_;
};

} // namespace sme::actors
