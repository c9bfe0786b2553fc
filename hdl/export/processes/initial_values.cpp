// SPDX-License-Identifier: Apache-2.0
#include "export/processes/initial_values.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "expr/program/parts.hpp"

namespace sme::hdl {

std::vector<Words> InitialValues::of(const Variable& variable) const {
    std::vector<Words> result;
    for (std::uint64_t k = 0; k < count_; ++k)
        result.push_back(bits_of(variable, k));
    return result;
}

Words InitialValues::bits_of(const Variable& variable, std::uint64_t instance) const {
    Words all((variable.bits() + 63) / 64);
    if (variable.state && variable.state->is_memory) {
        const std::uint64_t width = variable.state->type->width_bits();
        for (const auto& [word, bits] : words_of(variable, instance))
            put_bits(all, word * width, bits, width);
        return all;
    }
    const std::uint32_t port =
        variable.output ? variable.output->write_port : variable.state->write_port;
    const std::uint64_t width = variable.type->width_bits();
    for (std::uint64_t element = 0; element < variable.count; ++element) {
        const auto bus =
            static_cast<std::uint64_t>(family_.ports[port + element].buses.at(first_ + instance));
        put_bits(all, element * width, initial_bits(graph_, bus, variable.field), width);
    }
    return all;
}

std::optional<std::uint64_t> InitialValues::scalar_of(const expr::StateText& state,
                                                      std::uint64_t offset,
                                                      expr::Scalar type) const {
    std::optional<std::uint64_t> result;
    for (std::uint64_t k = 0; k < count_; ++k) {
        const auto bus =
            static_cast<std::uint64_t>(family_.ports[state.write_port].buses.at(first_ + k));
        const BusFamily& family = graph_.family_of(bus);
        std::uint64_t bits = 0;
        if (!family.initial.empty()) {
            const std::size_t size = family.type->size();
            const std::size_t at = family.initial.size() == size ? 0 : (bus - family.first) * size;
            std::memcpy(&bits, family.initial.data() + at + offset, type.bytes());
        }
        const std::uint64_t value = canonical(bits, type.width_bits, type.is_signed);
        if (result && *result != value)
            return std::nullopt;
        result = value;
    }
    return result;
}

std::map<std::uint64_t, Words> InitialValues::words_of(const Variable& array,
                                                       std::uint64_t instance) const {
    const Memory& memory = family_.memories[array.state->memory];
    const std::size_t size = memory.element->size();
    std::map<std::uint64_t, Words> result;
    if (memory.initial.empty())
        return result;
    const std::size_t all = size * memory.words;
    const std::byte* at =
        memory.initial.data() + (memory.initial.size() == all ? 0 : (first_ + instance) * all);
    for (std::uint64_t word = 0; word < memory.words; ++word, at += size)
        if (Words bits = packed_slot(*memory.element, at); !is_zero(bits))
            result[word] = std::move(bits);
    return result;
}

// Builds the program of the process again for its first cycle: states that are not candidates are
// constants, so that conditions on them are decided. A candidate that another value still depends
// on, or that is not assigned as a whole, is dropped.

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
        Node result = node;
        NodeId* const operands[] = {&result.a, &result.b, &result.c};
        const unsigned count = expr::row_of(node.op).operands;
        for (unsigned k = 0; k < count; ++k)
            *operands[k] = made_[*operands[k]];
        switch (node.op) {
        case Op::constant: return builder_.constant(node.type, node.immediate);
        case Op::load: return loaded(node);
        case Op::checked: return result.a;
        case Op::convert: return builder_.convert(node.type, result.a);
        case Op::index:
        case Op::cycle:
        case Op::load_at:
        case Op::memory_read:
        case Op::table_read:
        case Op::random:
        case Op::step:
        case Op::carried:
        case Op::loop:
        case Op::loop_result: return builder_.leaf(result);
        default: return builder_.operation(node.op, node.type, result.a, result.b, result.c);
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

States reset_free_states(const expr::ProcessView& text, const expr::Program& program,
                         const InitialValues& initial, const States& memories) {
    constexpr std::size_t most_nodes = 200'000; // in larger processes all states are reset
    constexpr std::uint64_t wide = 8;           // narrower states are not worth it
    if (text.reset || text.states.empty())
        return {};
    // one word of a wide number may decide a result here, but an X in another word spoils it in a
    // simulator of Verilog
    if (!program.loops.empty() || program.nodes.size() > most_nodes || program.computes_wide)
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

namespace {

/// The wires and registers that use a word of a memory in the cycle of its address, in the
/// order of the module. A register that takes the unmodified word is not in the list: block RAM
/// reads like that.
class SameCycleReads {
public:
    explicit SameCycleReads(const std::string& memory) : memory_{memory} {}

    void look(const rtl::Items& items) {
        for (const rtl::Item& item : items)
            if (const auto* net = std::get_if<rtl::Net>(&item); net && net->value)
                assigned(net->what.name, net->value, false);
            else if (const auto* assign = std::get_if<rtl::Assign>(&item))
                assigned(assign->target.name, assign->value, false);
            else if (const auto* elements = std::get_if<rtl::Elements>(&item))
                look(*elements);
            else if (const auto* process = std::get_if<rtl::Process>(&item))
                each_assignment(process->body, [&](const rtl::Statement& each) {
                    assigned(each.target.name, each.value, each.clocked);
                });
    }
    const std::vector<std::string>& found() const { return found_; }

private:
    void look(const rtl::Elements& elements) {
        const std::string& name = elements.whole.what.name;
        for (const rtl::Elements::Run& run : elements.runs) {
            for (const rtl::Net& net : run.nets)
                assigned(name, net.value, false);
            assigned(name, run.element.value, false);
        }
        for (const rtl::Assign& other : elements.others)
            assigned(name, other.value, false);
    }
    void assigned(const std::string& name, const ExprRef& value, bool clocked) {
        bool reads = false;
        each_place(value, [&](const Place& place) {
            reads = reads || (place.word && place.name == memory_);
        });
        const bool takes_word = value->kind == rtl::Expr::Kind::place && value->place.word &&
                                value->place.whole() && value->place.name == memory_;
        if (reads && !(clocked && takes_word) && name != memory_ &&
            std::find(found_.begin(), found_.end(), name) == found_.end())
            found_.push_back(name);
    }

    const std::string& memory_;
    std::vector<std::string> found_;
};

} // namespace

std::vector<std::string> block_ram_hints(const std::string& process,
                                         const std::vector<Variable>& variables,
                                         const ProcessFamily& family, const rtl::Items& wires,
                                         const rtl::Items& clocked) {
    constexpr std::uint64_t worth = 2048; // bits
    std::vector<std::string> hints;
    for (const Variable& each : variables) {
        if (!each.is_memory || family.memories[each.state->memory].words * each.bits() < worth)
            continue;
        SameCycleReads reads{each.name};
        reads.look(wires);
        reads.look(clocked);
        if (!reads.found().empty())
            hints.push_back(
                fmt::format("'{}' of '{}' is read within a cycle, by '{}'; block RAM needs a state "
                            "that takes the word as it is",
                            each.state->name, process, fmt::join(reads.found(), "', '")));
    }
    return hints;
}

rtl::Statements fill_memory(const Variable& memory, std::uint64_t words,
                            const std::map<std::uint64_t, Words>& values, const std::string& word,
                            bool clocked) {
    constexpr std::uint64_t worth_a_loop = 4;
    const std::uint64_t width = memory.type->width_bits();
    const auto set = [&](const ExprRef& at, const ExprRef& value) {
        Place place = Place::all_of(memory.name, width, memory.type->is_signed());
        place.word = at;
        return rtl::Statement::assign(std::move(place), value, clocked);
    };
    const auto set_all = [&](std::uint64_t first, std::uint64_t end, const ExprRef& value) {
        return rtl::Statement::loop(word, static_cast<Integer>(first), static_cast<Integer>(end),
                                    {set(rtl::at(Place::integer(word)), value)}, true);
    };
    rtl::Statements filled;
    bool has_loop = false;
    for (auto from = values.begin(); from != values.end();) {
        auto to = from;
        std::uint64_t end = from->first;
        for (; to != values.end() && to->first == end && to->second == from->second; ++to)
            ++end;
        const ExprRef value = rtl::literal(from->second, width);
        if (end - from->first >= worth_a_loop) {
            filled.push_back(set_all(from->first, end, value));
            has_loop = true;
        } else
            for (std::uint64_t at = from->first; at < end; ++at)
                filled.push_back(set(rtl::number(static_cast<Integer>(at)), value));
        from = to;
    }
    if (values.size() < words || !has_loop) // the variable is declared in any case
        filled.insert(filled.begin(), set_all(0, words, rtl::zero(width)));
    return filled;
}

} // namespace sme::hdl
