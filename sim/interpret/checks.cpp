// SPDX-License-Identifier: Apache-2.0
#include "interpret/checks.hpp"

#include "base/diagnostic.hpp"
#include "interpret/places.hpp"
#include "interpret/quiet.hpp"

namespace sme::interpret {

namespace {

using expr::Check;

class ChecksGroup final : public Group {
public:
    ChecksGroup(std::shared_ptr<const expr::CheckSet> checks, std::shared_ptr<Verdicts> verdicts,
                const Build& build)
        : checks_{std::move(checks)}, verdicts_{std::move(verdicts)}, places_{places_of(build)},
          evaluator_{checks_->program, checks_->program.parts[0], places_} {
        verdicts_->assign(checks_->checks.size(), {});
        for (const Check& check : checks_->checks)
            any_wire_ = any_wire_ || check.reads_wire;
    }

    void step(unsigned, Range, const Frame& frame) override {
        Frame own = frame;
        QuietControl quiet; // values of wires that have none may look like faults
        if (any_wire_ && !frame.wires_settled)
            own.control = &quiet;
        evaluator_.results(own, values_);
        for (std::size_t k = 0; k < values_.size(); ++k) {
            const Check& check = checks_->checks[k];
            if (check.reads_wire && !frame.wires_settled)
                continue;
            judge(check, (*verdicts_)[k], values_[k] != 0, frame);
        }
    }

private:
    static void judge(const Check& check, Verdict& verdict, bool holds, const Frame& frame) {
        const auto settle = [&](bool passed) {
            if (verdict.kind == Verdict::Kind::failed)
                return;
            verdict = {passed ? Verdict::Kind::passed : Verdict::Kind::failed, frame.cycle};
            if (!passed)
                frame.control->fail();
        };
        switch (check.kind) {
        case Check::Kind::always: return settle(holds);
        case Check::Kind::never: return settle(!holds);
        case Check::Kind::at:
            if (frame.cycle == check.cycle)
                settle(holds);
            return;
        case Check::Kind::after:
            if (frame.cycle > check.cycle)
                settle(holds);
            return;
        case Check::Kind::eventually:
            if (verdict.kind == Verdict::Kind::not_reached && frame.cycle <= check.cycle &&
                (holds || frame.cycle == check.cycle))
                settle(holds);
            return;
        case Check::Kind::cover:
            if (verdict.kind == Verdict::Kind::not_reached && holds)
                settle(true);
            return;
        }
    }

    std::shared_ptr<const expr::CheckSet> checks_;
    std::shared_ptr<Verdicts> verdicts_;
    Places places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
    bool any_wire_ = false;
};

class ChecksKind final : public Kind {
public:
    ChecksKind(std::shared_ptr<const expr::CheckSet> checks, std::shared_ptr<Verdicts> verdicts)
        : checks_{std::move(checks)}, verdicts_{std::move(verdicts)} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        return std::make_unique<ChecksGroup>(checks_, verdicts_, build);
    }

private:
    std::shared_ptr<const expr::CheckSet> checks_;
    std::shared_ptr<Verdicts> verdicts_;
};

} // namespace

std::shared_ptr<const Kind> checks_kind(std::shared_ptr<const expr::CheckSet> checks,
                                        std::shared_ptr<Verdicts> verdicts) {
    return std::make_shared<ChecksKind>(std::move(checks), std::move(verdicts));
}

} // namespace sme::interpret
