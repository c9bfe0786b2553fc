// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/deadlock.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "interpret/observers/results_group.hpp"
#include "interpret/places.hpp"

namespace sme::interpret {

namespace {

using expr::DeadlockCheck;
using Wait = DeadlockCheck::Wait;

/// Who waits for whom, from the results of a cycle in which nothing moves.
class Explanation {
public:
    Explanation(const DeadlockCheck& check, const std::vector<std::uint64_t>& values)
        : check_{check}, values_{values} {
        for (const Wait& wait : check.waits)
            if (values[wait.result] != 0)
                waits_.push_back(&wait);
    }

    Diagnostic diagnostic() const {
        const std::vector<const Wait*> ring = find_ring();
        Diagnostic made{Code::deadlock, Severity::fault, check_.where, "", {}};
        if (const Wait* const full = smallest_full(ring)) {
            made.where = full->declared;
            made.message = fmt::format("nothing moves any more: actors wait for each other, and a "
                                       "channel between them is full; give '{}' more than {}",
                                       full->channel, places(*full));
        } else if (!ring.empty())
            made.message = "nothing moves any more: actors wait for messages from each other, "
                           "which no depth of a channel helps";
        else
            made.message = "nothing moves any more: actors wait for one that is done";
        for (const Wait* wait : ring.empty() ? waits_ : ring)
            if (made.notes.size() < max_notes)
                made.notes.push_back({{}, text(*wait)});
        return made;
    }

private:
    static constexpr std::size_t max_notes = 20;

    /// Waits in which each actor waits for the next, and the last for the first; best one with a
    /// full channel. None: all chains end elsewhere.
    std::vector<const Wait*> find_ring() const {
        std::vector<const Wait*> found;
        for (std::uint32_t first = 0; first < check_.actors.size(); ++first) {
            std::vector<const Wait*> ring = ring_from(first);
            if (found.empty())
                found = std::move(ring);
            else if (smallest_full(ring) && !smallest_full(found))
                return ring;
        }
        return found;
    }

    /// Depth first; each actor is entered once.
    std::vector<const Wait*> ring_from(std::uint32_t first) const {
        std::vector<bool> seen(check_.actors.size(), false);
        std::vector<const Wait*> path;
        struct Open {
            std::uint32_t actor;
            std::size_t next;
        };
        std::vector<Open> open{{first, 0}};
        seen[first] = true;
        while (!open.empty()) {
            const Wait* const wait = next_of(open.back().actor, open.back().next);
            if (!wait) {
                open.pop_back();
                if (!path.empty())
                    path.pop_back();
            } else if (wait->other == first) {
                path.push_back(wait);
                return path;
            } else if (wait->other != DeadlockCheck::none && !seen[wait->other]) {
                seen[wait->other] = true;
                path.push_back(wait);
                open.push_back({wait->other, 0});
            }
        }
        return {};
    }

    const Wait* next_of(std::uint32_t actor, std::size_t& next) const {
        while (next < waits_.size())
            if (const Wait* const wait = waits_[next++]; wait->actor == actor)
                return wait;
        return nullptr;
    }

    std::uint64_t depth(const Wait& wait) const {
        return wait.queue == DeadlockCheck::none ? 0 : check_.queues[wait.queue].depth;
    }
    std::string places(const Wait& wait) const {
        const std::uint64_t count = depth(wait);
        return fmt::format("{} place{}", count, count == 1 ? "" : "s");
    }

    /// In the order of the file.
    const Wait* smallest_full(const std::vector<const Wait*>& ring) const {
        const Wait* found = nullptr;
        for (const Wait* wait : ring)
            if (wait->sends && (!found || depth(*wait) < depth(*found)))
                found = wait;
        return found;
    }

    std::string text(const Wait& wait) const {
        const std::string& actor = check_.actors[wait.actor].name;
        const bool known = wait.other != DeadlockCheck::none;
        std::string other = known ? fmt::format("'{}'", check_.actors[wait.other].name) : "a file";
        if (known && is_done(wait.other))
            other += ", which is done";
        const std::string fill =
            wait.queue == DeadlockCheck::none
                ? "no place"
                : fmt::format("{} of {}", values_[check_.queues[wait.queue].result], places(wait));
        return wait.sends ? fmt::format("'{}' waits for room in '{}', which holds {} and is "
                                        "received by {}",
                                        actor, wait.channel, fill, other)
                          : fmt::format("'{}' waits for a message in '{}', which is sent by {}",
                                        actor, wait.channel, other);
    }

    bool is_done(std::uint32_t actor) const {
        const std::uint32_t done = check_.actors[actor].done;
        return done != DeadlockCheck::none && values_[done] != 0;
    }

    const DeadlockCheck& check_;
    const std::vector<std::uint64_t>& values_;
    std::vector<const Wait*> waits_;
};

class Deadlock final : public ResultsGroup {
public:
    Deadlock(std::shared_ptr<const DeadlockCheck> check, const Build& build)
        : check_{std::move(check)}, places_{places_of(build)}, evaluator_{check_->program,
                                                                          check_->program.parts[0],
                                                                          places_} {}

    const expr::Program& program() const override { return check_->program; }
    const SlotMap& places() const override { return places_; }
    Evaluator& evaluator() override { return evaluator_; }

    void step(unsigned, Range range, const Frame& frame) override {
        if (!is_due(frame.cycle) || (check_->reads_wire && !frame.wires_settled))
            return;
        evaluator_.results(frame, values_);
        if (values_[0] != 0)
            frame.control->fault(range.first, Explanation{*check_, values_}.diagnostic());
    }

    std::vector<Guarded> guarded() const override { return {}; }
    std::uint64_t guard(std::uint64_t cycle, Guard*) const override {
        if (is_due(cycle))
            return 0;
        return (cycle < often ? std::max(first, std::bit_ceil(cycle))
                              : (cycle + often - 1) / often * often) -
               cycle;
    }
    void skip(std::uint64_t, std::uint64_t, const Guard*) override {}

private:
    static constexpr std::uint64_t first = 4, often = 1024; // cycles

    static bool is_due(std::uint64_t cycle) {
        return cycle >= first &&
               (cycle % often == 0 || (cycle < often && std::has_single_bit(cycle)));
    }

    std::shared_ptr<const DeadlockCheck> check_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
};

class DeadlockFactory final : public GroupFactory {
public:
    explicit DeadlockFactory(std::shared_ptr<const DeadlockCheck> check)
        : check_{std::move(check)} {}
    std::unique_ptr<Group> build(const Build& build) const override {
        return std::make_unique<Deadlock>(check_, build);
    }

private:
    std::shared_ptr<const DeadlockCheck> check_;
};

} // namespace

std::shared_ptr<const GroupFactory> deadlock_factory(std::shared_ptr<const DeadlockCheck> check) {
    return std::make_shared<DeadlockFactory>(std::move(check));
}

} // namespace sme::interpret
