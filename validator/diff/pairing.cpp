// SPDX-License-Identifier: Apache-2.0
#include "diff/pairing.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "diff/name_table.hpp"
#include "vcd/reader.hpp"

namespace sme::validator {

using vcd::Declarations;
using vcd::Kind;

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};
using Numbers = std::vector<std::uint32_t>;

std::string_view word(Kind kind) {
    switch (kind) {
    case Kind::bits: return "bits";
    case Kind::real: return "a real number";
    case Kind::event: return "an event";
    case Kind::text: return "a text";
    }
    return "";
}

/// Adds a pair, unless the two signals cannot be compared.
void add_pair(const Declarations& first, const Declarations& second, const Pair& pair,
              std::string_view name, Pairing& result) {
    const vcd::Signal& left = first.signals[pair.first];
    const vcd::Signal& right = second.signals[pair.second];
    if (left.kind != right.kind) {
        result.unlike.push_back(
            fmt::format("'{}' is {}, but {} there", name, word(left.kind), word(right.kind)));
        return;
    }
    if (left.kind == Kind::bits && left.width_bits != right.width_bits)
        result.widths.push_back(fmt::format("'{}' has the width {}, but {} there", name,
                                            left.width_bits, right.width_bits));
    result.pairs.push_back(pair);
}

/// A set of signal pairs; insert() returns true for a new pair.
class SeenPairs {
public:
    explicit SeenPairs(std::size_t signals) : partner_(signals, none) {}
    bool insert(const Pair& pair) {
        std::uint32_t& partner = partner_[pair.first];
        if (partner == none) {
            partner = pair.second;
            return true;
        }
        return partner != pair.second && others_.emplace(pair.first, pair.second).second;
    }

private:
    Numbers partner_; // the first partner of a signal
    std::set<std::pair<std::uint32_t, std::uint32_t>> others_;
};

/// The variables of a file by name number; each is taken once.
class Takers {
public:
    explicit Takers(std::size_t names) : heads_(names, none), lasts_(names, none) {}

    void add(std::uint32_t name, std::uint32_t variable) {
        next_.resize(variable + 1, none);
        if (heads_[name] == none)
            heads_[name] = variable;
        else
            next_[lasts_[name]] = variable;
        lasts_[name] = variable;
    }
    /// Returns the next variable of that name; `none` if no more exist.
    std::uint32_t take(std::uint32_t name) {
        const std::uint32_t variable = heads_[name];
        if (variable != none)
            heads_[name] = next_[variable];
        return variable;
    }
    /// Calls `f` for each variable that was not taken, in no particular order.
    template <typename F> void each_left(F f) const {
        for (const std::uint32_t head : heads_)
            for (std::uint32_t k = head; k != none; k = next_[k])
                f(k);
    }

private:
    Numbers heads_, lasts_; // of names
    Numbers next_;          // of variables
};

class Pairer {
public:
    Pairer(const Declarations& first, const Declarations& second, const NameRules& rules)
        : first_{first}, second_{second}, rules_{rules}, names_{first, table_, nullptr},
          others_{second, table_, &names_}, mapped_{others_.numbers()} {
        for (std::uint32_t k = 0; !rules.maps.empty() && k < mapped_.size(); ++k)
            map(k);
        choose();
    }

    Pairing pair() {
        Pairing result;
        Takers others = takers();
        SeenPairs seen{first_.signals.size()};
        std::vector<bool> compared(first_.signals.size()), compared_there(second_.signals.size());
        Numbers alone; // variables
        const std::vector<bool> again = repeated(first_, names_.numbers());
        for (std::uint32_t k = 0; k < names_.count(); ++k) {
            if (again[k] || !wanted_[names_.numbers()[k]])
                continue;
            const std::uint32_t other = others.take(names_.numbers()[k]);
            if (other == none) {
                alone.push_back(k);
                continue;
            }
            const Pair pair{first_.variables[k].signal, second_.variables[other].signal, k,
                            names_.keeps_range(k)};
            compared[pair.first] = compared_there[pair.second] = true;
            if (seen.insert(pair))
                add_pair(first_, second_, pair, names_[k], result);
        }
        for (const std::uint32_t k : alone)
            if (!compared[first_.variables[k].signal])
                result.only_first.emplace_back(names_[k]);
        result.only_second = left(others, compared_there);
        find_idle(result);
        return result;
    }

private:
    void map(std::uint32_t variable) {
        for (const NameMap& map : rules_.maps)
            if (auto result = map.apply(others_[variable])) {
                made_names_.push_back(std::move(*result));
                mapped_[variable] = table_.add(made_names_.back());
                return;
            }
    }

