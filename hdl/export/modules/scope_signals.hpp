// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "export/modules/scope_module.hpp"
#include "export/rtl/module.hpp"

namespace sme::hdl {

/// Removes wires and constants that are not read from a module. Unread bits of ports, registers and
/// other wires go to a wire called `unused`, which tells lint that this is intended.
void remove_unread(rtl::Module& module);

/// The vectors that carry the buses of a scope's module.
class ScopeSignals {
public:
    ScopeSignals(const expr::ModuleView& scope, std::uint64_t instance, bool is_network,
                 Export& all, ModuleText& module);

    /// Returns the place of a bus field in this module; `nullopt` for a constant.
    std::optional<Place> place_of(std::uint64_t element, int field, bool write);

    rtl::Module head(WrittenModule& result, std::vector<rtl::Parameter> parameters) const;
    rtl::Items declarations() const;
    /// Writes delay lines. The writer of a bus with delay n has one register; the other n - 1 are
    /// here.
    rtl::Items delay_lines();
    /// Writes buses without a writer or a reader.
    rtl::Items tie_off() const;
    const std::vector<Signal>& all() const { return signals_; }

private:
    void add_view(const expr::BusView& view);
    std::uint32_t delay_of(const Signal& signal) const;
    rtl::Items delay_line(const Signal& signal);
    bool is_copy(std::uint64_t element, const Signal& signal) const;

    const expr::ModuleView& scope_;
    std::uint64_t instance_;
    bool is_network_;
    Export& all_;
    const Graph& graph_;
    ModuleText& module_;
    std::vector<Signal> signals_;
    std::map<std::pair<std::uint64_t, int>, std::vector<std::pair<std::size_t, std::uint64_t>>>
        carriers_; // of a bus field: signals and places
    std::set<std::pair<std::uint64_t, int>> driven_;
};

} // namespace sme::hdl
