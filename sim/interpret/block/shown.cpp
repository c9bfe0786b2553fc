// SPDX-License-Identifier: Apache-2.0
#include "interpret/block/shown.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/program/parts.hpp"
#include "expr/syntax/print_line.hpp"
#include "interpret/block/scalar_code.hpp"

namespace sme::interpret {

std::string said(const std::vector<Shown>& operands) {
    std::string text;
    for (const Shown& each : operands)
        text += fmt::format("{} '{}' is {}", text.empty() ? ":" : ",", each.text, each.value);
    return text;
}

OperandReader::OperandReader(const expr::Program& program,
                             const std::vector<expr::Operand>& operands, const SlotMap& places)
    : program_{program}, operands_{operands}, places_{places} {
    for (const expr::Operand& operand : operands) {
        expr::PartProgram own;
        expr::schedule(program, operand.leaves, own);
        part_.results.insert(part_.results.end(), operand.leaves.begin(), operand.leaves.end());
        const std::size_t before = part_.results.size();
        for (const expr::NodeId id : own.nodes)
            if (program.nodes[id].op == expr::Op::checked)
                part_.results.push_back(program.nodes[id].b);
        faults_.push_back(part_.results.size() - before);
    }
    expr::schedule(program, part_.results, part_);
}

std::vector<Shown> OperandReader::at(std::uint64_t position, const Frame& frame) const {
    std::vector<std::uint64_t> values;
    ScalarCode code{program_, part_, places_, position};
    code.run(frame, nullptr);
    code.results(values);
    std::vector<Shown> shown;
    const std::uint64_t* next = values.data();
    for (std::size_t k = 0; k < operands_.size(); ++k) {
        const std::uint64_t* const faults = next + operands_[k].leaves.size();
        const std::uint64_t* const end = faults + faults_[k];
        const bool fine = std::all_of(faults, end, [](std::uint64_t bad) { return bad == 0; });
        expr::PrintLine line;
        line.pieces.push_back({{}, operands_[k].type, {}});
        shown.push_back({operands_[k].text, fine ? expr::line_of(line, next) : "?"});
        next = end;
    }
    return shown;
}

} // namespace sme::interpret
