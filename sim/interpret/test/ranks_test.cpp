// SPDX-License-Identifier: Apache-2.0
//
// Every model divided among ranks has the same value on every bus in every cycle as on one machine,
// and ends alike.
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/test/nightly.hpp"
#include "base/test/scratch.hpp"
#include "checkpoint/checkpoint.hpp"
#include "engine/test/rank_threads.hpp"
#include "interpret/test/model_run.hpp"
#include "native/fuzz/case.hpp"

using namespace sme;

namespace {

/// What rank 0 shows.
struct Seen {
    std::vector<std::uint64_t> digests;
    RunEnd ending = RunEnd::completed; // of the last cycle
    RunEnd at_end = RunEnd::completed; // after observers have seen the next one
    std::uint64_t cycle = 0;
    std::vector<std::string> lines;
    std::string faults;
    bool operator==(const Seen&) const = default;
};

/// A run from one checkpoint to another; empty: from the first cycle, to the end.
struct Stage {
    std::string from = {}, to = {};
    bool observed = true;
};

Seen run_rank(const test::Model& model, Transport* ranks, std::uint64_t cycles, unsigned threads,
              std::uint64_t stretch, const Stage& part = {}) {
    test::PrintedLines lines;
    Diagnostics diagnostics;
    engine::Options options;
    options.run.threads = threads;
    options.prints = &lines;
    options.ranks = ranks;
    engine::Engine engine{model.graph(), model.analysis(), options, diagnostics};
    test::BusDigest digest;
    if (part.observed && (!ranks || ranks->rank() == 0))
        engine.attach(digest);
    if (!part.from.empty())
        engine.load(checkpoint::Reader{part.from});
    if (ranks && ranks->rank() > 0)
        engine.follow({});
    else
        while (engine.cycle() < cycles && engine.ending() == RunEnd::completed)
            engine.run(std::min(stretch, cycles - engine.cycle()));
    if (!part.to.empty() && (!ranks || ranks->rank() == 0)) {
        checkpoint::Writer to{part.to};
        engine.save(to);
        to.commit();
    }
    const RunEnd ending = engine.ending();
    engine.finish();
    Seen seen{digest.cycles, ending, engine.ending(), engine.cycle(), lines.lines, {}};
    for (const Diagnostic& fault : engine.faults())
        seen.faults += render(fault);
    return seen;
}

Seen run_ranks(const test::Model& model, unsigned ranks, std::uint64_t cycles, unsigned threads,
               std::uint64_t stretch, const Stage& part = {}, std::uint64_t* messages = nullptr) {
    if (ranks == 1)
        return run_rank(model, nullptr, cycles, threads, stretch, part);
    test::RankThreads all{ranks};
    std::vector<Seen> seen(ranks);
    std::vector<std::thread> running;
    for (unsigned rank = 1; rank < ranks; ++rank)
        running.emplace_back([&, rank] {
            seen[rank] = run_rank(model, &all.rank(rank), cycles, threads, stretch, part);
        });
    seen[0] = run_rank(model, &all.rank(0), cycles, threads, stretch, part);
    for (std::thread& thread : running)
        thread.join();
    for (const Seen& other : seen) {
        CHECK(other.ending == seen[0].ending);
        CHECK(other.cycle == seen[0].cycle);
    }
    if (messages)
        *messages = all.messages();
    return seen[0];
}

std::uint64_t processes_of(const test::Model& model) {
    std::uint64_t sum = 0;
    for (const ProcessFamily& family : model.graph().processes)
        sum += family.observer || family.helper ? 0 : family.count;
    return sum;
}

/// Compares runs on several numbers of ranks with one on one machine, and returns that.
Seen compare(const test::Model& model, std::uint64_t cycles) {
    Seen expected = run_rank(model, nullptr, cycles, 1, 7);
    for (const unsigned ranks : {2u, 3u, 4u, 7u}) {
        CAPTURE(ranks);
        if (ranks > processes_of(model))
            continue;
        const Seen seen = run_ranks(model, ranks, cycles, ranks == 2 ? 2 : 1, 7);
        Stage unobserved;
        unobserved.observed = false;
        const Seen end = run_ranks(model, ranks, cycles, 1, 7, unobserved);
        CHECK(end.at_end == expected.at_end);
        CHECK(end.cycle == expected.cycle);
        CHECK(end.lines == expected.lines);
        CHECK(end.faults == expected.faults);
        CHECK(seen.ending == expected.ending);
        CHECK(seen.at_end == expected.at_end);
        CHECK(seen.cycle == expected.cycle);
        CHECK(seen.lines == expected.lines);
        CHECK(seen.faults == expected.faults);
        const bool same = seen.digests == expected.digests;
        CHECK(same);
    }
    return expected;
}

/// Saves a run on some ranks in some cycle and continues it on others, twice; all cycles together
/// must be those of one machine. `whole` is the run on one machine.
bool is_resumed(const test::Model& model, std::uint64_t cycles, const Seen& whole,
                std::mt19937_64& random) {
    const auto most = std::min<std::uint64_t>(processes_of(model), 5);
    const std::uint64_t runs = std::min(cycles, whole.cycle);
    const auto below = [&](std::uint64_t count) { return random() % count; };
    if (runs < 4)
        return false;
    const std::uint64_t first = 1 + below(runs - 2), second = first + 1 + below(runs - first - 1);
    const test::Scratch folder;
    Stage part;
    std::vector<std::uint64_t> digests;
    for (const std::uint64_t until : {first, second, cycles}) {
        part.from =
            std::exchange(part.to, until == cycles ? "" : folder.path(std::to_string(until)));
        const auto ranks = static_cast<unsigned>(1 + below(most));
        CAPTURE(until);
        CAPTURE(ranks);
        const Seen seen = run_ranks(model, ranks, until, ranks == 2 ? 2 : 1, 1 + below(9), part);
        const bool goes_on = until != cycles;
        CHECK(seen.ending == (goes_on ? RunEnd::completed : whole.ending));
        CHECK(seen.cycle == (goes_on ? until : whole.cycle));
        // the cycle after the last one is seen, too
        digests.resize(digests.empty() ? 0 : digests.size() - 1);
        digests.insert(digests.end(), seen.digests.begin(), seen.digests.end());
    }
    return digests == whole.digests;
}

} // namespace

