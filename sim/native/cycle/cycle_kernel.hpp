// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpret/observers/results_group.hpp"
#include "native/cycle/cycle_models.hpp"
#include "native/cycle/cycle_program.hpp"
#include "runtime/copy_plan.hpp"

namespace sme::native {

/// The whole cycle of a network as one function, which runs many of them in a call.
struct CycleKernelPlan {
    std::string name;           // empty: there is none
    std::uint32_t function = 0; // number of the module's functions
    std::vector<FamilyData::Entry> data;
    struct Observer {
        std::uint32_t family;
        std::size_t first_guard;
    };
    std::vector<Observer> observers;
    std::size_t guards = 0;
    std::vector<CycleModels::Instance> models; // as numbered by their data
};

/// What the threads have in common that run cycle kernels at the same time.
struct KernelTeam {
    unsigned threads = 1;
    Ranges common = {}; // slots that one of them writes and another one uses
    // of any of them: whether it may leave a cycle before the rising edges of models, and has some
    bool may_stop = false;
    bool has_edges = false;
};

/// Writes that function. In a cycle all values come first, in the order of the schedule; where the
/// interpreter has something to do the function ends there, before that cycle has changed anything
/// that a later one depends on; then comes what lasts: registers, memories, copies.
///
/// Registers of what is straight code are variables of the function from the first cycle to the
/// last; what is called finds its slots in the arenas, which change places behind each cycle.
///
/// Several threads may each have such a function, for some of the steps. In each cycle they meet
/// behind all that may end it, or when one has ended it: then all others do, too. With models they
/// meet behind the rising edges, as a model may then have something to say; and before them, when
/// something else may end a cycle. What one thread writes for another is in the arenas before that.
class CycleKernelWriter {
public:
    /// `team` must outlive it.
    CycleKernelWriter(std::string name, std::uint64_t wires_begin, Tables& tables,
                      const KernelTeam& team);

    /// All steps, in the order of the schedule.
    void add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    void add(const ModelGroup& group, const ScheduledStep& step, std::uint32_t number);
    void add(const CopyPlan& copy, const ScheduledStep& step, std::uint32_t number);
    void add(const interpret::ResultsGroup& group, const ProcessFamily& family,
             std::uint32_t number);

    /// Whether there can be a function of what was added so far.
    bool is_fit() const { return fit_; }
    bool may_stop() const { return program_.may_stop || models_.may_stop(); }
    bool has_edges() const { return models_.has_edges(); }
    /// The function, once; nothing: there is none, as it would be too long.
    std::optional<std::string> text();
    CycleKernelPlan plan() const;

    static constexpr std::size_t max_statements = 2500;

private:
    /// A scalar of a slot of a bus.
    struct Scalar {
        std::uint32_t offset;
        expr::Scalar type;
        std::string name;
        bool is_mark;
    };
    static std::vector<Scalar> scalars_of(const BusFamily& bus);
    template <class Visit>
    static void for_each_scalar(const BusFamily& bus, const Segments& slots, Range range,
                                Visit visit);
    static bool can_move(const CopyPlan& copy, std::uint64_t elements);

    Id read_slot(std::uint64_t at, const Scalar& scalar);
    void write_slot(std::uint64_t at, const Scalar& scalar, Id value);
    Id add_value(Id value) {
        program_.routine.body.push_back(value);
        return value;
    }
    void stop_if(const std::string& condition, std::vector<Id> operands = {}) {
        program_.may_stop = true;
        program_.add_effect("if (" + condition + ") " + stop(), std::move(operands));
    }
    bool is_alone() const { return team_.threads == 1; }
    /// Leaves the function in a cycle.
    const char* stop() const { return is_alone() ? "break;" : "{ _stops_ = 1; break; }"; }
    std::string meet(const std::string& leaves);
    void add_edges();

    void clear(const CopyPlan& copy, Range range);
    void hold(const CopyPlan& copy, Range range);
    void delay(const CopyPlan& copy, Range range, std::uint32_t number);
    void feed(const CopyPlan& copy, std::uint32_t number);
    void write_row(const CopyPlan& copy, std::uint32_t number, std::uint64_t ahead);
    void feed_registers(const CopyPlan& copy, std::uint32_t number);
    void offer(const CopyPlan& copy, std::uint32_t number);
    void take(const CopyPlan& copy, std::uint32_t number);
    struct Shown {
        std::string row;   // its number
        std::string valid; // whether there is one; empty: always
    };
    Shown shown(const CopyPlan& copy, std::uint32_t number, std::uint64_t ahead);
    template <class Visit>
    void for_each_fed(const CopyPlan& copy, std::uint32_t number, const Shown& shown, Visit visit);
    std::string counter(const std::string& name, std::uint64_t first, std::uint64_t count);

    void add_waiting_writes(const Subject& subject, const ScheduledStep& step);
    std::string parameters(bool with_types) const;

    const KernelTeam& team_;
    CycleKernelPlan plan_;
    CycleProgram program_;
    CycleModels models_{program_};
    /// Inputs that feed registers. They come last: how depends on what reaches the registers.
    struct Fed {
        CopyPlan copy;
        std::uint32_t number;
    };
    std::vector<Fed> feeds_;
    std::map<const std::uint64_t*, std::string> offered_; // what counts rows → the variable
    std::map<std::uint64_t, std::string> inputs_;         // offset → the value in each cycle
    std::string before_;                                  // the first cycle
    std::string counters_;                                // of cycles, behind all that uses them
    std::string after_;                                   // the last cycle
    bool fit_ = true;
};

} // namespace sme::native
