// SPDX-License-Identifier: Apache-2.0
//
// Searches for a scope by the names of the ports: 1. unchanged, 2. with '_' for '.', as in Verilog
// ports, 3. with the names of the buses, as in our own waveforms.
#include "external_model/recorded_scope.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "vcd/reader.hpp"

namespace sme::external_model {

namespace {

constexpr std::size_t max_scopes = 64; // that are examined further

class ScopeFinder {
public:
    ScopeFinder(const vcd::Declarations& declarations, const WaveformPlace& place,
                const Interface& interface, const std::vector<BusFamily>& families,
                const std::vector<std::string>& bus_names, const ClockDomain* domain,
                Diagnostics& diagnostics)
        : declarations_{declarations}, place_{place}, interface_{interface}, families_{families},
          bus_names_{bus_names}, domain_{domain}, diagnostics_{diagnostics} {
        for (const vcd::Variable& variable : declarations.variables)
            signals_.emplace(vcd::full_name(declarations, variable), variable.signal);
    }

    std::optional<RecordedScope> find() {
        if (!place_.scope.empty())
            return is_scope(place_.scope) ? finish(place_.scope, true) : unknown_scope();
        const std::vector<std::string> all = candidates();
        std::vector<std::string> fitting;
        for (const std::string& scope : all)
            if (finish(scope, false))
                fitting.push_back(scope);
        if (fitting.size() == 1)
            return finish(fitting.front(), true);
        if (fitting.size() > 1)
            return fail(Code::bad_option,
                        fmt::format("{} scopes of '{}' have the ports of '{}': {}; give one of "
                                    "them with --scope",
                                    fitting.size(), place_.path, interface_.name,
                                    fmt::join(fitting, ", ")));
        if (all.size() == 1)
            return finish(all.front(), true); // reports the error
        return fail(Code::unknown_name,
                    fmt::format("no scope of '{}' has all inputs of '{}' ({}); give the nearest "
                                "with --scope, and what it lacks is named",
                                place_.path, interface_.name, fmt::join(wanted(), ", ")));
    }

private:
    std::nullopt_t fail(Code code, const std::string& text) {
        diagnostics_.add(code, interface_.where, text);
        return std::nullopt;
    }

    std::optional<RecordedScope> unknown_scope() {
        std::vector<std::string> names;
        for (std::uint32_t k = 1; k < declarations_.scopes.size(); ++k)
            names.push_back(declarations_.path(k));
        std::string near = did_you_mean(place_.scope, names);
        if (near.empty() && names.size() <= 8 && !names.empty())
            near = fmt::format("; it has {}", fmt::join(names, ", "));
        return fail(Code::unknown_name,
                    fmt::format("'{}' has no scope '{}'{}", place_.path, place_.scope, near));
    }

    bool is_scope(const std::string& name) const {
        for (std::uint32_t k = 1; k < declarations_.scopes.size(); ++k)
            if (declarations_.path(k) == name)
                return true;
        return false;
    }

    std::vector<std::string> wanted() const {
        std::vector<std::string> names;
        for (const InterfacePort& port : interface_.ports)
            if (!port.output && !port.constant)
                names.push_back(port.name);
        return names;
    }

    /// "x.ready", "x_ready", and the name of the bus.
    std::vector<std::string> names_of(std::size_t port) const {
        std::vector<std::string> names{interface_.ports[port].name};
        std::string flat = names[0];
        std::replace(flat.begin(), flat.end(), '.', '_');
        if (flat != names[0])
            names.push_back(flat);
        const std::string& bus = bus_names_[port];
        if (bus != names[0])
            names.push_back(bus);
        if (bus.find('[') != std::string::npos)
            names.push_back(with_plain_indices(bus));
        return names;
    }

    /// Converts "x[1, 2]" to "x_1_2", as in our own waveforms.
    static std::string with_plain_indices(const std::string& name) {
        std::string result;
        for (const char c : name)
            if (c == '[' || c == ',')
                result += '_';
            else if (c != ']' && c != ' ')
                result += c;
        return result;
    }

