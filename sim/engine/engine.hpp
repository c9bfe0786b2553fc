// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "engine/cycle/activity.hpp"
#include "engine/ranks/rank_exchange.hpp"
#include "engine/slots/layout.hpp"
#include "engine/slots/reports.hpp"
#include "engine/slots/zeroed_bytes.hpp"
#include "network/graph.hpp"
#include "runtime/observer.hpp"
#include "sme/internal/group.hpp"
#include "sme/threads.hpp"

namespace sme {
class ModelGroup;
class Transport;
} // namespace sme
namespace sme::checkpoint {
class Reader;
class Writer;
} // namespace sme::checkpoint

namespace sme::engine {

class Access;
class Arenas;
class CycleLog;
class CycleLoop;
class DelayLine;
class Orchestrator;
class PerInstanceGroup;
class RankShares;
class RankSlots;
class Tuner;
struct Piece;
struct SavedSchedule;
struct Snapshot;

/// What an observer reads besides buses.
struct LooksAt {
    bool memories = false;
    bool observers = false; ///< the results of the network's own observers in this cycle
};

struct Options {
    SimulatorOptions run = {};
    /// The run ends after the cycle in which this becomes true; with several ranks, when the call
    /// of `run` on rank 0 returns. May be null.
    const std::atomic<bool>* interrupt = nullptr;
    /// Receives the lines that processes print; null to discard them.
    PrintSink* prints = nullptr;
    /// The ranks of this run; null: this is all of it. Rank 0 attaches observers and calls `run`;
    /// the others call `follow`. All have the same network, seed and checkpoint, which the caller
    /// compares (session::RunDigest). It must outlive the engine.
    Transport* ranks = nullptr;
    /// With several ranks: rank 0 reads buses between calls of `run`, even without observers.
    bool reads_all = false;
    /// With several ranks, and the same on all of them: the text of `Engine::partition` of an
    /// earlier run; empty: the engine divides the network.
    std::string partition = {};
    /// With several ranks, and the same on all of them: process families that run on rank 0, where
    /// observers read their memories.
    std::vector<std::uint32_t> first_rank = {};
    /// Measures some cycles even if no decision depends on it, and keeps this many events.
    bool measure = false;
    std::size_t max_events = 0;
    /// Cycles between two looks at measurements and interrupts; 0: as many as take a few
    /// milliseconds. Tests fix it, so that every run divides its cycles alike.
    std::uint64_t slice = 0;
    /// Whether a process that halts ends the run.
    bool halts = true;
};

/// Runs one network, on one thread or several.
///
/// In each cycle the items of the schedule run in level order; then the read and the write arena
/// swap. Nothing is copied.
class Engine {
public:
    /// `graph` must outlive the engine, and `analysis` must be its analysis. Reports layout errors;
    /// after an error the engine must not run.
    Engine(const Graph& graph, const Analysis& analysis, const Options& options,
           Diagnostics& diagnostics);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Attaches an observer for the rest of the run; it must outlive the run. Call it before the
    /// first cycle only.
    void attach(Observer& observer, LooksAt looks = {});

    /// Runs at most `cycles` more cycles. Does nothing once the run has ended for any reason other
    /// than completing its cycles. Throws PlacementError when a policy loses or repeats a chunk,
    /// std::system_error when no more threads can start, and std::bad_alloc when memory runs out;
    /// the run is then over, and its observers are not finished.
    RunEnd run(std::uint64_t cycles);
    /// On other ranks than 0: runs what rank 0 runs, until it finishes or its engine is destroyed.
    /// Calls `between` between two runs. May be null.
    void follow(const std::function<void()>& between);
    /// Ends the run as a signal does: no further cycle runs. Call it between calls of `run`.
    void interrupt();
    /// What a rank does in a cycle. Valid from the first `run` on.
    struct RankLoad {
        double work;              ///< its share of all, from 0 to 1, as estimated
        std::uint64_t neighbours; ///< ranks to which it sends slots
        std::uint64_t bytes;      ///< of these slots
        std::uint64_t observed;   ///< bytes for observers on rank 0, those of many cycles together
        std::string together;     ///< see RankShares
    };
    RankLoad rank_load() const;
    /// Which rank runs which process, for `Options::partition`.
    std::string partition() const;

    /// Shows observers the readable values after the last cycle, and closes them. Call it once
    /// only; afterwards `run` does nothing.
    void finish();

    std::uint64_t cycle() const;
    RunEnd ending() const;
    /// The faults that ended the run, in source order.
    std::vector<Diagnostic> faults() const { return reports_.faults(); }
    std::optional<Reports::Process> first_faulted() const { return reports_.first_faulted(); }

    /// Reads and changes values between two runs. Valid once the engine was built without errors.
    Access& access() { return *access_; }
    const Access& access() const { return *access_; }

