// SPDX-License-Identifier: Apache-2.0
//
// The rules for random values that the command line gives.
#include "cli/commands/inputs_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "expr/syntax/parser.hpp"
#include "session/random_inputs.hpp"

namespace sme::cli {

namespace {

/// Wraps a text of the command line as a source text.
expr::Text option_text(const char* option, const std::string& text) {
    expr::Text result;
    result.source = std::make_shared<Source>(fmt::format("--{}", option), text);
    result.text = text;
    for (std::uint32_t k = 0; k <= text.size(); ++k)
        result.offsets.push_back(k);
    return result;
}

/// "12", "-3", "0x1f"
std::optional<Integer> whole_number(const std::string& text) {
    if (!text.starts_with('-'))
        return parse_integer(text);
    const std::optional<Integer> value = parse_integer(text.substr(1));
    return value ? std::optional{-*value} : std::nullopt;
}

class RuleReader {
public:
    RuleReader(const expr::ModuleView& network, const Graph& graph, Diagnostics& diagnostics)
        : network_{network}, graph_{graph}, diagnostics_{diagnostics} {}

    void range(const std::string& text) {
        const expr::Text source = option_text("range", text);
        const std::size_t equals = text.find('='), dots = text.find("..", equals);
        const auto low = equals == std::string::npos || dots == std::string::npos
                             ? std::nullopt
                             : whole_number(text.substr(equals + 1, dots - equals - 1));
        const auto high = low ? whole_number(text.substr(dots + 2)) : std::nullopt;
        if (!high) {
            diagnostics_.add(Code::bad_option, source.all(),
                             "--range is written NAME=LOW..HIGH, with whole numbers");
            return;
        }
        bool found = false;
        const std::string name = text.substr(0, equals);
        for (const BusFamily& bus : graph_.buses)
            if (!bus.state)
                for (const Leaf& scalar : bus.type->scalars())
                    for (std::uint64_t k = 0; k < bus.count; ++k)
                        if (name == bus.name + scalar.path ||
                            name == bus.element_name(bus.first + k) + scalar.path) {
                            if (!found && !check(source, bus, scalar, *low, *high))
                                return;
                            found = true;
                            rules.ranges.push_back({bus.first + k, scalar.offset,
                                                    static_cast<std::uint64_t>(*low),
                                                    static_cast<std::uint64_t>(*high)});
                        }
        if (!found)
            unknown(source.at(0, equals), name);
    }

    void handshake(const std::string& name) {
        const expr::Text source = option_text("handshake", name);
        bool found = false;
        for (const BusFamily& bus : graph_.buses) {
            if (bus.name != name)
                continue;
            found = true;
            const int valid = bus.type->find_field("valid");
            const BusFamily* const ready = graph_.reverse_field(bus, "ready");
            if (valid < 0 || !ready) {
                diagnostics_.add(Code::bad_option, source.all(),
                                 fmt::format("'{}' is {}, but a handshake has the fields 'valid' "
                                             "and 'back ready'",
                                             name, bus.type->name()));
                return;
            }
            const auto place = static_cast<std::size_t>(valid);
            for (std::uint64_t k = 0; k < bus.count; ++k)
                rules.handshakes.push_back(
                    {bus.first + k, bus.type->fields()[place].offset, ready->first + k});
        }
        if (!found)
            unknown(source.all(), name);
    }

    void assume(const std::string& text) {
        const expr::Text source = option_text("assume", text);
        if (const expr::AstRef condition = expr::parse_expression(source, diagnostics_))
            assume({condition, text, source.all()}, true);
    }

    void assume(const yaml::Assumed& assumed, bool needed) {
        session::add_assumption(assumed, needed, network_, graph_, rules, diagnostics_);
    }

    lockstep::RandomRules rules;

private:
    void unknown(const Location& where, const std::string& name) {
        std::vector<std::string> names;
        for (const BusFamily& bus : graph_.buses)
            if (!bus.state)
                for (const Leaf& scalar : bus.type->scalars())
                    names.push_back(bus.name + scalar.path);
        diagnostics_.add(Code::unknown_name, where,
                         fmt::format("there is no bus '{}'{}", name, did_you_mean(name, names)));
    }

    bool check(const expr::Text& source, const BusFamily& bus, const Leaf& scalar, Integer low,
               Integer high) {
        const Type& type = *scalar.type;
        const auto refuse = [&](Code code, const std::string& why) {
            diagnostics_.add(code, source.all(), why);
            return false;
        };
        const std::string name = bus.name + scalar.path;
        if (type.kind() == TypeKind::enumeration)
            return refuse(Code::bad_option,
                          fmt::format("'{0}' is {1}, an enumeration, which has no ranges; write "
                                      "--assume '{0} == ...'",
                                      name, type.name()));
        if (type.is_wide())
            return refuse(Code::bad_option, fmt::format("'{}' is {}, but ranges are for up to 64 "
                                                        "bits; write --assume",
                                                        name, type.name()));
        if (low > high)
            return refuse(Code::bad_option, fmt::format("the range {} to {} holds no number; write "
                                                        "the smaller one first",
                                                        to_string(low), to_string(high)));
        const auto width = static_cast<unsigned>(type.width_bits());
        const Integer least = type.is_signed() ? -(Integer{1} << (width - 1)) : Integer{0};
        const Integer most = (Integer{1} << (type.is_signed() ? width - 1 : width)) - 1;
        if (low < least || high > most)
            return refuse(
                Code::does_not_fit,
                fmt::format("'{}' is {}, with the values {} to {}, but the range is {} to "
                            "{}",
                            name, type.name(), to_string(least), to_string(most), to_string(low),
                            to_string(high)));
        return true;
    }

    const expr::ModuleView& network_;
    const Graph& graph_;
    Diagnostics& diagnostics_;
};

} // namespace

lockstep::RandomRules read_rules(const Options& options, const yaml::SourceView& written,
                                 const Graph& graph, Diagnostics& diagnostics) {
    const expr::ModuleView& network = written.describe();
    RuleReader reader{network, graph, diagnostics};
    for (const yaml::Assumed& assumed : written.assumptions())
        if (options.random)
            reader.assume(assumed, false);
    for (const std::string& text : options.range)
        reader.range(text);
    for (const std::string& text : options.handshake)
        reader.handshake(text);
    for (const std::string& text : options.assume)
        reader.assume(text);
    return std::move(reader.rules);
}

} // namespace sme::cli
