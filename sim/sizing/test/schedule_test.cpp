// SPDX-License-Identifier: Apache-2.0
//
// Random histories, and small ones whose times can be calculated by hand. The oracle runs a history
// cycle by cycle with real queues, and knows nothing of longest paths.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sizing/schedule.hpp"
#include "sizing/search.hpp"

namespace {

using namespace sme::sizing;
using Need = History::Need;
using Kind = Need::Kind;

constexpr std::uint64_t endless = ~std::uint64_t{0};

/// A network without steps; every channel has its own declaration.
History network(std::size_t processes,
                const std::vector<std::pair<std::uint32_t, std::uint32_t>>& channels) {
    History result;
    result.ended = true;
    for (std::size_t k = 0; k < processes; ++k) {
        result.processes.push_back({});
        result.processes.back().closes = true;
    }
    for (const auto& [sender, receiver] : channels) {
        const auto number = static_cast<std::uint32_t>(result.channels.size());
        result.channels.push_back({"", number, 8, 1, sender, receiver});
        result.declarations.push_back({"", {}, 2, 8, 1});
    }
    return result;
}

void add_step(History& history, std::uint32_t process, std::vector<Need> needs) {
    auto& [name, is_file, start, patterns, steps, times, counts, closes] =
        history.processes[process];
    for (const Need& need : needs)
        if (need.kind == Kind::room)
            ++history.channels[need.channel].messages;
    steps.push_back(static_cast<std::uint32_t>(patterns.size()));
    patterns.push_back(std::move(needs));
}

/// A simulation cycle by cycle: the times of all steps by process, and whether all happened.
struct Simulated {
    std::vector<std::vector<std::uint64_t>> times;
    bool complete = true;
    std::uint64_t cycles = 0;
};

Simulated simulate(const History& history, const Depths& depths) {
    struct Queue {
        std::vector<std::uint64_t> arrivals; // when each message can be received
        std::size_t taken = 0;
        std::uint64_t room = 0; // free places at the beginning of the cycle
    };
    std::vector<Queue> queues(history.channels.size());
    for (std::size_t c = 0; c < queues.size(); ++c)
        queues[c].room = depths[history.channels[c].declaration];
    Simulated result;
    result.times.resize(history.processes.size());
    const auto done = [&](std::uint32_t p) {
        return result.times[p].size() == history.processes[p].steps.size();
    };
    const std::uint64_t patience = 20; // longer than any latency
    for (std::uint64_t cycle = 0, idle = 0; idle < patience; ++cycle, ++idle) {
        std::vector<std::pair<std::uint32_t, const std::vector<Need>*>> happen;
        for (std::uint32_t p = 0; p < history.processes.size(); ++p) {
            if (done(p) || cycle < history.processes[p].start)
                continue;
            const auto& needs =
                history.processes[p].patterns[history.processes[p].steps[result.times[p].size()]];
            const auto closed = [&](const Need& need) {
                const History::Channel& channel = history.channels[need.channel];
                const Queue& queue = queues[need.channel];
                const auto& sent = result.times[channel.sender];
                return done(channel.sender) && queue.taken == queue.arrivals.size() &&
                       (sent.empty() || cycle >= sent.back() + channel.latency);
            };
            bool can = true, some = true;
            for (const Need& need : needs) {
                const Queue& queue = queues[need.channel];
                if (need.kind == Kind::look || need.kind == Kind::take)
                    can = can && queue.taken < queue.arrivals.size() &&
                          queue.arrivals[queue.taken] <= cycle;
                else if (need.kind == Kind::room)
                    can = can && queue.room > 0;
                else if (need.kind == Kind::end)
                    can = can && closed(need);
            }
            if (!needs.empty() && needs[0].kind == Kind::some_end)
                some = std::any_of(needs.begin(), needs.end(), closed);
            if (can && some)
                happen.emplace_back(p, &needs);
        }
        for (const auto& [p, needs] : happen) {
            idle = 0;
            result.times[p].push_back(cycle);
            result.cycles = cycle + 1;
            for (const Need& need : *needs) {
                Queue& queue = queues[need.channel];
                if (need.kind == Kind::take) {
                    ++queue.taken;
                    ++queue.room; // for the next cycle, after all have looked
                } else if (need.kind == Kind::room) {
                    queue.arrivals.push_back(cycle + history.channels[need.channel].latency);
                    --queue.room;
                }
            }
        }
    }
    for (std::uint32_t p = 0; p < history.processes.size(); ++p)
        result.complete = result.complete && done(p);
    return result;
}

/// A network without rings in which each process receives and sends at random, in the order of the
/// processes, so that every received message was sent before. Some end when an input does.
History random_history(std::mt19937& random) {
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    const std::uint32_t processes = 2 + below(4);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (std::uint32_t to = 1; to < processes; ++to)
        for (std::uint32_t k = 0; k < 1 + below(2); ++k)
            ends.emplace_back(below(to), to);
    History result = network(processes, ends);
    for (History::Channel& channel : result.channels)
        channel.latency = 1 + below(3) / 2 * below(4);
    std::vector<std::uint64_t> taken(ends.size(), 0);
    for (std::uint32_t p = 0; p < processes; ++p) {
        result.processes[p].start = below(3);
        for (std::uint32_t step = 0; step < 5 + below(20); ++step) {
            std::vector<Need> needs;
            for (std::uint32_t c = 0; c < ends.size(); ++c) {
                if (ends[c].second == p && below(3) > 0) {
                    if (taken[c] == result.channels[c].messages)
                        needs.push_back({Kind::end, c});
                    else if (below(4) == 0)
                        needs.push_back({Kind::look, c});
                    else {
                        needs.push_back({Kind::take, c});
                        ++taken[c];
                    }
                }
                if (ends[c].first == p && below(2) == 0)
                    needs.push_back({Kind::room, c});
            }
            add_step(result, p, std::move(needs));
        }
        std::vector<Need> over;
        for (std::uint32_t c = 0; c < ends.size(); ++c)
            if (ends[c].second == p && taken[c] == result.channels[c].messages)
                over.push_back({Kind::some_end, c});
        if (!over.empty())
            add_step(result, p, std::move(over));
    }
    return result;
}

/// `messages` pass from each process to the next, which takes one in every `rest` + 1 cycles.
History chain(std::uint32_t messages, std::uint32_t rest) {
    History result = network(2, {{0, 1}});
    for (std::uint32_t k = 0; k < messages; ++k) {
        add_step(result, 0, {{Kind::room, 0}});
        add_step(result, 1, {{Kind::take, 0}});
        for (std::uint32_t idle = 0; idle < rest; ++idle)
            add_step(result, 1, {});
    }
    return result;
}

} // namespace

