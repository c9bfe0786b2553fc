// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "base/codes.hpp"
#include "interpret/block/scalar_code.hpp"

namespace sme::interpret {

/// Turns the nodes of a part into steps: 1. a plan for each node, in which one step may do the work
/// of several nodes; 2. the needed nodes; 3. registers and steps.
class ScalarCode::Compiler {
public:
    Compiler(ScalarCode& code, const expr::Program& program, const expr::PartProgram& part,
             const SlotMap& places, std::uint64_t position)
        : c_{code}, program_{program}, part_{part}, places_{places}, position_{position} {}
    void run();

private:
    struct Plan {
        Code code = Code::end; // a load, a read or an operation
        std::uint8_t small = 0;
        expr::NodeId a = expr::no_node;
        expr::NodeId b = expr::no_node;
        expr::NodeId c = expr::no_node;
        std::uint64_t immediate = 0;
        std::uint32_t number = 0; // instead of register b
        bool is_constant = false;
        bool needed = false;
    };

    const expr::Node& node(expr::NodeId id) const { return program_.nodes[id]; }
    expr::NodeId source(expr::NodeId id) const;
    const Plan& plan_of(expr::NodeId id) const { return plans_.at(source(id)); }
    Plan plan(expr::NodeId id);
    Plan plan_operation(const expr::Node& node) const;
    Plan plan_shift(const expr::Node& node) const;
    Plan plan_convert(const expr::Node& node) const;
    Plan plan_or(const expr::Node& node) const;
    Plan constant(std::uint64_t value) const;
    std::uint64_t index_value(std::uint64_t dimension) const;
    std::uint32_t words_of_memory(std::uint32_t number, std::uint64_t offset, unsigned bytes);
    std::uint32_t words_of_table(std::uint32_t number);

    void plan_all(const std::vector<expr::NodeId>& nodes);
    void need(expr::NodeId id);
    void find_needed();
    void emit_all(const std::vector<expr::NodeId>& nodes);
    void emit_loop(const expr::PartLoop& loop);
    void emit_write(const expr::MemoryWrite& write, Code code);
    void move(std::uint32_t to, std::uint32_t from) {
        c_.steps_.push_back({Code::move, 0, to, from});
    }
    std::uint32_t add_register(std::uint64_t value);
    std::uint32_t reg(expr::NodeId id) const { return registers_.at(source(id)); }
    void emit(const Plan& plan, std::uint32_t d);
    void emit_faults();
    void emit_effects();

    ScalarCode& c_;
    const expr::Program& program_;
    const expr::PartProgram& part_;
    const SlotMap& places_;
    std::uint64_t position_;
    std::vector<Plan> plans_;              // by node
    std::vector<expr::NodeId> open_;       // needed nodes whose operands are not yet marked
    std::vector<std::uint32_t> registers_; // by node
};

} // namespace sme::interpret
