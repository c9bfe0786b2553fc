// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "native/c_text.hpp"

namespace sme::native {

/// A statement of straight code. It gives a value to a name, once, or does something else.
struct Statement {
    std::string name; // of the value; empty: none
    CType type = {};
    std::string text; // the value, or the whole statement
    std::vector<std::string> uses;
    std::string comment = {}; // a line above it

    std::string line() const {
        return name.empty() ? text : "const " + type.name() + " " + name + " = " + text + ";";
    }
};

} // namespace sme::native
