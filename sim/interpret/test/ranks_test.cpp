// SPDX-License-Identifier: Apache-2.0
//
// Every model divided among ranks has the same value on every bus in every cycle as on one machine,
// and ends alike.
#include <thread>

#include <fmt/format.h>

#include "base/test/nightly.hpp"
#include "base/test/scratch.hpp"
#include "engine/test/rank_threads.hpp"
#include "interpret/test/model_run.hpp"
#include "native/fuzz/case.hpp"

using namespace sme;

namespace {

/// What rank 0 shows.
struct Seen {
    std::vector<std::uint64_t> digests;
    RunEnd ending = RunEnd::completed;
    std::uint64_t cycle = 0;
    std::vector<std::string> lines;
    std::string faults;
    bool operator==(const Seen&) const = default;
};

Seen run_rank(const test::Model& model, Transport* ranks, std::uint64_t cycles, unsigned threads,
              std::uint64_t stretch) {
    test::PrintedLines lines;
    Diagnostics diagnostics;
    engine::Options options;
    options.run.threads = threads;
    options.prints = &lines;
    options.ranks = ranks;
    engine::Engine engine{model.graph(), model.analysis(), options, diagnostics};
    test::BusDigest digest;
    if (!ranks || ranks->rank() == 0)
        engine.attach(digest);
    if (ranks && ranks->rank() > 0)
        engine.follow({});
    else
        while (engine.cycle() < cycles && engine.ending() == RunEnd::completed)
            engine.run(std::min(stretch, cycles - engine.cycle()));
    engine.finish();
    Seen seen{digest.cycles, engine.ending(), engine.cycle(), lines.lines, {}};
    for (const Diagnostic& fault : engine.faults())
        seen.faults += render(fault);
    return seen;
}

Seen run_ranks(const test::Model& model, unsigned ranks, std::uint64_t cycles, unsigned threads,
               std::uint64_t stretch) {
    test::RankThreads all{ranks};
    std::vector<Seen> seen(ranks);
    std::vector<std::thread> running;
    for (unsigned rank = 1; rank < ranks; ++rank)
        running.emplace_back(
            [&, rank] { seen[rank] = run_rank(model, &all.rank(rank), cycles, threads, stretch); });
    seen[0] = run_rank(model, &all.rank(0), cycles, threads, stretch);
    for (std::thread& thread : running)
        thread.join();
    for (const Seen& other : seen) {
        CHECK(other.ending == seen[0].ending);
        CHECK(other.cycle == seen[0].cycle);
    }
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
    for (const unsigned ranks : {1u, 2u, 3u, 4u, 7u}) {
        CAPTURE(ranks);
        if (ranks > processes_of(model))
            continue;
        const Seen seen = run_ranks(model, ranks, cycles, ranks == 2 ? 2 : 1, 7);
        CHECK(seen.ending == expected.ending);
        CHECK(seen.cycle == expected.cycle);
        CHECK(seen.lines == expected.lines);
        CHECK(seen.faults == expected.faults);
        const bool same = seen.digests == expected.digests;
        CHECK(same);
    }
    return expected;
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
    unsigned faulted = 0, halted = 0, failed = 0, printed = 0;
    for (std::uint64_t seed = 1; seed <= test::cases(60, 1000); ++seed) {
        CAPTURE(seed);
        fuzz::Choices choices{seed};
        const fuzz::Case given = fuzz::make_case(choices);
        const test::Scratch folder;
        folder.write("network.yaml", given.network.text);
        for (const auto& [name, text] : given.network.files)
            folder.write(name, text);
        const Seen seen = compare(test::Model{folder.path("network.yaml")}, given.cycles);
        faulted += seen.ending == RunEnd::faulted;
        halted += seen.ending == RunEnd::halted;
        failed += seen.ending == RunEnd::check_failed;
        printed += !seen.lines.empty();
    }
    MESSAGE(fmt::format("{} faulted, {} halted, {} failed, {} printed", faulted, halted, failed,
                        printed));
    CHECK(faulted > 5);
    CHECK(halted > 5);
    CHECK(printed > 5);
}
