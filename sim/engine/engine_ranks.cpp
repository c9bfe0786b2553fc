// SPDX-License-Identifier: Apache-2.0
//
// The engine as one rank of several: its share, and stretches of cycles that all ranks run.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "engine/access.hpp"
#include "engine/cycle/cycle_loop.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "engine/cycle/tuner.hpp"
#include "engine/engine.hpp"
#include "engine/placement/schedule_file.hpp"
#include "engine/ranks/partition_file.hpp"
#include "engine/ranks/rank_exchange.hpp"
#include "engine/ranks/rank_slots.hpp"
#include "engine/slots/delay_line.hpp"
#include "runtime/abilities.hpp"
#include "runtime/memory_archive.hpp"

namespace sme::engine {

/// Divides the processes; all ranks divide them alike.
void Engine::divide(Diagnostics& diagnostics) {
    network_ = digest_of(graph_, schedule_);
    std::uint64_t processes = 0;
    for (const ProcessFamily& family : graph_.processes)
        processes += family.observer || family.helper ? 0 : family.count;
    if (options_.ranks->ranks() > processes) {
        diagnostics.add(Code::bad_option, graph_.declared,
                        fmt::format("there are {} ranks, but only {} processes; give -n {} to "
                                    "mpirun, or fewer",
                                    options_.ranks->ranks(), processes, processes));
        return;
    }
    const unsigned ranks = options_.ranks->ranks();
    if (options_.partition.empty())
        shares_ = std::make_unique<RankShares>(
            RankShares::of(graph_, analysis_.writers, layout_.cut, options_.first_rank, ranks));
    else if (!take_partition(ranks, diagnostics))
        return;
    rank_slots_ = std::make_unique<RankSlots>(graph_, analysis_.writers, layout_, *shares_);
    exchange_ = std::make_unique<RankExchange>(*options_.ranks);
    if (exchange_->rank() > 0)
        options_.interrupt = nullptr; // rank 0 ends the run for all
    reports_.keep_prints();
}

/// Divides the processes as in an earlier run.
bool Engine::take_partition(unsigned ranks, Diagnostics& diagnostics) {
    std::string problem;
    if (auto shares = read_partition(options_.partition, graph_, network_, ranks, problem)) {
        shares_ = std::make_unique<RankShares>(std::move(*shares));
        problem = shares_->violation(graph_, analysis_.writers, options_.first_rank);
    }
    if (problem.empty())
        return true;
    shares_.reset();
    diagnostics.add(Code::bad_option, graph_.declared,
                    "the partition cannot be repeated: " + problem);
    return false;
}

std::string Engine::partition() const {
    return partition_text(*shares_, graph_, network_);
}

/// All that the cycles of a rank change, except observers.
struct Engine::Holding {
    struct Words {
        std::size_t memory; // in `memory_words_`
        std::vector<Span> spans;
    };
    struct Instances {
        Group* group;
        Range range;
    };
    std::vector<Span> slots; // of the read arena
    std::vector<Words> memories;
    std::vector<Instances> instances;
    std::vector<EventCounts*> counts; // of all families, for coverage

    /// Of slots and memories.
    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        const auto add = [&](const Span& span) { sum += span.bytes; };
        std::for_each(slots.begin(), slots.end(), add);
        for (const Words& words : memories)
            std::for_each(words.spans.begin(), words.spans.end(), add);
        return sum;
    }
};

Engine::Holding Engine::holding_of(unsigned rank) const {
    Holding result{rank_slots_->own(rank), {}, {}, {}};
    for (const std::unique_ptr<Group>& group : groups_)
        if (EventCounts* const counts = abilities_of(group.get()).counts)
            result.counts.push_back(counts);
    for (const auto& [bus, line] : delays_)
        for (const Range& range : rank_slots_->stepped(rank, graph_.buses[bus]))
            result.instances.push_back({line, range});
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f) {
        const ProcessFamily& family = graph_.processes[f];
        if (family.observer)
            continue;
        for (std::size_t m = 0; m < family.memories.size(); ++m) {
            const Memory& memory = family.memories[m];
            result.memories.push_back(
                {memory_of_[f][m],
                 rank_slots_->words(rank, f, memory.words * memory.element->size())});
        }
        shares_->for_each_piece(f, {0, family.count}, [&](Range range, unsigned owner) {
            if (owner == rank)
                result.instances.push_back({groups_[f].get(), range});
        });
    }
    return result;
}

/// Keeps the items of this rank.
void Engine::hold_own(Diagnostics& diagnostics) {
    for (const std::string& reason : unsaved())
        diagnostics.add(Code::not_saved, graph_.declared,
                        "this network cannot run on several ranks: " + reason);
    keep_own(schedule_, graph_, layout_, *shares_, exchange_->rank());
    if (!options_.run.auditor && !options_.run.shuffle)
        put_interior_last(schedule_, graph_, rank_slots_->boundary(exchange_->rank()));
    held_ = std::make_shared<Holding>(holding_of(exchange_->rank()));
    may_end_early_ = std::any_of(
        groups_.begin(), groups_.begin() + static_cast<std::ptrdiff_t>(graph_.processes.size()),
        [](const auto& group) { return abilities_of(group.get()).may_end; });
}

