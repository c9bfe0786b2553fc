// SPDX-License-Identifier: Apache-2.0
#include "interpret/block/scalar_compiler.hpp"

#include <algorithm>
#include <bit>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "expr/program/apply.hpp"

namespace sme::interpret {

using expr::no_node;
using expr::Node;
using expr::NodeId;
using expr::Op;
using expr::Scalar;

namespace {

std::uint64_t mask_of(Scalar type) {
    return ~std::uint64_t{0} >> (64 - type.width_bits);
}

/// The immediate with which `narrow` and arithmetic make their result canonical.
std::uint64_t narrowing(Scalar type) {
    return type.is_signed ? 64u - type.width_bits : mask_of(type);
}

/// True if every value of a type has the same 64 bits in the other type.
bool keeps_register(Scalar from, Scalar to) {
    return from.is_signed == to.is_signed ? from.width_bits <= to.width_bits
                                          : !from.is_signed && from.width_bits < to.width_bits;
}

/// The code for a type; `first` is the first of u8, u16, u32, u64, i8, i16, i32.
template <class Code> Code for_type(Code first, Scalar type) {
    const bool extends = type.is_signed && type.bytes() < 8;
    return static_cast<Code>(static_cast<unsigned>(first) +
                             static_cast<unsigned>(std::countr_zero(type.bytes())) +
                             (extends ? 4u : 0u));
}

} // namespace

ScalarCode::ScalarCode(const expr::Program& program, const expr::PartProgram& part,
                       const SlotMap& places, std::uint64_t position) {
    if (places.wrote)
        wrote_ = places.wrote + position;
    Compiler{*this, program, part, places, position}.run();
}

void ScalarCode::Compiler::run() {
    plans_.resize(program_.nodes.size());
    registers_.resize(program_.nodes.size());
    plan_all(part_.nodes);
    find_needed();
    emit_all(part_.nodes);
    emit_faults();
    emit_effects();
    c_.steps_.push_back({Code::end, 0});
    for (const NodeId id : part_.results)
        c_.results_.push_back(reg(id));
    for (const expr::MemoryReset& reset : part_.memory_resets)
        c_.effects_.push_back(reg(reset.enable));
    for (const expr::Print& print : part_.prints) {
        c_.effects_.push_back(reg(print.enable));
        for (const NodeId id : print.values)
            c_.effects_.push_back(reg(id));
    }
}

/// The node whose register a node shares. After a loop, its variables are its results.
NodeId ScalarCode::Compiler::source(NodeId id) const {
    for (;;) {
        const Node& found = node(id);
        if (found.op == Op::loop_result)
            id = program_.loops[node(found.a).immediate].carried[found.immediate].variable;
        else if (found.op == Op::checked ||
                 (found.op == Op::convert && keeps_register(node(found.a).type, found.type)))
            id = found.a;
        else
            return id;
    }
}

void ScalarCode::Compiler::plan_all(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes)
        if (node(id).op == Op::loop)
            plan_all(expr::loop_of(part_, id).nodes);
        else if (source(id) == id)
            plans_[id] = plan(id);
}

ScalarCode::Compiler::Plan ScalarCode::Compiler::constant(std::uint64_t value) const {
    Plan result;
    result.is_constant = true;
    result.immediate = value;
    return result;
}

ScalarCode::Compiler::Plan ScalarCode::Compiler::plan(NodeId id) {
    const Node& node = this->node(id);
    Plan result;
    switch (node.op) {
    case Op::constant: return constant(node.immediate);
    case Op::step:
    case Op::carried: return result; // registers of their loop
    case Op::index:
        return constant(
            canonical(index_value(node.immediate), node.type.width_bits, node.type.is_signed));
    case Op::cycle:
        result.code = Code::cycle;
        result.immediate = mask_of(node.type);
        return result;
    case Op::random:
        result.code = Code::random;
        result.small = node.type.width_bits;
        result.number = node.type.is_signed ? 1 : 0;
        result.immediate = expr::random_stream(
            places_.random_family, static_cast<std::uint64_t>(places_.order.at(position_)),
            node.immediate);
        return result;
    case Op::load:
        result.code = for_type(Code::load_u8, node.type);
        result.immediate =
            static_cast<std::uint64_t>(places_.ports[node.a].at(position_)) + node.immediate;
        return result;
    case Op::load_at:
        result.code = node.type.is_signed ? Code::load_at_signed : Code::load_at;
        result.a = node.a;
        result.number = static_cast<std::uint32_t>(c_.slots_.size());
        result.small = static_cast<std::uint8_t>(node.type.bytes());
        result.immediate = node.immediate;
        c_.slots_.push_back(&places_.ports[node.b]);
        return result;
    case Op::memory_read:
        result.number = words_of_memory(node.b, node.immediate, node.type.bytes());
        result.code = for_type(Code::read_u8, node.type);
        result.a = node.a;
        return result;
    case Op::table_read:
        result.number = words_of_table(node.b);
        result.code = Code::read_u64;
        result.a = node.a;
        return result;
    case Op::convert: return plan_convert(node);
    case Op::bit_or: return plan_or(node);
    case Op::shift_left:
    case Op::shift_right: return plan_shift(node);
    default: return plan_operation(node);
    }
}

