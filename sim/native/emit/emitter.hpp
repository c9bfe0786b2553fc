// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "native/emit/c_text.hpp"
#include "native/ir/routine.hpp"

namespace sme::native {

/// Writes the nodes of a routine as C statements. Nodes get their names when they are written.
class Emitter {
public:
    Emitter(Routine& routine, const Arithmetic& arithmetic)
        : routine_{routine}, arithmetic_{arithmetic}, names_(routine.size()) {}

    /// Writes statements, one or more lines each, with `indent` spaces before each line.
    std::string block(const std::vector<Id>& ids, unsigned indent);
    std::string statement(Id id, unsigned indent);

    /// The C text of a value: a name or a number.
    std::string text(Id id) const;
    /// The values that a statement assigns to names that later statements may use.
    std::vector<Id> defined(Id id) const;
    CType type(Id id) const { return arithmetic_.of(routine_[id].type); }

private:
    const std::string& name(Id id);
    std::string operation(const Node& node) const;
    std::string filled(const Node& node) const;
    std::string loop(const Node& node, unsigned indent);
    std::string branch(const Node& node, unsigned indent);
    std::string arm(const Region& region, bool first, unsigned indent);

    Routine& routine_;
    Arithmetic arithmetic_;
    std::vector<std::string> names_; // by value
};

} // namespace sme::native
