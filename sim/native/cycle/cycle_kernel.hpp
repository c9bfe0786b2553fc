// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpret/observers/recorder.hpp"
#include "native/cycle/cycle_models.hpp"
#include "native/cycle/cycle_program.hpp"
#include "runtime/abilities.hpp"

namespace sme::native {

/// A function that computes the whole cycle of a network, and runs many cycles per call.
struct CycleKernelPlan {
    std::string name;           // empty: no function
    std::uint32_t function = 0; // its number in the module
    std::vector<FamilyData::Entry> data;
    struct Observer {
        std::uint32_t family;
        std::size_t first_guard;
    };
    std::vector<Observer> observers;
    std::size_t guards = 0;
    std::vector<CycleModels::Instance> models; // in the order of their data
};

/// Data common to the threads that run cycle kernels together.
struct KernelTeam {
    unsigned threads = 1;
    Ranges common = {}; // slots that one thread writes and another uses
    // of any thread: whether it may leave a cycle before the rising edges of models, and has any
    bool may_stop = false;
    bool has_edges = false;
};

/// Writes a cycle kernel. A cycle first computes all values, in the order of the schedule. When the
/// interpreter is needed, the function ends there, before that cycle has changed any state that a
/// later one depends on. Last come the lasting effects: registers, memories, copies.
///
/// Registers of straight code are variables of the function from the first cycle to the last.
/// Called kernels find their slots in the arenas, which swap after each cycle.
///
/// Several threads may each have a cycle kernel, for some of the steps. In each cycle they meet
/// after every point where the cycle may stop, or when one thread has stopped: then all stop. With
/// models they meet after the rising edges, since a model may then need the interpreter; and also
/// before them if anything else may stop a cycle. By that meeting, values that other threads read
/// are in the arenas.
class CycleKernelWriter {
public:
    /// `team` must outlive the object.
    CycleKernelWriter(std::string name, std::uint64_t wires_begin, Tables& tables,
                      const KernelTeam& team);

    /// Adds a step; call these for all steps, in the order of the schedule.
    void add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    void add(const ModelGroup& group, const ScheduledStep& step, std::uint32_t number);
    void add(const CopyPlan& copy, const ScheduledStep& step, std::uint32_t number);
    void add(const interpret::ResultsGroup& group, const ProcessFamily& family,
             std::uint32_t number);

    /// True if the steps added so far can become a function.
    bool is_fit() const { return fit_; }
    bool may_stop() const { return program_.may_stop || models_.may_stop(); }
    bool has_edges() const { return models_.has_edges(); }
    /// Returns the function; call it once. `nullopt` if it would be too long.
    std::optional<std::string> text();
    CycleKernelPlan plan() const;

    static constexpr std::size_t max_statements = 2500;

private:
    /// A scalar in the slot of a bus.
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
    /// A statement that leaves the function during a cycle.
    const char* stop() const { return is_alone() ? "break;" : "{ _stops_ = 1; break; }"; }
    std::string meet(const std::string& leaves);
    void add_edges();

    void clear(const CopyPlan& copy, Range range);
    void delay(const CopyPlan& copy, Range range, std::uint32_t number);
    void feed(const CopyPlan& copy, std::uint32_t number);
    void write_row(const CopyPlan& copy, std::uint32_t number, std::uint64_t ahead);
    void feed_registers(const CopyPlan& copy, std::uint32_t number);
    void offer(const CopyPlan& copy, std::uint32_t number);
    void take(const CopyPlan& copy, std::uint32_t number);
    struct Shown {
        std::string row;   // its number
        std::string valid; // condition that the row exists; empty: always
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
    /// Inputs that feed registers. They are written last, since they depend on how the registers
    /// are read.
    struct Fed {
        CopyPlan copy;
        std::uint32_t number;
    };
    std::vector<Fed> feeds_;
    std::map<const std::uint64_t*, std::string> offered_; // row counter → variable
    std::map<std::uint64_t, std::string> inputs_;         // offset → value in each cycle
    std::string before_;                                  // before the first cycle
    std::string counters_;                                // of cycles, updated after their last use
    std::string after_;                                   // after the last cycle
    bool fit_ = true;
};

} // namespace sme::native