TEST_CASE("every model has the same bits on any number of ranks") {
    unsigned models = 0;
    for (const std::string& path : test::model_paths()) {
        CAPTURE(path);
        const test::Model model{path};
        ++models;
        const std::uint64_t cycles = model.levels() <= 4 ? 60 : 24;
        compare(model, cycles);
    }
    CHECK(models >= 10);
}

TEST_CASE("random networks end alike on any number of ranks, and print the same lines") {
    unsigned faulted = 0, halted = 0, failed = 0, printed = 0, resumed = 0;
    for (std::uint64_t seed = 1; seed <= test::cases(60, 1000); ++seed) {
        CAPTURE(seed);
        fuzz::Choices choices{seed};
        const fuzz::Case given = fuzz::make_case(choices);
        const test::Scratch folder;
        folder.write("network.yaml", given.network.text);
        for (const auto& [name, text] : given.network.files)
            folder.write(name, text);
        const test::Model model{folder.path("network.yaml")};
        const Seen seen = compare(model, given.cycles);
        faulted += seen.ending == RunEnd::faulted;
        halted += seen.ending == RunEnd::halted;
        failed += seen.ending == RunEnd::check_failed;
        printed += !seen.lines.empty();
        if (seen.cycle < 4)
            continue;
        std::mt19937_64 random{seed};
        const bool same = is_resumed(model, given.cycles, seen, random);
        CHECK(same);
        ++resumed;
    }
    CHECK(resumed > 20);
    MESSAGE(fmt::format("{} faulted, {} halted, {} failed, {} printed", faulted, halted, failed,
                        printed));
    CHECK(faulted > 5);
    CHECK(halted > 5);
    CHECK(printed > 5);
}

namespace {

/// Processes that pass numbers on, on buses with delays of at least `least`, and print their sums
/// from time to time. `last` ends the run in some cycle of one of them.
std::string delayed(std::uint64_t least, std::mt19937_64& random, const std::string& last) {
    const auto delay = [&] { return least + random() % 4; };
    const auto from = [&] { return fmt::format("[(k + {}) % 12]", 1 + random() % 11); };
    const std::string buses = fmt::format(R"(
  number[12]: delay {} u32 = 5
  three[12]: delay {} u8[3]
  kept[12]: delay {} hold i5 = -3)",
                                          delay(), delay(), delay());
    const std::string in = fmt::format(
        "{{number: \"number{}\", three: \"three{}\", kept: \"kept{}\"}}", from(), from(), from());
    const std::uint64_t end = 40 + random() % 60, where = random() % 12;
    const std::string condition = last == "halt" ? fmt::format("time == {} and k == {}", end, where)
                                                 : fmt::format("time != {} or k != {}", end, where);
    return fmt::format(
        R"(network: delayed
buses:{}
processes:
  node[k < 12]:
    in: {}
    out: {{next: "number[k]", threes: "three[k]", keeps: "kept[k]"}}
    state: {{time: u32, sum: u32}}
    step:
      time: time + 1
      sum: sum * 5 + number + u32(three[0]) + u32(three[2]) + u32(u5(kept))
      next: sum + number
      threes[i < 3]: three[(i + 1) % 3] + u8(k)
      keeps: i5(time % 16) when time % 3 == u32(k % 3)
      print: '"{{time}}: {{k}} has {{sum}}" when time % 7 == u32(k % 7)'
      {}: {}
)",
        buses, in, last, condition);
}

} // namespace

