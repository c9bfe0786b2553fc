// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/operands.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/program/parts.hpp"
#include "expr/syntax/print_line.hpp"
#include "interpret/block/evaluator.hpp"
#include "interpret/block/program_group.hpp"

namespace sme::interpret {

namespace {

/// A fault of the expression is not a fault of the network.
class Listener final : public NullControl {
public:
    explicit Listener(std::string& problem) : problem_{problem} {}
    void fault(std::uint64_t, const Diagnostic& what) override { problem_ = what.message; }

private:
    std::string& problem_;
};

class ValueGroup final : public Group {
public:
    ValueGroup(std::shared_ptr<const expr::Probe> probe, const TakeValue& take, const Build& build)
        : probe_{std::move(probe)}, take_{take}, places_{places_of(build)},
          evaluator_{probe_->program, probe_->program.parts[0], places_},
          leaves_{probe_->type->leaves()}, slot_(probe_->type->size()) {
        take_({}, "no cycle has run");
    }

    void step(unsigned, Range, const Frame& frame) override {
        if (probe_->reads_wire && !frame.wires_settled)
            return take_({}, "a fault kept the wires from being computed");
        std::string problem;
        Listener listener{problem};
        Frame own = frame;
        own.control = &listener;
        evaluator_.results(own, results_);
        if (!problem.empty())
            return take_({}, problem);
        std::fill(slot_.begin(), slot_.end(), std::byte{0});
        for (std::size_t k = 0; k < leaves_.size(); ++k) // little-endian, as everywhere here
            std::memcpy(slot_.data() + leaves_[k].offset, &results_[k], leaves_[k].type->size());
        take_(slot_, {});
    }

private:
    std::shared_ptr<const expr::Probe> probe_;
    const TakeValue& take_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<Leaf> leaves_;
    std::vector<std::uint64_t> results_;
    std::vector<std::byte> slot_;
};

} // namespace

std::shared_ptr<const GroupFactory> value_factory(std::shared_ptr<const expr::Probe> probe,
                                                  TakeValue take) {
    return factory_of<ValueGroup>(std::move(probe), std::move(take));
}

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

std::vector<Verdict::Shown> shown_operands(const expr::Program& program, const expr::Check& check,
                                           const SlotMap& places, const Frame& frame) {
    std::vector<Verdict::Shown> shown;
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

std::uint64_t value_of(const expr::Program& program, expr::NodeId node, const SlotMap& places,
                       const Frame& frame) {
    expr::PartProgram part;
    part.results = {node};
    expr::schedule(program, part.results, part);
    std::vector<std::uint64_t> values;
    Evaluator{program, part, places}.results(frame, values);
    return values[0];
}

} // namespace sme::interpret
