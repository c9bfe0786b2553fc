// SPDX-License-Identifier: Apache-2.0
#include "yaml/observe/module_insides.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"

namespace sme::yaml {

using expr::BoundExpr;
using Signals = std::vector<VerilogSignal>;

namespace {

Signals::const_iterator first_from(const Signals& signals, const std::string& path) {
    return std::lower_bound(
        signals.begin(), signals.end(), path,
        [](const VerilogSignal& signal, const std::string& at) { return signal.path() < at; });
}

/// Calls visit() with the rest of each path that starts with the prefix.
template <class Visit>
void each_below(const Signals& signals, const std::string& prefix, Visit visit) {
    for (auto at = first_from(signals, prefix); at != signals.end(); ++at) {
        const std::string path = at->path();
        if (!path.starts_with(prefix))
            return;
        visit(std::string_view{path}, prefix.size());
    }
}

bool any_below(const Signals& signals, const std::string& prefix) {
    const auto at = first_from(signals, prefix);
    return at != signals.end() && at->path().starts_with(prefix);
}

/// Returns a parameter as a number without a type, like parameters of the language.
BoundExpr number_of(const VerilogSignal& parameter) {
    const std::string text = "0x" + parameter.constant;
    constexpr unsigned most = 126; // bits that always fit in an Integer
    const auto words = parse_words(text, Type::max_bits);
    if (!words)
        return {};
    if (width_of(*words) > most)
        return BoundExpr::long_number(std::make_shared<Words>(*words));
    Integer value = 0;
    for (auto word = words->rbegin(); word != words->rend(); ++word)
        value = (value << 64) + static_cast<Integer>(*word);
    const bool negative = parameter.is_signed && width_of(*words) == parameter.width;
    return BoundExpr::number(negative ? value - (Integer{1} << parameter.width) : value);
}

} // namespace

const Signals* ModuleInsides::all() const {
    return context_->kinds.verilog
               ? context_->kinds.verilog->signals(unit_->verilog->module, context_->diagnostics)
               : nullptr;
}

BoundExpr ModuleInsides::find(const std::string& scope, const std::string& name,
                              const Location& where) const {
    const std::size_t errors = context_->diagnostics.errors();
    if (std::optional<BoundExpr> found = at(scope + name, where))
        return *found;
    if (context_->diagnostics.errors() == errors)
        context_->diagnostics.add(
            Code::unknown_name, where,
            fmt::format(
                "{} module '{}' has no signal '{}'{}",
                scope.empty() ? std::string{"Verilog"}
                              : fmt::format("'{}' of Verilog", scope.substr(0, scope.size() - 1)),
                unit_->verilog->module.top.text, name, did_you_mean(name, names_in(scope))));
    return {};
}

std::optional<BoundExpr> ModuleInsides::at(const std::string& path, const Location& where) const {
    const Signals* const signals = all();
    if (!signals)
        return std::nullopt;
    if (const auto found = first_from(*signals, path);
        found != signals->end() && found->path() == path)
        return signal(*found, where);
    if (any_below(*signals, path + "."))
        return scope(path + ".");
    if (any_below(*signals, path + "["))
        return array(path);
    return std::nullopt;
}

BoundExpr ModuleInsides::signal(const VerilogSignal& signal, const Location& where) const {
    if (!signal.problem.empty()) {
        context_->diagnostics.add(Code::verilog_port, where,
                                  fmt::format("signal '{}' inside module '{}' {}", signal.path(),
                                              unit_->verilog->module.top.text, signal.problem));
        return {};
    }
    if (!signal.constant.empty())
        return number_of(signal);
    if (signal.ranges.empty())
        return shown(signal, 0);
    Shape shape;
    for (const VerilogRange& range : signal.ranges)
        shape.dimensions.push_back({range.low, range.count, {}});
    return family_of(
        "word", shape,
        [self = *this, signal](std::uint64_t word) { return self.shown(signal, word); },
        context_->diagnostics);
}

BoundExpr ModuleInsides::shown(const VerilogSignal& signal, std::uint64_t element) const {
    Graph& graph = ports_->graph();
    const std::uint64_t first =
        context_->kinds.verilog->look_at(signal, element, graph.processes[*unit_->family], graph);
    return ports_->element(first + number_);
}

/// Returns a scope with signals: an instance, or a block.
BoundExpr ModuleInsides::scope(const std::string& path) const {
    auto members = std::make_shared<expr::Members>();
    members->find = [self = *this, path](const std::string& name, const Location& where) {
        return self.find(path, name, where);
    };
    return {expr::Form::members, std::move(members)};
}

/// Returns an array of numbered instances or blocks.
BoundExpr ModuleInsides::array(const std::string& path) const {
    std::set<std::int64_t> numbers;
    const std::string begin = path + "[";
    each_below(*all(), begin, [&](std::string_view full, std::size_t from) {
        std::int64_t number = 0;
        if (std::from_chars(full.data() + from, full.data() + full.size(), number).ec ==
            std::errc{})
            numbers.insert(number);
    });
    if (numbers.empty())
        return {};
    Shape shape;
    const std::int64_t low = *numbers.begin();
    const auto place = [&](std::int64_t number) {
        return static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(low);
    };
    shape.dimensions.push_back({low, place(*numbers.rbegin()) + 1, {}});
    for (const std::int64_t number : numbers)
        if (numbers.size() < shape.box())
            shape.kept.push_back(place(number));
    const auto element = [self = *this, begin, numbers](std::uint64_t k) {
        auto number = numbers.begin();
        std::advance(number, k);
        return self.at(fmt::format("{}{}]", begin, *number), self.unit_->declared)
            .value_or(BoundExpr{});
    };
    return family_of("block", shape, element, context_->diagnostics);
}

std::vector<std::string> ModuleInsides::names_in(const std::string& scope) const {
    std::set<std::string> names;
    if (const Signals* const signals = all())
        each_below(*signals, scope, [&](std::string_view full, std::size_t from) {
            const std::string_view name = full.substr(from);
            names.emplace(name.substr(0, name.find_first_of(".[")));
        });
    return {names.begin(), names.end()};
}

} // namespace sme::yaml
