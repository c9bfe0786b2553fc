// SPDX-License-Identifier: Apache-2.0
#include "yaml/data/vcd_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/packed.hpp"
#include "vcd/reader.hpp"

namespace sme::yaml {

namespace {

/// Returns a name below a bus as in SME's traces: "[1, -2].x[0]" becomes "_1_m2.x_0".
std::string as_we_write(const std::string& name) {
    std::string result;
    for (const char c : name)
        if (c == '[' || c == ',')
            result += '_';
        else if (c == '-')
            result += 'm';
        else if (c != ']' && c != ' ')
            result += c;
    return result;
}

/// Returns the same name as in Verilog: "[1][-2].x[0]".
std::string as_verilog(const std::string& name) {
    std::string result;
    for (const char c : name)
        if (c == ',')
            result += "][";
        else if (c != ' ')
            result += c;
    return result;
}

/// Returns the same name as for ports of exported Verilog: "_3_x_0".
std::string as_ports(std::string name) {
    name = as_we_write(name);
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}

class SignalFinder {
public:
    SignalFinder(const vcd::Declarations& declarations, const VcdInput& input, const InputRow& row,
                 Diagnostics& diagnostics)
        : declarations_{declarations}, input_{input}, row_{row}, diagnostics_{diagnostics} {
        for (const vcd::Variable& variable : declarations.variables)
            signals_.emplace(vcd::full_name(declarations, variable), variable.signal);
    }

    std::optional<VcdSignals> find() {
        if (!find_base() || !find_words() || !find_clock())
            return std::nullopt;
        if (row_.stream() && !find_handshake())
            return std::nullopt;
        return std::move(made_);
    }

private:
    bool fail(const std::optional<Word>& asked, std::string message) {
        diagnostics_.add(Code::unknown_name, asked ? asked->where : input_.where,
                         std::move(message));
        return false;
    }

    /// Finds the name of the bus in the file, and its outermost scope.
    bool find_base() {
        std::vector<std::string> tops;
        for (std::size_t k = 1; k < declarations_.scopes.size(); ++k)
            if (declarations_.scopes[k].outer == 0 &&
                std::find(tops.begin(), tops.end(), declarations_.scopes[k].name) == tops.end())
                tops.push_back(declarations_.scopes[k].name);
        if (input_.signal) {
            base_ = input_.signal->text;
            top_ = base_.substr(0, base_.find('.'));
            return true;
        }
        if (tops.size() > 1)
            return fail(std::nullopt,
                        fmt::format("'{}' has {} outermost scopes; write signal: and the "
                                    "name of the signal that is '{}'",
                                    input_.path, tops.size(), row_.bus().name));
        top_ = tops.empty() ? "" : tops.front();
        const std::string& bus = row_.bus().name;
        base_ = below_top(bus.substr(0, bus.find('[')));
        member_ = bus.substr(std::min(bus.find('['), bus.size()));
        return true;
    }

    /// Returns the name in SME's traces of a signal below the bus.
    std::string name_of(const std::string& below) const {
        return base_ + as_we_write(member_ + below);
    }

    /// Returns the signal with this name below the bus.
    std::optional<std::uint32_t> signal_of(const std::string& below) const {
        for (const std::string& name : {name_of(below), base_ + as_verilog(member_ + below),
                                        base_ + as_ports(member_ + below)})
            if (const auto found = signals_.find(name); found != signals_.end())
                return found->second;
        return std::nullopt;
    }

    bool find_words() {
        for (std::size_t k = 0; k < row_.scalars().size();) {
            const InputRow::Scalar& scalar = row_.scalars()[k];
            if (const auto one = signal_of(scalar.element + scalar.path)) {
                if (!add_scalar(*one, scalar))
                    return false;
                ++k;
            } else if (!add_element(scalar.element))
                return missing(scalar.element + scalar.path);
            else
                k += row_.bus().type->scalars().size();
        }
        return true;
    }

    bool missing(const std::string& below) {
        std::vector<std::string> names;
        for (const auto& [name, signal] : signals_)
            names.push_back(name);
        std::sort(names.begin(), names.end());
        const std::string wanted = name_of(below);
        const std::string near = did_you_mean(wanted, names);
        return fail(input_.signal,
                    fmt::format("'{}' has no signal '{}'{}", input_.path, wanted,
                                !near.empty() ? near
                                : input_.signal
                                    ? ""
                                    : "; write signal: and the name that it has there"));
    }

    bool fits(std::uint32_t signal, const std::string& name, const Type& type) {
        const vcd::Signal& found = declarations_.signals[signal];
        if (found.kind == vcd::Kind::bits && found.width_bits == type.width_bits())
            return true;
        diagnostics_.add(Code::data_shape, input_.signal ? input_.signal->where : input_.where,
                         found.kind == vcd::Kind::bits
                             ? fmt::format("'{}' has {} bits in '{}', but {} has {}", name,
                                           found.width_bits, input_.path, type.name(),
                                           type.width_bits())
                             : fmt::format("'{}' has no bits in '{}', but {} has {}", name,
                                           input_.path, type.name(), type.width_bits()));
        return false;
    }

