// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/halt.hpp"

#include <utility>
#include <vector>

#include "interpret/observers/results_group.hpp"
#include "interpret/places.hpp"

namespace sme::interpret {

namespace {

class Halt final : public ResultsGroup {
public:
    Halt(std::shared_ptr<const expr::HaltCondition> halt, const Build& build)
        : halt_{std::move(halt)}, places_{places_of(build)}, evaluator_{halt_->program,
                                                                        halt_->program.parts[0],
                                                                        places_} {}

    const expr::Program& program() const override { return halt_->program; }
    const SlotMap& places() const override { return places_; }
    Evaluator& evaluator() override { return evaluator_; }

    void step(unsigned, Range, const Frame& frame) override {
        if (halt_->reads_wire && !frame.wires_settled)
            return;
        evaluator_.results(frame, values_);
        if (values_.back() != 0)
            frame.control->halt();
    }

    std::vector<Guarded> guarded() const override { return {{0}}; }
    std::uint64_t guard(std::uint64_t, Guard* guards) const override {
        *guards = {1, 0, 0, 0};
        return ~std::uint64_t{0};
    }
    void skip(std::uint64_t, std::uint64_t, const Guard*) override {}

private:
    std::shared_ptr<const expr::HaltCondition> halt_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
};

class HaltFactory final : public GroupFactory {
public:
    explicit HaltFactory(std::shared_ptr<const expr::HaltCondition> halt)
        : halt_{std::move(halt)} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        return std::make_unique<Halt>(halt_, build);
    }

private:
    std::shared_ptr<const expr::HaltCondition> halt_;
};

} // namespace

std::shared_ptr<const GroupFactory> halt_factory(std::shared_ptr<const expr::HaltCondition> halt) {
    return std::make_shared<HaltFactory>(std::move(halt));
}

} // namespace sme::interpret
