// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/checks.hpp"

#include <algorithm>
#include <span>

#include "bits/packed.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/judge.hpp"
#include "interpret/observers/operands.hpp"
#include "interpret/observers/recorder.hpp"
#include "sme/internal/archive.hpp"

namespace sme::interpret {

// In each cycle: 1. all conditions, 2. after a fault, the checks whose evaluation faults, 3. a
// verdict for each check, 4. the operands of checks that fail or fault in this cycle, 5. the values
// that later cycles need.

namespace {

using expr::Check;

class ChecksGroup final : public ResultsGroup {
public:
    ChecksGroup(std::shared_ptr<const expr::CheckSet> checks, std::shared_ptr<Verdicts> verdicts,
                const Build& build)
        : checks_{std::move(checks)}, verdicts_{std::move(verdicts)}, places_{places_of(build)},
          evaluator_{checks_->program, checks_->program.parts[0], places_} {
        verdicts_->assign(checks_->checks.size(), {});
        std::uint64_t words = 0;
        for (const Check& check : checks_->checks) {
            rules_.emplace_back(check);
            any_wire_ = any_wire_ || check.reads_wire;
            words += check.temporal ? PendingConditions::words(check.temporal.last) : 0;
        }
        verdicts_->obligations.assign(words, 0);
    }

    const Verdicts* verdicts() const override { return verdicts_.get(); }
    const expr::Program& program() const override { return checks_->program; }
    const SlotMap& places() const override { return places_; }
    Evaluator& evaluator() override { return evaluator_; }

    void step(unsigned, Range, const Frame& frame) override {
        Frame own = frame;
        const bool stale = any_wire_ && !frame.wires_settled; // that may look like faults
        FaultNote fault{stale ? nullptr : frame.control};
        own.control = &fault;
        remembered_.clear();
        evaluator_.results(own, values_, &remembered_);
        faulted_.clear();
        if (fault.first)
            find_faulted(frame, stale, *fault.first);
        judge(frame);
        for (const PendingWrite& write : remembered_)
            write.make();
    }

    std::vector<Guarded> guarded() const override {
        std::vector<Guarded> made;
        for (const Rule& rule : rules_) {
            const auto result = static_cast<std::uint32_t>(made.size());
            const bool covers = rule.kind == Check::Kind::cover;
            made.push_back({result, covers && !rule.is_temporal, false});
            if (rule.is_temporal)
                made.push_back({result + 1, false, true});
        }
        return made;
    }

    std::uint64_t guard(std::uint64_t cycle, Guard* guards) const override {
        std::uint64_t cycles = ~std::uint64_t{0};
        for (std::size_t k = 0; k < rules_.size(); ++k) {
            const Verdict& verdict = (*verdicts_)[k];
            Guard& first = *guards++;
            cycles =
                std::min(cycles, rules_[k].is_temporal
                                     ? guard_temporal(rules_[k], cycle, verdict, first, *guards++)
                                     : guard_condition(rules_[k], cycle, verdict, first));
        }
        return cycles;
    }

    void skip(std::uint64_t cycle, std::uint64_t cycles, const Guard* guards) override {
        std::uint64_t* words = verdicts_->obligations.data();
        for (std::size_t k = 0; k < rules_.size(); ++k) {
            const Rule& rule = rules_[k];
            Verdict& verdict = (*verdicts_)[k];
            const std::size_t own = rule.is_temporal ? PendingConditions::words(rule.last) : 0;
            if (!rule.is_temporal)
                skip_condition(rule, cycle, cycles, *guards, verdict);
            else if (!verdict.is_final())
                skip_temporal(rule, {words, own}, cycle + cycles - 1, guards[1]);
            guards += rule.is_temporal ? 2 : 1;
            words += own;
        }
    }

