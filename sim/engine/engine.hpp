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
#include "engine/cycle/layout.hpp"
#include "engine/cycle/reports.hpp"
#include "engine/cycle/schedule.hpp"
#include "network/graph.hpp"
#include "runtime/observer.hpp"
#include "runtime/progress.hpp"
#include "sme/group.hpp"
#include "sme/threads.hpp"

namespace sme::checkpoint {
class Reader;
class Writer;
} // namespace sme::checkpoint

namespace sme::engine {

class Arenas;
class CycleLoop;
class DelayLine;
class Orchestrator;
class PerInstanceGroup;
class Tuner;
struct Piece;
struct SavedSchedule;
struct Snapshot;

/// What an observer looks at beside buses.
struct LooksAt {
    bool memories = false;
    bool observers = false; ///< what observers of the network found in the cycle
};

struct Options {
    SimulatorOptions run = {};
    /// When set, the run ends after the cycle in which it becomes true. May be null.
    const std::atomic<bool>* interrupt = nullptr;
    /// Where lines that processes print go. Null: nowhere.
    PrintSink* prints = nullptr;
    /// Measure some of the cycles even if nothing is decided by it, and keep so many events.
    bool measure = false;
    std::size_t max_events = 0;
};

/// Runs one network, on one thread or several.
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
    void attach(Observer& observer, LooksAt looks = {});

    /// Runs at most `cycles` more cycles. Once a run has ended for another reason than having
    /// completed its cycles, it does nothing. Throws PlacementError when a policy loses or repeats
    /// a chunk, std::system_error when there are no more threads, std::bad_alloc when memory was
    /// short; then the run is over, and nothing it observed will be finished.
    Ending run(std::uint64_t cycles);
    /// Ends the run as a signal does: no further cycle runs. Call it between calls of `run`.
    void interrupt();

    /// Lets observers see what can be read after the last cycle, and closes them. Once only; `run`
    /// does nothing afterwards.
    void finish();

    std::uint64_t cycle() const;
    Ending ending() const;
    /// The faults that ended the run, in source order.
    std::vector<Diagnostic> faults() const { return reports_.faults(); }
    std::optional<Reports::Process> first_faulted() const { return reports_.first_faulted(); }

    /// What readers of a bus element see in the next cycle. Wires: what they saw in the last one.
    const std::byte* read_slot(std::uint64_t element) const;
    std::byte* read_slot(std::uint64_t element);

    Group& group(std::uint32_t family) { return *groups_[family]; }
    /// From now on these groups step the instances of these process families, each named once, on
    /// the same slots and memories; they must outlive the run. Between two cycles only.
    void exchange(const std::vector<std::pair<std::uint32_t, Group*>>& groups);
    /// After exchanges: costs, threads and placement are measured and decided anew.
    void decide_anew();
    /// Parts of the schedule that can be run in one go. Between two cycles only, after all
    /// observers are attached; none: item by item.
    void set_fused(std::vector<FusedItems> fused);
    /// Whole cycles in one go, by different numbers of threads; as for fused items.
    void set_cycle_kernels(std::vector<CycleKernel*> kernels);
    /// By how many threads it may let whole cycles be run in one go, beside one: as many as it
    /// runs, or may try. They are dealt what they do once and for all, and spin where they meet; 1
    /// where the user wants something else of threads.
    unsigned cycle_kernel_threads() const;
    const Layout& layout() const { return layout_; }
    const Schedule& schedule() const { return schedule_; }
    /// Who runs what where. From the first `run` on.
    Orchestrator& orchestrator() { return *orchestrator_; }
    /// Runs as another run did; nothing is decided anew. Before the first cycle only.
    void repeat(SavedSchedule saved);
    /// What was decided, to be repeated.
    SavedSchedule decided() const;

    /// Why the run cannot be saved, a text for each kind of process; empty: it can.
    std::vector<std::string> unsaved() const;
    /// Everything that later cycles depend on. Between runs, while the run has not ended. Throws
    /// CheckpointError.
    void save(checkpoint::Writer& to);
    /// The same in memory, and back: of another engine of this network, whose observers may be
    /// others. `restore` before the first cycle only. Both throw CheckpointError.
    Snapshot snapshot();
    void restore(const Snapshot& from);
    /// The words of a memory of an instance, in source order: what the next cycle reads.
    std::byte* memory(std::uint32_t family, std::size_t memory, std::uint64_t instance);

    /// Goes on where another run of this network was saved. Before the first cycle only; throws
    /// CheckpointError when it was another network. Returns what of the observers begins anew.
    std::vector<std::string> load(const checkpoint::Reader& from);

private:
    void build_groups();
    bool commits_memory(const Item& item) const;
    std::function<const std::byte*(std::uint32_t family, std::size_t memory,
                                   std::uint64_t instance)>
    words();
    void make_memories();
    void fill_initial();
    void add_unwritten();
    void keep_constant(const BusSlots& slots, const std::vector<Range>& ranges, std::size_t bytes);
    void step_one_by_one();
    void finish_groups();
    void prepare();
    void leave_unwritten(const Item& item, const Frame& frame) const;
    std::vector<Piece> pieces();
    void bus_state(Archive& archive, std::size_t bus);
    void memory_state(Archive& archive, std::uint32_t family, std::size_t memory);

    const Graph& graph_;
    const Analysis analysis_;
    Options options_;
    Layout layout_;
    std::vector<std::vector<std::byte>> memory_words_;
    std::vector<std::vector<std::size_t>> memory_of_; // [family][memory] → memory_words_
    std::vector<std::unique_ptr<Group>> groups_;      // of each family, then delay lines and inputs
    std::vector<std::unique_ptr<PerInstanceGroup>>
        one_by_one_;                           // around those, where they are stepped so
    std::map<std::size_t, DelayLine*> delays_; // of bus families
    std::unique_ptr<Audited> audited_;
    std::vector<Observer*> observers_;
    Schedule schedule_;
    std::unique_ptr<Arenas> arenas_;
    Reports reports_;
    std::unique_ptr<CycleLoop> loop_;
    std::unique_ptr<Orchestrator> orchestrator_;
    std::unique_ptr<Tuner> tuner_;
    std::unique_ptr<SavedSchedule> repeats_; // null: threads are decided upon
    bool decides_ = false;                   // something by what is measured
    bool finished_ = false;
};

} // namespace sme::engine
