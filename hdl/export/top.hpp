// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/process/hierarchy.hpp"

namespace sme::hdl {

/// An instance of a component, or a process, in a network.
struct Top {
    const expr::ModuleView* scope = nullptr; // the scope that contains it
    const expr::UnitText* unit = nullptr;
    std::uint64_t scope_instance = 0;  // of `scope`
    std::uint64_t member = 0;          // of the family
    std::vector<std::string> left_out; // the parts beside it, and beside each scope that contains
                                       // it

    /// Returns its number among all instances of its kind.
    std::uint64_t instance() const { return scope_instance * unit->count() + member; }
};

/// Returns the part named `name`: the component of an instance, or an instance or process by its
/// path, such as "console" or "core[2].alu". Reports a name that matches no part, or several.
std::optional<Top> find_top(const expr::ModuleView& network, const std::string& name,
                            Diagnostics& diagnostics);

} // namespace sme::hdl
