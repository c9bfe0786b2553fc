// SPDX-License-Identifier: Apache-2.0
//
// Builds the program of the process again for its first cycle: states that are not candidates are
// constants, so that conditions on them are decided. A candidate that another value still depends
// on, or that is not assigned as a whole, is dropped.
#include "export/modules/unseen_states.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "expr/program/parts.hpp"

namespace sme::hdl {

using expr::Builder;
using expr::Node;
using expr::NodeId;
using expr::Op;
using expr::StateText;

namespace {

using States = std::set<const StateText*>;

class FirstCycle {
public:
    FirstCycle(const expr::ProcessView& text, const InitialValues& initial,
               const expr::Program& program, const States& candidates)
        : text_{text}, initial_{initial}, program_{program}, candidates_{candidates} {
        for (const Node& node : program.nodes)
            made_.push_back(again(node));
    }

    /// Returns the candidates that are read, or keep their value.
    States seen() const {
        States found;
        std::map<const StateText*, std::set<std::pair<std::uint64_t, std::uint32_t>>> written;
        std::vector<NodeId> open;
        for (const expr::PartProgram& part : program_.parts) {
            for (const expr::Store& store : part.stores)
                open.push_back(made_[store.value]);
            for (const expr::MemoryWrite& write : part.memory_writes) {
                for (const NodeId id : {write.enable, write.word, write.value})
                    open.push_back(made_[id]);
                const StateText* const array = array_of(write.memory);
                const auto word = builder_.constant_value(made_[write.word]);
                if (word && builder_.constant_value(made_[write.enable]) == std::uint64_t{1})
                    written[array].emplace(*word, write.offset);
            }
        }
        expr::visit_nodes(std::move(open), [&](NodeId id, std::vector<NodeId>& behind) {
            const Node& node = builder_.node(id);
            if (const StateText* const read = read_by(node); candidates_.count(read) > 0)
                found.insert(read);
            expr::for_each_operand(node, [&](NodeId operand) { behind.push_back(operand); });
        });
        for (const StateText* const state : candidates_)
            if (state->is_memory && written[state].size() < scalars_of(*state))
                found.insert(state);
        return found;
    }

private:
    NodeId again(const Node& node) {
        Node made = node;
        NodeId* const operands[] = {&made.a, &made.b, &made.c};
        const unsigned count = expr::row_of(node.op).operands;
        for (unsigned k = 0; k < count; ++k)
            *operands[k] = made_[*operands[k]];
        switch (node.op) {
        case Op::constant: return builder_.constant(node.type, node.immediate);
        case Op::load: return loaded(node);
        case Op::checked: return made.a;
        case Op::convert: return builder_.convert(node.type, made.a);
        case Op::index:
        case Op::cycle:
        case Op::memory_read:
        case Op::table_read:
        case Op::random:
        case Op::step:
        case Op::carried:
        case Op::loop:
        case Op::loop_result: return builder_.leaf(made);
        default: return builder_.operation(node.op, node.type, made.a, made.b, made.c);
        }
    }

    NodeId loaded(const Node& node) {
        const StateText* const state = read_by(node);
        const auto value = state && candidates_.count(state) == 0
                               ? initial_.scalar_of(*state, node.immediate, node.type)
                               : std::nullopt;
        return value ? builder_.constant(node.type, *value) : builder_.leaf(node);
    }

    const StateText* read_by(const Node& node) const {
        if (node.op == Op::memory_read)
            return array_of(node.b);
        if (node.op != Op::load)
            return nullptr;
        const auto found =
            std::find_if(text_.states.begin(), text_.states.end(), [&](const StateText& state) {
                return !state.is_memory && state.read_port == node.a;
            });
        return found == text_.states.end() ? nullptr : &*found;
    }

    const StateText* array_of(std::uint32_t memory) const {
        const auto found =
            std::find_if(text_.states.begin(), text_.states.end(), [&](const StateText& state) {
                return state.is_memory && state.memory == memory;
            });
        return found == text_.states.end() ? nullptr : &*found;
    }

    static std::uint64_t scalars_of(const StateText& array) {
        std::uint64_t count = array.type->leaf_count();
        for (const std::uint64_t dimension : array.dimensions)
            count *= dimension;
        return count;
    }

    const expr::ProcessView& text_;
    const InitialValues& initial_;
    const expr::Program& program_;
    const States& candidates_;
    Builder builder_;
    std::vector<NodeId> made_; // per node of the program
};

} // namespace

States unseen_states(const expr::ProcessView& text, expr::Scope& scope,
                     const InitialValues& initial, const States& memories) {
    constexpr std::size_t most_nodes = 200'000; // in larger processes all states are reset
    constexpr std::uint64_t wide = 8;           // narrower states are not worth it
    if (text.reset || text.states.empty())
        return {};
    Diagnostics quiet;
    const expr::Program program = expr::build_process(text, scope, quiet);
    if (quiet.has_errors() || !program.loops.empty() || program.nodes.size() > most_nodes)
        return {};
    States chosen;
    for (const StateText& state : text.states)
        if (state.is_memory && memories.count(&state) == 0)
            chosen.insert(&state);
    const auto without_seen = [&](States candidates) {
        for (States seen{nullptr}; !seen.empty();) {
            seen = candidates.empty() ? States{}
                                      : FirstCycle{text, initial, program, candidates}.seen();
            for (const StateText* const state : seen)
                candidates.erase(state);
        }
        return candidates;
    };
    chosen = without_seen(std::move(chosen));
    // then one by one: states that are not candidates are known
    constexpr std::size_t most_tried = 32;
    std::size_t tried = 0;
    for (const StateText& state : text.states) {
        if (state.is_memory || state.type->width_bits() < wide || ++tried > most_tried)
            continue;
        States more = chosen;
        more.insert(&state);
        if (FirstCycle{text, initial, program, more}.seen().empty())
            chosen = std::move(more);
    }
    return chosen;
}

} // namespace sme::hdl
