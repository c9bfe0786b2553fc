// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kahn/storage.hpp"
#include "sme/untimed.hpp"

namespace sme::kahn {

/// What a process that sleeps on one channel waits for.
struct Blocked {
    detail::ProcessDescriptor* process;
    detail::ChannelCore* channel;
    detail::ProcessDescriptor* on; ///< the process at the other end
    bool sends;
    std::uint64_t word; ///< that the process has marked; changes when it is woken

    friend bool operator==(const Blocked&, const Blocked&) = default;
};

/// What `process` waits for, if it sleeps on one channel whose ends are never handed on. From any
/// thread.
std::optional<Blocked> blocked(detail::ProcessDescriptor& process);

/// Finds processes that wait for each other in a ring, and resolves it by one more place in the
/// smallest full channel on which one of them is blocked sending; of equal ones the first declared.
///
/// A ring is found at some time, by whoever searches; until it is resolved nothing changes in it,
/// as each process of it waits for another of it. So the channel that is enlarged depends on the
/// ring alone, and since the rings of a moment are disjoint, the resolution of one commutes with
/// that of another and with every step of processes outside. Steps of processes commute among each
/// other (Kahn). Hence all runs of a network reach the same state, with the same depths, whenever
/// the search takes place, and it takes place when nothing else is left to do.
///
/// Who chooses, shares an end or stands at a barrier waits for several. Such waits are looked at
/// only when nobody runs: then all who have not ended are stuck, and a knot, a set of processes
/// that wait for none outside it, is resolved in the same way.
class DeadlockSearch {
public:
    DeadlockSearch(const KahnGraph& graph, Storage& storage, const UntimedOptions& options);

    /// The processes of the run, by number.
    void set_processes(std::vector<detail::ProcessDescriptor*> processes);
    /// An end that several processes share.
    void add_shared(const detail::SharedEnd& end) { shared_.push_back(&end); }
    std::size_t processes() const { return processes_.size(); }

    /// Resolves all rings that it finds, while other threads may run processes; with `quiet`, when
    /// none does, knots as well. Wakes on `queue`, that of the calling thread. False when it
    /// resolved none.
    bool resolve(detail::ReadyQueue& queue, bool quiet = false);

    /// After a run: empty when all processes have ended, else who waits for whom and why.
    std::string explain() const;

private:
    std::vector<std::vector<Blocked>> rings();
    bool still_holds(const std::vector<Blocked>& ring) const;
    detail::ChannelCore* smallest_full(const std::vector<Blocked>& ring) const;
    std::vector<std::vector<Blocked>> knots() const;
    std::vector<const detail::ProcessDescriptor*>
    waits_for(const detail::ProcessDescriptor& process) const;
    void add_end(const detail::ChannelCore& channel, bool writer,
                 std::vector<const detail::ProcessDescriptor*>& to) const;
    void add_absent(const detail::BarrierCore& barrier,
                    std::vector<const detail::ProcessDescriptor*>& to) const;
    std::string wait_text(const detail::ProcessDescriptor& process) const;
    std::string end_text(const detail::ChannelCore& channel, bool writer) const;
    bool enlarge(detail::ChannelCore& channel, detail::ReadyQueue& queue);
    std::string line(const detail::ProcessDescriptor& process) const;
    std::string advice() const;

    const KahnGraph& graph_;
    Storage& storage_;
    const UntimedOptions& options_;
    std::vector<detail::ProcessDescriptor*> processes_;
    std::vector<const detail::SharedEnd*> shared_;
    std::mutex mutex_;
    std::vector<std::uint32_t> walk_; ///< by process: the last walk that came by
    std::uint32_t walks_ = 0;
};

} // namespace sme::kahn