    Group& group(std::uint32_t family) { return *groups_[family]; }
    /// From now on, these groups step the instances of these process families, on the same slots
    /// and memories. Each family is listed once, and the groups must outlive the run. Call it
    /// between cycles only.
    void swap_executor(const std::vector<std::pair<std::uint32_t, Group*>>& groups);
    /// Measures costs and chooses threads and placement again. Call it after exchanges.
    void decide_anew();
    /// Sets the parts of the schedule that run in one call; empty: item by item. Call it between
    /// cycles only, after all observers are attached.
    void set_fused(std::vector<FusedItems> fused);
    /// Sets functions that run whole cycles in one call, for different thread counts; conditions as
    /// for `set_fused`.
    void set_cycle_kernels(std::vector<CycleKernel*> kernels);
    /// The thread count of the parallel cycle kernel: the number of threads that run or may be
    /// tried. Such a kernel distributes the work once, and its threads spin at their meetings; 1 if
    /// the user's options exclude that.
    unsigned cycle_kernel_threads() const;
    /// Idle instances can be left out where all instances of a family need this many operations.
    std::uint64_t least_skipped() const;
    const Layout& layout() const { return layout_; }
    const Schedule& schedule() const { return schedule_; }
    /// Assigns work to threads. Valid from the first `run` on.
    Orchestrator& orchestrator() { return *orchestrator_; }
    /// How many steps of instances were left out, as far as they could be. Valid between runs.
    Activity::Steps skipped() const;
    /// Repeats the decisions of another run and makes no new ones. Call it before the first cycle
    /// only.
    void repeat(SavedSchedule saved);
    /// The decisions of this run, for `repeat`.
    SavedSchedule decided() const;

    /// Why the run cannot be saved, one text per kind of process; empty if it can.
    std::vector<std::string> unsaved() const;
    /// Saves all state that later cycles depend on. Call it between runs, while the run has not
    /// ended. Throws CheckpointError.
    void save(checkpoint::Writer& to);
    /// Saves the same state in memory, or restores it, possibly from another engine of this network
    /// with other observers. Call `restore` before the first cycle only. Both throw
    /// CheckpointError.
    Snapshot snapshot();
    void restore(const Snapshot& from);
    /// Continues from the saved state of another run of this network. Call it before the first
    /// cycle only. Returns the observers' state that starts afresh. Throws CheckpointError when the
    /// network differs.
    std::vector<std::string> load(const checkpoint::Reader& from);

private:
    friend class Access;
    void build_groups();
    bool commits_memory(const Item& item) const;
    std::byte* words_of(std::uint32_t family, std::size_t memory, std::uint64_t instance);
    std::function<const std::byte*(std::uint32_t family, std::size_t memory,
                                   std::uint64_t instance)>
    words();
    void make_memories();
    void fill_initial();
    void add_unwritten();
    void equal_unwritten();
    void step_one_by_one();
    void finish_groups();
    void prepare();
    void divide(Diagnostics& diagnostics);
    bool take_partition(unsigned ranks, Diagnostics& diagnostics);
    struct Holding;
    Holding holding_of(unsigned rank) const;
    void hold_own(Diagnostics& diagnostics);
    void held_state(Archive& archive, const Holding& holding);
    void count_state(Archive& archive);
    void join_counts();
    void collect();
    /// What rank 0 tells all ranks to do next.
    struct Order {
        enum class Kind : std::uint8_t { run, collect, finish } kind;
        std::uint64_t cycles = 0;              // of run
        bool observes = false;                 // rank 0 reads buses besides its processes
        bool in_cycle = false;                 // and memories, so its observers run in each cycle
        std::vector<std::uint64_t> reads = {}; // first and count of the elements that rank 0 reads
    };
    std::vector<std::uint64_t> observed_elements() const;
    Order order(Order order);
    void make_links(const Order& order);
    void run_with_ranks(std::uint64_t cycles);
    void run_stretch(std::uint64_t cycles);
    void run_epoch(std::uint64_t cycles);
    void run_cycles(std::uint64_t cycles);
    void run_again(std::uint64_t first, const RankExchange::Ending& ending);
    RankExchange::Ending observe_epoch(std::uint64_t first, RankExchange::Ending ending);
    void epoch_state(Archive& archive);
    void leave_unwritten(const Item& item, const Frame& frame) const;
    std::vector<Range> wires_after(std::uint32_t level) const;
    std::vector<Piece> pieces();
    void bus_state(Archive& archive, std::size_t bus);
    void memory_state(Archive& archive, std::uint32_t family, std::size_t memory);

    const Graph& graph_;
    const Analysis analysis_;
    Options options_;
    Layout layout_;
    std::vector<ZeroedBytes> memory_words_;
    std::vector<std::vector<std::size_t>> memory_of_; // [family][memory] → memory_words_
    std::vector<std::unique_ptr<Group>> groups_;      // of each family, then delay lines and inputs
    std::vector<std::unique_ptr<PerInstanceGroup>>
        one_by_one_;                           // wrap those groups to step single instances
    std::map<std::size_t, DelayLine*> delays_; // by bus family
    std::unique_ptr<Audited> audited_;
    std::vector<Observer*> observers_;
    bool observes_memories_ = false; // an observer does
    MissingWires missing_;
    Schedule schedule_;
    std::unique_ptr<Arenas> arenas_;
    Reports reports_;
    std::unique_ptr<Activity> activity_;    // null: no step can be left out
    std::string network_;                   // its digest; with `shares_`
    std::unique_ptr<RankShares> shares_;    // null: this rank runs everything
    std::unique_ptr<RankSlots> rank_slots_; // these three: with `shares_`
    std::unique_ptr<RankExchange> exchange_;
    std::unique_ptr<CycleLog> log_; // also with `shares_`, if observers need not run in each cycle
    std::shared_ptr<Holding> held_; // what this rank changes
    bool may_end_early_ = true;     // processes or observers may end an epoch
    std::vector<std::byte> before_; // then: the state of this rank before it
    std::unique_ptr<CycleLoop> loop_;
    std::unique_ptr<Access> access_;
    std::unique_ptr<Orchestrator> orchestrator_;
    std::unique_ptr<Tuner> tuner_;
    std::unique_ptr<SavedSchedule> repeats_; // null: the engine decides about threads
    bool decides_ = false;                   // measurements affect decisions
    bool finished_ = false;
};

} // namespace sme::engine
