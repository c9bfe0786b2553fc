// SPDX-License-Identifier: Apache-2.0
#include "diff/pairing.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "vcd/reader.hpp"

namespace sme::validator {

using vcd::Declarations;
using vcd::Kind;

namespace {

constexpr std::uint32_t no_signal = ~std::uint32_t{0};

/// The names of all variables; those that differ in their ranges only, "x [7:4]" and "x [3:0]",
/// keep these.
std::vector<std::string> names_of(const Declarations& declarations) {
    std::vector<std::string> names;
    std::unordered_map<std::string_view, std::uint32_t> seen;
    std::unordered_set<std::string> in_parts;
    names.reserve(declarations.variables.size());
    seen.reserve(declarations.variables.size());
    for (const vcd::Variable& variable : declarations.variables)
        names.push_back(vcd::full_name(declarations, variable));
    for (std::uint32_t k = 0; k < names.size(); ++k) {
        const std::uint32_t other = seen.try_emplace(names[k], k).first->second;
        if (declarations.variables[other].range != declarations.variables[k].range)
            in_parts.insert(names[k]);
    }
    if (!in_parts.empty())
        for (std::uint32_t k = 0; k < names.size(); ++k)
            if (in_parts.contains(names[k]))
                names[k] += declarations.variables[k].range;
    return names;
}

bool any_fits(const std::vector<Glob>& globs, const std::string& name) {
    return std::any_of(globs.begin(), globs.end(),
                       [&](const Glob& glob) { return glob.fits(name); });
}

bool wanted(const NameRules& rules, const std::string& name) {
    return (rules.select.empty() || any_fits(rules.select, name)) && !any_fits(rules.ignore, name);
}

std::string mapped(const NameRules& rules, const std::string& name) {
    for (const NameMap& map : rules.maps)
        if (auto made = map.apply(name))
            return std::move(*made);
    return name;
}

std::string_view word(Kind kind) {
    switch (kind) {
    case Kind::bits: return "bits";
    case Kind::real: return "a real number";
    case Kind::event: return "an event";
    case Kind::text: return "a text";
    }
    return "";
}

/// Which variables have a name that the same signal had before.
std::vector<bool> repeated(const Declarations& declarations,
                           const std::vector<std::string>& names) {
    std::vector<bool> found(names.size());
    std::unordered_map<std::string_view, std::uint32_t> seen;
    std::set<std::pair<std::string_view, std::uint32_t>> others; // names of several signals
    seen.reserve(names.size());
    for (std::uint32_t k = 0; k < names.size(); ++k) {
        const std::uint32_t signal = declarations.variables[k].signal;
        const auto [first, is_new] = seen.try_emplace(names[k], signal);
        if (!is_new)
            found[k] = first->second == signal || !others.emplace(names[k], signal).second;
    }
    return found;
}

/// The variables of the second file by the names that they have in the first one.
class SecondNames {
public:
    SecondNames(const Declarations& second, const NameRules& rules)
        : second_{second}, own_{names_of(second)}, next_(own_.size(), no_signal) {
        names_.reserve(own_.size());
        for (const std::string& name : own_)
            names_.push_back(mapped(rules, name));
        taken_ = repeated(second, names_);
        heads_.reserve(own_.size());
        for (std::uint32_t k = 0; k < own_.size(); ++k) {
            taken_[k] = taken_[k] || !wanted(rules, names_[k]);
            const auto [found, is_new] = heads_.try_emplace(names_[k], Chain{k, k});
            if (!is_new)
                found->second.last = next_[found->second.last] = k;
        }
    }

    /// The next variable of that name that nobody took; `no_signal` when there is none.
    std::uint32_t take(const std::string& name) {
        const auto head = heads_.find(name);
        for (std::uint32_t k = head == heads_.end() ? no_signal : head->second.first; k != no_signal;
             k = next_[k])
            if (!taken_[k]) {
                taken_[k] = true;
                return k;
            }
        return no_signal;
    }

