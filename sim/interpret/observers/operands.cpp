// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/operands.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "expr/program/parts.hpp"
#include "interpret/block/evaluator.hpp"
#include "interpret/block/program_group.hpp"

namespace sme::interpret {

namespace {

class ValueGroup final : public Group {
public:
    ValueGroup(std::shared_ptr<const expr::Probe> probe, const TakeValue& take, const Build& build)
        : probe_{std::move(probe)}, take_{take}, places_{places_of(build)},
          evaluator_{probe_->program, probe_->program.parts[0], places_},
          leaves_{probe_->type->leaves()}, slot_(probe_->type->size()), missing_{build.missing} {
        for (std::uint32_t p = 0; p < build.ports.size(); ++p)
            buses_.push_back(build.ports[p].buses);
        take_({}, "no cycle has run");
    }

    void step(unsigned, Range, const Frame& frame) override {
        if (probe_->reads_wire && !frame.wires_settled && !has_wires())
            return take_({}, "a fault kept the wires from being computed");
        FaultNote fault; // not one of the network
        Frame own = frame;
        own.control = &fault;
        evaluator_.results(own, results_);
        if (fault.first)
            return take_({}, fault.first->message);
        std::fill(slot_.begin(), slot_.end(), std::byte{0});
        for (std::size_t k = 0; k < leaves_.size(); ++k) // little-endian, as everywhere here
            std::memcpy(slot_.data() + leaves_[k].offset, &results_[k], leaves_[k].type->size());
        take_(slot_, {});
    }

private:
    /// True if a fault did not keep the wires that it reads from being computed.
    bool has_wires() const {
        bool all = missing_ != nullptr;
        for (const Segments& buses : buses_)
            for (std::uint64_t k = 0; all && k < buses.size(); ++k)
                all = missing_->computed(static_cast<std::uint64_t>(buses.at(k)), false);
        return all;
    }

    std::shared_ptr<const expr::Probe> probe_;
    const TakeValue& take_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<Leaf> leaves_;
    std::vector<std::uint64_t> results_;
    std::vector<std::byte> slot_;
    const MissingWires* missing_;
    std::vector<Segments> buses_; // by port: its elements
};

} // namespace

std::shared_ptr<const GroupFactory> value_factory(std::shared_ptr<const expr::Probe> probe,
                                                  TakeValue take) {
    return factory_of<ValueGroup>(std::move(probe), std::move(take));
}

std::vector<std::uint64_t> values_of(const expr::Program& program, std::vector<expr::NodeId> nodes,
                                     const SlotMap& places, const Frame& frame) {
    expr::PartProgram part;
    part.results = std::move(nodes);
    expr::schedule(program, part.results, part);
    std::vector<std::uint64_t> values;
    Evaluator{program, part, places}.results(frame, values);
    return values;
}

} // namespace sme::interpret
