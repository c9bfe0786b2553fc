// SPDX-License-Identifier: Apache-2.0
#include "counterpart/pins.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"

namespace sme::counterpart {

namespace {

/// "x.data[3]" is "x_data_3" in C++.
std::string identifier(const std::string& name) {
    std::string made;
    for (const char c : name)
        if (c == '.' || c == '[' || c == ',')
            made += '_';
        else if (c != ']' && c != ' ')
            made += c == '-' ? 'm' : c;
    return made;
}

class PinBinder {
public:
    PinBinder(const ClassText& text, const std::string& class_name, const Interface& interface,
              Diagnostics& diagnostics)
        : text_{text}, class_{class_name}, interface_{interface}, diagnostics_{diagnostics} {
        for (std::size_t p = 0; p < interface.ports.size(); ++p)
            offer(p, interface.ports[p].name, 0, interface.ports[p].whole());
    }

    std::optional<BoundPins> bind(const std::string& clock, const std::string& reset) {
        const std::size_t errors = diagnostics_.errors();
        if (text_.systemc) {
            take_clock(clock);
            take_reset(reset);
        } else if (!clock.empty() || !reset.empty())
            diagnostics_.add(Code::bad_option, text_.where,
                             fmt::format("'{}' is a process class, which has neither clock nor "
                                         "reset; leave out --{}",
                                         class_, clock.empty() ? "reset" : "clock"));
        for (const ClassPort& port : text_.ports)
            if (!is(made_.control.clock, port) && !is(made_.control.reset, port))
                bind(port);
        look_for_missing();
        return diagnostics_.errors() == errors ? std::optional{std::move(made_)} : std::nullopt;
    }

private:
    struct Offer {
        std::string called;
        std::size_t port;
        std::size_t offset;
        TypeRef type;
    };

    /// All that a port of a class may be bound to, by the name that it would have.
    void offer(std::size_t port, const std::string& name, std::size_t offset, const TypeRef& type) {
        constexpr std::uint64_t most_elements = 1024;
        offers_.try_emplace(identifier(name), Offer{name, port, offset, type});
        if (type->kind() == TypeKind::structure)
            for (const Field& field : type->fields())
                offer(port, name + "." + field.name, offset + field.offset, field.type);
        if (type->kind() == TypeKind::array && type->count() <= most_elements)
            for (std::uint64_t k = 0; k < type->count(); ++k)
                offer(port, fmt::format("{}[{}]", name, k), offset + k * type->element()->size(),
                      type->element());
    }

    static bool is(const std::optional<ClassPort>& one, const ClassPort& port) {
        return one && one->name == port.name;
    }

    const ClassPort* find(const std::string& name) const {
        const auto found = std::find_if(text_.ports.begin(), text_.ports.end(),
                                        [&](const ClassPort& each) { return each.name == name; });
        return found == text_.ports.end() ? nullptr : &*found;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> made;
        for (const ClassPort& port : text_.ports)
            made.push_back(port.name);
        return made;
    }

    const ClassPort* control_port(const char* option, const std::string& name) {
        if (const ClassPort* const port = find(name))
            return port;
        diagnostics_.add(Code::unknown_name, text_.where,
                         fmt::format("--{}: module '{}' has no port '{}'{}", option, class_, name,
                                     did_you_mean(name, names())));
        return nullptr;
    }

    void take_clock(const std::string& given) {
        if (!given.empty()) {
            if (const ClassPort* const port = control_port("clock", given))
                made_.control.clock = *port;
            return;
        }
        for (const char* const usual : {"clk", "clock"})
            if (const ClassPort* const port = find(usual); port && !offers_.count(usual)) {
                made_.control.clock = *port;
                return;
            }
    }

    void take_reset(const std::string& given) {
        const std::size_t equals = given.find('=');
        if (!given.empty()) {
            if (const ClassPort* const port = control_port("reset", given.substr(0, equals)))
                made_.control.reset = *port;
            made_.control.reset_active =
                equals == std::string::npos || given.substr(equals) == "=1";
            return;
        }
        for (const char* const usual : {"rst", "reset"})
            if (const ClassPort* const port = find(usual); port && !offers_.count(usual)) {
                made_.control.reset = *port;
                return;
            }
    }

    void bind(const ClassPort& port) {
        const auto found = offers_.find(port.name);
        if (found == offers_.end()) {
            std::vector<std::string> all;
            for (const auto& [name, offer] : offers_)
                all.push_back(name);
            const std::string near = did_you_mean(port.name, all);
            diagnostics_.add(
                Code::unknown_name, port.where,
                fmt::format("'{}' has no port '{}'{}", interface_.name, port.name,
                            near.empty()
                                ? fmt::format("; it has {}", fmt::join(interface_.names(), ", "))
                                : near));
            return;
        }
        const Offer& offer = found->second;
        const bool output = interface_.ports[offer.port].output;
        using Direction = ClassPort::Direction;
        if (port.direction != (output ? Direction::output : Direction::input)) {
            const char* const has = port.direction == Direction::both     ? "inout"
                                    : port.direction == Direction::output ? "output"
                                                                          : "input";
            diagnostics_.add(Code::port_type, port.where,
                             fmt::format("'{}' is an {}, but '{}' of '{}' is an {}", port.name, has,
                                         offer.called, interface_.name,
                                         output ? "output" : "input"));
            return;
        }
        made_.pins.push_back({port, offer.called, offer.port, offer.offset, offer.type});
    }

    /// Every scalar of every port is bound once.
    void look_for_missing() {
        std::vector<std::string> missing;
        for (std::size_t p = 0; p < interface_.ports.size(); ++p) {
            const TypeRef whole = interface_.ports[p].whole();
            std::vector<std::uint64_t> times(whole->size());
            for (const BoundPin& pin : made_.pins)
                for (std::size_t b = 0; pin.interface_port == p && b < pin.type->size(); ++b)
                    ++times[pin.offset + b];
            for (const Leaf& leaf : whole->scalars()) {
                if (times[leaf.offset] > 1)
                    diagnostics_.add(Code::duplicate_name, text_.where,
                                     fmt::format("'{}' binds '{}{}' twice", class_,
                                                 interface_.ports[p].name, leaf.path));
                if (times[leaf.offset] != 0 || interface_.ports[p].constant)
                    continue;
                const bool is_long = whole->scalars().size() > 8;
                missing.push_back(interface_.ports[p].name + (is_long ? "" : leaf.path));
                if (is_long)
                    break;
            }
        }
        if (!missing.empty())
            diagnostics_.add(Code::unbound_port, text_.where,
                             fmt::format("class '{}' lacks {} of '{}': {}", class_,
                                         missing.size() == 1 ? "a port" : "ports", interface_.name,
                                         fmt::join(missing, ", ")));
    }

    const ClassText& text_;
    const std::string& class_;
    const Interface& interface_;
    Diagnostics& diagnostics_;
    std::map<std::string, Offer> offers_;
    BoundPins made_;
};

} // namespace

std::optional<BoundPins> bind_pins(const ClassText& text, const std::string& class_name,
                                   const Interface& interface, const std::string& clock,
                                   const std::string& reset, Diagnostics& diagnostics) {
    return PinBinder{text, class_name, interface, diagnostics}.bind(clock, reset);
}

} // namespace sme::counterpart
