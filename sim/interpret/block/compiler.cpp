// SPDX-License-Identifier: Apache-2.0
#include "interpret/block/compiler.hpp"

#include <algorithm>
#include <bit>

#include "expr/program/parts.hpp"

namespace sme::interpret {

using expr::no_node;
using expr::Node;
using expr::NodeId;
using expr::Op;

namespace {

/// True if a node uses its operand's column instead of its own.
bool is_alias(const expr::Program& program, const Node& node) {
    return node.op == Op::checked || node.op == Op::loop_result ||
           (node.op == Op::convert && is_same_column(program.nodes[node.a].type, node.type));
}

} // namespace

void Evaluator::Compiler::run() {
    registers_.resize(e_.program_.nodes.size());
    free_.resize(4);
    zero_ = allocate(8, false); // the target of unused operands
    find_last_uses();
    find_direct_stores();
    for (std::size_t k = 0; k < e_.part_.nodes.size(); ++k) {
        emit(e_.part_.nodes[k]);
        for (const NodeId ended : ends_[k])
            release(ended, k);
    }
    finish();
    lay_out();
}

void Evaluator::Compiler::find_last_uses() {
    const std::vector<Node>& nodes = e_.program_.nodes;
    keeps_.assign(nodes.size(), false);
    const auto source = [&](NodeId id) {
        while (is_alias(e_.program_, nodes[id]))
            id = nodes[id].a;
        return id;
    };
    const auto keep = [&](NodeId id) { keeps_[source(id)] = true; };
    for (const expr::Store& store : e_.part_.stores) {
        keep(store.value);
        keep(store.fallback);
    }
    for (const expr::MemoryWrite& write : e_.part_.memory_writes)
        for (const NodeId id : {write.enable, write.word, write.value})
            keep(id);
    for (const expr::FaultCheck& fault : e_.part_.faults) {
        keep(fault.bad);
        keep(fault.selected);
        if (fault.which != no_node)
            keep(fault.which);
    }
    for (const NodeId id : e_.part_.halts)
        keep(id);
    for (const expr::MemoryReset& reset : e_.part_.memory_resets)
        keep(reset.enable);
    for (const expr::Print& print : e_.part_.prints) {
        keep(print.enable);
        for (const NodeId id : print.values)
            keep(id);
    }
    for (const NodeId id : e_.part_.results)
        keep(id);
    if (!e_.part_.loops.empty()) // values computed before a loop stay in use until it ends
        keeps_.assign(nodes.size(), true);
    last_use_.assign(nodes.size(), 0);
    for (std::size_t k = 0; k < e_.part_.nodes.size(); ++k) {
        last_use_[e_.part_.nodes[k]] = std::max(last_use_[e_.part_.nodes[k]], k);
        expr::for_each_operand(nodes[e_.part_.nodes[k]],
                               [&](NodeId operand) { last_use_[source(operand)] = k; });
    }
    ends_.resize(e_.part_.nodes.size());
    for (const NodeId id : e_.part_.nodes)
        if (!keeps_[id] && !is_alias(e_.program_, nodes[id]) && nodes[id].op != Op::constant &&
            nodes[id].op != Op::load)
            ends_[last_use_[id]].push_back(id);
}

/// A value that fills the slots of a port completely is computed directly in them, for one port
/// only.
void Evaluator::Compiler::find_direct_stores() {
    direct_.assign(e_.program_.nodes.size(), false);
    for (const expr::Store& store : e_.part_.stores) {
        const Node& node = e_.program_.nodes[store.value];
        const unsigned bytes = node.type.bytes();
        const bool computed =
            node.op != Op::constant && node.op != Op::load && !is_alias(e_.program_, node);
        const bool direct =
            computed && !direct_[store.value] && e_.places_.slot_bytes[store.port] == bytes;
        if (direct)
            direct_[store.value] = true;
        e_.stores_.push_back({0, 0, store.port, store.offset, bytes, direct});
    }
}

Evaluator::Register Evaluator::Compiler::allocate(unsigned bytes, bool shared) {
    std::vector<Register>& free = free_[static_cast<std::size_t>(std::countr_zero(bytes))];
    if (shared && !free.empty()) {
        const Register found = free.back();
        free.pop_back();
        return found;
    }
    e_.column_bytes_.push_back(bytes);
    return static_cast<Register>(e_.column_bytes_.size() - 1);
}

void Evaluator::Compiler::release(NodeId id, std::size_t) {
    const Register reg = of(id);
    free_[static_cast<std::size_t>(std::countr_zero(e_.column_bytes_[reg]))].push_back(reg);
}

void Evaluator::Compiler::emit(NodeId id) {
    const Node& node = e_.program_.nodes[id];
    const unsigned bytes = node.type.bytes();
    if (node.op == Op::loop)
        return emit_loop(id);
    if (node.op == Op::loop_result) { // after a loop, its variables are its results
        const expr::Loop& loop = e_.program_.loops[e_.program_.nodes[node.a].immediate];
        registers_[id] = of(loop.carried[node.immediate].variable);
        return;
    }
    if (is_alias(e_.program_, node)) {
        registers_[id] = of(node.a);
        return;
    }
    // kept columns, constants and loads live throughout the block
    const bool lives = keeps_[id] || node.op == Op::constant || node.op == Op::load;
    const Register d = registers_[id] = allocate(bytes, !lives);
    switch (node.op) {
    case Op::constant: e_.constants_.emplace_back(d, node.immediate); return;
    case Op::load:
        e_.loads_.push_back({d, node.a, static_cast<std::uint32_t>(node.immediate), bytes});
        return;
    case Op::index:
    case Op::cycle:
        e_.instructions_.push_back(
            {node.op, nullptr, d, zero_, zero_, zero_, node.immediate, 0, bytes});
        return;
    case Op::random: // `number` selects how to make it canonical
        e_.instructions_.push_back({node.op, nullptr, d, zero_, zero_, zero_, node.immediate,
                                    node.type.width_bits * 2u + (node.type.is_signed ? 1u : 0u),
                                    bytes});
        return;
    case Op::load_at:
    case Op::memory_read:
    case Op::table_read:
        e_.instructions_.push_back(
            {node.op, nullptr, d, of(node.a), zero_, zero_, node.immediate, node.b, bytes});
        return;
    default: emit_value(id, node);
    }
}

void Evaluator::Compiler::emit_loop(NodeId id) {
    const expr::PartLoop& part = expr::loop_of(e_.part_, id);
    const std::vector<Node>& nodes = e_.program_.nodes;
    const expr::Loop& loop = e_.program_.loops[nodes[id].immediate];
    const std::size_t number = e_.loops_.size();
    e_.loops_.emplace_back();
    LoopOf result{};
    result.step = registers_[loop.step] = allocate(nodes[loop.step].type.bytes(), false);
    result.count = loop.count;
    for (const std::uint32_t place : part.carried) {
        const expr::Loop::Carried& carried = loop.carried[place];
        result.starts.emplace_back(allocate(nodes[carried.variable].type.bytes(), false),
                                   of(carried.start));
    }
    for (std::size_t k = 0; k < part.carried.size(); ++k)
        registers_[loop.carried[part.carried[k]].variable] = result.starts[k].first;
    e_.instructions_.push_back(
        {Op::loop, nullptr, zero_, zero_, zero_, zero_, 0, static_cast<std::uint32_t>(number), 0});
    for (const NodeId node : part.nodes)
        emit(node);
    for (const expr::MemoryWrite& write : part.memory_writes)
        result.writes.push_back(write_to(write));
    // all values of a step depend on those before it, so they are moved when the last one is known
    std::vector<std::pair<Register, Register>> late;
    for (std::size_t k = 0; k < part.carried.size(); ++k) {
        const Register wait = allocate(e_.column_bytes_[result.starts[k].first], false);
        result.nexts.emplace_back(wait, of(loop.carried[part.carried[k]].next));
        late.emplace_back(result.starts[k].first, wait);
        if (part.carried[k] == loop.until)
            result.until = result.starts[k].first;
    }
    result.nexts.insert(result.nexts.end(), late.begin(), late.end());
    result.end = e_.instructions_.size();
    e_.loops_[number] = std::move(result);
}

void Evaluator::Compiler::emit_value(NodeId id, const Node& node) {
    const Register d = of(id);
    const auto operand = [&](NodeId operand) { return operand == no_node ? zero_ : of(operand); };
    const expr::Scalar operand_type = e_.program_.nodes[node.a].type;
    Kernel kernel = kernel_of(node.op, node.type, operand_type);
    std::uint64_t immediate = operand_type.width_bits;
    if (expr::is_shift(node.op) && e_.program_.nodes[node.b].op == Op::constant) {
        kernel = shift_by_constant(node.op, node.type);
        immediate = e_.program_.nodes[node.b].immediate;
    }
    e_.instructions_.push_back({node.op, kernel, d, operand(node.a), operand(node.b),
                                operand(node.c), immediate, 0, node.type.bytes()});
    if (needs_narrow(node.op, node.type, operand_type))
        e_.instructions_.push_back({Op::convert, narrow(node.type), d, d, zero_, zero_,
                                    node.type.width_bits, 0, node.type.bytes()});
}

Evaluator::WriteTo Evaluator::Compiler::write_to(const expr::MemoryWrite& write) const {
    return {of(write.enable), of(write.word), of(write.value),
            write.memory,     write.offset,   e_.program_.nodes[write.value].type.bytes()};
}

void Evaluator::Compiler::finish() {
    for (std::size_t k = 0; k < e_.stores_.size(); ++k) {
        e_.stores_[k].from = of(e_.part_.stores[k].value);
        e_.stores_[k].fallback = of(e_.part_.stores[k].fallback);
    }
    for (const expr::MemoryWrite& write : e_.part_.memory_writes)
        e_.writes_.push_back(write_to(write));
    for (const expr::FaultCheck& fault : e_.part_.faults)
        e_.faults_.push_back(
            {of(fault.bad), of(fault.selected), fault.which == no_node ? zero_ : of(fault.which)});
    for (const NodeId id : e_.part_.halts)
        e_.halts_.push_back(of(id));
    for (const expr::MemoryReset& reset : e_.part_.memory_resets)
        e_.resets_.push_back(of(reset.enable));
    for (const expr::Print& print : e_.part_.prints) {
        PrintOf& result = e_.prints_.emplace_back();
        result.enable = of(print.enable);
        for (const NodeId id : print.values)
            result.values.emplace_back(of(id), e_.program_.nodes[id].type);
    }
    for (const NodeId id : e_.part_.results)
        e_.results_.emplace_back(of(id), e_.program_.nodes[id].type);
}

/// A block is as long as its columns fit the second-level cache, but no longer than useful.
void Evaluator::Compiler::lay_out() {
    constexpr std::size_t cache_bytes = 128 * 1024;
    constexpr std::size_t fewest = 16, most = 4096;
    std::size_t lane_bytes = 0;
    for (const unsigned bytes : e_.column_bytes_)
        lane_bytes += bytes;
    std::size_t lanes = std::bit_floor(std::max<std::size_t>(cache_bytes / lane_bytes, 1));
    lanes = std::clamp(lanes, fewest, most);
    const std::uint64_t instances = e_.places_.order.size();
    if (instances < lanes)
        lanes = std::max<std::uint64_t>(instances, 1);
    e_.block_lanes_ = lanes;
    for (const unsigned bytes : e_.column_bytes_) {
        e_.column_offsets_.push_back(e_.scratch_bytes_);
        const std::size_t column = bytes * lanes;
        // whole cache lines for long columns; single lanes are adjacent
        const std::size_t alignment = lanes >= 16 ? Workspace::alignment : 8;
        e_.scratch_bytes_ += (column + alignment - 1) / alignment * alignment;
    }
}

} // namespace sme::interpret