    /// Scopes with a signal or a scope whose name starts like that of a port.
    std::vector<std::string> candidates() const {
        std::vector<std::string> first;
        for (std::size_t p = 0; p < interface_.ports.size(); ++p)
            for (const std::string& name : names_of(p))
                first.push_back(name.substr(0, name.find('.')));
        std::vector<std::string> found;
        const auto look = [&](std::uint32_t scope, const std::string& name) {
            const std::string path = declarations_.path(scope);
            if (found.size() < max_scopes && std::count(found.begin(), found.end(), path) == 0 &&
                std::any_of(first.begin(), first.end(),
                            [&](const std::string& each) { return name.starts_with(each); }))
                found.push_back(path);
        };
        for (const vcd::Variable& variable : declarations_.variables)
            look(variable.scope, variable.name);
        for (std::uint32_t k = 1; k < declarations_.scopes.size(); ++k)
            look(declarations_.scopes[k].outer, declarations_.scopes[k].name);
        return found;
    }

    std::optional<std::uint32_t> signal(const std::string& name) const {
        const auto found = signals_.find(name);
        return found == signals_.end() ? std::nullopt : std::optional{found->second};
    }

    static std::string inside(const std::string& scope, const std::string& name) {
        return scope.empty() ? name : scope + "." + name;
    }

    std::optional<RecordedScope> finish(const std::string& scope, bool report) {
        RecordedScope result;
        result.name = scope;
        Diagnostics found;
        const bool good = find_clock(result, found) && find_reset(result, found) &&
                          find_ports(result, found) && !found.has_errors();
        if (report)
            for (const Diagnostic& each : found.all())
                diagnostics_.add(each.code, each.where, each.message);
        return good ? std::optional{std::move(result)} : std::nullopt;
    }

    /// Takes the clock that the file marks.
    bool take_marked_clock(RecordedScope& result) const {
        const vcd::Variable* const own = domain_ ? declarations_.clock_of(domain_->name) : nullptr;
        const vcd::Variable* const marked = own ? own : declarations_.clock_of("");
        if (!marked || !place_.clock.empty())
            return false;
        result.clock = marked->signal;
        result.clock_name = vcd::full_name(declarations_, *marked);
        if (own)
            result.rate = domain_->rate;
        return true;
    }

    bool find_clock(RecordedScope& result, Diagnostics& diagnostics) const {
        if (take_marked_clock(result))
            return true;
        std::vector<std::string> names;
        const std::string& top = result.name;
        if (place_.clock.empty())
            names = {inside(top, "clk"), inside(top, "clock"),
                     top.substr(0, top.find('.')) + ".clock"};
        else
            names = {inside(top, place_.clock), place_.clock};
        for (const std::string& name : names)
            if (const auto found = signal(name)) {
                result.clock = *found;
                result.clock_name = name;
                result.clock_guessed = place_.clock.empty();
                if (domain_ && !is_of_network(name))
                    result.rate = domain_->rate;
                const vcd::Signal& clock = declarations_.signals[*found];
                if (clock.kind == vcd::Kind::bits && clock.width_bits == 1)
                    return true;
                diagnostics.add(Code::bad_option, interface_.where,
                                fmt::format("'{}' is no clock: it has not one bit", name));
                return false;
            }
        diagnostics.add(Code::unknown_name, interface_.where,
                        fmt::format("'{}' has no signal '{}'{}", place_.path, names[0],
                                    place_.clock.empty()
                                        ? "; give --clock and the name of the clock"
                                        : near(names[0])));
        return false;
    }

    /// True if a clock has the edges of the network instead of those of the domain: it is the
    /// outermost clock, and the domain has its own or --clock is absent.
    bool is_of_network(const std::string& clock) const {
        const std::string top = clock.substr(0, clock.find('.'));
        return clock == top + ".clock" &&
               (place_.clock.empty() ||
                yaml::find_domain_clock(signals_, declarations_, top, *domain_));
    }

    std::string near(const std::string& name) const {
        std::vector<std::string> all;
        for (const auto& [each, number] : signals_)
            all.push_back(each);
        std::sort(all.begin(), all.end());
        return did_you_mean(name, all);
    }

