// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "counterpart/class_ports.hpp"
#include "counterpart/interface.hpp"

namespace sme::counterpart {

/// A port of a class and what of the process it is: a whole port, or a field of one.
struct BoundPin {
    ClassPort port;
    std::string called; // "x", "x.valid"
    std::size_t interface_port;
    std::size_t offset; // in the port's slot
    TypeRef type;
};

/// Ports of a class that are none of the process: its clock and its reset.
struct ControlPins {
    std::optional<ClassPort> clock;
    std::optional<ClassPort> reset;
    bool reset_active = true;
};

struct BoundPins {
    std::vector<BoundPin> pins; // in the order of the class's ports
    ControlPins control;
};

/// Binds the ports of a class to those of a process by their names: "x" is all of port x, "x_ready"
/// or "x_data" a field. `clock` and `reset` ("NAME", "NAME=0") are as the user gave them: of
/// SystemC modules only. Nothing when something was reported: a port that is missing, surplus or of
/// the other direction.
std::optional<BoundPins> bind_pins(const ClassText& text, const std::string& class_name,
                                   const Interface& interface, const std::string& clock,
                                   const std::string& reset, Diagnostics& diagnostics);

} // namespace sme::counterpart
