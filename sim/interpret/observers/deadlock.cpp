// SPDX-License-Identifier: Apache-2.0
#include "interpret/observers/actor_observers.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/recorder.hpp"
#include "sme/internal/archive.hpp"

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

} // namespace

std::shared_ptr<const GroupFactory> halt_factory(std::shared_ptr<const expr::HaltCondition> halt) {
    return factory_of<Halt>(std::move(halt));
}

namespace {

using expr::ActorNetwork;
using End = ActorNetwork::End;

/// Which actors wait for which, from the results of a cycle in which nothing moves.
class Explanation {
public:
    Explanation(const ActorNetwork& network, const std::vector<std::uint64_t>& values)
        : network_{network}, values_{values} {
        for (const End& end : network.ends)
            if (values[end.waits] != 0)
                waits_.push_back(&end);
    }

    Diagnostic diagnostic() const {
        const std::vector<const End*> ring = find_ring();
        Diagnostic result{Code::deadlock, Severity::fault, network_.where, "", {}};
        if (const End* const full = smallest_full(ring)) {
            result.where = channel(*full).declared;
            result.message =
                fmt::format("nothing moves any more: actors wait for each other, and a "
                            "channel between them is full; give '{}' more than {}",
                            channel(*full).name, places(*full));
        } else if (!ring.empty())
            result.message = "nothing moves any more: actors wait for messages from each other, "
                             "which no depth of a channel helps";
        else
            result.message = "nothing moves any more: actors wait for one that is done";
        for (const End* wait : ring.empty() ? waits_ : ring)
            if (result.notes.size() < max_notes)
                result.notes.push_back({{}, text(*wait)});
        return result;
    }

private:
    static constexpr std::size_t max_notes = 20;

    /// A ring of waits, in which each actor waits for the next and the last for the first;
    /// preferably one with a full channel. Empty if there is no ring.
    std::vector<const End*> find_ring() const {
        std::vector<const End*> found;
        for (std::uint32_t first = 0; first < network_.actors.size(); ++first) {
            std::vector<const End*> ring = ring_from(first);
            if (found.empty())
                found = std::move(ring);
            else if (smallest_full(ring) && !smallest_full(found))
                return ring;
        }
        return found;
    }

    /// Searches depth first; enters each actor once.
    std::vector<const End*> ring_from(std::uint32_t first) const {
        std::vector<bool> seen(network_.actors.size(), false);
        std::vector<const End*> path;
        struct Open {
            std::uint32_t actor;
            std::size_t next;
        };
        std::vector<Open> open{{first, 0}};
        seen[first] = true;
        while (!open.empty()) {
            const End* const wait = next_of(open.back().actor, open.back().next);
            if (!wait) {
                open.pop_back();
                if (!path.empty())
                    path.pop_back();
            } else if (network_.other(*wait) == first) {
                path.push_back(wait);
                return path;
            } else if (const std::uint32_t other = network_.other(*wait);
                       other != ActorNetwork::none && !seen[other]) {
                seen[other] = true;
                path.push_back(wait);
                open.push_back({other, 0});
            }
        }
        return {};
    }

    const End* next_of(std::uint32_t actor, std::size_t& next) const {
        while (next < waits_.size())
            if (const End* const wait = waits_[next++]; wait->actor == actor)
                return wait;
        return nullptr;
    }

    const ActorNetwork::Channel& channel(const End& wait) const {
        return network_.channels[wait.channel];
    }
    std::uint64_t depth(const End& wait) const { return channel(wait).depth; }
    std::string places(const End& wait) const {
        const std::uint64_t count = depth(wait);
        return fmt::format("{} place{}", count, count == 1 ? "" : "s");
    }

    /// The first such channel in file order.
    const End* smallest_full(const std::vector<const End*>& ring) const {
        const End* found = nullptr;
        for (const End* wait : ring)
            if (wait->sends && (!found || depth(*wait) < depth(*found)))
                found = wait;
        return found;
    }

    std::string text(const End& wait) const {
        const std::string& actor = network_.actors[wait.actor].name;
        const std::string& name = channel(wait).name;
        const std::uint32_t at = network_.other(wait);
        const bool known = at != ActorNetwork::none;
        std::string other = known ? fmt::format("'{}'", network_.actors[at].name) : "a file";
        if (known && is_done(at))
            other += ", which is done";
        const std::uint32_t count = channel(wait).count;
        const std::string fill = count == ActorNetwork::none
                                     ? "no place"
                                     : fmt::format("{} of {}", values_[count], places(wait));
        return wait.sends ? fmt::format(
                                "'{}' waits for room in '{}', which holds {} and is received by {}",
                                actor, name, fill, other)
                          : fmt::format("'{}' waits for a message in '{}', which is sent by {}",
                                        actor, name, other);
    }

    bool is_done(std::uint32_t actor) const {
        const std::uint32_t done = network_.actors[actor].done;
        return done != ActorNetwork::none && values_[done] != 0;
    }

    const ActorNetwork& network_;
    const std::vector<std::uint64_t>& values_;
    std::vector<const End*> waits_;
};

class Deadlock final : public ResultsGroup {
public:
    Deadlock(std::shared_ptr<const ActorNetwork> network, const Build& build)
        : network_{std::move(network)}, places_{places_of(build)},
          evaluator_{network_->program, network_->program.parts[0], places_} {}

    const expr::Program& program() const override { return network_->program; }
    const SlotMap& places() const override { return places_; }
    Evaluator& evaluator() override { return evaluator_; }

    void step(unsigned, Range range, const Frame& frame) override {
        if (!looks(frame.cycle) || (network_->reads_wire && !frame.wires_settled))
            return;
        evaluator_.results(frame, values_);
        still_ = values_[0] != 0 ? still_ + 1 : 0;
        if (still_ > settles_)
            frame.control->fault(range.first, Explanation{*network_, values_}.diagnostic());
    }

    void state(Archive& archive) override { archive(still_); }

    std::vector<Guarded> guarded() const override { return {}; }
    std::uint64_t guard(std::uint64_t cycle, Guard*) const override {
        if (looks(cycle))
            return 0;
        return (cycle < often ? std::max(first, std::bit_ceil(cycle))
                              : (cycle + often - 1) / often * often) -
               cycle;
    }
    void skip(std::uint64_t, std::uint64_t, const Guard*) override {}

private:
    static constexpr std::uint64_t first = 4, often = 1024; // cycles

    /// A delayed channel may still deliver a message or free a place while nothing else moves.
    static std::uint64_t settles(const ActorNetwork& network) {
        std::uint64_t longest = 1;
        for (const ActorNetwork::Channel& channel : network.channels)
            longest = std::max(longest, channel.latency);
        return longest - 1;
    }

    bool looks(std::uint64_t cycle) const { return still_ > 0 || is_due(cycle); }
    static bool is_due(std::uint64_t cycle) {
        return cycle >= first &&
               (cycle % often == 0 || (cycle < often && std::has_single_bit(cycle)));
    }

    std::shared_ptr<const ActorNetwork> network_;
    SlotMap places_;
    Evaluator evaluator_;
    std::vector<std::uint64_t> values_;
    std::uint64_t settles_ = settles(*network_); // cycles
    std::uint64_t still_ = 0;                    // consecutive cycles without movement
};

} // namespace

std::shared_ptr<const GroupFactory> deadlock_factory(std::shared_ptr<const ActorNetwork> network) {
    return factory_of<Deadlock>(std::move(network));
}

} // namespace sme::interpret
