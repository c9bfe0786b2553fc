// SPDX-License-Identifier: Apache-2.0
#include "interpret/operands.hpp"

#include <algorithm>

#include "expr/parts.hpp"
#include "expr/print_line.hpp"
#include "interpret/quiet.hpp"

namespace sme::interpret {

namespace {

/// A part that computes an operand's scalars, and behind them whether each fault in them happens.
expr::PartProgram part_of(const expr::Program& program, const expr::Operand& operand) {
    expr::PartProgram part;
    part.results = operand.leaves;
    std::vector<bool> wanted(program.nodes.size(), false);
    expr::NodeId end = 0;
    for (const expr::NodeId leaf : operand.leaves) {
        wanted[leaf] = true;
        end = std::max(end, leaf + 1);
    }
    for (expr::NodeId id = end; id-- > 0;) {
        if (!wanted[id])
            continue;
        part.nodes.push_back(id);
        const expr::Node& node = program.nodes[id];
        expr::for_each_operand(node, [&](expr::NodeId used) { wanted[used] = true; });
        if (node.op == expr::Op::checked)
            part.results.push_back(node.b);
    }
    std::reverse(part.nodes.begin(), part.nodes.end());
    return part;
}

} // namespace

std::vector<Verdict::Shown> shown_operands(const expr::Program& program, const expr::Check& check,
                                           const Places& places, const Frame& frame) {
    std::vector<Verdict::Shown> shown;
    QuietControl quiet;
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
