// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "debug/lines.hpp"
#include "debug/names.hpp"
#include "engine/access.hpp"
#include "engine/slots/state.hpp"
#include "interpret/observers/checks.hpp"
#include "session/loading.hpp"
#include "session/run/run.hpp"

namespace sme::debug {

/// A manual change to bytes of a bus or of a word of a memory.
struct Change {
    std::uint64_t made = 0;  // the number of cycles that had run
    std::uint64_t cycle = 0; // takes effect before this cycle
    std::uint64_t element = 0;
    std::optional<std::uint32_t> family = {}; // processes with the memory; else `element`
    std::size_t memory = 0;
    std::uint64_t instance = 0;
    std::size_t offset = 0; // in the slot, or in the words of the instance
    std::vector<std::byte> bytes;
};

/// A network file and its run, which moves forward and back by cycles, always with the values of a
/// run from the first cycle. Does not write the files of recordings.
///
/// "The shown cycle" is the last one that has run: the value of a bus is the one that is read in
/// it.
class Machine : private engine::PrintSink {
public:
    Machine(std::string path, session::LoadSettings settings);
    ~Machine() override;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    /// Loads the network. Returns false if it cannot run, with the reason in `diagnostics`.
    bool open(Diagnostics& diagnostics);

    const session::Loaded& loaded() const { return *setup_->loaded; }
    const Graph& graph() const { return setup_->loaded->design.graph; }
    /// The number of cycles that have run; the shown cycle is the previous one.
    std::uint64_t ran() const { return engine().cycle(); }
    RunEnd ending() const { return engine().ending(); }
    std::vector<Diagnostic> faults() const { return engine().faults(); }
    /// The process of the first fault; `nullopt` if a check faulted.
    std::optional<ProcessPlace> first_faulted() const;
    /// Null if checks were never evaluated.
    const interpret::Verdicts* verdicts() const;
    /// The first differences between recorded and expected rows.
    std::vector<std::string> differences() const;

    /// Runs one more cycle; false at the end of the run.
    bool step();
    /// Returns the lines printed by processes since the last call, in forward runs: the last lines,
    /// after the number of omitted ones.
    std::vector<std::string> take_prints();
    /// Restores the state after `ran` cycles, without the changes of later cycles. Stops early if
    /// `interrupt` becomes true, or the run ends.
    void go_to(std::uint64_t ran, const std::atomic<bool>* interrupt = nullptr);
    /// Repeats the shown cycle with this change; before the first cycle, changes the values it
    /// reads.
    void change(Change change);
    const std::vector<Change>& changes() const { return changes_; }

    /// The values of a bus that are read in the shown cycle and in the next one. `now` is null
    /// before the first cycle, and for a wire that was not computed because of a fault; `next` is
    /// null for wires, and after a fault.
    const std::byte* now(std::uint64_t element) const;
    const std::byte* next(std::uint64_t element) const;
    /// Returns the words of a memory after the shown cycle.
    const std::byte* memory(std::uint32_t family, std::size_t memory,
                            std::uint64_t instance) const {
        return engine().access().words(family, memory, instance);
    }

    /// Returns the value of an expression, and updates it in each cycle until `forget`. Null if the
    /// expression is invalid, with the reason in `diagnostics`.
    const ProbeValue* evaluate(const yaml::ProbeText& text, Diagnostics& diagnostics);
    /// Evaluates all these expressions at once; false if one is invalid.
    bool evaluate_all(const std::vector<yaml::ProbeText>& texts, Diagnostics& diagnostics);
    /// The value of an expression that was evaluated before, else null.
    const ProbeValue* evaluated(const yaml::ProbeText& text) const;
    /// Keeps only the values of these expressions.
    void keep_only(const std::vector<yaml::ProbeText>& texts);

    /// The instances that have this line in a step or a let, in source order.
    std::vector<ProcessPlace> places_of(const TextLine& line);
    std::optional<Location> location_of(const TextLine& line) const {
        return setup_->lines.location(line);
    }
    /// The files that have such lines. Call after `places_of`.
    std::set<std::string> files_of_lines() const { return setup_->lines.files(); }
    /// Follows which instances run these lines; replaces the previous lines.
    void follow(const std::vector<TextLine>& lines);
    /// The instances that ran such a line in the shown cycle, in source order.
    std::vector<ProcessPlace> ran_in(const TextLine& line) const { return setup_->lines.ran(line); }

private:
    class View;
    using TextKey = std::tuple<std::optional<std::uint32_t>, std::uint64_t, std::string>;
    /// The parts that are rebuilt when the observed expressions or lines change.
    struct Setup {
        Lines lines;
        std::vector<yaml::ProbeText> texts;
        std::map<TextKey, std::size_t> numbers; // by text
        std::deque<ProbeValue> values;          // by text
        std::uint64_t remembers = 0; // number of cycles until the values of the probes are valid
        std::optional<session::Loaded> loaded;
    };

    void print(const std::string& line) override {
        if (quiet_)
            return;
        prints_.push_back(line);
        if (prints_.size() > max_prints) {
            prints_.pop_front();
            ++lost_prints_;
        }
    }
    bool has_faulted() const { return engine().ending() == RunEnd::faulted; }
    static TextKey key_of(const yaml::ProbeText& text) {
        return {text.family, text.instance, text.text};
    }
    std::unique_ptr<Setup> load(std::vector<yaml::ProbeText> texts, Diagnostics& diagnostics);
    bool load_again(std::vector<yaml::ProbeText> texts, Diagnostics& diagnostics);
    void take(std::unique_ptr<Setup> setup);
    bool begin_run(Diagnostics& diagnostics);
    engine::Engine& engine() const { return run_->engine(); }
    void restore(std::uint64_t ran);
    void run_one();
    void save_now_and_then();
    void make(const Change& change);
    void repeat(std::uint64_t ran, const std::atomic<bool>* interrupt);

    std::string path_;
    session::LoadSettings settings_;
    std::unique_ptr<Setup> setup_;
    std::unique_ptr<View> view_;
    std::unique_ptr<session::Run> run_;
    std::map<std::uint64_t, engine::Snapshot> saved_; // by the number of the next cycle
    std::uint64_t save_every_ = 16;
    bool can_save_ = true;
    std::vector<Change> changes_; // in order of cycles
    static constexpr std::size_t max_prints = 1000;
    std::deque<std::string> prints_;
    std::uint64_t lost_prints_ = 0;
    bool quiet_ = false;
    std::vector<TextLine> followed_;
};

} // namespace sme::debug
