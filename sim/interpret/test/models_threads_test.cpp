// SPDX-License-Identifier: Apache-2.0
//
// Every model under every queue, policy, wait and number of threads, with processes placed again
// during the run, has the same value on every bus in every cycle as on one thread.
#include <fmt/format.h>

#include "base/test/nightly.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "interpret/test/model_run.hpp"

using namespace sme;
using test::Model;
using test::Outcome;

namespace {

/// True if level 1 needs no barrier before it when each item is cut in the middle and one thread
/// has the first halves.
bool is_joined(const Model& model) {
    Diagnostics diagnostics;
    const engine::Layout layout = engine::Layout::of(model.graph(), model.analysis(), diagnostics);
    const engine::Schedule schedule =
        engine::Schedule::of(model.graph(), model.analysis().levels, layout);
    const engine::ChunkDependencies links{model.graph(), layout, model.analysis(), schedule};
    std::vector<Chunk> chunks;
    Placement halves(2);
    for (const engine::Item& item : schedule.items)
        for (const std::uint64_t half : {0u, 1u}) {
            halves[half].push_back(static_cast<std::uint32_t>(chunks.size()));
            const std::uint64_t count = item.range.count / 2;
            chunks.push_back({item.level, item.group, item.part, half * count, count, 1});
        }
    return links.joined(1, 0, chunks, halves);
}

/// A model takes one in this many ways, and the next model the next ones.
const auto one_in = static_cast<unsigned>(test::cases(12, 1));

/// The ways to run a model with threads, each with one of three seeds.
template <class Visit> void for_each_way(unsigned model, Visit visit) {
    unsigned way = 0;
    for (const QueueKind queue : all_queues)
        for (const char* policy : {"round-robin", "blocks", "monte-carlo", "optimize"})
            for (const bool adaptive : {false, true})
                for (const Wait wait : {Wait::automatic, Wait::spin, Wait::block})
                    for (const unsigned threads : {1u, 2u, 3u, 4u, 8u}) {
                        SimulatorOptions options;
                        options.threads = threads;
                        options.queue = queue;
                        options.policy = make_policy(policy);
                        options.adaptive = adaptive;
                        options.wait = wait;
                        options.serial_levels = way % 2 == 0;
                        options.grain = queue == QueueKind::atomic && way % 3 == 0 ? 1 : 0;
                        options.seed = way++ % 3;
                        if ((way + model) % one_in != 0)
                            continue;
                        visit(options,
                              fmt::format("queue {}, {}, adaptive {}, wait {}, {} threads, "
                                          "seed {}",
                                          static_cast<int>(queue), policy, adaptive,
                                          static_cast<int>(wait), threads, options.seed));
                    }
}

} // namespace

TEST_CASE("every model has the same bits on any threads") {
    unsigned models = 0, parallel = 0;
    for (const std::string& path : test::model_paths()) {
        CAPTURE(path);
        const Model model{path};
        ++models;
        const std::uint64_t cycles = model.levels() <= 4 ? 60 : 24;
        std::vector<Outcome> expected;
        for (const std::uint64_t seed : {0u, 1u, 2u}) {
            SimulatorOptions one;
            one.threads = 1;
            one.seed = seed;
            expected.push_back(model.run(one, cycles, parallel));
            REQUIRE(expected.back().digests.size() >= cycles);
        }
        for_each_way(models, [&](const SimulatorOptions& options, const std::string& way) {
            const Outcome outcome = model.run(options, cycles, parallel);
            if (!(outcome == expected[options.seed])) // a message for each check would be slow
                FAIL_CHECK("differs with " << way);
        });
    }
    CHECK(models >= 10);
    MESSAGE(parallel << " runs of " << models << " models shared work");
    CHECK(parallel >= test::cases(10, 100)); // the costs that are measured decide
}

TEST_CASE("levels between which no wire crosses threads need no barrier") {
    const auto joined = [](const char* index, const char* value) {
        const std::string text = fmt::format("network: chain\n"
                                             "buses:\n"
                                             "  x[100]: u8\n"
                                             "  w[100]: wire u8\n"
                                             "processes:\n"
                                             "  a[k < 100]:\n"
                                             "    in: {{x: \"x[k]\"}}\n"
                                             "    out: {{w: \"w[k]\"}}\n"
                                             "    step:\n"
                                             "      w: {}\n"
                                             "  b[k < 100]:\n"
                                             "    in: {{w: \"w[{}]\"}}\n"
                                             "    out: {{x: \"x[k]\"}}\n"
                                             "    step:\n"
                                             "      x: w + 1\n",
                                             value, index);
        return is_joined(Model{std::make_shared<Source>("test.yaml", text)});
    };
    CHECK(joined("k", "x + 2"));
    CHECK_FALSE(joined("99 - k", "x + 2"));    // from thread to thread
    CHECK_FALSE(joined("k", "x / (x - 200)")); // all threads must be notified of a fault
}
