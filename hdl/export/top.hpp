// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/process/hierarchy.hpp"

namespace sme::hdl {

/// An instance of a component, or a process, of which a network is made.
struct Top {
    const expr::ModuleView* scope = nullptr; // where it stands
    const expr::UnitText* unit = nullptr;
    std::uint64_t scope_instance = 0;  // of `scope`
    std::uint64_t member = 0;          // of the family
    std::vector<std::string> left_out; // what stands beside it, and beside what it stands in

    /// Its number among all instances of what it is.
    std::uint64_t instance() const { return scope_instance * unit->count() + member; }
};

/// What `name` names: the component of an instance, or an instance or a process by its path, such
/// as "console" or "core[2].alu". Reports a name that fits nothing, or several.
std::optional<Top> find_top(const expr::ModuleView& network, const std::string& name,
                            Diagnostics& diagnostics);

} // namespace sme::hdl
