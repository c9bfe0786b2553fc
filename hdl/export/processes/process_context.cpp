// SPDX-License-Identifier: Apache-2.0
#include "export/processes/process_context.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "export/modules/connection.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

ExprRef Variable::constant(const Words& value, ModuleText& module) const {
    if (type->kind() == TypeKind::enumeration && count == 1)
        return module.member(*type, value[0]);
    return rtl::literal(value, bits(), type->is_signed() && count == 1);
}

ProcessContext::ProcessContext(const expr::ProcessView& text, const expr::BoundProcess& bound,
                               ModuleText& module,
                               const std::function<bool(const expr::PortText&)>& delayed,
                               const std::set<const expr::StateText*>& memories, bool packed)
    : text_{text}, bound_{bound}, module_{module}, delayed_{delayed}, packed_{packed}, translator_{
                                                                                           *this} {
    for (const expr::PortText& port : text.inputs)
        add_input(port);
    for (const expr::PortText& port : text.outputs)
        if (port.reverse_of.empty()) // a reverse port is added with its bundle
            add_output(port);
    for (const expr::StateText& state : text.states)
        add_state(state, memories.count(&state) > 0);
    add_indices();
    for (const expr::LetText& let : text.lets) // their wires are declared after functions
        module.names().reserve(let.name);
}

void ProcessContext::add_indices() {
    for (std::size_t d = 0; d < text_.shape.dimensions.size(); ++d) {
        index_names_.push_back(text_.shape.dimensions[d].index.empty()
                                   ? ""
                                   : module_.names().take(text_.shape.dimensions[d].index));
        if (text_.shape.dimensions[d].index.empty())
            continue;
        indices_[text_.shape.dimensions[d].index] = d;
        const Integer low = text_.shape.dimensions[d].low;
        const Integer high = low + static_cast<Integer>(text_.shape.dimensions[d].count) - 1;
        const TypeRef type = type_between(low, high);
        terms_[text_.shape.dimensions[d].index] =
            low == high
                ? HdlValue::number_of(low)
                : HdlValue::between(
                      HdlValue::at(type,
                                   Place::integer(index_names_[d]).part(0, type->width_bits())),
                      low, high);
    }
}

HdlValue ProcessContext::whole_of(const expr::PortText& port, const TypeRef& type,
                                  std::vector<HdlValue> parts) {
    const bool is_one = parts.size() == 1 && parts[0].type == type;
    if (port.shape.is_single())
        return is_one ? std::move(parts[0]) : HdlValue::of_parts(type, std::move(parts));
    HdlValue result;
    result.kind = HdlValue::Kind::ports;
    result.type = type;
    result.lows = port.shape.lows();
    result.counts = port.shape.counts();
    result.parts = std::move(parts);
    return result;
}

HdlValue ProcessContext::add_port(const expr::PortText& port, const std::string& name,
                                  const TypeRef& type, bool output, int field,
                                  std::uint32_t graph_port) {
    const std::string own = module_.names().take(name);
    ModulePort result;
    result.name = own;
    result.output = output;
    result.width = type->width_bits();
    result.count = port.count();
    result.is_signed = port.shape.is_single() && type->is_signed();
    result.lows = port.shape.lows();
    result.counts = port.shape.counts();
    result.field = field;
    result.graph_port = graph_port;
    const bool is_first = ports_.empty() || ports_.back().port != port.name;
    result.notes = notes_of(own, is_first ? port.declared : Location{}, *type);
    result.port = port.name;
    ports_.push_back(result);
    Place all = Place::all_of(own, result.width * result.count, result.is_signed);
    all.width = port.shape.is_single() ? result.width : all.total;
    return HdlValue::at(type, std::move(all));
}

void ProcessContext::add_input(const expr::PortText& port) {
    const TypeRef& type = port.bundle ? port.bundle : port.type;
    std::vector<HdlValue> reads, writes;
    for (const PortField& field : port_fields(*type, packed_)) {
        const std::string name = fmt::format("{}.{}", port.name, field.name);
        if (field.back < 0) {
            reads.push_back(add_port(port, name, field.type, false, field.field, port.read_port));
            writes.emplace_back();
            continue;
        }
        const auto own =
            std::find_if(text_.outputs.begin(), text_.outputs.end(),
                         [&](const expr::PortText& each) { return each.name == name; });
        reads.push_back(add_port(port, name, field.type, true, -1, own->write_port));
        writes.push_back(reads.back());
        variables_.push_back({reads.back().place->name, field.type, port.count(), &*own, nullptr,
                              -1, true, false, port.declared});
    }
    if (reads.empty())
        reads.push_back(add_port(port, port.name, type, false, -1, port.read_port));
    terms_[port.name] = whole_of(port, type, std::move(reads));
    if (port.bundle)
        targets_[port.name] = whole_of(port, type, std::move(writes));
}

