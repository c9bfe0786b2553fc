// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "native/emit/c_text.hpp"

namespace sme::native {

/// A statement of straight code. It gives a value to a name, once, or does something else.
struct Statement {
    std::string name; // of the value; empty: none
    CType type = {};
    std::string text; // the value, or the whole statement
    std::vector<std::string> uses;
    std::string comment = {}; // a line above it
    /// Of a choice: what decides. It is `first` when this holds and else `second`; without a name,
    /// it is done when this holds.
    std::string condition = {};
    std::string first = {}, second = {};
    /// What a statement of several lines gives values to besides: a loop.
    std::vector<std::pair<std::string, CType>> also = {};
    bool loads = false; // what later statements may change
    unsigned work = 1;  // more or less, in operations

    /// With a line end, each line behind an indentation.
    std::string lines(const std::string& indent) const {
        std::string made = indent + line() + "\n";
        for (std::size_t at = made.find('\n'); at + 1 < made.size(); at = made.find('\n', at + 1))
            made.insert(at + 1, indent);
        return made;
    }
    std::string line() const {
        if (!name.empty())
            return "const " + type.name() + " " + name + " = " + text + ";";
        return condition.empty() ? text : "if (" + condition + ") " + text;
    }
};

/// Gives each variable of a function a name of its own.
class Names {
public:
    std::string unique(const std::string& wanted) {
        std::string made = wanted;
        for (unsigned& next = taken_[wanted]; ++next > 1;) {
            made = wanted + "_" + std::to_string(next);
            if (taken_.try_emplace(made, 1).second)
                break;
        }
        return made;
    }

private:
    std::map<std::string, unsigned> taken_; // and how many wanted it
};

} // namespace sme::native
