// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/checks.hpp"

#include <algorithm>
#include <span>

#include "bits/packed.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/judge.hpp"
#include "interpret/observers/operands.hpp"
#include "interpret/observers/recorder.hpp"
#include "sme/archive.hpp"

namespace sme::interpret {

// In each cycle: 1. all conditions, 2. a verdict for each check, 3. the operands of checks that
// fail in this cycle, 4. the values that later cycles need.

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
            words += check.sequence ? PendingSequences::words(check.sequence.last) : 0;
        }
        verdicts_->obligations.assign(words, 0);
    }

    const Verdicts* verdicts() const override { return verdicts_.get(); }
    const expr::Program& program() const override { return checks_->program; }
    const SlotMap& places() const override { return places_; }
    Evaluator& evaluator() override { return evaluator_; }

    void step(unsigned, Range, const Frame& frame) override {
        Frame own = frame;
        NullControl quiet; // stale wire values may look like faults
        if (any_wire_ && !frame.wires_settled)
            own.control = &quiet;
        remembered_.clear();
        evaluator_.results(own, values_, &remembered_);
        judge(frame);
        for (const PendingWrite& write : remembered_)
            write.make();
    }

    std::vector<Guarded> guarded() const override {
        std::vector<Guarded> made;
        for (const Rule& rule : rules_) {
            const auto result = static_cast<std::uint32_t>(made.size());
            const bool covers = rule.kind == Check::Kind::cover;
            made.push_back({result, covers && !rule.is_sequence, false});
            if (rule.is_sequence)
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
                std::min(cycles, rules_[k].is_sequence
                                     ? guard_sequence(rules_[k], cycle, verdict, first, *guards++)
                                     : guard_condition(rules_[k], cycle, verdict, first));
        }
        return cycles;
    }

    void skip(std::uint64_t cycle, std::uint64_t cycles, const Guard* guards) override {
        std::uint64_t* words = verdicts_->obligations.data();
        for (std::size_t k = 0; k < rules_.size(); ++k) {
            const Rule& rule = rules_[k];
            Verdict& verdict = (*verdicts_)[k];
            const std::size_t own = rule.is_sequence ? PendingSequences::words(rule.last) : 0;
            if (!rule.is_sequence)
                skip_condition(rule, cycle, cycles, *guards, verdict);
            else if (verdict.kind != CheckResult::Kind::failed)
                skip_sequence(rule, {words, own}, cycle + cycles - 1, guards[1]);
            guards += rule.is_sequence ? 2 : 1;
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
            if (verdict.kind > CheckResult::Kind::pending)
                throw CheckpointError{"what became of a check is not known"};
        }
        archive(result.obligations);
        if (result.obligations.size() != verdicts_->obligations.size())
            throw CheckpointError{"the sequences are others"};
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
    void judge(const Frame& frame) {
        const std::uint64_t* value = values_.data();
        std::uint64_t* words = verdicts_->obligations.data();
        for (std::size_t k = 0; k < rules_.size(); ++k) {
            const Rule& rule = rules_[k];
            const bool holds = *value++ != 0;
            const bool then = rule.is_sequence && *value++ != 0;
            const std::size_t own = rule.is_sequence ? PendingSequences::words(rule.last) : 0;
            Verdict& verdict = (*verdicts_)[k];
            const bool has_value = !rule.reads_wire || frame.wires_settled;
            const bool open = has_value && verdict.kind != CheckResult::Kind::failed;
            if (open && (rule.is_sequence
                             ? judge_sequence(rule, {words, own}, holds, then, frame.cycle, verdict)
                             : judge_condition(rule, holds, frame.cycle, verdict))) {
                const Check& check = checks_->checks[k];
                verdict.operands = shown_operands(checks_->program, check, places_, frame);
                if (check.first != expr::no_node) {
                    verdict.instance = value_of(checks_->program, check.first, places_, frame);
                    verdict.failures = value_of(checks_->program, check.failures, places_, frame);
                }
                frame.control->fail();
            }
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
