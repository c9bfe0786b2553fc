// SPDX-License-Identifier: Apache-2.0
//
// The engine as one rank of several: its share, and stretches of cycles that all ranks run.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "engine/cycle/cycle_loop.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "engine/cycle/tuner.hpp"
#include "engine/engine.hpp"
#include "engine/placement/schedule_file.hpp"
#include "engine/ranks/rank_exchange.hpp"
#include "engine/ranks/rank_shares.hpp"
#include "engine/slots/delay_line.hpp"
#include "engine/slots/state.hpp"

namespace sme::engine {

/// Keeps the share of this rank, if all ranks have the same network.
void Engine::divide(Diagnostics& diagnostics) {
    const std::string network = digest_of(graph_, schedule_);
    const auto* const text = reinterpret_cast<const std::byte*>(network.data());
    const std::vector<std::byte> own{text, text + network.size()};
    for (const std::vector<std::byte>& other : options_.ranks->gather(own))
        if (other != own) {
            diagnostics.add(Code::bad_option, graph_.declared,
                            "the ranks of this run have loaded different networks: they need the "
                            "same files, the same options and the same sme");
            return;
        }
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
    const unsigned rank = options_.ranks->rank();
    shares_ = std::make_unique<RankShares>(
        RankShares::of(graph_, analysis_.writers, layout_.cut, options_.ranks->ranks()));
    keep_own(schedule_, graph_, layout_, *shares_, rank);
    own_slots_ = own_slots(rank, graph_, analysis_.writers, layout_, *shares_);
    exchange_ = std::make_unique<RankExchange>(*options_.ranks);
    if (rank > 0)
        options_.interrupt = nullptr; // rank 0 ends the run for all
    reports_.keep_prints();
}

/// All state of a rank between two stretches, as it is in memory.
struct Engine::Stretch {
    std::uint64_t cycle;
    std::vector<std::byte> slots; // that this rank writes, then those that it receives
    std::vector<std::vector<std::byte>> memories; // of `memory_words_`
    std::vector<std::vector<std::byte>> groups;
};

std::vector<Group*> Engine::kept_groups() const {
    std::vector<Group*> result;
    for (const auto& [bus, line] : delays_)
        result.push_back(line);
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
        if (!graph_.processes[f].observer)
            result.push_back(groups_[f].get());
    return result;
}

Engine::Stretch Engine::begin_stretch() const {
    Stretch result{loop_->cycle(), {}, memory_words_, {}};
    const auto keep = [&](const Span& span) {
        const std::byte* const from = loop_->read_arena() + span.offset;
        result.slots.insert(result.slots.end(), from, from + span.bytes);
    };
    std::for_each(own_slots_.begin(), own_slots_.end(), keep);
    exchange_->for_each_received(keep);
    for (Group* const group : kept_groups()) {
        Saving archive{result.groups.emplace_back()};
        group->state(archive);
    }
    return result;
}

/// Observers stay as they are: they have seen these cycles.
void Engine::begin_again(const Stretch& from) {
    disturb();
    const std::byte* slots = from.slots.data();
    const auto put = [&](const Span& span) {
        std::memcpy(loop_->read_arena() + span.offset, slots, span.bytes);
        slots += span.bytes;
    };
    std::for_each(own_slots_.begin(), own_slots_.end(), put);
    exchange_->for_each_received(put);
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
        if (!graph_.processes[f].observer)
            for (const std::size_t memory : memory_of_[f])
                std::copy(from.memories[memory].begin(), from.memories[memory].end(),
                          memory_words_[memory].begin());
    std::size_t next = 0;
    for (Group* const group : kept_groups()) {
        Loading archive{from.groups[next++]};
        group->state(archive);
    }
    loop_->begin_at(from.cycle);
}

/// Rank 0 sends the number of cycles that follow, 0 at the end; all ranks return it. Before the
/// first cycle, all ranks compute their links, which are fewer without observers.
std::uint64_t Engine::order(std::uint64_t cycles) {
    struct Order {
        std::uint64_t cycles;
        bool observes;
    } order{cycles, options_.reads_all || !observers_.empty()};
    std::vector<std::byte> bytes(sizeof order);
    std::memcpy(bytes.data(), &order, sizeof order);
    const std::vector<std::vector<std::byte>> all = options_.ranks->gather(bytes);
    std::memcpy(&order, all[0].data(), sizeof order);
    if (order.cycles > 0 && !exchange_->has_links())
        exchange_->set_links(links_of(exchange_->rank(), graph_, analysis_.writers, layout_,
                                      *shares_, order.observes));
    return order.cycles;
}

void Engine::run_with_ranks(std::uint64_t cycles) {
    if (cycles > 0)
        run_stretch(order(cycles));
}

void Engine::follow(const std::function<void()>& between) {
    while (const std::uint64_t cycles = order(0)) {
        if (!orchestrator_)
            prepare();
        run_stretch(cycles);
        if (between)
            between();
    }
}

/// All ranks run the same cycles. If one of them ended early, all of them go back and run again up
/// to the end on which they agree: others may have run past it.
void Engine::run_stretch(std::uint64_t cycles) {
    const auto run = [&](std::uint64_t count) {
        exchange_->begin(count);
        tuner_->run(count);
        exchange_->end();
    };
    const Stretch before = begin_stretch();
    run(cycles);
    RankExchange::Ending own;
    if (loop_->ending() != RunEnd::completed && !loop_->is_cut_off())
        own = {loop_->cycle() - 1, loop_->fault_level(), loop_->ending()};
    const RankExchange::Ending ending = exchange_->agree(own);
    if (ending.kind != RunEnd::completed) {
        reports_.forget();
        loop_->set_replay(CycleLoop::Replay{ending.cycle, ending.fault_level});
        begin_again(before);
        run(ending.cycle + 1 - before.cycle);
        loop_->set_replay({});
        loop_->set_ending(ending.kind);
    }
    reports_.join(*options_.ranks);
}

} // namespace sme::engine
