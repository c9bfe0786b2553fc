// SPDX-License-Identifier: Apache-2.0
#include "export/modules/scope_signals.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "export/modules/connection.hpp"
#include "export/modules/hdl_value.hpp"
#include "export/modules/top.hpp"

namespace sme::hdl {

ScopeSignals::ScopeSignals(const expr::ModuleView& scope, std::uint64_t instance, bool is_network,
                           Export& all, ModuleText& module)
    : scope_{scope}, instance_{instance},
      is_network_{is_network}, all_{all}, graph_{all.graph}, module_{module} {
    for (const expr::BusView* view : scope.views)
        add_view(*view);
    for (std::size_t k = 0; k < signals_.size(); ++k)
        for (std::uint64_t place = 0; place < signals_[k].count; ++place)
            carriers_[{signals_[k].element(instance_, place), signals_[k].field}].emplace_back(
                k, place);
}

rtl::Items ScopeSignals::delay_lines() {
    rtl::Items result;
    for (const Signal& signal : signals_)
        append(result, delay_line(signal));
    return result;
}

void ScopeSignals::add_view(const expr::BusView& view) {
    const Signal::Role role = view.use == expr::BusView::Use::own     ? Signal::Role::own
                              : view.use == expr::BusView::Use::input ? Signal::Role::input
                                                                      : Signal::Role::output;
    const std::uint64_t family = graph_.family_of(view.element(instance_, 0)).first;
    const bool fed = is_network_ && all_.fed.count(family) > 0;
    const bool shown = is_network_ && all_.shown.count(family) > 0;
    const auto add = [&](const std::string& name, const TypeRef& type, int field, int back) {
        Signal result;
        result.name = result.written = module_.names().take(fed || shown ? top_port(name) : name);
        result.type = type;
        result.width = type->width_bits();
        result.count = view.shape.count();
        result.is_signed = type->is_signed() && view.shape.is_single();
        result.role = role;
        if (back >= 0 && role != Signal::Role::own)
            result.role = role == Signal::Role::input ? Signal::Role::output : Signal::Role::input;
        if (fed)
            result.role = back >= 0 ? Signal::Role::own : Signal::Role::input;
        result.is_port = result.role != Signal::Role::own || fed || shown;
        result.field = field;
        result.back = back;
        result.view = &view;
        if (result.role == Signal::Role::own && delay_of(result) > 1)
            result.written = module_.names().take(result.name + "_written");
        signals_.push_back(std::move(result));
    };
    const std::vector<PortField> fields = port_fields(*view.type, all_.packed);
    for (const PortField& field : fields)
        add(fmt::format("{}.{}", view.name, field.name), field.type, field.field, field.back);
    if (fields.empty())
        add(view.name, view.type, -1, -1);
}

std::uint32_t ScopeSignals::delay_of(const Signal& signal) const {
    return graph_.family_of(signal.element(instance_, 0)).delay;
}

std::optional<Place> ScopeSignals::place_of(std::uint64_t element, int field, bool write) {
    const auto found = carriers_.find({element, field});
    if (found == carriers_.end())
        return std::nullopt;
    const auto rank = [&](const Signal& signal) {
        if (signal.role == Signal::Role::own)
            return 0;
        return (signal.role == Signal::Role::output) == write ? 1 : 2;
    };
    const auto best = *std::min_element(
        found->second.begin(), found->second.end(), [&](const auto& a, const auto& b) {
            return rank(signals_[a.first]) < rank(signals_[b.first]);
        });
    Signal& signal = signals_[best.first];
    std::string name = write ? signal.written : signal.name;
    if (!write && signal.role == Signal::Role::output && delay_of(signal) > 1) {
        if (signal.seen.empty())
            signal.seen = module_.names().take(signal.name + "_seen");
        name = signal.seen;
    }
    if (write)
        driven_.insert({element, field});
    return Place::all_of(name, signal.bits()).part(best.second * signal.width, signal.width);
}

rtl::Items ScopeSignals::declarations() const {
    rtl::Items result{rtl::Blank{}};
    for (const Signal& signal : signals_) {
        if (signal.role != Signal::Role::own)
            continue;
        if (!signal.is_port || !is_network_) {
            if (signal.field <= 0 && signal.back < 0)
                add_comments(result, comments_above(signal.view->declared));
            result.emplace_back(rtl::Net{{signal.name, signal.bits(), signal.is_signed, false},
                                         signal.is_reg,
                                         0,
                                         {},
                                         comment_behind(signal.view->declared)});
        }
        if (signal.written != signal.name)
            result.emplace_back(
                rtl::Net{{signal.written, signal.bits(), false, false}, false, 0, {}});
    }
    return result.size() == 1 ? rtl::Items{} : result;
}

rtl::Module ScopeSignals::head(WrittenModule& result,
                               std::vector<rtl::Parameter> parameters) const {
    rtl::Module module;
    module.parameters = std::move(parameters);
    for (const std::string& name : clock_port_names(scope_))
        module.ports.push_back({{name, 1, false, false}});
    const auto add = [&](const Signal& signal, bool output, bool seen) {
        ModulePort port;
        port.name = seen ? signal.seen : signal.name;
        port.output = output;
        port.seen = seen;
        port.width = signal.width;
        port.count = signal.count;
        port.lows = signal.view->shape.lows();
        port.counts = signal.view->shape.counts();
        port.field = signal.field;
        port.back = signal.back;
        port.port = signal.view->name;
        result.ports.push_back(port);
        const bool is_first = signal.field <= 0 && signal.back < 0 && !seen;
        module.ports.push_back(
            {{port.name, signal.bits(), signal.is_signed, false},
             output,
             signal.is_reg && output,
             notes_of(port.name, is_first ? signal.view->declared : Location{}, *signal.type)});
    };
    for (const Signal& signal : signals_)
        if (signal.is_port)
            add(signal, signal.role != Signal::Role::input, false);
    for (const Signal& signal : signals_)
        if (!signal.seen.empty())
            add(signal, false, true);
    return module;
}

rtl::Items ScopeSignals::delay_line(const Signal& signal) {
    const BusFamily& family = graph_.family_of(signal.element(instance_, 0));
    const std::uint64_t delay =
        signal.role == Signal::Role::own ? graph_.cycles_of_delay(family) : 0;
    if (delay <= 1 || signal.written == signal.name)
        return {};
    Words begin((signal.bits() + 63) / 64);
    for (std::uint64_t place = 0; place < signal.count; ++place)
        put_bits(begin, place * signal.width,
                 initial_bits(graph_, signal.element(instance_, place), signal.field),
                 signal.width);
    const std::uint64_t bits = signal.bits(), all = bits * (delay - 1);
    const Place line = Place::all_of(module_.names().take(signal.name + "_line"), all);
    const ExprRef written = rtl::at(Place::all_of(signal.written, bits));
    const ExprRef next =
        delay == 2 ? written : rtl::joined({rtl::at(line.part(0, all - bits)), written});
    const auto takes = [&](const ExprRef& value) {
        return rtl::Statements{rtl::Statement::assign(line, value, true)};
    };
    const ClockPorts clocked = clock_ports(scope_, family.domain);
    rtl::Process block;
    block.clock = clocked.clock;
    block.bare = true;
    block.body.push_back(
        rtl::Statement::chain({{rtl::at(Place::all_of(clocked.reset, 1)),
                                {},
                                false,
                                takes(rtl::repeated(delay - 1, rtl::literal(begin, bits)))},
                               {nullptr, {}, false, takes(next)}}));
    return {rtl::Blank{},
            rtl::Comment{
                fmt::format("the delay of {} cycles: one in the register that is written, {} here",
                            delay, delay - 1)},
            rtl::Net{{line.name, all, false, false}, true, 0, {}}, std::move(block),
            rtl::Assign{Place::all_of(signal.name, bits, signal.is_signed),
                        rtl::at(line.part(all - bits, bits))}};
}

rtl::Items ScopeSignals::tie_off() const {
    rtl::Items result;
    for (const Signal& signal : signals_) {
        if (signal.role == Signal::Role::input)
            continue;
        for (std::uint64_t place = 0; place < signal.count; ++place) {
            const std::uint64_t element = signal.element(instance_, place);
            if (driven_.count({element, signal.field}) > 0 ||
                (signal.role == Signal::Role::output && is_copy(element, signal)))
                continue;
            if (result.empty())
                result.emplace_back(rtl::Blank{});
            const bool is_signed = signal.is_signed && signal.written == signal.name;
            result.emplace_back(rtl::Assign{Place::all_of(signal.written, signal.bits(), is_signed)
                                                .part(place * signal.width, signal.width),
                                            rtl::zero(signal.width), "no process writes it"});
        }
    }
    return result;
}

/// Tests for an output bound to a bus that another output also carries.
bool ScopeSignals::is_copy(std::uint64_t element, const Signal& signal) const {
    return carriers_.at({element, signal.field}).size() > 1;
}

} // namespace sme::hdl
