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
#include "debug/probe.hpp"
#include "engine/cycle/snapshot.hpp"
#include "engine/engine.hpp"
#include "interpret/observers/checks.hpp"
#include "session/loading.hpp"

namespace sme::debug {

/// Bytes of a bus or of a word of a memory that were changed by hand.
struct Change {
    std::uint64_t made = 0;  // cycles that had run when it was made
    std::uint64_t cycle = 0; // before which it takes effect
    std::uint64_t element = 0;
    std::optional<std::uint32_t> family = {}; // of processes: a memory; else `element` is a bus
    std::size_t memory = 0;
    std::uint64_t instance = 0;
    std::size_t offset = 0; // in the slot, or in the words of the instance
    std::vector<std::byte> bytes;
};

/// A network file and its run, which goes forward and back: cycle by cycle, always with the values
/// that a run from the first cycle has. What recordings would write is not written.
///
/// "The shown cycle" is the last one that has run: a bus has the value there that is read in it.
class Machine : private engine::PrintSink {
public:
    Machine(std::string path, session::Settings settings);
    ~Machine() override;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    /// Loads the network. False: it cannot run, and `diagnostics` say why.
    bool open(Diagnostics& diagnostics);

    const session::Loaded& loaded() const { return *setup_->loaded; }
    const Graph& graph() const { return setup_->loaded->design.graph; }
    /// How many cycles have run; the shown cycle is the one before.
    std::uint64_t ran() const { return engine_->cycle(); }
    engine::Ending ending() const { return engine_->ending(); }
    std::vector<Diagnostic> faults() const { return engine_->faults(); }
    /// The process of the first of them; nothing when that is a check.
    std::optional<ProcessPlace> first_faulted() const;
    /// Null: checks were never looked at.
    const interpret::CheckResults* verdicts() const;
    /// The first differences of recorded rows from what is expected.
    std::vector<std::string> differences() const;

    /// Runs one more cycle; false when the run is over.
    bool step();
    /// What processes printed since the last call, as they went forward: the last lines of it, and
    /// before them how many are left out.
    std::vector<std::string> take_prints();
    /// As if so many cycles had run, and all changes of later ones had not been made. Stops early
    /// when `interrupt` becomes true, or the run is over.
    void go_to(std::uint64_t ran, const std::atomic<bool>* interrupt = nullptr);
    /// Repeats the shown cycle with this change; before the first one, changes what it reads.
    void change(Change change);
    const std::vector<Change>& changes() const { return changes_; }

    /// What is read of a bus in the shown cycle, and what is read in the next one. `now` is null
    /// before the first cycle, and for a wire that a fault kept from being computed; `next` is
    /// null for wires, and after a fault.
    const std::byte* now(std::uint64_t element) const;
    const std::byte* next(std::uint64_t element) const;
    /// The words of a memory after the shown cycle.
    const std::byte* memory(std::uint32_t family, std::size_t memory,
                            std::uint64_t instance) const {
        return engine_->memory(family, memory, instance);
    }

    /// The value of an expression in the shown cycle and in all to come, until `forget`. Null, with
    /// the reason in `diagnostics`, when it is wrong.
    const ProbeValue* evaluate(const yaml::ProbeText& text, Diagnostics& diagnostics);
    /// The same of all of these at once; false when one is wrong.
    bool evaluate_all(const std::vector<yaml::ProbeText>& texts, Diagnostics& diagnostics);
    /// Of an expression that was evaluated; null: it was not.
    const ProbeValue* evaluated(const yaml::ProbeText& text) const;
    /// Keeps the values of these alone.
    void keep_only(const std::vector<yaml::ProbeText>& texts);

    /// The instances that have a line in a step or a let, in source order.
    std::vector<ProcessPlace> places_of(const TextLine& line);
    /// The files that have such lines; after `places_of`.
    std::set<std::string> files_of_lines() const { return setup_->lines.files(); }
    /// Follows which instances run these lines, and no others.
    void follow(const std::vector<TextLine>& lines);
    /// The instances that ran such a line in the shown cycle, in source order.
    std::vector<ProcessPlace> ran_in(const TextLine& line) const { return setup_->lines.ran(line); }

private:
    class View;
    using TextKey = std::tuple<std::optional<std::uint32_t>, std::uint64_t, std::string>;
    /// All that is made anew when what is looked at changes.
    struct Setup {
        Lines lines;
        std::vector<yaml::ProbeText> texts;
        std::map<TextKey, std::size_t> numbers; // of each text
        std::deque<ProbeValue> values;          // of each text
        std::uint64_t remembers = 0; // cycles that must run before a value of theirs is right
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
    bool has_faulted() const { return engine_->ending() == engine::Ending::faulted; }
    static TextKey key_of(const yaml::ProbeText& text) {
        return {text.family, text.instance, text.text};
    }
    std::unique_ptr<Setup> load(std::vector<yaml::ProbeText> texts, Diagnostics& diagnostics);
    bool load_again(std::vector<yaml::ProbeText> texts, Diagnostics& diagnostics);
    void take(std::unique_ptr<Setup> setup);
    void begin_engine();
    void restore(std::uint64_t ran);
    void run_one();
    void save_now_and_then();
    void make(const Change& change);
    void repeat(std::uint64_t ran, const std::atomic<bool>* interrupt);

    std::string path_;
    session::Settings settings_;
    std::unique_ptr<Setup> setup_;
    std::unique_ptr<View> view_;
    std::unique_ptr<engine::Engine> engine_;
    std::map<std::uint64_t, engine::Snapshot> saved_; // by the next cycle
    std::uint64_t save_every_ = 16;
    bool can_save_ = true;
    std::vector<Change> changes_; // in the order of their cycles
    static constexpr std::size_t max_prints = 1000;
    std::deque<std::string> prints_;
    std::uint64_t lost_prints_ = 0;
    bool quiet_ = false;
    std::vector<TextLine> followed_;
};

} // namespace sme::debug
