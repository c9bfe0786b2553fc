// SPDX-License-Identifier: Apache-2.0
//
// The initial values of states, as nodes.
#include "expr/process/process_scope.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "expr/typing/rhs_value.hpp"

namespace sme::expr {

namespace {

std::uint64_t scalar_at(const std::byte* slot, const Leaf& leaf) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, slot + leaf.offset, leaf.type->size());
    const Scalar type = Scalar::of(*leaf.type);
    return canonical(bits, type.width_bits, type.is_signed);
}

/// Returns the flat position of the instance in the full index space of its family.
NodeId instance_node(Builder& builder, const ProcessView& text) {
    const Scalar word{64, false}, index{64, true};
    NodeId flat = builder.constant(word, 0);
    for (std::size_t d = 0; d < text.shape.dimensions.size(); ++d) {
        const NodeId value = builder.leaf({Op::index, index, no_node, no_node, no_node, d});
        const NodeId place = builder.convert(
            word, builder.operation(Op::subtract, index, value,
                                    builder.constant(index, static_cast<std::uint64_t>(
                                                                text.shape.dimensions[d].low))));
        flat = builder.operation(
            Op::add, word,
            builder.operation(Op::multiply, word, flat,
                              builder.constant(word, text.shape.dimensions[d].count)),
            place);
    }
    return flat;
}

} // namespace

NodeId initial_node(Builder& builder, const ProcessView& text, const StateText& state,
                    const Leaf& leaf) {
    const Scalar type = Scalar::of(*leaf.type);
    if (state.initial.empty())
        return builder.constant(type, 0);
    const std::size_t each = state.type->size();
    if (state.initial.size() == each)
        return builder.constant(type, scalar_at(state.initial.data(), leaf));
    Table table{type, std::vector<std::uint64_t>(text.shape.box())};
    for (std::size_t member = 0; member * each < state.initial.size(); ++member)
        table.values[text.shape.kept.empty() ? member : text.shape.kept[member]] =
            scalar_at(state.initial.data() + member * each, leaf);
    const std::uint32_t number = builder.add_table(std::move(table));
    return builder.leaf({Op::table_read, type, instance_node(builder, text), number, no_node, 0});
}

void add_fields(const SlotRef& slot, FieldMap& fields) {
    const std::vector<Leaf> places = slot.type->leaves();
    for (std::size_t k = 0; k < places.size(); ++k) {
        fields[{slot.port, places[k].offset}] = places[k].field;
        if (slot.is_marked)
            fields[{slot.port, slot.type->size() + k}] = places[k].field;
    }
    for (const auto& [port, type] : slot.reverse_fields)
        for (const Leaf& leaf : type->leaves())
            fields[{port, leaf.offset}] = leaf.field;
}

namespace {

/// Returns the value at a port; its loads are made once, however often it is used.
BoundExpr value_at(SlotRef slot) {
    BoundExpr inside = BoundExpr::of(slot.bundle ? slot.bundle : slot.type);
    inside.in_run = true;
    inside.may_fault = slot.is_marked;
    BoundExpr result = inside;
    inside.what = std::make_shared<const SlotRef>(std::move(slot));
    result.what = std::make_shared<const BoundExpr>(std::move(inside));
    return result;
}

} // namespace

ProcessScope::ProcessScope(const ProcessView& text, Scope& outer, Builder& builder,
                           Diagnostics& diagnostics)
    : text_{text}, outer_{outer}, builder_{builder}, diagnostics_{diagnostics} {
    add_indices();
    for (const PortText& port : text.inputs)
        add_port(port);
    for (const PortText& port : text.outputs)
        add_port(port);
    for (const StateText& state : text.states)
        add_state(state);
    for (const LetText& let : text.lets)
        lets_[let.name] = &let;
    for (const auto& [prefix, type] : text.enumerations)
        for (std::size_t k = 0; k < type->members().size(); ++k)
            values_[prefix + type->members()[k].name].value =
                member_named(type, type->members()[k].value);
}

void ProcessScope::add_indices() {
    builder_.program().index_low = text_.shape.lows();
    builder_.program().index_count = text_.shape.counts();
    builder_.program().kept = text_.shape.kept;
    for (std::size_t d = 0; d < text_.shape.dimensions.size(); ++d) {
        if (text_.shape.dimensions[d].index.empty())
            continue;
        const Integer low = text_.shape.dimensions[d].low;
        const Integer high = low + static_cast<Integer>(text_.shape.dimensions[d].count) - 1;
        if (low == high) {
            values_[text_.shape.dimensions[d].index].value = BoundExpr::number(low);
            continue;
        }
        BoundExpr value = BoundExpr::between(low, high);
        value.what = std::make_shared<const IndexRef>(IndexRef{d});
        values_[text_.shape.dimensions[d].index].value = std::move(value);
    }
}

