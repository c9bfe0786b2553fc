// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "expr/program/program.hpp"
#include "interpret/block/evaluator.hpp"
#include "sme/internal/group.hpp"

namespace sme::interpret {

/// An operand with its value: "total.value", "20".
struct Shown {
    std::string text;
    std::string value;
};

/// ": 'x' is 4, 'y' is 5"; empty without operands.
std::string said(const std::vector<Shown>& operands);

/// Reads the operands of a condition in a cycle.
class OperandReader {
public:
    /// All arguments must outlive it.
    OperandReader(const expr::Program& program, const std::vector<expr::Operand>& operands,
                  const SlotMap& places);

    /// The operands of the instance at a position, in the cycle of a frame. A value that cannot be
    /// computed, such as an unselected array element out of range, is shown as "?".
    std::vector<Shown> at(std::uint64_t position, const Frame& frame) const;

private:
    const expr::Program& program_;
    const std::vector<expr::Operand>& operands_;
    const SlotMap& places_;
    expr::PartProgram part_;          // results, for each operand: its scalars, then its faults
    std::vector<std::size_t> faults_; // for each operand: how many, except those in loops
};

} // namespace sme::interpret