    bool add_scalar(std::uint32_t signal, const InputRow::Scalar& scalar) {
        const std::string name = name_of(scalar.element + scalar.path);
        if (!fits(signal, name, *scalar.type))
            return false;
        for_each_packed_word(*scalar.type, 0, 0, [&](const PackedWord& word) {
            made_.words.push_back({signal, word.bit, word.width, scalar.type, name});
        });
        return true;
    }

    /// Adds an element that is a single signal.
    bool add_element(const std::string& element) {
        const Type& type = *row_.bus().type;
        const auto signal = signal_of(element);
        if (!signal || type.is_scalar() || row_.stream())
            return false;
        const std::string name = name_of(element);
        if (declarations_.signals[*signal].kind != vcd::Kind::bits ||
            declarations_.signals[*signal].width_bits != type.width_bits())
            return false;
        const std::size_t first = made_.words.size();
        made_.words.resize(first + type.leaf_count());
        for_each_packed_word(type, 0, 0, [&](const PackedWord& word) {
            made_.words[first + word.leaf] = {*signal, word.bit, word.width, word.scalar, name};
        });
        return true;
    }

    bool find_clock() {
        if (!input_.clock && take_marked_clock())
            return true;
        if (!input_.clock && input_.domain) {
            if (const auto own = find_domain_clock(signals_, declarations_, top_, *input_.domain)) {
                made_.clock = *own;
                made_.of_domain = true;
                made_.clock_name = below_top(input_.domain->name + ".clock");
                return true;
            }
            made_.counted = input_.domain->rate;
        }
        made_.clock_name = input_.clock ? input_.clock->text : below_top("clock");
        const auto found = signals_.find(made_.clock_name);
        if (found == signals_.end())
            return fail(
                input_.clock,
                fmt::format("'{}' has no signal '{}'{}", input_.path, made_.clock_name,
                            input_.clock ? "" : "; write clock: and the name of the clock"));
        made_.clock = found->second;
        const vcd::Signal& clock = declarations_.signals[made_.clock];
        return (clock.kind == vcd::Kind::bits && clock.width_bits == 1) ||
               fail(input_.clock,
                    fmt::format("'{}' is no clock: it has not one bit", made_.clock_name));
    }

    /// Finds the clock that the file marks: that of the domain or, if unmarked, that of the
    /// network.
    bool take_marked_clock() {
        const bool of_domain = input_.domain && !input_.domain->rate.is_every_cycle();
        const vcd::Variable* own =
            of_domain ? declarations_.clock_of(input_.domain->name) : nullptr;
        const vcd::Variable* const marked = own ? own : declarations_.clock_of("");
        if (!marked)
            return false;
        made_.clock = marked->signal;
        made_.clock_name = vcd::full_name(declarations_, *marked);
        made_.of_domain = own != nullptr;
        made_.clock_marked = true;
        if (of_domain && !own)
            made_.counted = input_.domain->rate;
        return true;
    }

    std::string below_top(const std::string& name) const {
        return top_.empty() ? name : top_ + "." + name;
    }

    bool find_handshake() {
        made_.valid = signal_of(".valid");
        made_.ready = signal_of(".ready");
        return (made_.valid && made_.ready) ||
               fail(input_.signal,
                    fmt::format("'{}' has no signals '{}' and '{}', which say when a value was "
                                "taken",
                                input_.path, name_of(".valid"), name_of(".ready")));
    }

    const vcd::Declarations& declarations_;
    const VcdInput& input_;
    const InputRow& row_;
    Diagnostics& diagnostics_;
    std::unordered_map<std::string, std::uint32_t> signals_;
    std::string base_, top_;
    std::string member_; // "[1, 0]" if one member of a family is fed, and no signal is named
    VcdSignals made_;
};

} // namespace

std::optional<std::uint32_t>
find_domain_clock(const std::unordered_map<std::string, std::uint32_t>& signals,
                  const vcd::Declarations& declarations, const std::string& scope,
                  const ClockDomain& domain) {
    const std::string plain = (scope.empty() ? "" : scope + ".") + domain.name;
    const auto found = signals.find(plain + ".clock");
    if (domain.rate.is_every_cycle() || found == signals.end())
        return std::nullopt;
    // alternative names in case of a collision
    for (const char* const other : {".clock_", ".clock_v2", "_v2.clock"})
        if (signals.count(plain + other) != 0)
            return std::nullopt;
    const vcd::Signal& clock = declarations.signals[found->second];
    const bool one_bit = clock.kind == vcd::Kind::bits && clock.width_bits == 1;
    return one_bit ? std::optional{found->second} : std::nullopt;
}

std::optional<VcdSignals> find_signals(const vcd::Declarations& declarations, const VcdInput& input,
                                       const InputRow& row, Diagnostics& diagnostics) {
    return SignalFinder{declarations, input, row, diagnostics}.find();
}

} // namespace sme::yaml