void Engine::held_state(Archive& archive, const Holding& holding) {
    for (const Span& span : holding.slots)
        archive.bytes(loop_->read_arena() + span.offset, span.bytes);
    for (const Holding::Words& words : holding.memories)
        for (const Span& span : words.spans)
            archive.bytes(memory_words_[words.memory].data() + span.offset, span.bytes);
    for (const Holding::Instances& instances : holding.instances)
        instances.group->state_of(archive, instances.range);
}

/// The events that this rank has counted for coverage.
void Engine::count_state(Archive& archive) {
    for (EventCounts* const counts : held_->counts) {
        std::vector<std::uint64_t> values = counts->take();
        archive(values);
        counts->add(values);
    }
}

/// Moves the counts of all ranks to rank 0.
void Engine::join_counts() {
    std::vector<std::byte> own;
    Saving saving{own};
    for (EventCounts* const counts : held_->counts)
        if (std::vector<std::uint64_t> values; exchange_->rank() > 0) {
            values = counts->take();
            saving(values);
        }
    const std::vector<std::vector<std::byte>> ranks = options_.ranks->gather(own);
    for (unsigned rank = 1; rank < ranks.size() && exchange_->rank() == 0; ++rank) {
        Loading loading{ranks[rank]};
        for (EventCounts* const counts : held_->counts) {
            std::vector<std::uint64_t> values;
            loading(values);
            counts->add(values);
        }
    }
}

/// Rank 0 gets the state of all ranks, in their order.
void Engine::collect() {
    join_counts();
    const unsigned rank = exchange_->rank();
    std::vector<std::byte> state;
    if (rank > 0) {
        Saving saving{state};
        held_state(saving, *held_);
    }
    std::uint64_t size = state.size();
    std::vector<std::byte> bytes;
    Saving{bytes}(size);
    const std::vector<std::vector<std::byte>> sizes = options_.ranks->gather(bytes);
    if (rank > 0) {
        const Transport::Sent sent{0, state};
        options_.ranks->exchange({&sent, 1}, {});
        return;
    }
    for (unsigned other = 1; other < sizes.size(); ++other) {
        Loading{sizes[other]}(size);
        state.resize(size);
        const Transport::Received received{other, state};
        options_.ranks->exchange({}, {&received, 1});
        Loading loading{state};
        held_state(loading, holding_of(other));
    }
}

/// What this rank reads besides its processes: first and count of ranges of bus elements.
std::vector<std::uint64_t> Engine::observed_elements() const {
    std::vector<std::uint64_t> all{0, graph_.bus_count()};
    std::vector<std::uint64_t> result;
    for (const Observer* const observer : observers_) {
        const std::optional<std::vector<Range>> reads = observer->reads();
        if (!reads)
            return all;
        for (const Range& range : *reads)
            result.insert(result.end(), {range.first, range.count});
    }
    return options_.reads_all ? all : result;
}

/// Rank 0 sends an order; all ranks return it. Before the first cycle, all ranks compute their
/// links.
Engine::Order Engine::order(Order order) {
    const bool links = !exchange_->has_links();
    order.observes = options_.reads_all || !observers_.empty();
    order.in_cycle = observes_memories_;
    if (links)
        order.reads = observed_elements();
    std::vector<Access::Change> changes = std::exchange(access_->changes_, {});
    const auto pass = [&](Archive& archive) {
        archive(order.kind, order.cycles, order.observes, order.in_cycle, order.reads, changes);
    };
    std::vector<std::byte> bytes;
    Saving saving{bytes};
    pass(saving);
    const std::vector<std::vector<std::byte>> all = options_.ranks->gather(bytes);
    Loading loading{all[0]};
    pass(loading);
    for (const Access::Change& change : changes)
        access_->make(change); // again on rank 0
    if (order.kind == Order::Kind::run && links)
        make_links(order);
    return order;
}

void Engine::make_links(const Order& order) {
    bool observes = order.observes, in_cycle = order.in_cycle;
    for (const ProcessFamily& family : graph_.processes) {
        observes = observes || family.observer;
        in_cycle = in_cycle || (family.observer && !family.looks_at.empty());
    }
    std::vector<Range> observed;
    for (std::size_t k = 0; k < order.reads.size(); k += 2)
        observed.push_back({order.reads[k], order.reads[k + 1]});
    const auto later = [&](std::uint64_t element) {
        const BusFamily& bus = graph_.family_of(element);
        const auto number = static_cast<std::size_t>(&bus - graph_.buses.data());
        return delays_.at(number)->later(element - bus.first);
    };
    exchange_->set_links(rank_slots_->links(exchange_->rank(), in_cycle, observed), in_cycle,
                         later);
    if (observes && !in_cycle) {
        log_ = std::make_unique<CycleLog>(*options_.ranks, rank_slots_->observed(observed),
                                          layout_.arena_bytes);
        loop_->set_log(log_.get());
    }
    may_end_early_ = may_end_early_ || order.observes;
}

