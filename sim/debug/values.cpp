// SPDX-License-Identifier: Apache-2.0
#include "debug/values.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "bits/scalar_text.hpp"
#include "debug/console.hpp"

namespace sme::debug {

namespace {

/// The words of a scalar, the lowest first, zero above its width.
std::vector<std::uint64_t> words_of(const Type& type, const std::byte* slot) {
    std::vector<std::uint64_t> words((type.width_bits() + 63) / 64);
    std::memcpy(words.data(), slot, std::min(type.size(), words.size() * 8));
    if (const unsigned rest = type.width_bits() % 64; rest != 0)
        words.back() &= (std::uint64_t{1} << rest) - 1;
    return words;
}

/// Formats all its bits, as digits of `bits` bits.
std::string digits(const Type& type, const std::byte* slot, unsigned bits) {
    const std::vector<std::uint64_t> words = words_of(type, slot);
    std::string text;
    for (std::uint64_t at = 0; at < type.width_bits(); at += bits) {
        const std::uint64_t digit = words[at / 64] >> at % 64 & ((1U << bits) - 1);
        text += "0123456789abcdef"[digit];
    }
    std::reverse(text.begin(), text.end());
    return (bits == 4 ? "0x" : "0b") + text;
}

/// The words of a scalar, sign-extended.
std::vector<std::uint64_t> leaves_of(const Type& type, const std::byte* slot) {
    std::vector<std::uint64_t> words = words_of(type, slot);
    if (type.is_signed()) {
        const auto used = static_cast<unsigned>((type.width_bits() - 1) % 64) + 1;
        words.back() = canonical(words.back(), used, true);
    }
    return words;
}

std::string scalar(const Type& type, const std::byte* slot, Radix radix) {
    if (radix == Radix::decimal || type.kind() == TypeKind::boolean)
        return scalar_text(type, leaves_of(type, slot).data());
    return digits(type, slot, radix == Radix::hexadecimal ? 4 : 1);
}

bool is_number(const Type& type) {
    return type.is_integer() || type.kind() == TypeKind::boolean;
}

} // namespace

std::string text_of(const Type& type, const std::byte* slot, Radix radix) {
    constexpr std::uint64_t max_elements = 32;
    if (type.is_scalar())
        return scalar(type, slot, radix);
    std::string text;
    if (type.kind() == TypeKind::structure) {
        for (const Field& field : type.fields())
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", field.name,
                                text_of(*field.type, slot + field.offset, radix));
        return "{" + text + "}";
    }
    for (std::uint64_t k = 0; k < std::min(type.count(), max_elements); ++k)
        text += (k == 0 ? "" : ", ") +
                text_of(*type.element(), slot + k * type.element()->size(), radix);
    return "[" + text + (type.count() > max_elements ? ", ...]" : "]");
}

std::optional<std::vector<std::byte>> converted(const ProbeValue& value, const Type& to) {
    if (*value.type == to)
        return value.slot;
    if (!is_number(*value.type) || !is_number(to))
        return std::nullopt;
    std::vector<std::uint64_t> words = leaves_of(*value.type, value.slot.data());
    const bool negative = value.type->is_signed() && words.back() >> 63 != 0;
    if (negative && !to.is_signed())
        return std::nullopt;
    const std::uint64_t bits = to.width_bits() - (to.is_signed() ? 1 : 0); // without the sign
    const std::uint64_t fill = negative ? ~std::uint64_t{0} : 0;
    for (std::uint64_t at = bits; at < words.size() * 64; ++at)
        if ((words[at / 64] >> at % 64 & 1) != (fill & 1))
            return std::nullopt;
    words.resize(std::max<std::size_t>((to.size() + 7) / 8, 1), fill);
    if (to.is_wide() && to.width_bits() % 64 != 0) // zero above its width
        words.back() = canonical(words.back(), static_cast<unsigned>(to.width_bits() % 64), false);
    std::vector<std::byte> result(to.size());
    std::memcpy(result.data(), words.data(), result.size()); // a signed slot is sign-extended
    return result;
}