    void state(Archive& archive) override {
        std::vector<std::string> texts;
        for (const Check& check : checks_->checks)
            texts.push_back(check.owner + ' ' + check.text);
        std::vector<std::string> own = texts;
        archive(texts);
        if (texts != own)
            throw CheckpointError{"the checks are others"};
        Verdicts result = *verdicts_;
        for (Verdict& verdict : result) {
            archive(verdict.kind, verdict.cycle, verdict.evaluated, verdict.held, verdict.open,
                    verdict.began);
            if (verdict.kind > CheckResult::Kind::faulted)
                throw CheckpointError{"the outcome of a check is not known"};
        }
        archive(result.obligations);
        if (result.obligations.size() != verdicts_->obligations.size())
            throw CheckpointError{"the temporal conditions are others"};
        *verdicts_ = result; // its words keep their addresses
        for (std::size_t k = 0; k < places_.own_memories; ++k) {
            const MemorySlots& memory = places_.memories[k];
            const std::size_t size = memory.element->size();
            archive.bytes(memory.words, memory.words_each * size);
            for (std::size_t word = 0; word < memory.words_each && !archive.saves(); ++word)
                if (const auto wrong = wrong_value(*memory.element, memory.words + word * size))
                    throw CheckpointError{*wrong};
        }
    }

private:
    /// Finds the checks whose own evaluation faults. With stale wires, reports the faults of the
    /// others, as of the first.
    void find_faulted(const Frame& frame, bool stale, Diagnostic first) {
        std::vector<expr::NodeId> nodes;
        for (const Check& check : checks_->checks)
            if (check.faults != expr::no_node)
                nodes.push_back(check.faults);
        const std::vector<std::uint64_t> values =
            values_of(checks_->program, std::move(nodes), places_, frame);
        auto next = values.begin();
        for (const Check& check : checks_->checks) {
            faulted_.push_back(check.faults != expr::no_node && *next++ != 0);
            if (!stale || !faulted_.back() || check.reads_wire)
                continue;
            first.where = check.where;
            frame.control->fault(0, first);
            stale = false;
        }
    }

    /// Adds what a check that fails or faults in this cycle reads.
    void explain(const Check& check, const Frame& frame, Verdict& verdict) {
        verdict.operands = OperandReader{checks_->program, check.operands, places_}.at(0, frame);
        if (check.first != expr::no_node) {
            const auto values =
                values_of(checks_->program, {check.first, check.failures}, places_, frame);
            verdict.instance = values[0];
            verdict.failures = values[1];
        }
        if (verdict.kind == CheckResult::Kind::failed)
            frame.control->fail();
    }

    void judge(const Frame& frame) {
        const std::uint64_t* value = values_.data();
        std::uint64_t* words = verdicts_->obligations.data();
        for (std::size_t k = 0; k < rules_.size(); ++k) {
            const Rule& rule = rules_[k];
            const bool holds = *value++ != 0;
            const bool then = rule.is_temporal && *value++ != 0;
            const std::size_t own = rule.is_temporal ? PendingConditions::words(rule.last) : 0;
            Verdict& verdict = (*verdicts_)[k];
            const bool has_value = !rule.reads_wire || frame.wires_settled;
            if (!has_value || verdict.is_final()) {
                words += own;
                continue;
            }
            const bool ends =
                !faulted_.empty() && faulted_[k] ? judge_fault(rule, frame.cycle, verdict)
                : rule.is_temporal
                    ? judge_temporal(rule, {words, own}, holds, then, frame.cycle, verdict)
                    : judge_condition(rule, holds, frame.cycle, verdict);
            if (ends)
                explain(checks_->checks[k], frame, verdict);
            words += own;
        }
    }

    std::shared_ptr<const expr::CheckSet> checks_;
    std::shared_ptr<Verdicts> verdicts_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
    std::vector<Rule> rules_;
    std::vector<PendingWrite> remembered_;
    std::vector<bool> faulted_; // by check, in this cycle; empty: no check
    bool any_wire_ = false;
};

} // namespace

const Verdicts* verdicts_of(Group& group) {
    const ResultsGroup* const results = abilities_of(&group).results;
    return results ? results->verdicts() : nullptr;
}

std::shared_ptr<const GroupFactory> checks_factory(std::shared_ptr<const expr::CheckSet> checks,
                                                   std::shared_ptr<Verdicts> verdicts) {
    return std::make_shared<const GroupFactory>(
        [checks = std::move(checks), verdicts = std::move(verdicts)](const Build& build) {
            return std::make_unique<ChecksGroup>(
                checks, verdicts ? verdicts : std::make_shared<Verdicts>(), build);
        });
}

} // namespace sme::interpret