Engine::RankLoad Engine::rank_load() const {
    const unsigned rank = exchange_->rank();
    return {shares_->work()[rank], exchange_->neighbours(), exchange_->bytes_sent(),
            log_ && rank > 0 ? log_->bytes() : 0, shares_->together()};
}

void Engine::run_with_ranks(std::uint64_t cycles) {
    if (cycles > 0)
        run_stretch(order({Order::Kind::run, cycles}).cycles);
}

void Engine::follow(const std::function<void()>& between) {
    for (;;) {
        const Order next = order({Order::Kind::finish});
        if (next.kind == Order::Kind::finish)
            return;
        if (next.kind == Order::Kind::collect) {
            collect();
            continue;
        }
        if (!orchestrator_)
            prepare();
        run_stretch(next.cycles);
        if (between)
            between();
    }
}

/// In epochs: after each, all ranks agree on how it ended, and observers see its cycles.
void Engine::run_stretch(std::uint64_t cycles) {
    const std::uint64_t end = loop_->cycle() + cycles;
    while (loop_->ending() == RunEnd::completed && loop_->cycle() < end)
        run_epoch(std::min(end - loop_->cycle(), log_ ? log_->most() : cycles));
    if (log_)
        log_->settle(loop_->read_arena());
    reports_.join(*options_.ranks);
}

/// If a rank or an observer ended early, all ranks go back and run again up to the end on which
/// they agree: others may have run past it. Observers see each cycle once.
void Engine::run_epoch(std::uint64_t cycles) {
    const std::uint64_t first = loop_->cycle();
    before_.clear();
    if (Saving saving{before_}; may_end_early_) {
        before_.reserve(held_->bytes());
        epoch_state(saving);
    }
    run_cycles(cycles);
    if (options_.interrupt && options_.interrupt->load(std::memory_order_relaxed))
        loop_->interrupt();
    RankExchange::Ending ending;
    if (loop_->ending() != RunEnd::completed && !loop_->is_cut_off())
        ending = {loop_->cycle() - 1, loop_->fault_level(), loop_->ending()};
    ending = exchange_->agree(ending);
    if (ending.kind != RunEnd::completed && ending.kind != RunEnd::stopped)
        run_again(first, ending);
    if (log_) {
        log_->collect();
        ending = exchange_->agree(observe_epoch(first, ending));
        if (ending.kind != RunEnd::completed && ending.cycle + 1 < loop_->cycle())
            run_again(first, ending);
    }
    loop_->set_ending(ending.kind);
}

void Engine::run_cycles(std::uint64_t cycles) {
    if (log_)
        log_->clear();
    exchange_->begin(loop_->cycle(), cycles, loop_->read_arena());
    tuner_->run(cycles);
    exchange_->end();
}

/// All that an epoch changes on this rank.
void Engine::epoch_state(Archive& archive) {
    held_state(archive, *held_);
    exchange_->for_each_received(
        [&](const Span& span) { archive.bytes(loop_->read_arena() + span.offset, span.bytes); });
    count_state(archive);
}

void Engine::run_again(std::uint64_t first, const RankExchange::Ending& ending) {
    reports_.forget(first);
    loop_->set_replay(CycleLoop::Replay{ending.cycle, ending.fault_level});
    access_->disturb();
    Loading loading{before_};
    epoch_state(loading);
    loop_->begin_at(first);
    run_cycles(ending.cycle + 1 - first);
    loop_->set_replay({});
}

/// On rank 0: shows the cycles of an epoch to the observers. Returns how it ended.
RankExchange::Ending Engine::observe_epoch(std::uint64_t first, RankExchange::Ending ending) {
    if (exchange_->rank() > 0)
        return ending;
    reports_.clear();
    for (std::uint64_t cycle = first; cycle < loop_->cycle(); ++cycle) {
        std::byte* const values = log_->values(cycle - first);
        const bool settled =
            cycle != ending.cycle || ending.fault_level >= schedule_.last_step_level;
        missing_ = {!settled, settled ? std::vector<Range>{} : wires_after(ending.fault_level)};
        reports_.begin_cycle(cycle);
        const std::uint32_t level =
            loop_->step_observers({values, values, cycle, nullptr, settled, 0, true});
        reports_.end_cycle();
        if (const RunEnd end = reports_.ending(); end != RunEnd::completed) {
            ending = RankExchange::first({ending, {cycle, level, end}});
            break;
        }
    }
    reports_.begin_cycle(loop_->cycle());
    return ending;
}

} // namespace sme::engine