ScalarCode::Compiler::Plan ScalarCode::Compiler::plan_operation(const Node& node) const {
    const Scalar operand = this->node(node.a).type;
    Plan result;
    result.a = node.a;
    result.b = node.b;
    result.c = node.c;
    result.small = operand.width_bits;
    result.immediate = narrowing(node.type);
#define SME_OPERATION(name, ...)                                                                   \
    case Op::name:                                                                                 \
        result.code = operand.is_signed ? Code::name##_signed : Code::name;                        \
        break;
#define SME_LOGICAL_OPERATION(name, like)                                                          \
    case Op::name: result.code = Code::like; break;
    switch (node.op) {
#include "expr/program/operations.def"
    case Op::select: result.code = Code::select; break;
#define SME_OTHER_OPERATION(name, ...) case Op::name:
#include "expr/program/operations.def"
    case Op::convert: break; // planned elsewhere
    }
    return result;
}

/// A shift by a constant whose result needs no sign.
ScalarCode::Compiler::Plan ScalarCode::Compiler::plan_shift(const Node& node) const {
    const bool left = node.op == Op::shift_left;
    const bool is_signed = node.type.is_signed;
    const Plan& count = plan_of(node.b);
    if (!count.is_constant || count.immediate >= 64 || (left && is_signed))
        return plan_operation(node);
    Plan result;
    result.a = node.a;
    result.immediate = narrowing(node.type);
    result.small = static_cast<std::uint8_t>(count.immediate);
    result.code = left        ? Code::shift_left_by
                  : is_signed ? Code::shift_right_signed_by
                              : Code::shift_right_by;
    return result;
}

/// A slice is a shift and a conversion: one step.
ScalarCode::Compiler::Plan ScalarCode::Compiler::plan_convert(const Node& node) const {
    Plan result;
    result.immediate = narrowing(node.type);
    if (node.type.is_signed) {
        result.code = Code::narrow_signed;
        result.a = node.a;
        return result;
    }
    const Plan& inner = plan_of(node.a);
    if (inner.code == Code::shift_right_by || inner.code == Code::narrow) {
        result = inner;
        result.immediate &= mask_of(node.type);
        return result;
    }
    result.code = Code::narrow;
    result.a = node.a;
    return result;
}

/// Two joined shifts of one value, as in a rotation: one step.
ScalarCode::Compiler::Plan ScalarCode::Compiler::plan_or(const Node& node) const {
    const Plan* up = &plan_of(node.a);
    const Plan* down = &plan_of(node.b);
    if (up->code == Code::shift_right_by)
        std::swap(up, down);
    const bool rotates = up->code == Code::shift_left_by && down->code == Code::shift_right_by &&
                         source(up->a) == source(down->a) &&
                         down->immediate == mask_of(node.type) && up->immediate == down->immediate;
    if (!rotates)
        return plan_operation(node);
    Plan result;
    result.code = Code::rotate_by;
    result.a = up->a;
    result.small = up->small;
    result.number = down->small;
    result.immediate = up->immediate;
    return result;
}

std::uint64_t ScalarCode::Compiler::index_value(std::uint64_t dimension) const {
    std::uint64_t inner = 1; // how many instances share an index value
    for (std::size_t d = dimension + 1; d < program_.index_count.size(); ++d)
        inner *= program_.index_count[d];
    auto instance = static_cast<std::uint64_t>(places_.order.at(position_));
    if (!program_.kept.empty())
        instance = program_.kept[instance];
    return static_cast<std::uint64_t>(program_.index_low[dimension]) +
           instance / inner % program_.index_count[dimension];
}

std::uint32_t ScalarCode::Compiler::words_of_memory(std::uint32_t number, std::uint64_t offset,
                                                    unsigned bytes) {
    const MemorySlots& memory = places_.memories[number];
    const std::size_t stride = memory.element->size();
    const std::uint64_t first =
        number < places_.own_memories ? position_ * memory.words_each * stride : 0;
    c_.words_.push_back({memory.words + first + offset, memory.words_each, stride, bytes});
    return static_cast<std::uint32_t>(c_.words_.size() - 1);
}

std::uint32_t ScalarCode::Compiler::words_of_table(std::uint32_t number) {
    const std::vector<std::uint64_t>& values = program_.tables[number].values;
    auto* const base = reinterpret_cast<const std::byte*>(values.data());
    c_.words_.push_back({const_cast<std::byte*>(base), values.size(), 8, 8}); // read only
    return static_cast<std::uint32_t>(c_.words_.size() - 1);
}