    /// Chooses the names to compare.
    void choose() {
        const auto &select = rules_.select, &ignore = rules_.ignore;
        wanted_.assign(table_.count(), true);
        if (select.empty() && ignore.empty())
            return;
        for (std::uint32_t name = 0; name < table_.count(); ++name) {
            const auto fits = [&](const Glob& glob) { return glob.fits(table_.name(name)); };
            wanted_[name] = (select.empty() || std::any_of(select.begin(), select.end(), fits)) &&
                            std::none_of(ignore.begin(), ignore.end(), fits);
        }
    }

    /// Returns which variables repeat an earlier name of the same signal.
    std::vector<bool> repeated(const Declarations& declarations, const Numbers& numbers) const {
        std::vector<bool> found(numbers.size());
        Numbers seen(table_.count(), none);                     // the first signal of a name
        std::set<std::pair<std::uint32_t, std::uint32_t>> more; // names and other signals
        for (std::uint32_t k = 0; k < numbers.size(); ++k) {
            const std::uint32_t signal = declarations.variables[k].signal;
            std::uint32_t& first = seen[numbers[k]];
            if (first == none)
                first = signal;
            else
                found[k] = first == signal || !more.emplace(numbers[k], signal).second;
        }
        return found;
    }

    Takers takers() const {
        Takers result{table_.count()};
        const std::vector<bool> again = repeated(second_, mapped_);
        for (std::uint32_t k = 0; k < mapped_.size(); ++k)
            if (!again[k] && wanted_[mapped_[k]])
                result.add(mapped_[k], k);
        return result;
    }

    /// Returns the names in the second file that were not taken and whose signals are not
    /// `compared`.
    std::vector<std::string> left(const Takers& others, const std::vector<bool>& compared) const {
        Numbers variables;
        others.each_left([&](std::uint32_t k) {
            if (!compared[second_.variables[k].signal])
                variables.push_back(k);
        });
        std::sort(variables.begin(), variables.end());
        std::vector<std::string> left;
        for (const std::uint32_t k : variables)
            left.emplace_back(others_[k]);
        return left;
    }

    bool fits_none(const Glob& glob, const Numbers& numbers) const {
        return std::none_of(numbers.begin(), numbers.end(),
                            [&](std::uint32_t name) { return glob.fits(table_.name(name)); });
    }

    void find_idle(Pairing& result) const {
        const auto fits_nothing = [&](const Glob& glob) {
            return fits_none(glob, names_.numbers()) && fits_none(glob, mapped_);
        };
        for (const Glob& glob : rules_.select)
            if (fits_nothing(glob))
                result.idle_select.push_back(glob.pattern());
        for (const Glob& glob : rules_.ignore)
            if (fits_nothing(glob))
                result.idle_ignore.push_back(glob.pattern());
        for (const NameMap& map : rules_.maps)
            if (!map.from.pattern().empty() && fits_none(map.from, others_.numbers()))
                result.idle_maps.push_back(map.from.pattern() + "=" + map.to);
    }

    const Declarations &first_, &second_;
    const NameRules& rules_;
    NameTable table_;
    FileNames names_, others_; // of the two files
    Numbers mapped_;           // the second file's names as in the first
    std::deque<std::string> made_names_;
    std::vector<bool> wanted_; // names
};

} // namespace

Pairing pair_signals(const Declarations& first, const Declarations& second,
                     const NameRules& rules) {
    return Pairer{first, second, rules}.pair();
}

namespace {

/// Removes the last part of a name and returns it.
std::string_view cut_last(std::string_view& name) {
    const std::size_t dot = name.rfind('.');
    const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
    name = dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
    return last;
}

/// Returns the scopes of two names after removing their common last parts.
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
    constexpr std::uint32_t most = 2000; // limit of names to examine
    std::unordered_map<std::string, std::vector<std::string>> by_last;
    NameTable table;
    const FileNames names{first, table, nullptr}, others{second, table, nullptr};
    for (std::uint32_t k = 0; k < std::min(most, others.count()); ++k) {
        std::string_view name = others[k];
        by_last[std::string{cut_last(name)}].emplace_back(others[k]);
    }
    std::map<std::pair<std::string, std::string>, std::size_t> counts;
    for (std::uint32_t k = 0; k < std::min(most, names.count()); ++k) {
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

std::string shown_name(const Declarations& declarations, const Pair& pair) {
    const vcd::Variable& variable = declarations.variables[pair.variable];
    const bool has_range = variable.range.find(':') != std::string::npos;
    return vcd::full_name(declarations, variable) +
           (pair.keeps_range && has_range ? variable.range : "");
}

} // namespace sme::validator