void ProcessContext::add_output(const expr::PortText& port) {
    const TypeRef& type = port.bundle ? port.bundle : port.type;
    std::vector<HdlValue> reads, writes;
    const auto add = [&](const std::string& name, const TypeRef& part, int field) {
        reads.push_back(add_port(port, name, part, true, field, port.write_port));
        writes.push_back(reads.back());
        variables_.push_back({reads.back().place->name, part, port.count(), &port, nullptr, field,
                              port.wire, false, port.declared});
    };
    for (const PortField& field : port_fields(*type, packed_)) {
        const std::string name = fmt::format("{}.{}", port.name, field.name);
        if (field.back < 0) {
            add(name, field.type, field.field);
            continue;
        }
        const expr::ReverseField& back = port.reverse_fields[static_cast<std::size_t>(field.back)];
        reads.push_back(add_port(port, name, field.type, false, -1, back.read_port));
        writes.emplace_back();
    }
    if (reads.empty())
        add(port.name, type, -1);
    terms_[port.name] = whole_of(port, type, std::move(reads));
    targets_[port.name] = whole_of(port, type, std::move(writes));
}

HdlValue ProcessContext::add_seen(const expr::PortText& port) {
    std::vector<HdlValue> reads;
    const auto add = [&](const std::string& name, const TypeRef& type, int field) {
        reads.push_back(add_port(port, name + "_seen", type, false, field, port.read_port));
        ports_.back().seen = true;
    };
    for (const PortField& field : port_fields(*port.type, packed_))
        add(fmt::format("{}.{}", port.name, field.name), field.type, field.field);
    if (reads.empty())
        add(port.name, port.type, -1);
    return whole_of(port, port.type, std::move(reads));
}

void ProcessContext::add_state(const expr::StateText& state, bool is_memory) {
    const std::string own = module_.names().take(state.name);
    TypeRef type = state.type;
    for (std::size_t d = is_memory ? 0 : state.dimensions.size(); d-- > 0;)
        type = Type::array(type, state.dimensions[d]);
    HdlValue term = identifier(own, type);
    if (is_memory) {
        term = HdlValue{};
        term.kind = HdlValue::Kind::memory;
        term.memory = &state;
        term.name = own;
        term.type = state.type;
    }
    variables_.push_back({own, type, 1, nullptr, &state, -1, false, is_memory, state.declared});
    terms_[state.name] = targets_[state.name] = term;
}

std::optional<HdlValue> ProcessContext::find(const std::string& name) {
    if (const auto index = indices_.find(name); index != indices_.end())
        used_indices_.insert(index->second);
    if (const auto known = terms_.find(name); known != terms_.end()) {
        const auto port =
            std::find_if(text_.outputs.begin(), text_.outputs.end(),
                         [&](const expr::PortText& each) { return each.name == name; });
        if (port == text_.outputs.end() || port->bundle || port->wire || !delayed_(*port))
            return known->second;
        const auto [seen, fresh] = seen_.try_emplace(name);
        if (fresh)
            seen->second = add_seen(*port);
        return seen->second;
    }
    const auto let = std::find_if(text_.lets.begin(), text_.lets.end(),
                                  [&](const expr::LetText& each) { return each.name == name; });
    if (let == text_.lets.end())
        return std::nullopt;
    return terms_[name] = add_let(*let);
}

/// Returns the net of the last added signal if it has this name, else null.
static rtl::Net* last_net(rtl::Item& item, const std::string& name) {
    rtl::Net* found = std::get_if<rtl::Net>(&item);
    if (auto* elements = std::get_if<rtl::Elements>(&item))
        found = &elements->whole;
    return found && found->what.name == name ? found : nullptr;
}

bool ProcessContext::has_named(const expr::LetText& text, const std::string& name) {
    for (auto item = wires_.end(); item != wires_.begin();) {
        --item;
        if (rtl::Net* const own = last_net(*item, name)) {
            own->behind = comment_behind(text.declared);
            rtl::Items comments;
            add_comments(comments, comments_above(text.declared));
            wires_.insert(item, comments.begin(), comments.end());
            return true;
        }
        if (!std::holds_alternative<rtl::Process>(*item)) // the block that assigns it
            break;
    }
    return false;
}

bool ProcessContext::changes(const ExprRef& value) const {
    bool found = false;
    each_place(value, [&](const Place& place) { found = found || changes(place); });
    return found;
}

bool ProcessContext::changes(const Place& place) const {
    return waking_.count(place.name) > 0 ||
           std::any_of(variables_.begin(), variables_.end(), [&](const Variable& each) {
               return !each.wire && !each.is_memory && each.name == place.name;
           });
}