BoundExpr bundle_value(const TypeRef& bundle, const BoundExpr& forward,
                       const std::vector<BoundExpr>& reverse_fields) {
    std::vector<NodeId> leaves;
    auto next = forward.leaves.begin();
    auto back = reverse_fields.begin();
    for (const Field& field : bundle->fields())
        if (field.back) {
            leaves.insert(leaves.end(), back->leaves.begin(), back->leaves.end());
            ++back;
        } else {
            const auto end = next + static_cast<std::ptrdiff_t>(field.type->leaf_count());
            leaves.insert(leaves.end(), next, end);
            next = end;
        }
    return BoundExpr::of(bundle, std::move(leaves));
}

/// Returns what the process reads at one element of a port.
BoundExpr ProcessScope::port_value(const PortText& port, std::uint32_t element) {
    SlotRef slot{port.read_port + element,
                 port.type,
                 port.unwritten == Unwritten::error,
                 port.name,
                 port.declared,
                 port.bundle};
    for (std::size_t k = 0; port.bundle && k < port.reverse_fields.size(); ++k)
        slot.reverse_fields.emplace_back(port.reverse_fields[k].read_port + element,
                                         port.reverse_fields[k].type);
    add_fields(slot, fields_);
    return value_at(std::move(slot));
}

void ProcessScope::add_port(const PortText& port) {
    if (port.shape.is_single()) {
        values_[port.name].value = port_value(port, 0);
        return;
    }
    auto family = std::make_shared<Family>();
    family->what = "port";
    family->lows = port.shape.lows();
    family->counts = port.shape.counts();
    family->element = [this, &port,
                       result = std::make_shared<std::map<std::uint64_t, BoundExpr>>()](
                          std::uint64_t flat, const Location&) {
        const auto [found, fresh] = result->try_emplace(flat);
        if (fresh)
            found->second = port_value(port, static_cast<std::uint32_t>(flat));
        return found->second;
    };
    BoundExpr value{Form::family, std::move(family)};
    values_[port.name].value = std::move(value);
}

void ProcessScope::add_state(const StateText& state) {
    if (state.is_memory) {
        BoundExpr value{Form::memory, std::make_shared<const MemoryRef>(
                                          MemoryRef{state.memory, state.type, state.dimensions})};
        values_[state.name].value = std::move(value);
        return;
    }
    SlotRef slot{state.read_port, state.type, false, state.name, state.declared};
    add_fields(slot, fields_);
    values_[state.name].value = value_at(std::move(slot));
}

const BoundExpr* ProcessScope::find(const std::string& name) {
    if (const auto known = values_.find(name); known != values_.end()) {
        known->second.is_used = known->second.is_used || !elaborator_->is_trial();
        return &known->second.value;
    }
    const auto let = lets_.find(name);
    if (let == lets_.end())
        return outer_.find(name);
    static const BoundExpr unknown;
    if (elaborator_->is_trial()) // its errors would be lost
        return &unknown;
    if (!open_lets_.insert(name).second) {
        std::string chain;
        for (const std::string& open : open_lets_)
            chain += fmt::format("{}'{}'", chain.empty() ? "" : ", ", open);
        diagnostics_.add(Code::let_loop, let->second->declared,
                         fmt::format("these lets need each other in one cycle: {}; a state breaks "
                                     "the loop",
                                     chain));
        return &(values_[name] = {{}, true}).value;
    }
    BoundExpr value = let_value(*let->second, *elaborator_);
    open_lets_.erase(name);
    return &(values_[name] = {std::move(value), true}).value;
}

void ProcessScope::names(std::vector<std::string>& into) const {
    for (const auto& [name, value] : values_)
        into.push_back(name);
    for (const auto& [name, let] : lets_)
        into.push_back(name);
    outer_.names(into);
}

std::string ProcessScope::why_no_value(const std::string& name, std::string_view section) const {
    const std::string kind = outer_.kind_of(name);
    return is_bus(kind) ? fmt::format("'{}' is {}, but '{}' does not list it under '{}'", name,
                                      kind, text_.name, section)
                        : std::string{};
}

} // namespace sme::expr