std::string messages_of(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& found : diagnostics.all())
        if (found.severity != Severity::warning)
            text += (text.empty() ? "" : "; ") + found.message;
    return text;
}

// Commands that show values.

namespace {

constexpr std::size_t max_rows = 200;

std::string more_rows(std::size_t count) {
    return count < max_rows ? std::string{}
                            : fmt::format("  ... a pattern shows others than these {}\n", max_rows);
}

} // namespace

/// `now` and `next` may be null, as in Machine.
std::string Console::row(const std::string& name, const Type& type, const std::byte* now,
                         const std::byte* next, std::size_t name_width,
                         std::size_t type_width) const {
    std::string value = now ? text_of(type, now, radix_) : next ? std::string{} : "not computed";
    if (const std::string then = next ? text_of(type, next, radix_) : value; then != value)
        value += (value.empty() ? "-> " : " -> ") + then;
    return fmt::format("  {:<{}}  {:<{}}  {}\n", name, name_width, type.name(), type_width, value);
}

std::string Console::rows(const std::vector<std::uint64_t>& elements) const {
    std::size_t name_width = 0, type_width = 0;
    for (const std::uint64_t element : elements) {
        name_width = std::max(name_width, session_.graph().bus_name(element).size());
        type_width = std::max(type_width, session_.graph().family_of(element).type->name().size());
    }
    std::string text;
    for (const std::uint64_t element : elements)
        text += row(session_.graph().bus_name(element), *session_.graph().family_of(element).type,
                    session_.machine().now(element), session_.machine().next(element), name_width,
                    type_width);
    return text;
}

std::string Console::of_buses(const std::string& rest, bool states) {
    const std::string pattern = rest.empty() ? "*" : rest;
    const auto found = elements_fitting(session_.graph(), pattern, states, max_rows);
    if (found.empty() && (states || rest.empty()))
        return fail(fmt::format("no {} fits '{}'", states ? "state" : "bus", pattern));
    if (found.empty()) { // a state, or a part of a value
        const auto all = elements_fitting(session_.graph(), pattern, true, max_rows);
        return all.empty() ? part(rest) : rows(all) + more_rows(all.size());
    }
    return rows(found) + more_rows(found.size());
}

/// Shows a field or an element.
std::string Console::part(const std::string& name) {
    const auto value = find_value(session_.graph(), name);
    if (!value)
        return fail(fmt::format("no bus fits '{}'", name));
    const std::byte* const now = session_.machine().now(value->element);
    const std::byte* const next = session_.machine().next(value->element);
    return row(name, *value->type, now ? now + value->offset : nullptr,
               next ? next + value->offset : nullptr, name.size(), 0);
}

std::string Console::show(const std::string& rest) {
    return of_buses(rest, false);
}

std::string Console::states(const std::string& rest) {
    return of_buses(rest, true);
}

std::string Console::words(const MemoryPlace& place, const std::string& name) const {
    const Memory& memory = session_.graph().processes[place.process.family].memories[place.memory];
    const std::byte* const words =
        session_.machine().memory(place.process.family, place.memory, place.process.instance);
    if (!place.whole)
        return fmt::format("  {}  {}\n", name, text_of(*place.type, words + place.offset, radix_));
    std::string text, before;
    std::size_t same = 0;
    for (std::uint64_t k = 0; k < memory.words; ++k) { // merges equal words into one line
        const std::string now =
            text_of(*memory.element, words + k * memory.element->size(), radix_);
        const bool last = k + 1 == memory.words;
        if (k > 0 && now == before && !last) {
            ++same;
            continue;
        }
        if (same > 0)
            text += "  ...\n";
        if (std::count(text.begin(), text.end(), '\n') >= static_cast<std::ptrdiff_t>(max_rows))
            return text + more_rows(max_rows);
        text += fmt::format("  [{}]  {}\n", k, now);
        before = now;
        same = 0;
    }
    return text;
}

