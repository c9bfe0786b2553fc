// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpret/observers/results_group.hpp"
#include "native/cycle/lap_memories.hpp"
#include "native/cycle/lap_slots.hpp"
#include "native/emit/select_to_branch.hpp"
#include "native/emit/single_site.hpp"
#include "runtime/moves.hpp"

namespace sme::native {

/// The whole cycle of a network as one function, which runs many of them in a call.
struct LapPlan {
    std::string name;           // empty: there is none
    std::uint32_t function = 0; // number of the unit's functions
    std::vector<FamilyData::Entry> data;
    struct Observer {
        std::uint32_t family;
        std::size_t first_watch;
    };
    std::vector<Observer> observers;
    std::size_t watches = 0;
};

/// Writes that function. In a cycle all values come first, in the order of the schedule; where
/// something is rare the function ends there, before that cycle has changed anything that a later
/// one depends on; then comes what lasts: registers, memories, what moves.
///
/// Registers of what is straight code are variables of the function from the first cycle to the
/// last; what is called finds its slots in the arenas, which change places behind each cycle.
class LapWriter {
public:
    LapWriter(std::string name, std::uint64_t wires_begin, Tables& tables)
        : tables_{tables}, slots_{wires_begin, names_}, memories_{names_} {
        plan_.name = std::move(name);
    }

    /// What reaches which slots and memories; said of all steps before any is added.
    void look(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    void look(const interpret::ResultsGroup& group, const ProcessFamily& family,
              std::uint32_t number);
    void look(const Moves& moves, std::uint32_t number);
    void end_looking() { memories_.decide(); }

    void add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    /// `number`: of the step.
    void add(const Moves& moves, const ScheduledStep& step, std::uint32_t number);
    void add(const interpret::ResultsGroup& group, const ProcessFamily& family,
             std::uint32_t number);

    /// Whether there is a function, which is not too long.
    bool is_fit() const {
        return fit_ && slots_.is_fit() && memories_.is_fit() &&
               body_.size() + last_.size() <= most_statements;
    }
    LapPlan plan() const {
        LapPlan made = plan_;
        made.data = data_.entries();
        return made;
    }
    std::string text() const;

    static constexpr std::size_t most_statements = 2500;

private:
    class LapSite;
    void add_singles(const Subject& subject, const ScheduledStep& step);
    void add_calls(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    void add_stores(std::vector<Statement>& stores, const std::vector<LapSlots::Target>& targets);
    void add_body(std::vector<Statement>& statements);
    void add_body(std::string text, std::vector<std::string> uses = {}) {
        body_.push_back(Statement{{}, {}, std::move(text), std::move(uses)});
    }
    void stop_if(const std::string& condition, std::vector<std::string> uses = {});
    void move(const Moves& moves, std::uint64_t to, const std::string& value,
              const LapSlots::Scalar& scalar);
    void clear(const Moves& moves, Range range);
    void hold(const Moves& moves, Range range);
    void delay(const Moves& moves, Range range, std::uint32_t number);
    void feed(const Moves& moves, std::uint32_t number);
    void offer(const Moves& moves, std::uint32_t number);
    void take(const Moves& moves, std::uint32_t number);
    struct Shown {
        std::string row;   // its number
        std::string valid; // whether there is one; empty: always
    };
    Shown shown(const Moves& moves, std::uint32_t number, std::uint64_t ahead);
    template <class Visit>
    void for_each_fed(const Moves& moves, std::uint32_t number, const Shown& shown, Visit visit);
    std::string counter(const std::string& name, std::uint64_t first, std::uint64_t count);

    Tables& tables_;
    LapPlan plan_;
    Names names_;
    LapSlots slots_;
    LapMemories memories_;
    FamilyData data_{"_d{}_"};
    std::map<const std::uint64_t*, std::string> offered_; // what counts rows → the variable
    std::set<std::uint32_t> fed_;                         // steps whose slots stand for their rows
    std::string before_;                                  // the first cycle
    std::vector<Statement> body_;
    struct Last {
        Statement statement;
        std::uint64_t wire; // needed where that one is carried; no_wire: always
    };
    static constexpr std::uint64_t no_wire = ~std::uint64_t{0};
    void add_last(Statement statement, std::uint64_t wire = no_wire) {
        last_.push_back({std::move(statement), wire});
    }
    void add_last(std::string text, std::vector<std::string> uses = {}) {
        add_last(Statement{{}, {}, std::move(text), std::move(uses)});
    }
    std::string parameters(bool with_types) const;
    void note(const Subject& subject, std::uint32_t family);
    bool is_alone(const FamilyData::Entry& entry) const;
    std::vector<Last> last_; // of a cycle
    std::string counters_;   // of cycles, behind all that uses them
    std::string after_;      // the last cycle
    std::map<std::pair<std::uint32_t, std::uint32_t>, LapMemories::Words> ranges_; // of memories
    bool calls_ = false;
    bool fit_ = true;
};

} // namespace sme::native
