// SPDX-License-Identifier: Apache-2.0
#include "debug/session.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "debug/values.hpp"

namespace sme::debug {

namespace {

std::string failure_of(const expr::Check& check, const interpret::Verdict& verdict) {
    std::string text = fmt::format(
        "the check '{}'{} failed", check.text,
        check.owner.empty() ? "" : fmt::format(" of '{}'", check.owner_of(verdict.instance)));
    for (const interpret::Shown& operand : verdict.operands)
        text += fmt::format("{} {} = {}", &operand == verdict.operands.data() ? ":" : ",",
                            operand.text, operand.value);
    return text;
}

void add_line_to(std::string& text, const std::string& line) {
    text += (text.empty() ? "" : "\n") + line;
}

} // namespace

Stop Session::ended() const {
    Stop stop{machine_.ending(), 0, {}};
    switch (*stop.end) {
    case RunEnd::faulted:
        for (const Diagnostic& fault : machine_.faults())
            add_line_to(stop.text,
                        fmt::format("{}{}{}", fault.message, fault.where.known() ? ", at " : "",
                                    describe(fault.where)));
        break;
    case RunEnd::check_failed:
        if (const interpret::Verdicts* const verdicts = machine_.verdicts())
            for (std::size_t k = 0; k < verdicts->size(); ++k)
                if ((*verdicts)[k].kind == CheckResult::Kind::failed)
                    add_line_to(stop.text, failure_of(machine_.loaded().design.checks->checks[k],
                                                      (*verdicts)[k]));
        for (const std::string& difference : machine_.differences())
            add_line_to(stop.text, difference);
        break;
    case RunEnd::halted: stop.text = "the network ended the run"; break;
    default: stop.text = fmt::format("all {} cycles have run", machine_.ran());
    }
    return stop;
}

/// True if an instance ran the line and its condition holds; records the first such instance.
bool Session::meets_line(Breakpoint& breakpoint) const {
    breakpoint.met.reset();
    for (const ProcessPlace& place : machine_.ran_in(breakpoint.line)) {
        const ProbeValue* const value =
            machine_.evaluated({breakpoint.condition.text, place.family, place.instance});
        if (breakpoint.condition.text.empty() || (value && value->is_true()))
            breakpoint.met = place;
        if (breakpoint.met)
            return true;
    }
    return false;
}

bool Session::has_changed(Breakpoint& breakpoint) const {
    const NamedValue& watched = breakpoint.watched;
    std::vector<std::byte> now;
    if (const std::byte* const slot = machine_.now(watched.element))
        now.assign(slot + watched.offset, slot + watched.offset + watched.type->size());
    const bool changed = !breakpoint.before.empty() && !now.empty() && now != breakpoint.before;
    breakpoint.before = std::move(now);
    return changed;
}

bool Session::meets(Breakpoint& breakpoint) {
    if (breakpoint.kind == Breakpoint::Kind::line)
        return meets_line(breakpoint);
    if (breakpoint.kind == Breakpoint::Kind::change)
        return has_changed(breakpoint);
    Diagnostics none;
    const ProbeValue* const value = machine_.evaluate(breakpoint.condition, none);
    return value && value->is_true();
}

/// Returns the first breakpoint that the shown cycle meets; updates all watched values.
std::optional<unsigned> Session::hit() {
    std::optional<unsigned> found;
    for (Breakpoint& each : breakpoints_)
        if (meets(each) && !found) {
            found = each.number;
            ++each.stops;
        }
    return found;
}

/// Call after the shown cycle was replaced: later cycles are compared with its values.
void Session::look_again() {
    for (Breakpoint& each : breakpoints_)
        each.before.clear();
    const std::vector<Breakpoint> before = breakpoints_;
    hit();
    for (std::size_t k = 0; k < before.size(); ++k)
        breakpoints_[k].stops = before[k].stops;
}

Stop Session::run(std::optional<std::uint64_t> cycles, const std::atomic<bool>& interrupt) {
    for (std::uint64_t k = 0; !cycles || k < *cycles; ++k) {
        if (interrupt)
            return {RunEnd::stopped, 0, "interrupted"};
        if ((most_ && machine_.ran() >= *most_) || !machine_.step())
            return ended();
        const std::optional<unsigned> number = hit();
        if (machine_.ending() != RunEnd::completed)
            return ended();
        if (number) {
            const auto& found = *std::find_if(breakpoints_.begin(), breakpoints_.end(),
                                              [&](const auto& b) { return b.number == *number; });
            std::string text = fmt::format("breakpoint {}: {}", *number, found.text);
            if (found.met && found.places.size() > 1)
                text += " in " + shown_name(graph(), *found.met);
            return {std::nullopt, *number, std::move(text)};
        }
    }
    return {};
}

std::optional<Stop> Session::run_until(const yaml::ProbeText& condition,
                                       const std::atomic<bool>& interrupt,
                                       Diagnostics& diagnostics) {
    const unsigned number = add_condition(condition, diagnostics);
    if (number == 0)
        return std::nullopt;
    --last_number_;
    Stop stop = run(std::nullopt, interrupt);
    remove(number);
    if (stop.breakpoint == number)
        stop = {std::nullopt, 0, condition.text};
    return stop;
}

Stop Session::go_to(std::optional<std::uint64_t> cycle, const std::atomic<bool>& interrupt) {
    const std::uint64_t wanted = cycle ? *cycle + 1 : 0;
    const std::uint64_t ran = most_ ? std::min(wanted, *most_) : wanted;
    machine_.go_to(ran, &interrupt);
    look_again();
    if (machine_.ran() < ran && machine_.ending() == RunEnd::completed)
        return {RunEnd::stopped, 0, "interrupted"};
    if (machine_.ending() != RunEnd::completed || ran < wanted)
        return ended();
    return {};
}

bool Session::is_condition(const yaml::ProbeText& text, Diagnostics& diagnostics) {
    const ProbeValue* const value = machine_.evaluate(text, diagnostics);
    if (!value)
        return false;
    if (value->type->kind() == TypeKind::boolean)
        return true;
    diagnostics.add(
        Code::type_mismatch, {},
        fmt::format("a condition is a bool, but '{}' is {}", text.text, value->type->name()));
    return false;
}

unsigned Session::add(Breakpoint breakpoint) {
    breakpoint.number = ++last_number_;
    breakpoints_.push_back(std::move(breakpoint));
    return last_number_;
}

unsigned Session::add_condition(const yaml::ProbeText& condition, Diagnostics& diagnostics) {
    if (!is_condition(condition, diagnostics))
        return 0;
    std::string text = condition.text;
    if (condition.family)
        text += fmt::format(" of {}",
                            graph().processes[*condition.family].instance_name(condition.instance));
    return add({0, Breakpoint::Kind::condition, text, condition});
}

/// The only file that ends with this name, such as "std/fifo.yaml"; otherwise the name unchanged.
std::string Session::whole_name(const std::string& file) const {
    std::vector<std::string> found;
    for (const std::string& path : machine_.files_of_lines())
        if (path.ends_with("/" + file))
            found.push_back(path);
    return found.size() == 1 ? found[0] : file;
}

unsigned Session::add_line(const std::string& file, std::uint32_t line,
                           const std::string& condition, Diagnostics& diagnostics,
                           std::string& problem) {
    constexpr std::size_t max_conditions = 10'000;
    Breakpoint result{0, Breakpoint::Kind::line, {}, {condition}};
    result.line = {file.empty() ? path_ : file, line};
    result.places = machine_.places_of(result.line);
    if (result.places.empty()) {
        result.line.path = whole_name(result.line.path);
        result.places = machine_.places_of(result.line);
    }
    result.text = fmt::format("{}:{}", result.line.path, line);
    if (result.places.empty())
        problem = fmt::format("{} is no line of a step or a let of a process", result.text);
    else if (!condition.empty() && result.places.size() > max_conditions)
        problem = fmt::format("{} is a line of {} processes, and a condition is looked at in {} at "
                              "most; leave it out, or stop at a condition of one process",
                              result.text, result.places.size(), max_conditions);
    else if (condition.empty() || add_line_condition(result, diagnostics)) {
        const unsigned number = add(std::move(result));
        follow_lines();
        return number;
    }
    return 0;
}

/// A condition must be valid in the process of one instance; instances in which it is invalid, such
/// as of components with other parameters, never meet it. Tries all instances together, in one
/// load.
bool Session::add_line_condition(Breakpoint& breakpoint, Diagnostics& diagnostics) {
    std::map<std::uint32_t, std::vector<yaml::ProbeText>> of_family;
    std::vector<yaml::ProbeText> all;
    for (const ProcessPlace& place : breakpoint.places) {
        all.push_back({breakpoint.condition.text, place.family, place.instance});
        of_family[place.family].push_back(all.back());
    }
    Diagnostics of_some;
    const bool all_right = machine_.evaluate_all(all, of_some);
    Diagnostics first;
    bool any = false;
    for (const auto& [family, texts] : of_family) {
        Diagnostics own;
        if (is_condition(texts[0], own) && (all_right || machine_.evaluate_all(texts, own)))
            any = true;
        else if (!first.has_errors())
            first = own;
    }
    if (!any)
        diagnostics = first;
    breakpoint.text += " if " + breakpoint.condition.text;
    return any;
}

void Session::follow_lines() {
    std::vector<TextLine> lines;
    for (const Breakpoint& each : breakpoints_)
        if (each.kind == Breakpoint::Kind::line)
            lines.push_back(each.line);
    machine_.follow(lines);
}

unsigned Session::add_change(const std::string& name, std::string& problem) {
    try {
        Breakpoint result{0, Breakpoint::Kind::change, "change of " + name};
        result.watched = value_named(graph(), name);
        if (const std::byte* const slot = machine_.now(result.watched.element))
            result.before.assign(slot + result.watched.offset,
                                 slot + result.watched.offset + result.watched.type->size());
        return add(std::move(result));
    } catch (const NetworkError& error) {
        problem = error.what();
        return 0;
    }
}

bool Session::remove(unsigned number) {
    const std::size_t before = breakpoints_.size();
    std::erase_if(breakpoints_, [&](const Breakpoint& each) { return each.number == number; });
    follow_lines();
    forget_some();
    return breakpoints_.size() < before;
}

/// Drops old expressions, because each costs time in every cycle.
void Session::forget_some() {
    constexpr std::size_t max_looked_at = 8;
    if (looked_at_.size() > max_looked_at)
        looked_at_.erase(looked_at_.begin());
    std::vector<yaml::ProbeText> kept = looked_at_;
    for (const Breakpoint& each : breakpoints_)
        if (each.kind == Breakpoint::Kind::condition)
            kept.push_back(each.condition);
        else if (!each.condition.text.empty())
            for (const ProcessPlace& place : each.places)
                kept.push_back({each.condition.text, place.family, place.instance});
    machine_.keep_only(kept);
}

const ProbeValue* Session::evaluate(const yaml::ProbeText& text, Diagnostics& diagnostics) {
    if (!machine_.evaluate(text, diagnostics))
        return nullptr;
    std::erase_if(looked_at_, [&](const yaml::ProbeText& other) {
        return other.text == text.text && other.family == text.family &&
               other.instance == text.instance;
    });
    looked_at_.push_back(text);
    forget_some();
    return machine_.evaluate(text, diagnostics);
}

std::string Session::set(const std::string& name, const std::string& expression,
                         Diagnostics& diagnostics) {
    Change change;
    TypeRef type;
    if (const auto value = find_value(graph(), name)) {
        const BusFamily& bus = graph().family_of(value->element);
        if (bus.wire())
            return fmt::format("'{}' is a wire, which is computed anew in every cycle; change what "
                               "it is computed from",
                               name);
        if (bus.traced)
            return fmt::format("'{}' lies inside a Verilog module, which keeps it", name);
        change.element = value->element;
        change.offset = value->offset;
        type = value->type;
    } else if (const auto place = find_memory(graph(), name)) {
        if (place->whole)
            return fmt::format("'{}' is a memory; write an index after it", name);
        change.family = place->process.family;
        change.instance = place->process.instance;
        change.memory = place->memory;
        change.offset = place->offset;
        type = place->type;
    } else {
        std::string problem;
        try {
            value_named(graph(), name);
        } catch (const NetworkError& error) {
            problem = error.what();
        }
        return problem;
    }
    if (machine_.ending() == RunEnd::faulted)
        return "a process faulted in this cycle; go back before it";
    const bool is_before = machine_.ran() == 0; // uses the first cycle's values
    if (is_before)
        machine_.go_to(1);
    const ProbeValue* const found = evaluate({expression}, diagnostics);
    const ProbeValue value = found ? *found : ProbeValue{};
    if (is_before)
        machine_.go_to(0);
    if (value.slot.empty())
        return value.problem;
    const auto bytes = converted(value, *type);
    if (!bytes)
        return fmt::format("'{}' is {}, which does not hold {}", name, type->name(),
                           text_of(*value.type, value.slot.data()));
    change.bytes = *bytes;
    machine_.change(std::move(change));
    look_again();
    return {};
}

std::optional<TextPlace> Session::place_of(const Stop& stop) const {
    if (stop.end == RunEnd::faulted && !machine_.faults().empty()) {
        const Location where = machine_.faults().front().where;
        return where.source ? std::optional{TextPlace{where, machine_.first_faulted()}}
                            : std::nullopt;
    }
    for (const Breakpoint& each : breakpoints_)
        if (each.number == stop.breakpoint && each.met)
            if (const auto where = machine_.location_of(each.line))
                return TextPlace{*where, each.met};
    return std::nullopt;
}

} // namespace sme::debug
