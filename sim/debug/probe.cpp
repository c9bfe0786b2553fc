// SPDX-License-Identifier: Apache-2.0
#include "debug/probe.hpp"

#include <cstring>
#include <utility>

#include "base/diagnostic.hpp"
#include "interpret/places.hpp"

namespace sme::debug {

namespace {

/// A fault of the expression is none of the network.
class Listener final : public Control {
public:
    explicit Listener(std::string& problem) : problem_{problem} {}
    void halt() override {}
    void fail() override {}
    void print(std::uint64_t, std::uint32_t, std::string) override {}
    void fault(std::uint64_t, const Diagnostic& what) override { problem_ = what.message; }

private:
    std::string& problem_;
};

class ProbeGroup final : public Group {
public:
    ProbeGroup(std::shared_ptr<const expr::Probe> probe, ProbeValue& value, const Build& build)
        : probe_{std::move(probe)}, value_{value}, places_{interpret::places_of(build)},
          evaluator_{probe_->program, probe_->program.parts[0], places_},
          leaves_{probe_->type->leaves()} {
        value_ = {probe_->type, {}, "no cycle has run"};
    }

    void step(unsigned, Range, const Frame& frame) override {
        value_.slot.clear();
        value_.problem.clear();
        if (probe_->reads_wire && !frame.wires_settled) {
            value_.problem = "a fault kept the wires from being computed";
            return;
        }
        Listener listener{value_.problem};
        Frame own = frame;
        own.control = &listener;
        evaluator_.results(own, results_);
        if (!value_.problem.empty())
            return;
        value_.slot.assign(probe_->type->size(), std::byte{0});
        for (std::size_t k = 0; k < leaves_.size(); ++k) // little-endian, as everywhere here
            std::memcpy(value_.slot.data() + leaves_[k].offset, &results_[k],
                        leaves_[k].type->size());
    }

private:
    std::shared_ptr<const expr::Probe> probe_;
    ProbeValue& value_;
    interpret::SlotMap places_;
    interpret::Evaluator evaluator_;
    std::vector<Leaf> leaves_;
    std::vector<std::uint64_t> results_;
};

class ProbeFactory final : public GroupFactory {
public:
    ProbeFactory(std::shared_ptr<const expr::Probe> probe, ProbeValue& value)
        : probe_{std::move(probe)}, value_{value} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        return std::make_unique<ProbeGroup>(probe_, value_, build);
    }

private:
    std::shared_ptr<const expr::Probe> probe_;
    ProbeValue& value_;
};

} // namespace

std::shared_ptr<const GroupFactory> probe_factory(std::shared_ptr<const expr::Probe> probe,
                                                  ProbeValue& value) {
    return std::make_shared<ProbeFactory>(std::move(probe), value);
}

} // namespace sme::debug
