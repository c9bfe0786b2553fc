// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/actor_observers.hpp"

#include <utility>

#include "interpret/block/program_group.hpp"
#include "interpret/observers/recorder.hpp"

namespace sme::interpret {

namespace {

class Waits final : public ResultsGroup {
public:
    Waits(std::shared_ptr<const expr::ActorNetwork> network, std::shared_ptr<WaitCounts> counts,
          const Build& build)
        : network_{std::move(network)}, counts_{std::move(counts)}, places_{places_of(build)},
          evaluator_{network_->program, network_->program.parts[0], places_} {
        *counts_ = {network_, std::vector<std::uint64_t>(network_->ends.size(), 0)};
    }

    const expr::Program& program() const override { return network_->program; }
    const SlotMap& places() const override { return places_; }
    Evaluator& evaluator() override { return evaluator_; }

    void step(unsigned, Range, const Frame& frame) override {
        if (!frame.wires_settled) // after the last cycle
            return;
        evaluator_.results(frame, values_);
        for (std::size_t k = 0; k < network_->ends.size(); ++k)
            counts_->cycles[k] += values_[network_->ends[k].waits] != 0;
    }

    std::vector<Guarded> guarded() const override {
        std::vector<Guarded> result;
        for (const expr::ActorNetwork::End& end : network_->ends)
            result.push_back({end.waits, true, false});
        return result;
    }
    std::uint64_t guard(std::uint64_t, Guard* guards) const override {
        for (std::size_t k = 0; k < network_->ends.size(); ++k)
            guards[k] = {};
        return ~std::uint64_t{0};
    }
    void skip(std::uint64_t, std::uint64_t, const Guard* guards) override {
        for (std::size_t k = 0; k < network_->ends.size(); ++k)
            counts_->cycles[k] += guards[k].held;
    }

private:
    std::shared_ptr<const expr::ActorNetwork> network_;
    std::shared_ptr<WaitCounts> counts_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
};

} // namespace

std::shared_ptr<const GroupFactory> waits_factory(std::shared_ptr<const expr::ActorNetwork> network,
                                                  std::shared_ptr<WaitCounts> counts) {
    return factory_of<Waits>(std::move(network), std::move(counts));
}

namespace {

class Watch final : public ResultsGroup {
public:
    Watch(std::shared_ptr<const expr::ActorNetwork> network, ActorWatcher watcher,
          const Build& build)
        : network_{std::move(network)}, watcher_{std::move(watcher)}, places_{places_of(build)},
          evaluator_{network_->program, network_->program.parts[0], places_} {}

    const expr::Program& program() const override { return network_->program; }
    const SlotMap& places() const override { return places_; }
    Evaluator& evaluator() override { return evaluator_; }

    void step(unsigned, Range, const Frame& frame) override {
        if (network_->reads_wire && !frame.wires_settled)
            return;
        evaluator_.results(frame, values_);
        watcher_(frame.cycle, values_);
    }

    std::vector<Guarded> guarded() const override { return {}; }
    std::uint64_t guard(std::uint64_t, Guard*) const override { return 0; }
    void skip(std::uint64_t, std::uint64_t, const Guard*) override {}

private:
    std::shared_ptr<const expr::ActorNetwork> network_;
    ActorWatcher watcher_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
};

} // namespace

std::shared_ptr<const GroupFactory> watch_factory(std::shared_ptr<const expr::ActorNetwork> network,
                                                  ActorWatcher watcher) {
    return factory_of<Watch>(std::move(network), std::move(watcher));
}

} // namespace sme::interpret