    bool find_reset(RecordedScope& result, Diagnostics& diagnostics) const {
        const std::size_t equals = place_.reset.find('=');
        const std::string name = place_.reset.empty() ? "rst" : place_.reset.substr(0, equals);
        const std::string level =
            equals == std::string::npos ? "1" : place_.reset.substr(equals + 1);
        auto found = signal(inside(result.name, name));
        if (!found)
            found = place_.reset.empty() ? std::nullopt : signal(name);
        if (!found && place_.reset.empty())
            return true;
        if (!found) {
            diagnostics.add(Code::unknown_name, interface_.where,
                            fmt::format("'{}' has no signal '{}'{}", place_.path,
                                        inside(result.name, name),
                                        near(inside(result.name, name))));
            return false;
        }
        result.reset = {*found, level[0]};
        return true;
    }

    bool find_ports(RecordedScope& result, Diagnostics& diagnostics) {
        std::vector<std::string> missing;
        std::size_t outputs = 0;
        bool good = true;
        for (std::size_t p = 0; p < interface_.ports.size(); ++p) {
            const InterfacePort& port = interface_.ports[p];
            auto& words = result.ports.emplace_back();
            if (port.constant)
                continue;
            if (!find_port(p, result, words, diagnostics))
                good = false;
            if (!words.empty())
                outputs += port.output ? 1 : 0;
            else if (!port.output)
                missing.push_back(port.name);
        }
        if (!missing.empty())
            diagnostics.add(Code::unknown_name, interface_.where,
                            fmt::format("scope '{}' of '{}' lacks {} {} of '{}'; {}", result.name,
                                        place_.path, missing.size() == 1 ? "input" : "inputs",
                                        fmt::join(missing, ", "), interface_.name,
                                        what_it_has(result.name)));
        else if (outputs == 0)
            diagnostics.add(Code::unknown_name, interface_.where,
                            fmt::format("scope '{}' of '{}' has no output of '{}'; {}", result.name,
                                        place_.path, interface_.name, what_it_has(result.name)));
        return good;
    }

    std::string what_it_has(const std::string& scope) const {
        std::vector<std::string> names;
        for (const vcd::Variable& variable : declarations_.variables)
            if (declarations_.path(variable.scope) == scope)
                names.push_back(variable.name);
        const std::size_t all = names.size();
        names.resize(std::min<std::size_t>(all, 12));
        return names.empty() ? "it has no signals"
                             : fmt::format("it has {}{}", fmt::join(names, ", "),
                                           all > names.size() ? ", ..." : "");
    }

    /// False if the signals exist but do not fit.
    bool find_port(std::size_t port, const RecordedScope& result, std::vector<yaml::VcdWord>& words,
                   Diagnostics& diagnostics) {
        for (const std::string& name : names_of(port)) {
            yaml::VcdInput input;
            input.path = place_.path;
            input.where = interface_.where;
            input.signal = {inside(result.name, name), interface_.where};
            input.clock = {result.clock_name, interface_.where};
            Diagnostics found;
            const yaml::InputRow row{families_[port], families_[port].name, false};
            if (auto signals = yaml::find_signals(declarations_, input, row, found)) {
                words = std::move(signals->words);
                return true;
            }
            for (const Diagnostic& each : found.all())
                if (each.code == Code::data_shape) {
                    diagnostics.add(each.code, each.where, each.message);
                    return false;
                }
        }
        return true;
    }

    const vcd::Declarations& declarations_;
    const WaveformPlace& place_;
    const Interface& interface_;
    const std::vector<BusFamily>& families_;
    const std::vector<std::string>& bus_names_;
    const ClockDomain* domain_;
    Diagnostics& diagnostics_;
    std::unordered_map<std::string, std::uint32_t> signals_;
};

} // namespace

std::optional<RecordedScope> find_scope(const vcd::Declarations& declarations,
                                        const WaveformPlace& place, const Interface& interface,
                                        const std::vector<BusFamily>& families,
                                        const std::vector<std::string>& bus_names,
                                        const ClockDomain* domain, Diagnostics& diagnostics) {
    return ScopeFinder{declarations, place, interface, families, bus_names, domain, diagnostics}
        .find();
}

} // namespace sme::external_model
