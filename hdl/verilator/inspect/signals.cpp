// SPDX-License-Identifier: Apache-2.0
//
// A flat netlist names each signal with all its scopes. Only interfaces are not flattened: their
// signals occur once, beside the names of their instances.
#include "verilator/inspect/netlist.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "verilator/inspect/element.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "verilator/inspect/dataflow.hpp"

namespace sme::verilator {

using Json = nlohmann::ordered_json;

namespace {

/// Returns a name in the syntax of the network language: "x", and for escaped names also "x[-3].y".
bool can_be_written(std::string_view name) {
    while (true) {
        std::size_t end = std::min(name.find_first_of(".["), name.size());
        if (!is_word(name.substr(0, end)))
            return false;
        for (; end < name.size() && name[end] == '['; ++end) {
            const std::size_t digits = end + (name.substr(end).starts_with("[-") ? 2 : 1);
            end = std::min(name.find_first_not_of("0123456789", digits), name.size());
            if (end == digits || end == name.size() || name[end] != ']')
                return false;
        }
        if (end == name.size())
            return true;
        if (name[end] != '.')
            return false;
        name.remove_prefix(end + 1);
    }
}

class SignalReader {
public:
    SignalReader(Element netlist, const std::string& top, const VerilogModule& described,
                 const std::atomic<bool>* unwanted)
        : netlist_{netlist}, types_{netlist.child("typetable")}, top_{top + "."},
          outer_{top.substr(0, top.rfind('.') + 1)}, clocks_{described.known_clocks()},
          flow_{netlist, types_, described, unwanted} {}

    std::vector<VerilogSignal> run(Element module) {
        const BitGraph onward = flow_.graph().reversed();
        std::vector<std::pair<std::size_t, std::string>> named; // signals of the module itself
        for (Element variable : module.children("var")) {
            const std::string name{variable.name()};
            if (add(variable, name))
                named.emplace_back(made_.size() - 1, name);
        }
        for (const VerilogClock& clock : clocks_) {
            const auto shown = onward.reach(flow_.bits_of(clock.port.text), false);
            for (const auto& [signal, name] : named)
                for (const BitGraph::Node bit : flow_.bits_of(name))
                    if (shown[bit] == BitGraph::Reach::hard)
                        made_[signal].problem = fmt::format(
                            "shows the clock '{}', which has no value in a cycle", clock.port.text);
        }
        for (Element instance : module.children("instance")) {
            const Element type = netlist_.child("iface", "name", instance.attribute("defName"));
            const std::string home{instance.name()};
            std::set<std::string> names = bound_names(module, instance);
            names.insert(home);
            for (const std::string& name : names)
                for (Element variable : type.children("var"))
                    add(variable, fmt::format("{}.{}", name, variable.name()),
                        name == home ? std::string{} : home);
        }
        const auto path = [](const VerilogSignal& signal) { return signal.path(); };
        std::sort(made_.begin(), made_.end(), [&](const auto& a, const auto& b) {
            return std::pair{path(a), a.home} < std::pair{path(b), b.home};
        });
        made_.erase(std::unique(made_.begin(), made_.end(),
                                [&](const auto& a, const auto& b) { return path(a) == path(b); }),
                    made_.end());
        return std::move(made_);
    }

private:
    /// The ports that an instance of an interface is bound to. Newer Verilators do not list them:
    /// then those of the top module, and all where there is one instance.
    static std::set<std::string> bound_names(Element module, Element instance) {
        std::set<std::string> names;
        for (Element reference : instance.children("intfref"))
            names.emplace(reference.name());
        if (!names.empty())
            return names;
        std::size_t instances = 0;
        for ([[maybe_unused]] Element each : module.children("instance"))
            ++instances;
        const auto last = [](std::string_view name) { return name.substr(name.rfind('.') + 1); };
        const auto levels = [](std::string_view name) {
            return std::count(name.begin(), name.end(), '.');
        };
        for (Element variable : module.children("var"))
            if (const std::string_view name = variable.name();
                variable.attribute("vartype") == "ifaceref" && !name.ends_with("__Viftop") &&
                (instances == 1 || (last(name) == last(instance.name()) && levels(name) == 2)))
                names.emplace(name);
        return names;
    }