TEST_CASE("where only buses with delays cross, one message holds the values of several cycles") {
    std::mt19937_64 random{36};
    for (const std::uint64_t least : {1u, 2u, 3u, 5u, 40u})
        for (const char* const last : {"halt", "assert"}) {
            CAPTURE(least);
            CAPTURE(last);
            const test::Scratch folder;
            folder.write("network.yaml", delayed(least, random, last));
            const test::Model model{folder.path("network.yaml")};
            Stage part;
            part.observed = false;
            const std::uint64_t cycles = 100, stretch = least == 40 ? 50 : 1 + random() % 60;
            const Seen whole = run_rank(model, nullptr, cycles, 1, cycles, part);
            CHECK(whole.cycle > 40);
            CHECK(whole.lines.size() > 60);
            for (const unsigned ranks : {2u, 3u, 5u}) {
                CAPTURE(ranks);
                std::uint64_t messages = 0;
                const Seen seen =
                    run_ranks(model, ranks, cycles, ranks == 2 ? 2 : 1, stretch, part, &messages);
                CHECK(seen == whole);
                if (least == 40)
                    CHECK(messages < ranks * (ranks - 1) * whole.cycle / 4);
            }
            part.observed = true;
            const Seen seen = run_rank(model, nullptr, cycles, 1, cycles, part);
            const bool resumed = is_resumed(model, cycles, seen, random);
            CHECK(resumed);
        }
}

namespace {

/// Counters and sums on them, which print from time to time. A check fails or faults in a cycle,
/// and a process halts in one.
std::string watched(std::uint64_t halt, const std::string& check) {
    return fmt::format(R"(
network: watched
buses:
  count[6]: u32
  sum[6]: u32
processes:
  counter[k < 6]:
    in: {{last: "count[k]"}}
    out: {{next: "count[k]"}}
    state: {{table: "u32[200]"}}
    step:
      next: last + u32(k) + 1
      table[last % 200]: last
      print: '"{{k}} has {{last}}" when last % 500 == 0'
      halt: true when k == 5 and last == {} * 6
  adder[k < 6]:
    in: {{one: "count[k]", other: "count[(k + 1) % 6]"}}
    out: {{sum: "sum[k]"}}
    step: {{sum: one + other}}
checks:
  - always: {}
)",
                       halt, check);
}

} // namespace

TEST_CASE("observers see many cycles at once, and end the run in the right one") {
    struct Ends {
        std::uint64_t halt;
        std::string check;
        RunEnd ending;
        std::uint64_t cycles;
    };
    const std::vector<Ends> cases = {
        {5000, "count[2] >= 0", RunEnd::completed, 3000},
        {5000, "count[2] < 4500", RunEnd::check_failed, 1501},
        {5000, "9 / (1500 - count[0]) >= 0", RunEnd::faulted, 1501},
        {1500, "sum[4] < 100000", RunEnd::halted, 1501},
        {1500, "count[2] < 4500", RunEnd::check_failed, 1501},
        {1500, "9 / (1500 - count[0]) >= 0", RunEnd::faulted, 1501},
        {1500, "count[2] < 4200", RunEnd::check_failed, 1401},
        {1500, "counter[0].table[1] < 1401", RunEnd::check_failed, 1403}, // looks in each cycle
    };
    for (const Ends& each : cases) {
        CAPTURE(each.check);
        CAPTURE(each.halt);
        const test::Scratch folder;
        folder.write("network.yaml", watched(each.halt, each.check));
        const test::Model model{folder.path("network.yaml")};
        const Seen whole = run_rank(model, nullptr, 3000, 1, 3000);
        CHECK(whole.ending == each.ending);
        CHECK(whole.cycle == each.cycles);
        CHECK(whole.lines.size() > 10);
        for (const unsigned ranks : {2u, 3u}) {
            CAPTURE(ranks);
            const Seen seen = run_ranks(model, ranks, 3000, ranks == 2 ? 2 : 1, 3000);
            const bool same = seen == whole;
            CHECK(same);
            CHECK(seen.cycle == whole.cycle);
            CHECK(seen.faults == whole.faults);
            CHECK(seen.lines == whole.lines);
        }
    }
}
