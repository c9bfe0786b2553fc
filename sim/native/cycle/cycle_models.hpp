// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "native/cycle/cycle_program.hpp"
#include "runtime/abilities.hpp"

namespace sme::native {

/// The data of a model in a cycle kernel: pointers in this order, then its ports.
enum class ModelPointer : std::uint8_t {
    model,
    clock,
    said,
    dirty,
    enter,
    eval,
    cycle,
    set_time,
    ahead, ///< set by the kernel: all rising edges of an unfinished cycle have run
    first_port,
};

/// The models of a cycle kernel. A settle step comes at its place in the schedule. The rising edges
/// come after everything else that may end the function: a model that needs the interpreter there
/// ends the function, and the cycle is unfinished; the values of the models' wires are then in the
/// slots.
class CycleModels {
public:
    explicit CycleModels(CycleProgram& program) : program_{program} {}

    /// `number`: of the step; `stop`: the statement that leaves the function.
    void add(const ModelGroup& group, const ScheduledStep& step, std::uint32_t number,
             const std::string& stop);
    /// Adds the rising edges, after all other steps. `all_said` turns the condition that one of
    /// these models needs the interpreter into that condition for all threads; empty for one
    /// thread.
    void add_edges(const std::function<std::string(const std::string&)>& all_said);
    bool has_edges() const;
    /// True if a model may leave the function before the rising edges.
    bool may_stop() const { return may_stop_; }
    /// Call it after forward_wires. Inputs that nothing in the function writes are set once. `fed`:
    /// slots whose readers use input rows instead.
    void set_fixed_inputs_once(const std::map<std::uint64_t, std::string>& fed);

    /// C before the loop, and after it.
    std::string before() const;
    std::string after() const;

    struct Instance {
        std::string data; // C expression for its pointers
        ModelCalls calls = {};
        std::vector<std::byte*> ports = {}; // in port order
        bool has_edge = false;
        bool alone = true;
        ModelStep edge = {};
    };
    const std::vector<Instance>& instances() const { return instances_; }

private:
    std::size_t instance_of(const ModelGroup& group, const ScheduledStep& step,
                            std::uint64_t position, std::uint32_t number);
    std::string pointer(std::size_t instance, std::size_t number) const;
    std::string port(std::size_t instance, const ModelPort& port);
    std::string call(std::size_t instance, const char* function) const;
    bool shares_code(std::size_t instance) const;
    std::string said();
    void settle(std::size_t instance, const ModelStep& step, const std::string& stop);
    void edge(std::size_t instance);
    void show_edge(std::size_t instance, bool in_common);
    void set_inputs(std::size_t instance, const ModelStep& step, bool compares);
    void set_input(std::size_t instance, const ModelPort& input, bool compares);
    Id shown(std::size_t instance, const ModelPort& output, const ModelPort::Scalar& scalar,
             bool late);
    Id store(std::uint64_t slot, expr::Scalar type, Id value, const std::string& name, bool late);

    CycleProgram& program_;
    bool may_stop_ = false;
    std::vector<Instance> instances_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> numbers_; // by family, position
    struct WireValue {
        std::uint64_t slot;
        expr::Scalar type;
        Id value;
    };
    std::vector<WireValue> wires_; // the models' outputs before the rising edge
    std::vector<Id> inputs_;       // effects that set an input of one scalar
    std::string fixed_;            // C that sets inputs once
};

} // namespace sme::native
