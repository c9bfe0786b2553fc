// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "native/c_compiler.hpp"
#include "native/native_group.hpp"
#include "native/native_results.hpp"
#include "native/unit.hpp"

namespace sme::native {

/// A network's processes as native code; must outlive the run. It is made in three steps, which may
/// be far apart: the C is written (nothing is run meanwhile), it is compiled (on any thread, while
/// the network runs), and the groups are made, which may take the place of the interpreter's
/// between any two cycles.
class Native {
public:
    /// As for Unit.
    Native(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
           const std::vector<ScheduledStep>& steps = {})
        : unit_{graph, groups, wires_begin, steps}, groups_of_network_{groups} {}

    const Unit& unit() const { return unit_; }
    /// Takes the functions of the unit, and lets observers use theirs; false, with a problem, when
    /// one of them is missing.
    bool load(std::shared_ptr<const Object> object, std::string& problem);
    /// What steps a process family from now on; null: what stepped it before. After `load`.
    Group* group(std::uint32_t family) const;
    /// Runs the steps of a row of the unit, on one thread. Returns how many of them are done: the
    /// next is to be run by its group, and those behind it.
    std::uint32_t run_row(std::size_t row, const Frame& frame) const;

private:
    Unit unit_;
    std::vector<Group*> groups_of_network_;
    std::shared_ptr<const Object> object_;
    std::map<std::uint32_t, std::unique_ptr<NativeGroup>> groups_; // by family
    struct Row {
        Kernel kernel;
        std::uint32_t steps;
        std::vector<std::byte*> data;
        std::vector<const NativeGroup*> commits;
    };
    std::vector<Row> rows_;
    std::vector<std::unique_ptr<NativeResults>> results_;
};

} // namespace sme::native