void ScalarCode::Compiler::need(NodeId id) {
    Plan& plan = plans_[source(id)];
    if (!plan.needed)
        open_.push_back(source(id));
    plan.needed = true;
}

void ScalarCode::Compiler::find_needed() {
    expr::for_each_effect(part_, [&](NodeId id) { need(id); });
    for (const expr::Print& print : part_.prints)
        for (const NodeId id : print.values)
            need(id);
    expr::for_each_loop_use(program_, part_, [&](NodeId id) { need(id); });
    while (!open_.empty()) {
        const Plan plan = plans_[open_.back()];
        open_.pop_back();
        for (const NodeId operand : {plan.a, plan.b, plan.c})
            if (operand != no_node)
                need(operand);
    }
}

void ScalarCode::Compiler::emit_all(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes)
        if (node(id).op == Op::loop)
            emit_loop(expr::loop_of(part_, id));
        else if (const Plan& plan = plans_[id]; plan.needed && source(id) == id) {
            registers_[id] = add_register(plan.is_constant ? plan.immediate : 0);
            if (!plan.is_constant)
                emit(plan, registers_[id]);
        }
}

void ScalarCode::Compiler::emit_loop(const expr::PartLoop& part) {
    const expr::Loop& loop = program_.loops[node(part.loop).immediate];
    const std::uint32_t step = registers_[loop.step] = add_register(0);
    move(step, add_register(0));
    for (const std::uint32_t place : part.carried)
        registers_[loop.carried[place].variable] = add_register(0);
    for (const std::uint32_t place : part.carried)
        move(reg(loop.carried[place].variable), reg(loop.carried[place].start));
    const std::size_t begin = c_.steps_.size();
    emit_all(part.nodes);
    for (const expr::MemoryWrite& write : part.memory_writes)
        emit_write(write, Code::collect);
    // all values of a step depend on those before it
    std::vector<std::pair<std::uint32_t, std::uint32_t>> late;
    for (const std::uint32_t place : part.carried) {
        const expr::Loop::Carried& carried = loop.carried[place];
        const bool is_variable = node(source(carried.next)).op == Op::carried;
        const std::uint32_t from = is_variable ? add_register(0) : reg(carried.next);
        if (is_variable)
            move(from, reg(carried.next));
        late.emplace_back(reg(carried.variable), from);
    }
    for (const auto& [to, from] : late)
        move(to, from);
    const bool ends = loop.until && std::find(part.carried.begin(), part.carried.end(),
                                              *loop.until) != part.carried.end();
    const std::uint32_t until = ends ? reg(loop.carried[*loop.until].variable) : add_register(0);
    const auto back = static_cast<std::uint32_t>(c_.steps_.size() - begin + 1);
    c_.steps_.push_back({Code::again, 0, step, until, back, loop.count});
}

void ScalarCode::Compiler::emit_write(const expr::MemoryWrite& write, Code code) {
    const std::uint32_t words =
        words_of_memory(write.memory, write.offset, node(write.value).type.bytes());
    c_.steps_.push_back({code, 0, words, reg(write.enable), reg(write.word), reg(write.value)});
}

std::uint32_t ScalarCode::Compiler::add_register(std::uint64_t value) {
    c_.registers_.push_back(value);
    return static_cast<std::uint32_t>(c_.registers_.size() - 1);
}

void ScalarCode::Compiler::emit(const Plan& plan, std::uint32_t d) {
    Step step{plan.code, plan.small, d};
    step.a = plan.a == no_node ? 0 : reg(plan.a);
    step.b = plan.b == no_node ? plan.number : reg(plan.b);
    step.immediate = plan.c == no_node ? plan.immediate : reg(plan.c);
    c_.steps_.push_back(step);
}

void ScalarCode::Compiler::emit_faults() {
    for (const expr::FaultCheck& fault : part_.faults)
        c_.steps_.push_back({Code::fault, 0, 0, reg(fault.bad), reg(fault.selected)});
    if (!part_.faults.empty())
        c_.steps_.push_back({Code::commit, 0});
}

void ScalarCode::Compiler::emit_effects() {
    for (const expr::Store& store : part_.stores) {
        const auto at = static_cast<std::uint64_t>(places_.ports[store.port].at(position_));
        const Code code = for_type(Code::store_8, {node(store.value).type.width_bits, false});
        c_.steps_.push_back({code, 0, 0, reg(store.value), 0, at + store.offset});
    }
    if (std::any_of(part_.loops.begin(), part_.loops.end(),
                    [](const auto& loop) { return !loop.memory_writes.empty(); }))
        c_.steps_.push_back({Code::flush, 0});
    for (const expr::MemoryWrite& write : part_.memory_writes)
        emit_write(write, Code::write);
    for (const NodeId id : part_.halts)
        c_.steps_.push_back({Code::halt, 0, 0, reg(id)});
}

} // namespace sme::interpret
