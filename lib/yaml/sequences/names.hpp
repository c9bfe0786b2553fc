// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "yaml/sequences/graph.hpp"

namespace sme::yaml {

/// Names the items and decisions of one state machine.
class ItemNames {
public:
    /// `taken`: the names in the process.
    ItemNames(Context& context, const std::set<std::string>& taken)
        : context_{context}, taken_{taken} {}

    /// Returns the name that a user gave the item, or what it does. Reports a name that is given to
    /// two items.
    std::string name_of(const SequenceItem& item);
    /// Numbers equal names in the order of the file, so that all differ.
    void number(std::vector<SequencePoint>& points) const;

private:
    /// Returns true if the name has another meaning where items are compared with it.
    bool is_taken(const std::string& name) const {
        return taken_.count(name) > 0 || !context_.scope.kind_of(name).empty();
    }

    Context& context_;
    const std::set<std::string>& taken_;
    std::map<std::string, const SequenceItem*> given_; // by users
};

} // namespace sme::yaml
