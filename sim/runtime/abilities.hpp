// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "network/segments.hpp"
#include "sme/internal/group.hpp"

namespace sme {

class CopyingGroup;
class EventCounts;
class ModelGroup;
class SteadyGroup;
namespace interpret {
class ProgramGroup;
class ResultsGroup;
} // namespace interpret
namespace clocked {
class KahnGroup;
}

/// What a group can do besides `step`; null: it cannot.
struct Abilities {
    CopyingGroup* copies = nullptr;             ///< it only copies values
    ModelGroup* models = nullptr;               ///< it calls models, such as Verilog modules
    SteadyGroup* steady = nullptr;              ///< some of its steps only repeat
    interpret::ProgramGroup* program = nullptr; ///< it interprets a YAML process
    interpret::ResultsGroup* results = nullptr; ///< it interprets an observer
    clocked::KahnGroup* kahn = nullptr;         ///< it runs a Kahn network in clock cycles
    EventCounts* counts = nullptr;              ///< it counts events
    bool may_end = true;                        ///< its steps may fault, halt or fail a check
};

/// `group` may be null.
inline Abilities abilities_of(Group* group) {
    Abilities abilities;
    if (group)
        group->add_abilities(abilities);
    return abilities;
}

/// Describes the work of a group that only copies, so that native code can replace it between any
/// two cycles. The group owns all data except the segments.
struct CopyPlan {
    enum class Kind : std::uint8_t {
        clear, ///< to ← 0
        delay, ///< to ← the value of `from` `stages` + 1 cycles ago
        feed,  ///< to ← the row of the cycle in which it is read
        offer, ///< to ← the offered row; the next row once `from`, a bool, was true
    };
    Kind kind;
    const BusFamily* bus; // has the type of all slots
    Segments from;        // element → offset
    Segments to;
    std::byte* ring = nullptr; // of delay: [cycle modulo stages][element], one slot each
    std::uint64_t stages = 0;
    const InputRows* rows = nullptr; // of feed and offer
    std::uint64_t* next = nullptr;   // of offer: the row number
};

/// A group that tells on what its steps depend: with the same values, they write what they wrote.
class SteadyGroup : public Group {
public:
    struct Needs {
        std::vector<std::uint32_t> ports;
        bool memories;            ///< of the same instance
        std::uint64_t operations; ///< in a step of an instance

        /// True if idle instances can be left out with a gain: a step does more work than the
        /// search for those whose inputs changed. `least`: operations of all instances; 1: always.
        bool may_pay(std::uint64_t instances, std::uint64_t least) const {
            constexpr std::uint64_t per_port = 4;
            return operations * instances >= least &&
                   (least == 1 || operations >= per_port * ports.size());
        }
    };
    /// How many operations an item of a schedule needs at least for idle instances to be left out:
    /// with fewer, finding them takes longer than a step.
    static constexpr std::uint64_t least_operations = 256;
    /// `nullopt` if a part depends on more, or does more than write: it must run in every cycle.
    virtual std::optional<Needs> needs(unsigned part) const = 0;
    /// By position, a byte that a step of the part sets to 1 when it writes a memory; null if it
    /// writes none.
    virtual std::uint8_t* wrote(unsigned part) = 0;

    /// Steps the instances of a range for which `needed` is not 0. Both arrays are by position;
    /// `changes` gets a bit for each output port of the part, in their order, whose slot now has
    /// another value. False if the group has no code for that; then nothing is done.
    virtual bool step_some(unsigned part, Range range, const std::uint8_t* needed,
                           std::uint64_t* changes, const Frame& frame) {
        static_cast<void>(part), static_cast<void>(range), static_cast<void>(needed);
        static_cast<void>(changes), static_cast<void>(frame);
        return false;
    }
    /// With more output ports, a part has no such code.
    static constexpr std::size_t max_outputs = 64;
};

/// Numbers of events, of which only the sum over ranks and threads matters.
class EventCounts {
public:
    virtual ~EventCounts() = default;
    /// Returns the sums, and begins anew with 0.
    virtual std::vector<std::uint64_t> take() = 0;
    virtual void add(const std::vector<std::uint64_t>& sums) = 0;
};

class CopyingGroup : public Group {
public:
    void add_abilities(Abilities& abilities) override { abilities.copies = this; }
    virtual CopyPlan copy_plan() = 0;
};

/// A port of a model: 1, 2, 4 or 8 bytes, or 32-bit words, lowest first, at a fixed address and
/// with unused high bits zero; and the scalars of slots that form its bits.
struct ModelPort {
    /// At most 64 bits.
    struct Scalar {
        std::uint64_t slot; ///< offset in the arenas
        std::size_t bytes;  ///< in the slot
        bool is_signed;
        std::uint64_t bit; ///< its lowest bit in the port
        unsigned width;
        /// The number of valid values of an enumeration; 0: all values are valid.
        std::uint64_t members = 0;
    };
    std::byte* bytes;
    std::size_t size;
    std::vector<Scalar> scalars;
    std::vector<std::uint64_t> marks; ///< of an output: bytes in slots that mark it as written
    std::string name;
};

/// The work of one part of an instance in a cycle.
struct ModelStep {
    bool settles; ///< lets the model settle for these inputs; otherwise runs a rising edge
    bool alone;   ///< of a rising edge: no step settles the model before it in the cycle
    std::vector<ModelPort> inputs;
    std::vector<ModelPort> outputs;
};

/// The functions and data with which a model is called.
struct ModelCalls {
    void* model;
    unsigned char* clock;       ///< its port; null if it has no clock
    const unsigned char* said;  ///< not 0: it printed or ended, and `step` must handle that
    bool* dirty;                ///< true if an input changed since the last eval
    const void* code;           ///< models with equal code share the state that `enter` sets
    void (*enter)(void* model); ///< called before the others, on each thread
    void (*eval)(void* model);
    void (*cycle)(void* model); ///< clock low, eval, clock high, eval
    void (*set_time)(void* model, std::uint64_t picoseconds);
    std::uint64_t clock_ps; ///< the time in cycle t is (t + 1) times this; 0: not needed
};

/// A group of models that native code for whole cycles can call directly. A rising edge comes last
/// in such a cycle. If the model then prints or ends, `step` runs the cycle again, without calling
/// the model, and reports its messages and outputs.
class ModelGroup : public Group {
public:
    void add_abilities(Abilities& abilities) override { abilities.models = this; }
    /// True if its steps consist only of `model_step` and `model_calls`.
    virtual bool is_callable() const = 0;
    virtual ModelStep model_step(unsigned part, std::uint64_t position) const = 0;
    virtual ModelCalls model_calls(std::uint64_t position) const = 0;
    /// True if all instances can be called in the following cycles.
    virtual bool is_running() const = 0;
    /// Tells the group that all instances have run the rising edge of the cycle that `step` runs
    /// next, and that the slots hold the values of wires.
    virtual void run_ahead() = 0;
    /// Gives the slots of traced signals inside the models the values that they have between two
    /// cycles, for the inputs in `frame`.
    virtual void look(const Frame& frame) = 0;
    /// Runs a rising edge at which the resets are active, and writes the outputs of registers.
    virtual void reset(const Frame& frame) = 0;
};

} // namespace sme
