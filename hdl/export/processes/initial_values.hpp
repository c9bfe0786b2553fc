// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "export/processes/process_context.hpp"
#include "expr/process/process.hpp"
#include "expr/program/program.hpp"
#include "expr/typing/scope.hpp"

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

/// Returns the states of a process with unobservable initial values: the first cycle assigns each
/// of them a value that depends on none of them, and no other value depends on them. They need no
/// reset. Arrays in `memories` have no reset anyway.
std::set<const expr::StateText*>
reset_free_states(const expr::ProcessView& text, const expr::Program& program,
                  const InitialValues& initial, const std::set<const expr::StateText*>& memories);

/// Returns a sentence for each memory that is worth a block RAM but cannot be one, because wires or
/// registers use a word in the cycle of its address. `wires` and `clocked` are the assignments of
/// the process's module.
std::vector<std::string> block_ram_hints(const std::string& process,
                                         const std::vector<Variable>& variables,
                                         const ProcessFamily& family, const rtl::Items& wires,
                                         const rtl::Items& clocked);

/// Returns statements that set the words of a memory to their initial values, with loops over the
/// variable `word` for equal ones.
rtl::Statements fill_memory(const Variable& memory, std::uint64_t words,
                            const std::map<std::uint64_t, Words>& values, const std::string& word,
                            bool clocked);

} // namespace sme::hdl