void ProcessContext::add(rtl::Net variable, rtl::Statements statements) {
    const rtl::Declared& what = variable.what;
    const Place whole = Place::all_of(what.name, what.width, what.is_signed);
    rtl::Process block{rtl::Process::Kind::settling, {}};
    block.sets = what.name;
    bool is_woken = false;
    each_read(statements, [&](const Place& place) { is_woken = is_woken || changes(place); });
    if (is_woken)
        waking_.insert(what.name);
    else
        block.body.push_back(rtl::Statement::of(
            rtl::Statement::Kind::wake,
            {rtl::Statement::assign(whole, rtl::literal(Words{0}, what.width), false)}));
    append(block.body, std::move(statements));
    wires_.emplace_back(std::move(variable));
    wires_.emplace_back(std::move(block));
}

/// Declares a wire with this name; known numbers stay numbers.
HdlValue ProcessContext::add_let(const expr::LetText& text) {
    const expr::BoundExpr& bound = *let(text.name);
    translator_.name_next(text.name);
    HdlValue value = translator_.let_value(bound);
    translator_.name_next({});
    const auto kind = bound.kind;
    if (value.place && value.place->whole() &&
        (kind == expr::BoundExpr::Kind::array || kind == expr::BoundExpr::Kind::match) &&
        has_named(text, value.place->name))
        return value;
    if (value.known() && value.name.empty())
        value.name = text.name;
    if (value.known() || !value.type || value.kind == HdlValue::Kind::constants)
        return value;
    const std::string own = module_.names().take(text.name);
    add_comments(wires_, comments_above(text.declared));
    if (changes(Translator::code(value)))
        waking_.insert(own);
    wires_.emplace_back(rtl::Net{declared(own, *value.type), false, 0, Translator::code(value),
                                 comment_behind(text.declared)});
    HdlValue result = identifier(own, value.type);
    return value.kind == HdlValue::Kind::exact ? HdlValue::between(result, value.low, value.high)
                                               : result;
}

std::string ProcessContext::keep(const std::string& hint, const Type& type, const ExprRef& value,
                                 bool moves) {
    if (moves) {
        if (const auto known = loops_.kept(value))
            return *known;
        std::string own =
            loops_.in_elements() ? module_.names().take(hint + "_1") : variable(hint + "_1", &type);
        loops_.keep(own, type, value);
        return own;
    }
    std::string& name = kept_[fmt::format("{}{} {}", type.is_signed() ? "signed " : "",
                                          type.width_bits(), rtl::verilog(value))];
    if (name.empty()) {
        name = module_.names().take(hint + "_1");
        if (changes(value))
            waking_.insert(name);
        wires_.emplace_back(rtl::Net{declared(name, type), false, 0, value});
    }
    return name;
}

std::string ProcessContext::element_index(const std::string& index) {
    std::string& name = element_indices_[index];
    if (name.empty())
        name = module_.names().take(index);
    return name;
}

std::string ProcessContext::variable(const std::string& hint, const Type* type) {
    std::string name = module_.names().take(hint);
    wires_.emplace_back(
        rtl::Net{type ? declared(name, *type) : rtl::Declared{name, 32, true, true}, true, 0, {}});
    return name;
}

/// Assigns in the loop if the value changes from step to step, otherwise in a block.
void ProcessContext::run(rtl::Statement start, rtl::Statements statements, bool moves) {
    if (moves) {
        loops_.add(std::move(start), std::move(statements));
        return;
    }
    rtl::Process block{rtl::Process::Kind::settling, {start}};
    block.body.push_back(rtl::Statement::of(rtl::Statement::Kind::wake, {std::move(start)}));
    append(block.body, std::move(statements));
    wires_.emplace_back(std::move(block));
}

HdlValue ProcessContext::target(const expr::BoundExpr& bound) {
    using Kind = expr::BoundExpr::Kind;
    if (bound.kind == Kind::leaf) {
        const auto known = targets_.find(bound.ast->text);
        return known == targets_.end() ? HdlValue{} : known->second;
    }
    if (bound.kind == Kind::element)
        return element_target(bound);
    const HdlValue base = target(*bound.operands[0]);
    if (bound.kind == Kind::field)
        return translator_.field(base, bound.ast->text);
    return base.is_none()
               ? HdlValue{}
               : translator_.slice(base, static_cast<std::uint64_t>(bound.operands[1]->low),
                                   static_cast<std::uint64_t>(bound.operands[2]->low));
}

HdlValue ProcessContext::element_target(const expr::BoundExpr& bound) {
    std::vector<const expr::BoundExpr*> brackets;
    const expr::BoundExpr* base = &bound;
    for (; base->kind == expr::BoundExpr::Kind::element; base = base->operands[0].get())
        brackets.push_back(base);
    const HdlValue whole = target(*base);
    std::vector<HdlValue> indices;
    for (std::size_t b = brackets.size(); b-- > 0;)
        for (std::size_t k = 1; k < brackets[b]->operands.size(); ++k)
            indices.push_back(translator_.value(*brackets[b]->operands[k]));
    const HdlValue found = translator_.target_element(whole, indices);
    return found.kind == HdlValue::Kind::memory ? translator_.row(found) : found;
}

} // namespace sme::hdl
