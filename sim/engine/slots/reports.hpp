// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "engine/slots/layout.hpp"
#include "network/graph.hpp"
#include "runtime/transport.hpp"
#include "sme/internal/group.hpp"
#include "sme/results.hpp"

namespace sme::engine {

/// Receives the lines that processes print, between cycles.
class PrintSink {
public:
    virtual ~PrintSink() = default;
    virtual void print(const std::string& line) = 0;
};

/// Collects the reports of steps to the run. Any thread may report; the order of threads has no
/// effect.
class Reports {
public:
    /// `graph` and `layout` must outlive the object. `prints` may be null.
    Reports(const Graph& graph, const Layout& layout, PrintSink* prints);
    ~Reports();

    /// Adds a control for one part of a group; valid as long as this object.
    Control* add(std::uint32_t group, unsigned part);

    // relaxed: read only after the steps have returned, which a barrier orders
    bool halted() const { return halted_.load(std::memory_order_relaxed); }
    /// How the reports end the run: a fault outranks a failed check, which outranks a halt.
    RunEnd ending() const {
        return faulted()                                 ? RunEnd::faulted
               : failed_.load(std::memory_order_relaxed) ? RunEnd::check_failed
               : halted()                                ? RunEnd::halted
                                                         : RunEnd::completed;
    }
    bool faulted() const { return faulted_.load(std::memory_order_relaxed); }

    /// Hands over the lines printed in a cycle, in source order. No step may run meanwhile.
    void end_cycle() {
        if (!prints_.empty()) [[unlikely]]
            hand_over();
    }
    void begin_cycle(std::uint64_t cycle) { cycle_ = cycle; }

    /// With other ranks: keeps lines instead of handing them over.
    void keep_prints() { keeps_prints_ = true; }
    /// Forgets what processes have reported from a cycle on: it runs again.
    void forget(std::uint64_t first);
    /// From now on, a process that halts does not end the run.
    void ignore_halts() { halts_ = false; }
    /// Forgets that anything ended the run.
    void clear() { halted_ = failed_ = faulted_ = false; }
    /// Hands over the kept lines of all ranks, in the order of one machine, and adds the faults of
    /// other ranks; on rank 0 only. Every rank calls it, between cycles.
    void join(Transport& transport);

    /// The faults, in source order, one per instance.
    std::vector<Diagnostic> faults() const;
    /// The process of the first fault.
    struct Process {
        std::uint32_t family;
        std::uint64_t instance;
    };
    std::optional<Process> first_faulted() const;

private:
    class GroupControl;
    struct FaultRecord {
        std::uint32_t family;
        std::uint64_t instance;
        unsigned part;
        std::uint64_t cycle;
        Diagnostic what;
        void state(Archive& archive);
    };
    struct PrintRecord {
        std::uint32_t family;
        std::uint64_t instance;
        std::uint32_t order;
        std::string line;
        std::uint64_t cycle;
        void state(Archive& archive);
    };
    void hand_over();
    static void sort(std::vector<PrintRecord>& prints);
    bool has_fault(const PrintRecord& print) const;

    const Graph& graph_;
    const Layout& layout_;
    PrintSink* prints_to_;
    std::uint64_t cycle_ = 0;
    std::deque<GroupControl> controls_;
    bool halts_ = true; // a process that halts ends the run
    std::atomic<bool> halted_{false};
    std::atomic<bool> failed_{false};
    std::atomic<bool> faulted_{false};
    std::mutex fault_mutex_;
    std::vector<FaultRecord> faults_;
    std::mutex print_mutex_;
    std::vector<PrintRecord> prints_; // of this cycle
    bool keeps_prints_ = false;
    std::vector<PrintRecord> kept_; // of earlier cycles
};

} // namespace sme::engine
