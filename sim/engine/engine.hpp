// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "engine/arenas.hpp"
#include "engine/layout.hpp"
#include "engine/schedule.hpp"
#include "network/graph.hpp"
#include "network/observer.hpp"
#include "sme/group.hpp"

namespace sme::engine {

/// Why a run ended. The later one outranks the earlier.
enum class Ending : std::uint8_t { completed, interrupted, halted, check_failed, faulted };

/// Takes what processes print, line by line, between cycles.
class PrintSink {
public:
    virtual ~PrintSink() = default;
    virtual void print(const std::string& line) = 0;
};

struct Options {
    /// Decides what `random` and randomised policies give.
    std::uint64_t seed = 0;
    /// When set, the run ends after the cycle in which it becomes true. May be null.
    const std::atomic<bool>* interrupt = nullptr;
    /// Where lines that processes print go. Null: nowhere.
    PrintSink* prints = nullptr;
};

/// Runs one network, sequentially.
///
/// In each cycle the schedule's items run in the order of their levels; then the read and the write
/// arena change places. Nothing is copied.
class Engine {
public:
    /// `graph` must outlive the engine and be what `analysis` is of. Reports what cannot be laid
    /// out; then the engine must not run.
    Engine(const Graph& graph, const Analysis& analysis, const Options& options,
           Diagnostics& diagnostics);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Attaches an observer for the rest of the run; it must outlive the run. Before the first
    /// cycle only.
    void attach(Observer& observer);

    /// Runs at most `cycles` more cycles. Once a run has ended for another reason than having
    /// completed its cycles, it does nothing.
    Ending run(std::uint64_t cycles);

    /// Lets observers see what can be read after the last cycle, and closes them. Once only; `run`
    /// does nothing afterwards.
    void finish();

    std::uint64_t cycle() const { return cycle_; }
    Ending ending() const { return ending_; }
    /// The faults that ended the run, in source order.
    std::vector<Diagnostic> faults() const;

    /// What readers of a bus element see in the next cycle. Wires: what they saw in the last one.
    const std::byte* read_slot(std::uint64_t element) const;
    std::byte* read_slot(std::uint64_t element);

    Group& group(std::uint32_t family) { return *groups_[family]; }
    const Layout& layout() const { return layout_; }

private:
    class GroupControl;
    struct FaultRecord {
        std::uint32_t family;
        std::uint64_t instance;
        std::uint64_t cycle;
        Diagnostic what;
    };
    struct PrintRecord {
        std::uint32_t family;
        std::uint64_t instance;
        std::uint32_t order;
        std::string line;
    };
    void hand_over_prints();
    void build_groups(const Writers& writers, std::uint64_t seed);
    void make_memories();
    void fill_initial();
    void run_cycle();
    void run_item(const Item& item, const Frame& frame);
    void leave_unwritten(const Item& item, const Frame& frame);
    void observe(bool wires_settled);
    Frame frame() const;

    const Graph& graph_;
    Layout layout_;
    std::vector<std::vector<std::byte>> memory_words_;
    std::vector<std::vector<std::size_t>> memory_of_; // [family][memory] → memory_words_
    std::vector<std::unique_ptr<Group>> groups_;      // of each family, then delay lines and inputs
    std::vector<std::unique_ptr<GroupControl>> controls_;
    std::vector<Observer*> observers_;
    Schedule schedule_;
    std::unique_ptr<Arenas> arenas_;
    std::byte* read_ = nullptr;
    std::byte* write_ = nullptr;
    std::uint64_t cycle_ = 0;
    Ending ending_ = Ending::completed;
    bool finished_ = false;
    const std::atomic<bool>* interrupt_;

    std::atomic<bool> halt_{false};
    std::atomic<bool> failed_{false};
    std::atomic<bool> faulted_{false};
    std::mutex fault_mutex_;
    std::vector<FaultRecord> faults_;
    std::mutex print_mutex_;
    std::vector<PrintRecord> prints_; // of the cycle
    PrintSink* print_sink_;
};

} // namespace sme::engine