std::string Console::memories(const std::string& rest) {
    const Graph& graph = session_.graph();
    if (!rest.empty()) {
        const auto place = find_memory(graph, rest);
        return place ? words(*place, rest) : fail(fmt::format("there is no memory '{}'", rest));
    }
    std::string text;
    for (const ProcessFamily& family : graph.processes)
        for (const Memory& memory : family.memories)
            if (!family.observer)
                text +=
                    fmt::format("  {}.{}  {} words of {}{}\n", family.instance_name(0), memory.name,
                                memory.words, memory.element->name(),
                                family.count > 1 ? fmt::format(", in {} processes", family.count)
                                                 : std::string{});
    return text.empty() ? "no process has a memory\n" : text;
}

std::string Console::print(const std::string& rest) {
    const std::size_t of = rest.rfind(" of ");
    yaml::ProbeText text{rest};
    if (of != rest.npos) {
        const auto place = find_process(session_.graph(), rest.substr(of + 4));
        if (!place)
            return fail(fmt::format("there is no process '{}'", rest.substr(of + 4)));
        text = {rest.substr(0, of), place->family, place->instance};
    }
    Diagnostics diagnostics;
    const ProbeValue* const value = session_.evaluate(text, diagnostics);
    if (!value)
        return fail(diagnostics);
    if (value->slot.empty())
        return fail(value->problem);
    return fmt::format("  {}  {}\n", value->type->name(),
                       text_of(*value->type, value->slot.data(), radix_));
}

std::string Console::process(const std::string& rest) {
    const auto place = find_process(session_.graph(), rest);
    if (!place)
        return fail(fmt::format("there is no process '{}'", rest));
    const ProcessFamily& family = session_.graph().processes[place->family];
    std::vector<std::uint64_t> reads, writes, states;
    for (const Port& port : family.ports) {
        const auto element = static_cast<std::uint64_t>(port.buses.at(place->instance));
        const bool is_state = session_.graph().family_of(element).state;
        std::vector<std::uint64_t>& into = is_state ? states : port.output ? writes : reads;
        if ((!port.own || is_state) && std::find(into.begin(), into.end(), element) == into.end())
            into.push_back(element);
    }
    std::string text = fmt::format("{}, declared at {}\n", rest,
                                   describe(family.instance_location(place->instance)));
    for (const auto& [what, elements] :
         {std::pair{"reads", &reads}, std::pair{"states", &states}, std::pair{"writes", &writes}})
        if (!elements->empty())
            text += fmt::format("{}\n{}", what, rows(*elements));
    for (const Memory& memory : family.memories)
        text += fmt::format("memory {}: {} words of {}\n", memory.name, memory.words,
                            memory.element->name());
    return text;
}

std::string Console::who(const std::string& rest) {
    constexpr std::size_t most = 20;
    const auto value = find_value(session_.graph(), rest);
    if (!value)
        return fail(fmt::format("there is no bus '{}'", rest));
    const BusFamily& bus = session_.graph().family_of(value->element);
    std::string text = fmt::format("{}  {}, {}, declared at {}\n",
                                   session_.graph().bus_name(value->element), bus.type->name(),
                                   bus.wire() ? std::string{"a wire"}
                                              : fmt::format("read {} cycle{} after it is written",
                                                            bus.delay, bus.delay == 1 ? "" : "s"),
                                   describe(bus.declared));
    for (const bool output : {true, false}) {
        const auto users = users_of(session_.graph(), value->element, output, most);
        for (const ProcessPlace& user : users)
            text += fmt::format("  {} {}\n", output ? "written by" : "read by   ",
                                shown_name(session_.graph(), user));
        if (users.empty() && !bus.state)
            text += fmt::format("  {} by no process\n", output ? "written" : "read");
        if (users.size() == most)
            text += "  ...\n";
    }
    return text;
}

} // namespace sme::debug