TEST_CASE("times on paper: one place takes two cycles a message, two places one") {
    const History history = chain(10, 0);
    Schedule schedule{history};
    CHECK(schedule.run({1}).cycles == 20); // sent in 0, 2, … 18, taken one later
    CHECK(schedule.run({2}).cycles == 11);
    CHECK(schedule.run({100}).cycles == 11);
    CHECK(schedule.roomy() == Depths{2});
    const Outcome slow = schedule.run({1});
    CHECK(slow.critical == std::vector<std::uint32_t>{0});
    CHECK(schedule.run({2}).critical.empty());
}

TEST_CASE("the process that takes longest is the bottleneck, and the other waits for it") {
    const History history = chain(10, 3);
    Schedule schedule{history};
    CHECK(schedule.run({2}).cycles == 41);
    const Slowness slow = schedule.slowness();
    CHECK(slow.bottleneck == 1);
    REQUIRE(!slow.waits.empty());
    CHECK(slow.waits[0].process == 0);
    CHECK(slow.waits[0].for_room);
    // sent in 0, 1, then one cycle after each is taken: in 1, 5, … 29
    CHECK(slow.waits[0].cycles == 30 - 9);
}

TEST_CASE("two ways of different length need depth, and say where") {
    // 0 sends on both channels; 1 takes four of the first before it sends one; 2 takes both
    History history = network(3, {{0, 1}, {0, 2}, {1, 2}});
    for (int k = 0; k < 12; ++k)
        add_step(history, 0, {{Kind::room, 0}, {Kind::room, 1}});
    for (int k = 0; k < 12; ++k) {
        std::vector<Need> needs{{Kind::take, 0}};
        if (k % 4 == 3)
            needs.push_back({Kind::room, 2});
        add_step(history, 1, std::move(needs));
        add_step(history, 2, {{Kind::take, 1}, {k % 4 == 3 ? Kind::take : Kind::look, 2}});
    }
    Schedule schedule{history};
    const Outcome stuck = schedule.run({2, 3, 2});
    CHECK_FALSE(stuck.complete);
    CHECK(stuck.critical == std::vector<std::uint32_t>{1});
    CHECK(schedule.run({2, 4, 2}).complete);
    CHECK(schedule.run({2, 4, 2}).cycles == simulate(history, {2, 4, 2}).cycles);
}

