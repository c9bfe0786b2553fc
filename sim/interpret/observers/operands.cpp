// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/operands.hpp"

#include <algorithm>

#include "expr/program/schedule.hpp"
#include "expr/syntax/print_line.hpp"
#include "interpret/observers/null_control.hpp"

namespace sme::interpret {

namespace {

/// A part that computes an operand's scalars, followed by the conditions of their faults, except
/// those in loops.
expr::PartProgram part_of(const expr::Program& program, const expr::Operand& operand) {
    expr::PartProgram part;
    part.results = operand.leaves;
    expr::schedule(program, operand.leaves, part);
    for (const expr::NodeId id : part.nodes)
        if (program.nodes[id].op == expr::Op::checked)
            part.results.push_back(program.nodes[id].b);
    return part;
}

} // namespace

std::vector<CheckResult::Shown> shown_operands(const expr::Program& program,
                                               const expr::Check& check, const SlotMap& places,
                                               const Frame& frame) {
    std::vector<CheckResult::Shown> shown;
    NullControl quiet;
    Frame own = frame;
    own.control = &quiet;
    std::vector<std::uint64_t> values;
    for (const expr::Operand& operand : check.operands) {
        const expr::PartProgram part = part_of(program, operand);
        Evaluator{program, part, places}.results(own, values);
        const auto faults = values.begin() + static_cast<std::ptrdiff_t>(operand.leaves.size());
        const bool fine = std::all_of(faults, values.end(), [](std::uint64_t v) { return v == 0; });
        expr::PrintLine line;
        line.pieces.push_back({{}, operand.type, {}});
        shown.push_back({operand.text, fine ? expr::line_of(line, values.data()) : "?"});
    }
    return shown;
}

} // namespace sme::interpret
