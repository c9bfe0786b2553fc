// SPDX-License-Identifier: Apache-2.0
#include "yaml/observe/observer_scope.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/process_scope.hpp"
#include "expr/typing/rhs_value.hpp"
#include "yaml/observe/module_insides.hpp"

namespace sme::yaml {

using expr::BoundExpr;

BoundExpr family_of(const char* what, const Shape& shape,
                    std::function<BoundExpr(std::uint64_t flat)> element,
                    Diagnostics& diagnostics) {
    auto family = std::make_shared<expr::Family>();
    family->what = what;
    family->lows = shape.lows();
    family->counts = shape.counts();
    family->element = [shape, element = std::move(element), &diagnostics](std::uint64_t at,
                                                                          const Location& where) {
        if (const std::optional<std::uint64_t> flat = shape.member(at))
            return element(*flat);
        diagnostics.add(Code::bad_index, where, "'where' drops this member of the family");
        return BoundExpr{};
    };
    return {expr::Form::family, std::move(family)};
}

const BoundExpr* ObserverScope::find(const std::string& name) {
    if (const auto known = values_.find(name); known != values_.end())
        return &known->second;
    if (refused_ && (name == "cycle" ||
                     (context_.members.count(name) > 0 && context_.buses.count(name) == 0))) {
        refused_->push_back(name);
        return &(values_[name] = {});
    }
    if (name == "cycle")
        return &(
            values_[name] = BoundExpr::between(
                ports_.builder().leaf(
                    {expr::Op::cycle, {64, false}, expr::no_node, expr::no_node, expr::no_node, 0}),
                0, Integer{1} << 62));
    if (process_)
        if (std::optional<BoundExpr> found = local(name))
            return &(values_[name] = std::move(*found));
    if (const auto found = context_.buses.find(name); found != context_.buses.end())
        return &(values_[name] = bus(found->second, instances_));
    if (const auto found = context_.members.find(name); found != context_.members.end())
        return &(values_[name] = member(found->second, instances_));
    return context_.scope.find(name);
}

void ObserverScope::names(std::vector<std::string>& into) const {
    context_.scope.names(into);
    for (const auto& [name, view] : context_.buses)
        into.push_back(name);
    if (refused_)
        return;
    for (const auto& [name, member] : context_.members)
        into.push_back(name);
    into.emplace_back("cycle");
    if (!process_)
        return;
    for (const expr::StateText& state : process_->process->states)
        into.push_back(state.name);
    for (const expr::LetText& let : process_->process->lets)
        into.push_back(let.name);
}

BoundExpr ObserverScope::past(const BoundExpr& value, std::uint64_t cycles, const Location& where) {
    if (is_folded())
        return unfoldable();
    if (const BoundExpr* known = ports_.remembered(value, cycles))
        return *known;
    const Integer bytes = Integer{cycles} * static_cast<Integer>(value.type->size());
    if (!context_.take_memory(bytes, "what checks remember", where))
        return {};
    return ports_.remember(value, cycles, where);
}

/// Returns the map position → map(position) · factor + more.
Segments scaled(const Segments& map, std::uint64_t factor, std::uint64_t more) {
    Segments result;
    for (const Segment& run : map.runs())
        result.append(run.count,
                      run.offset * static_cast<std::int64_t>(factor) +
                          static_cast<std::int64_t>(more),
                      run.stride * static_cast<std::int64_t>(factor));
    return result;
}

/// Returns the value of the element at the position, or of the only one.
BoundExpr ObserverScope::element(const Segments& elements) {
    if (!is_folded())
        return ports_.element(static_cast<std::uint64_t>(elements.at(0)));
    std::optional<BoundExpr> value = ports_.element(elements, position_);
    return value ? *value : unfoldable();
}

BoundExpr ObserverScope::bus(const BusView& view, const Segments& instances) {
    if (view.shape.is_single())
        return bus(view, instances, 0);
    return family_of(
        "bus", view.shape,
        [this, &view, instances](std::uint64_t flat) { return bus(view, instances, flat); },
        diagnostics_);
}

BoundExpr ObserverScope::bus(const BusView& view, const Segments& instances, std::uint64_t place) {
    const Segments places = scaled(instances, view.shape.count(), place);
    BoundExpr value = element(places.then(view.elements));
    if (!view.type->is_bundle() || !value.ok())
        return value;
    std::vector<BoundExpr> reverse_fields;
    for (const BusView& back : view.reverse_fields) {
        reverse_fields.push_back(element(places.then(back.elements)));
        if (!reverse_fields.back().ok())
            return {};
    }
    return expr::bundle_value(view.type, value, reverse_fields);
}

BoundExpr ObserverScope::member(const Unit& member, const Segments& instances) {
    if (member.shape.is_single())
        return insides(member, instances);
    if (is_folded() && !member.groups.empty())
        return unfoldable();
    return family_of(
        "process", member.shape,
        [this, &member, instances](std::uint64_t flat) {
            if (is_folded())
                return insides(member, scaled(instances, member.shape.count(), flat));
            const auto [unit, number] =
                member.member(static_cast<std::uint64_t>(instances.at(0)), flat);
            return insides(*unit, one(number));
        },
        diagnostics_);
}

/// Returns the value that ".name" may follow.
BoundExpr ObserverScope::insides(const Unit& member, const Segments& number) {
    auto members = std::make_shared<expr::Members>();
    members->find = [this, &member, number](const std::string& name, const Location& where) {
        return found_inside(member, number, name, where);
    };
    return {expr::Form::members, std::move(members)};
}

BoundExpr ObserverScope::found_inside(const Unit& member, const Segments& number,
                                      const std::string& name, const Location& where) {
    if (member.verilog && member.family)
        return is_folded() ? unfoldable()
                           : ModuleInsides{context_, ports_, member,
                                           static_cast<std::uint64_t>(number.at(0))}
                                 .find(name, where);
    std::vector<std::string> names;
    if (member.process) {
        if (std::optional<BoundExpr> found = state(member, number, name))
            return *found;
        if (std::optional<BoundExpr> found = let(member, number, name))
            return *found;
        for (const expr::StateText& state : member.process->states)
            names.push_back(state.name);
        for (const expr::LetText& let : member.process->lets)
            names.push_back(let.name);
    }
    if (const Context* inside = member.context.get()) {
        if (const auto found = inside->buses.find(name); found != inside->buses.end())
            return bus(found->second, number);
        if (const auto found = inside->members.find(name); found != inside->members.end())
            return this->member(found->second, number);
        for (const auto& [other, view] : inside->buses)
            names.push_back(other);
        for (const auto& [other, process] : inside->members)
            names.push_back(other);
    }
    const bool process = !member.context || member.process;
    const auto known =
        std::find_if(context_.members.begin(), context_.members.end(), [&](const auto& each) {
            const std::vector<Unit>& groups = each.second.groups;
            return &each.second == &member ||
                   std::any_of(groups.begin(), groups.end(),
                               [&](const Unit& group) { return &group == &member; });
        });
    const std::string whose =
        known != context_.members.end() ? fmt::format("'{}'", known->first) : "here";
    diagnostics_.add(Code::unknown_name, where,
                     fmt::format("{} {} has no {} '{}'{}", process ? "process" : "instance", whose,
                                 process ? "state or let" : "bus or process", name,
                                 did_you_mean(name, names)));
    return {};
}

std::optional<BoundExpr> ObserverScope::state(const Unit& member, const Segments& number,
                                              const std::string& name) {
    const auto& states = member.process->states;
    const auto found = std::find_if(states.begin(), states.end(),
                                    [&](const auto& state) { return state.name == name; });
    if (found == states.end())
        return std::nullopt;
    if (!member.family) // broken, and reported
        return BoundExpr{};
    if (found->is_memory)
        return is_folded() ? unfoldable()
                           : ports_.memory(*member.family, found->memory,
                                           static_cast<std::uint64_t>(number.at(0)));
    const Port& port = ports_.graph().processes[*member.family].ports[found->read_port];
    return element(number.then(port.buses));
}

/// Returns the value of a let of a process, seen from outside.
std::optional<BoundExpr> ObserverScope::let(const Unit& member, const Segments& numbers,
                                            const std::string& name) {
    const auto& lets = member.process->lets;
    if (std::none_of(lets.begin(), lets.end(), [&](const auto& let) { return let.name == name; }))
        return std::nullopt;
    Context* const scope = member.context ? member.context.get() : member.scope;
    if (!member.family || !scope)
        return BoundExpr{};
    if (is_folded())
        return unfoldable();
    const auto number = static_cast<std::uint64_t>(numbers.at(0));
    std::unique_ptr<ObserverScope>& process = processes_[{*member.family, number}];
    if (!process) {
        const std::uint64_t count = ports_.graph().processes[*member.family].count;
        process = std::make_unique<ObserverScope>(*scope, number / (count / scope->around.count()),
                                                  ports_, member, number);
        process->remembers_ = remembers_;
    }
    return *process->find(name);
}

/// Returns a name inside the observed process.
std::optional<BoundExpr> ObserverScope::local(const std::string& name) {
    const expr::ProcessView& text = *process_->process;
    if (std::optional<BoundExpr> found = state(*process_, numbers_, name))
        return found;
    for (const auto* ports : {&text.inputs, &text.outputs})
        for (const expr::PortText& each : *ports)
            if (each.name == name)
                return port(each);
    for (std::size_t d = 0; d < text.shape.dimensions.size(); ++d)
        if (text.shape.dimensions[d].index == name)
            return index(d);
    for (const expr::LetText& let : text.lets)
        if (let.name == name) {
            values_[name] = {}; // broken while it is elaborated, in case it refers to itself
            return expr::let_value(let, elaborator_);
        }
    const std::size_t prefix = name.find(':') + 1; // of "at:stop"
    if (const TypeRef type = prefix > 0 ? text.find_enumeration(name.substr(0, prefix)) : nullptr)
        if (const Member* const member = type->find_member(name.substr(prefix)))
            return elaborator_.read(expr::member_named(type, member->value), {});
    if (process_->verilog && process_->family && !context_.scope.find(name))
        return is_folded() ? unfoldable()
                           : ModuleInsides{context_, ports_, *process_,
                                           static_cast<std::uint64_t>(numbers_.at(0))}
                                 .look(name);
    return std::nullopt;
}

bool ObserverScope::is_index(const std::string& name) const {
    if (!process_ || !process_->process)
        return false;
    const auto& all = process_->process->shape.dimensions;
    return std::any_of(all.begin(), all.end(),
                       [&](const Shape::Dimension& each) { return each.index == name; });
}

/// Returns the value of an index of the observed process.
BoundExpr ObserverScope::index(std::size_t dimension) {
    const Shape& shape = ports_.graph().processes[*process_->family].shape;
    if (!is_folded())
        return BoundExpr::number(
            shape.indices(static_cast<std::uint64_t>(numbers_.at(0)))[dimension]);
    if (!shape.kept.empty())
        return unfoldable();
    std::uint64_t inner = 1; // consecutive members with the same index
    for (std::size_t d = dimension + 1; d < shape.dimensions.size(); ++d)
        inner *= shape.dimensions[d].count;
    const Shape::Dimension& own = shape.dimensions[dimension];
    expr::Builder& builder = ports_.builder();
    const expr::Scalar word{64, false}, number{64, true};
    expr::NodeId at =
        builder.operation(expr::Op::divide, word, position_, builder.constant(word, inner));
    at = builder.operation(expr::Op::remainder, word, at, builder.constant(word, own.count));
    at = builder.operation(expr::Op::add, number, builder.convert(number, at),
                           builder.constant(number, static_cast<std::uint64_t>(own.low)));
    return BoundExpr::between(at, own.low, Integer{own.low} + static_cast<Integer>(own.count) - 1);
}

/// Returns the value that the observed process reads at a port.
std::optional<BoundExpr> ObserverScope::port(const expr::PortText& text) {
    const ProcessFamily& family = ports_.graph().processes[*process_->family];
    const auto read = [this, &family](std::uint32_t port) {
        return element(numbers_.then(family.ports[port].buses));
    };
    const auto member = [&text, read](std::uint64_t flat) {
        const auto at = static_cast<std::uint32_t>(flat);
        BoundExpr value = read(text.read_port + at);
        if (!text.bundle || !value.ok())
            return value;
        std::vector<BoundExpr> reverse_fields;
        for (const expr::ReverseField& back : text.reverse_fields) {
            reverse_fields.push_back(read(back.read_port + at));
            if (!reverse_fields.back().ok())
                return BoundExpr{};
        }
        return expr::bundle_value(text.bundle, value, reverse_fields);
    };
    if (text.shape.is_single())
        return member(0);
    return family_of("port", text.shape, member, diagnostics_);
}

} // namespace sme::yaml