TEST_CASE("random histories: each step when a run of the network would do it") {
    std::mt19937 random{20};
    unsigned stuck = 0;
    for (int round = 0; round < 600; ++round) {
        const History history = random_history(random);
        Schedule schedule{history};
        for (int each = 0; each < 4; ++each) {
            Depths depths;
            for (std::size_t k = 0; k < history.declarations.size(); ++k)
                depths.push_back(1 + random() % 6);
            const Simulated run = simulate(history, depths);
            const Outcome outcome = schedule.run(depths);
            REQUIRE(outcome.complete == run.complete);
            stuck += !run.complete;
            if (run.complete)
                REQUIRE(outcome.cycles == run.cycles);
            // a history recorded in that run agrees; one with another time does not
            History own = history;
            for (std::size_t p = 0; p < own.processes.size(); ++p)
                own.processes[p].times.assign(run.times[p].begin(), run.times[p].end());
            for (std::size_t k = 0; k < depths.size(); ++k)
                own.declarations[k].depth = depths[k];
            if (run.complete) {
                REQUIRE(Schedule{own}.agrees());
                ++own.processes[0].times.back();
                REQUIRE_FALSE(Schedule{own}.agrees());
            }
        }
        const Depths roomy = schedule.roomy();
        REQUIRE(schedule.run(roomy).cycles == schedule.run(Depths(roomy.size(), endless)).cycles);
    }
    CHECK(stuck > 100); // some deadlock, most do not
    CHECK(stuck < 2000);
}

TEST_CASE("what is found is minimal, and the least is what trying all depths finds") {
    std::mt19937 random{7};
    for (int round = 0; round < 60; ++round) {
        const History history = random_history(random);
        Schedule schedule{history};
        std::vector<std::uint64_t> price;
        for (std::size_t k = 0; k < history.declarations.size(); ++k)
            price.push_back(1 + random() % 9);
        Search search{price, [&](const Depths& depths) { return schedule.run(depths); },
                      [] { return true; }};
        const Depths enough = schedule.roomy();
        const std::uint64_t fastest = schedule.run(enough).cycles;
        const std::uint64_t most = fastest + (round % 2 ? random() % 10 : 0);
        const auto does = [&](const Depths& depths) {
            const Simulated run = simulate(history, depths);
            return run.complete && run.cycles <= most;
        };
        const Depths found = search.reduced(enough, most);
        REQUIRE(does(found));
        for (std::size_t k = 0; k < found.size(); ++k) {
            Depths less = found;
            if (--less[k] > 0)
                REQUIRE_FALSE(does(less));
        }
        if (price.size() > 4)
            continue;
        std::uint64_t fewest = search.bits(enough);
        Depths tried(price.size(), 1);
        for (std::size_t k = 0; k < price.size();) { // counts through all depths up to `enough`
            if (search.bits(tried) < fewest && does(tried))
                fewest = search.bits(tried);
            for (k = 0; k < price.size() && ++tried[k] > enough[k]; ++k)
                tried[k] = 1;
        }
        const Search::Least least = search.least(enough, most);
        REQUIRE(least.proven);
        REQUIRE(does(least.depths));
        REQUIRE(search.bits(least.depths) == fewest);
    }
}

TEST_CASE("a front falls: each point has more cycles and fewer bits than the one before") {
    std::mt19937 random{3};
    for (int round = 0; round < 20; ++round) {
        const History history = random_history(random);
        Schedule schedule{history};
        Search search{std::vector<std::uint64_t>(history.declarations.size(), 8),
                      [&](const Depths& depths) { return schedule.run(depths); },
                      [] { return true; }};
        const Depths enough = schedule.roomy();
        const auto front = search.front(enough, 10);
        REQUIRE(!front.empty());
        CHECK(front.front().cycles == schedule.run(enough).cycles);
        for (std::size_t k = 0; k < front.size(); ++k) {
            CHECK(simulate(history, front[k].depths).cycles == front[k].cycles);
            if (k > 0) {
                CHECK(front[k].cycles > front[k - 1].cycles);
                CHECK(front[k].bits < front[k - 1].bits);
            }
        }
        CHECK(knee(front) < front.size());
    }
    const std::vector<Search::Point> bent{{10, 100, {}}, {12, 30, {}}, {50, 20, {}}, {90, 10, {}}};
    CHECK(knee(bent) == 1);
}
