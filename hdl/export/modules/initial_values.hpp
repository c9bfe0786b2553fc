// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "export/modules/process_site.hpp"
#include "expr/program/program.hpp"

namespace sme::hdl {

/// The initial values of a process's states and outputs, in instances first … first + count − 1.
class InitialValues {
public:
    InitialValues(const Graph& graph, std::size_t family, std::uint64_t first, std::uint64_t count)
        : graph_{graph}, family_{graph.processes[family]}, first_{first}, count_{count} {}

    /// Returns the bits of a variable that is not a memory, per instance.
    std::vector<Words> of(const Variable& variable) const;
    /// Returns a scalar of a non-array state by its offset in the slot; `nullopt` if instances
    /// differ.
    std::optional<std::uint64_t> scalar_of(const expr::StateText& state, std::uint64_t offset,
                                           expr::Scalar type) const;
    /// Returns the nonzero words of a memory by address; they are the same in all instances.
    std::map<std::uint64_t, Words> words_of(const Variable& memory) const {
        return words_of(memory, 0);
    }

private:
    Words bits_of(const Variable& variable, std::uint64_t instance) const;
    std::map<std::uint64_t, Words> words_of(const Variable& array, std::uint64_t instance) const;

    const Graph& graph_;
    const ProcessFamily& family_;
    std::uint64_t first_;
    std::uint64_t count_;
};

} // namespace sme::hdl
