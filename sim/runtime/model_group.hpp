// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sme/group.hpp"

namespace sme {

/// A port of a model: bytes that stay where they are, 1, 2, 4, 8 or words of 32 bits, the lowest
/// first, with unused high bits zero; and the scalars of slots that are its bits.
struct ModelPort {
    /// At most 64 bits.
    struct Scalar {
        std::uint64_t slot; ///< offset in the arenas
        std::size_t bytes;  ///< there
        bool is_signed;
        std::uint64_t bit; ///< its lowest one in the port
        unsigned width;
        /// Values from this one on are none of its type; 0: all are.
        std::uint64_t members = 0;
    };
    std::byte* bytes;
    std::size_t size;
    std::vector<Scalar> scalars;
    std::vector<std::uint64_t> marks; ///< of an output: bytes in slots that say it was written
    std::string name;
};

/// What one part of an instance does in a cycle.
struct ModelStep {
    bool settles; ///< it lets the model settle for these inputs; else it runs a rising edge
    bool alone;   ///< of a rising edge: nothing settles the model before it in the cycle
    std::vector<ModelPort> inputs;
    std::vector<ModelPort> outputs;
};

/// How a model is called.
struct ModelCalls {
    void* model;
    unsigned char* clock;       ///< its port; null: it has none
    const unsigned char* said;  ///< not 0: it printed or ended, and `step` must hear of it
    bool* dirty;                ///< whether an input changed since the last eval
    const void* code;           ///< models of equal code share what `enter` sets
    void (*enter)(void* model); ///< before the others, on each thread
    void (*eval)(void* model);
    void (*cycle)(void* model); ///< clock low, eval, clock high, eval
    void (*set_time)(void* model, std::uint64_t picoseconds);
    std::uint64_t clock_ps; ///< the time in cycle t is (t + 1) times this; 0: it asks for no time
};

/// A group of models that whole cycles in native code call by themselves. A rising edge comes last
/// in such a cycle: when the model then has something to say, the cycle is run once more by `step`,
/// which lets the model rest and shows what it has.
class ModelGroup : public Group {
public:
    /// Whether its steps are no more than what `model_step` and `model_calls` say.
    virtual bool is_callable() const = 0;
    virtual ModelStep model_step(unsigned part, std::uint64_t position) const = 0;
    virtual ModelCalls model_calls(std::uint64_t position) const = 0;
    /// Whether all instances can be called in the cycles to come.
    virtual bool is_running() const = 0;
    /// All instances have run the rising edge of the cycle that `step` runs next; wires in the
    /// slots have their values.
    virtual void run_ahead() = 0;
};

} // namespace sme