    /// The names that nobody took, of signals that are not `compared`.
    std::vector<std::string> left(const std::vector<bool>& compared) const {
        std::vector<std::string> left;
        for (std::uint32_t k = 0; k < own_.size(); ++k)
            if (!taken_[k] && !compared[second_.variables[k].signal])
                left.push_back(own_[k]);
        return left;
    }

private:
    const Declarations& second_;
    std::vector<std::string> own_, names_;
    /// Variables of one name, from one to the next.
    struct Chain {
        std::uint32_t first, last;
    };
    std::unordered_map<std::string_view, Chain> heads_;
    std::vector<std::uint32_t> next_;
    std::vector<bool> taken_;
};

/// Adds a pair, unless the two cannot be compared.
void add_pair(const Declarations& first, const Declarations& second, const Pair& pair,
              const std::string& name, Pairing& made) {
    const vcd::Signal& left = first.signals[pair.first];
    const vcd::Signal& right = second.signals[pair.second];
    if (left.kind != right.kind) {
        made.unlike.push_back(
            fmt::format("'{}' is {}, but {} there", name, word(left.kind), word(right.kind)));
        return;
    }
    if (left.kind == Kind::bits && left.width_bits != right.width_bits)
        made.widths.push_back(fmt::format("'{}' has the width {}, but {} there", name,
                                          left.width_bits, right.width_bits));
    made.pairs.push_back(pair);
}

} // namespace

Pairing pair_signals(const Declarations& first, const Declarations& second,
                     const NameRules& rules) {
    Pairing made;
    SecondNames others{second, rules};
    std::unordered_set<std::uint64_t> paired;
    paired.reserve(first.variables.size());
    std::vector<bool> compared(first.signals.size()), compared_there(second.signals.size());
    std::vector<std::uint32_t> alone; // variables
    const std::vector<std::string> names = names_of(first);
    const std::vector<bool> again = repeated(first, names);
    for (std::uint32_t k = 0; k < names.size(); ++k) {
        if (again[k] || !wanted(rules, names[k]))
            continue;
        const std::uint32_t other = others.take(names[k]);
        if (other == no_signal) {
            alone.push_back(k);
            continue;
        }
        const Pair pair{first.variables[k].signal, second.variables[other].signal, k};
        compared[pair.first] = compared_there[pair.second] = true;
        if (paired.insert(std::uint64_t{pair.first} << 32 | pair.second).second)
            add_pair(first, second, pair, names[k], made);
    }
    for (const std::uint32_t k : alone)
        if (!compared[first.variables[k].signal])
            made.only_first.push_back(names[k]);
    made.only_second = others.left(compared_there);
    return made;
}

namespace {

/// Cuts the last part off a name and returns it.
std::string_view cut_last(std::string_view& name) {
    const std::size_t dot = name.rfind('.');
    const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
    name = dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
    return last;
}

/// The scopes that are left of two names when what ends both alike is cut off.
std::pair<std::string, std::string> unlike_scopes(std::string_view first, std::string_view second) {
    while (!first.empty() && !second.empty()) {
        std::string_view left = first, right = second;
        if (cut_last(left) != cut_last(right))
            break;
        first = left;
        second = right;
    }
    return {std::string{first}, std::string{second}};
}

} // namespace

std::string suggested_map(const Declarations& first, const Declarations& second) {
    constexpr std::size_t most = 2000; // names that are looked at
    std::unordered_map<std::string, std::vector<std::string>> by_last;
    const std::vector<std::string> others = names_of(second);
    for (std::size_t k = 0; k < std::min(most, others.size()); ++k) {
        std::string_view name = others[k];
        by_last[std::string{cut_last(name)}].push_back(others[k]);
    }
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    const std::vector<std::string> names = names_of(first);
    for (std::size_t k = 0; k < std::min(most, names.size()); ++k) {
        std::string_view name = names[k];
        const auto found = by_last.find(std::string{cut_last(name)});
        if (found != by_last.end())
            for (std::size_t j = 0; j < std::min<std::size_t>(20, found->second.size()); ++j)
                ++counts[unlike_scopes(names[k], found->second[j])];
    }
    const auto best =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return best == counts.end() ? std::string{} : best->first.second + "=" + best->first.first;
}

std::string shown_name(const Declarations& declarations, std::uint32_t variable) {
    const vcd::Variable& one = declarations.variables[variable];
    const bool in_parts = std::any_of(declarations.variables.begin(), declarations.variables.end(),
                                      [&](const vcd::Variable& each) {
                                          return each.scope == one.scope && each.name == one.name &&
                                                 each.range != one.range;
                                      });
    const bool has_range = one.range.find(':') != std::string::npos;
    return vcd::full_name(declarations, one) + (in_parts && has_range ? one.range : "");
}

} // namespace sme::validator
