// SPDX-License-Identifier: Apache-2.0
#include "cli/traced_names.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "cli/findings.hpp"
#include "interpret/observers/operands.hpp"
#include "network/build.hpp"
#include "trace/collect/change_finder.hpp"

namespace sme::cli {

namespace {

/// True if the selection matches a scalar of an element of the family.
bool matches(const trace::Selection& selection, const BusFamily& bus) {
    const std::vector<Leaf> scalars = bus.type->scalars();
    for (std::uint64_t element = 0; element < bus.count; ++element) {
        const std::string name = bus.shape.element_name(bus.name, element);
        if (std::any_of(scalars.begin(), scalars.end(),
                        [&](const Leaf& scalar) { return selection.matches(name + scalar.path); }))
            return true;
    }
    return false;
}

/// The names that a pattern may match: buses, their scopes and their fields.
std::vector<std::string> names_of(const Graph& graph, bool state) {
    constexpr std::size_t most = 5000; // a longer list of suggestions does not help
    std::set<std::string> result;
    for (const BusFamily& bus : graph.buses) {
        if (bus.count == 0 || result.size() > most ||
            !trace::Traced{trace::Selection{""}, state}.may_take(bus))
            continue;
        const std::string element = bus.shape.element_name(bus.name, 0);
        result.insert(bus.name);
        for (const Leaf& scalar : bus.type->scalars()) {
            const std::string name = element + scalar.path;
            for (std::size_t dot = name.find('.'); dot != std::string::npos;
                 dot = name.find('.', dot + 1))
                result.insert(name.substr(0, dot));
            result.insert(name);
        }
    }
    return {result.begin(), result.end()};
}

/// ", did you mean 'x'?", or a list of the existing names.
std::string advice(const std::string& pattern, const std::vector<std::string>& names) {
    std::string written = pattern.substr(0, pattern.find_first_of("*?"));
    while (written.ends_with('.') || written.ends_with('['))
        written.pop_back();
    if (std::string near = did_you_mean(written, names); !near.empty())
        return near;
    constexpr std::size_t shown = 5;
    std::string result;
    std::size_t count = 0;
    for (const std::string& name : names)
        if (name.find('.') == std::string::npos && count++ < shown)
            result += fmt::format("{}'{}'", result.empty() ? "; there is " : ", ", name);
    return result + (count > shown ? fmt::format(" and {} more", count - shown) : "");
}

} // namespace

std::string unmatched(const Graph& graph, const std::vector<std::string>& patterns, bool state) {
    for (const std::string& pattern : patterns) {
        const trace::Traced chosen{trace::Selection{pattern}, state};
        bool of_state = false;
        const bool found =
            std::any_of(graph.buses.begin(), graph.buses.end(), [&](const BusFamily& bus) {
                const bool fits = matches(chosen.selection, bus);
                of_state = of_state || fits;
                return fits && chosen.may_take(bus) && !trace::is_inside_clock(bus);
            });
        if (found)
            continue;
        if (of_state)
            return fmt::format("'{}' matches states of processes only; give --trace-state as well",
                               pattern);
        return fmt::format("no bus matches '{}'{}", pattern,
                           advice(pattern, names_of(graph, state)));
    }
    return {};
}

std::string joined(const std::vector<std::string>& patterns) {
    return fmt::format("{}", fmt::join(patterns, ","));
}

std::string memories_left_out(const std::string& what, const Graph& graph,
                              const std::string& select,
                              const std::vector<trace::TracedWords>& traced) {
    const trace::Selection selection{select};
    const auto is_traced = [&](std::size_t family, std::size_t memory) {
        return std::any_of(traced.begin(), traced.end(), [&](const trace::TracedWords& one) {
            return one.family == family && one.memory == memory;
        });
    };
    std::vector<std::string> names;
    for (std::size_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        if (!trace::has_own_memories(family))
            continue;
        for (std::size_t m = 0; m < family.memories.size(); ++m) {
            const Memory& memory = family.memories[m];
            const std::string name = fmt::format("{}.{}", family.name, memory.name);
            if (selection.matches(name) && !is_traced(f, m))
                names.push_back(
                    fmt::format("'{}' ({})", name, counted(memory.words, "word", "words")));
        }
    }
    if (names.empty())
        return {};
    return fmt::format("{} leaves out memories: {}; give --trace-memory GLOB as well", what,
                       listed(names, max_named));
}

bool TracedLets::wants(const std::string& name) {
    bool wanted = false;
    for (std::size_t k = 0; k < patterns_.size(); ++k)
        if (trace::Selection{patterns_[k]}.matches(name))
            wanted = matched_[k] = true;
    if (!wanted && ++all_others_ <= max_named)
        others_.push_back(fmt::format("'{}'", name));
    return wanted && ++wanted_ <= max_lets;
}

std::shared_ptr<const GroupFactory> TracedLets::observe(std::shared_ptr<const expr::Probe> probe,
                                                        const std::string& name) {
    Let& let = lets_.emplace_back(Let{name, probe->type, {}});
    let.slot.resize(slot_size(trace::traced_let(name, let.type, nullptr).words));
    return interpret::value_factory(
        std::move(probe), [&let](std::span<const std::byte> value, const std::string&) {
            std::copy(value.begin(), value.end(), let.slot.begin());
            const auto marks = let.slot.begin() + static_cast<std::ptrdiff_t>(let.type->size());
            std::fill(marks, let.slot.end(), value.empty() ? std::byte{0} : std::byte{1});
        });
}

std::vector<trace::TracedWords> TracedLets::words() const {
    std::vector<trace::TracedWords> result;
    for (const Let& let : lets_)
        result.push_back(trace::traced_let(let.name, let.type, let.slot.data()));
    return result;
}

std::string TracedLets::problem() const {
    if (wanted_ > max_lets)
        return fmt::format("--trace-let asks for {} lets, but at most {} are traced; choose fewer",
                           wanted_, max_lets);
    const auto unmatched = std::find(matched_.begin(), matched_.end(), false);
    if (unmatched == matched_.end())
        return {};
    const std::string there =
        others_.empty() ? wanted_ == 0 ? "the network has no lets" : "all others are traced"
                        : "there is " + listed(others_, max_named, all_others_);
    return fmt::format("no let matches '{}'; {}",
                       patterns_[static_cast<std::size_t>(unmatched - matched_.begin())], there);
}

} // namespace sme::cli
