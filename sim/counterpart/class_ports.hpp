// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace sme::counterpart {

/// A port as a class declares it.
struct ClassPort {
    enum class Direction : std::uint8_t { input, output, both };
    std::string name;
    Direction direction;
    Location where;
};

/// What a C++ file says of a class.
struct ClassText {
    bool systemc = false;         // a module of SystemC; otherwise a process class
    std::vector<ClassPort> ports; // of a process class: in the order of its constructor
    Location where;
};

/// Finds a class in a file and reads its ports: the In and Out parameters of a process class's
/// constructor, or the sc_in and sc_out members of a SystemC module. The text is not preprocessed,
/// and base classes are not looked at. Nothing when something was reported.
std::optional<ClassText> read_class(const std::string& path, const std::string& name,
                                    Diagnostics& diagnostics);

} // namespace sme::counterpart
