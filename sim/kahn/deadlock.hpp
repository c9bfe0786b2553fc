// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kahn/made.hpp"
#include "sme/untimed.hpp"

namespace sme::kahn {

/// The wait of a process that sleeps on one channel.
struct Blocked {
    internal::ProcessDescriptor* process;
    internal::ChannelCore* channel;
    internal::ProcessDescriptor* on; ///< the process at the other end
    bool sends;
    std::uint64_t word; ///< which the process has marked; changes when the process is woken

    friend bool operator==(const Blocked&, const Blocked&) = default;
};

/// The wait of `process`, if it sleeps on one channel whose ends are never handed on. Any thread
/// may call it.
std::optional<Blocked> blocked(internal::ProcessDescriptor& process);

/// Finds rings of processes that wait for each other. Resolves a ring by adding one place to the
/// smallest full channel on which one of its processes is blocked sending; among equal channels, to
/// the first declared.
///
/// Until a ring is resolved, nothing in it changes, since each of its processes waits for another
/// in it. So the enlarged channel depends on the ring alone, not on the time of the search. The
/// rings at any moment are disjoint, so the resolution of one commutes with that of another and
/// with every step of processes outside. Steps of processes commute with each other (Kahn). Hence
/// all runs of a network reach the same state, with the same depths, whenever the search takes
/// place; and it takes place at the latest when no other work remains.
///
/// A process that chooses, shares an end or waits at a barrier waits for several processes. Such
/// waits are examined only when no process runs: all processes that have not ended are then stuck,
/// and a knot, a set of processes that wait only for each other, is resolved in the same way.
class DeadlockSearch {
public:
    DeadlockSearch(const Made& made, Storage& storage, const UntimedOptions& options);

    /// The processes of the run, by number.
    void set_processes(std::vector<internal::ProcessDescriptor*> processes);
    /// Adds an end that several processes share.
    void add_shared(const internal::SharedEnd& end) { shared_.push_back(&end); }
    std::size_t processes() const { return processes_.size(); }

    /// Resolves all rings that it finds, while other threads may run processes; with `quiet`, when
    /// no process runs, also resolves wait cycles. Wakes processes on `queue`, that of the calling
    /// thread. False if it resolved nothing.
    bool resolve(internal::ReadyQueue& queue, bool quiet = false);

    /// After a run: empty if all processes have ended, otherwise which processes wait for which and
    /// why.
    std::string explain() const;

private:
    std::vector<std::vector<Blocked>> rings();
    bool still_holds(const std::vector<Blocked>& ring) const;
    internal::ChannelCore* smallest_full(const std::vector<Blocked>& ring) const;
    std::vector<std::vector<Blocked>> wait_cycles() const;
    std::vector<const internal::ProcessDescriptor*>
    waits_for(const internal::ProcessDescriptor& process) const;
    void add_end(const internal::ChannelCore& channel, bool writer,
                 std::vector<const internal::ProcessDescriptor*>& to) const;
    void add_absent(const internal::BarrierCore& barrier,
                    std::vector<const internal::ProcessDescriptor*>& to) const;
    std::size_t links(const internal::ChannelCore& channel, bool writer) const;
    std::string wait_text(const internal::ProcessDescriptor& process) const;
    std::string end_text(const internal::ChannelCore& channel, bool writer) const;
    bool enlarge(internal::ChannelCore& channel, internal::ReadyQueue& queue);
    std::string line(const internal::ProcessDescriptor& process) const;
    std::string advice() const;

    /// Calls visit(process) for all that have not ended, also those that were made.
    void for_each(const std::function<void(internal::ProcessDescriptor&)>& visit) const;

    const Made& made_;
    Storage& storage_;
    const UntimedOptions& options_;
    std::vector<internal::ProcessDescriptor*> processes_;
    std::vector<const internal::SharedEnd*> shared_;
    std::mutex mutex_;
    std::vector<std::uint32_t> walk_; ///< by process: the last walk that visited it
    std::uint32_t walks_ = 0;
};

} // namespace sme::kahn