    bool add(Element variable, const std::string& full, const std::string& home = {}) {
        VerilogSignal signal;
        signal.home = home;
        signal.key = variable.attribute("origName");
        signal.name = name_of(signal.key);
        const bool result = !variable.has("public_flat_rd"); // generated by Verilator
        if (result || !can_be_written(signal.name) || variable.attribute("vartype") == "ifaceref")
            return false;
        std::string inside;
        if (full.starts_with(top_))
            inside = full.substr(top_.size());
        else if (!outer_.empty() && full == outer_ + signal.name) { // a port of the wrapper
            inside = signal.name;
            signal.home = outer_.substr(0, outer_.size() - 1);
        } else
            return false;
        if (inside != signal.name) {
            if (!inside.ends_with("." + signal.name))
                return false;
            signal.scope = inside.substr(0, inside.size() - signal.name.size() - 1);
        }
        take_type(types_.of(variable), signal);
        if (variable.has("param") || variable.has("localparam"))
            take_constant(variable.child("const").name(), signal);
        made_.push_back(std::move(signal));
        return true;
    }

    static void take_type(const NetlistTypes::Info& type, VerilogSignal& signal) {
        const std::uint64_t bits = type.elements > 0 ? type.each : type.width;
        signal.width = static_cast<unsigned>(std::min<std::uint64_t>(bits, ~std::uint32_t{0}));
        signal.is_signed = type.is_signed;
        signal.ranges = type.ranges;
        signal.nested = type.ranges.size() + (type.packed ? 1 : 0) > 1;
        if (bits == 0)
            signal.problem = fmt::format("is {}{}", type.other, way_out(type.other, signal.name));
        else if (bits > Type::max_bits)
            signal.problem =
                fmt::format("has {} bits, but a value has at most {}", bits, Type::max_bits);
    }

    /// Suggests an alternative.
    static std::string way_out(const std::string& type, const std::string& name) {
        return type != "real" && type != "realtime"
                   ? std::string{}
                   : fmt::format(", but no type of the language holds real numbers; give the "
                                 "module a signal of bits, such as 'wire [31:0] {0}_thousands = "
                                 "$rtoi({0} * 1000.0);', and look at that",
                                 name);
    }

    /// Parses a constant such as "8'hfd".
    static void take_constant(std::string_view text, VerilogSignal& signal) {
        const std::size_t digits = text.rfind('h') + 1; // 0: absent
        constexpr unsigned widest_signed = 126;
        if (!signal.problem.empty())
            return;
        if (signal.is_signed && signal.width > widest_signed)
            signal.problem =
                fmt::format("is a signed parameter of more than {} bits", widest_signed);
        else if (digits != 0 && digits < text.size() &&
                 text.find_first_not_of("0123456789abcdef", digits) == text.npos)
            signal.constant = text.substr(digits);
        else
            signal.problem = signal.ranges.empty() ? "is a parameter whose value is no integer"
                                                   : "is an array of parameters";
    }

    const Element netlist_;
    const NetlistTypes types_;
    const std::string top_;
    const std::string outer_; // of the wrapper, "around."; empty: no wrapper
    const std::vector<VerilogClock> clocks_;
    const Dataflow flow_;
    std::vector<VerilogSignal> made_;
};

} // namespace

std::vector<VerilogSignal> read_signals(const ElementTree& tree, const std::string& top,
                                        const VerilogModule& described,
                                        const std::atomic<bool>* unwanted) {
    return SignalReader{tree.root(), top, described, unwanted}.run(tree.top());
}

Json json_of(const std::vector<VerilogSignal>& signals) {
    Json result = Json::array();
    for (const VerilogSignal& signal : signals) {
        Json ranges = Json::array();
        for (const VerilogRange& range : signal.ranges)
            ranges.push_back({range.low, range.count});
        result.push_back({signal.scope, signal.name, signal.key, signal.width, signal.is_signed,
                          std::move(ranges), signal.constant, signal.problem, signal.nested,
                          signal.home});
    }
    return result;
}

std::vector<VerilogSignal> signals_of(const Json& json) {
    std::vector<VerilogSignal> result;
    for (const Json& one : json) {
        std::vector<VerilogRange> ranges;
        for (const Json& range : one.at(5))
            ranges.push_back({range.at(0).get<std::int64_t>(), range.at(1).get<std::uint64_t>()});
        result.push_back({one.at(0).get<std::string>(), one.at(1).get<std::string>(),
                          one.at(2).get<std::string>(), one.at(3).get<unsigned>(),
                          one.at(4).get<bool>(), std::move(ranges), one.at(8).get<bool>(),
                          one.at(6).get<std::string>(), one.at(7).get<std::string>(),
                          one.at(9).get<std::string>()});
    }
    return result;
}

} // namespace sme::verilator
