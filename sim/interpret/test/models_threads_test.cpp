// SPDX-License-Identifier: Apache-2.0
//
// The same bits always: every model under every queue, policy, wait and number of threads, with
// processes dealt again in mid-run, has the same value on every bus in every cycle as with one
// thread.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/digest.hpp"
#include "interpret/test/yaml_run.hpp"
#include "network/observer.hpp"

using namespace sme;

namespace {

/// A digest of every bus in every cycle.
class BusDigest final : public Observer {
public:
    void open(const Observed& observed) override {
        for (std::size_t b = 0; b < observed.graph().buses.size(); ++b) {
            const BusFamily& bus = observed.graph().buses[b];
            for (const Segment& run : observed.slots(b).runs())
                for (std::uint64_t k = run.first; k < run.end(); ++k)
                    slots_.push_back(
                        {static_cast<std::size_t>(run.at(k)), bus.type->size(), bus.wire()});
        }
    }
    void step(unsigned, Range, const Frame& frame) override {
        for (const Slot& slot : slots_)
            if (!slot.wire || frame.wires_settled)
                digest_.add(std::span{frame.read + slot.offset, slot.bytes});
        cycles.push_back(digest_.value());
    }
    void close(std::uint64_t) override {}

    std::vector<std::uint64_t> cycles;

private:
    struct Slot {
        std::size_t offset, bytes;
        bool wire;
    };
    std::vector<Slot> slots_;
    Digest digest_;
};

/// Takes rows and keeps none.
class NoRecorder final : public Kind {
    class Nothing final : public Group {
        void step(unsigned, Range, const Frame&) override {}
    };
    std::unique_ptr<Group> build(const Build&) const override {
        return std::make_unique<Nothing>();
    }
};

/// What must be the same.
struct Outcome {
    std::vector<std::uint64_t> digests;
    engine::Ending ending = engine::Ending::completed;
    std::vector<std::string> lines;
    bool operator==(const Outcome&) const = default;
};

class Model {
public:
    /// `from` is a path or a text.
    template <class From> explicit Model(const From& from) {
        const yaml::Kinds kinds{interpret::program_kind, engine::feeder,
                                [](std::shared_ptr<const expr::CheckSet> checks) {
                                    return interpret::checks_kind(
                                        std::move(checks), std::make_shared<interpret::Verdicts>());
                                },
                                [](const std::shared_ptr<const expr::Recording>&) {
                                    return std::make_shared<NoRecorder>();
                                }};
        yaml::LoadOptions options;
        options.library = SME_SOURCE_DIR "/lib";
        Diagnostics diagnostics;
        design_ = yaml::load(from, options, kinds, diagnostics);
        INFO(render(diagnostics));
        REQUIRE(design_.has_value());
        analysis_ = analyse(design_->graph, diagnostics);
        REQUIRE(analysis_.has_value());
    }

    std::uint64_t levels() const { return analysis_->levels.count; }

    /// `parallel` counts the runs in which several threads had a section to share.
    Outcome run(const SimulatorOptions& options, std::uint64_t cycles, unsigned& parallel) const {
        test::PrintedLines lines;
        Diagnostics diagnostics;
        engine::Options given;
        given.run = options;
        given.prints = &lines;
        engine::Engine engine{design_->graph, *analysis_, given, diagnostics};
        BusDigest digest;
        engine.attach(digest);
        for (std::uint64_t slice = 1; engine.cycle() < cycles; slice += 3) {
            if (engine.run(std::min(slice, cycles - engine.cycle())) != engine::Ending::completed)
                break;
            engine.orchestrator().place_again();
        }
        const std::vector<engine::Section>& sections = engine.orchestrator().plan().sections;
        if (std::any_of(sections.begin(), sections.end(),
                        [](const engine::Section& section) { return section.queue != nullptr; }))
            ++parallel;
        engine.finish();
        return {digest.cycles, engine.ending(), lines.lines};
    }

    /// Whether level 1 needs no barrier in front of it when each item is cut in the middle and one
    /// thread has the first halves.
    bool joined() const {
        Diagnostics diagnostics;
        const engine::Layout layout = engine::Layout::of(design_->graph, *analysis_, diagnostics);
        const engine::Schedule schedule =
            engine::Schedule::of(design_->graph, analysis_->levels, layout);
        const engine::Links links{design_->graph, layout, *analysis_, schedule};
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

private:
    std::optional<yaml::Design> design_;
    std::optional<Analysis> analysis_;
};

/// All ways to run with threads, each with one of three seeds.
template <class Visit> void for_each_way(Visit visit) {
    unsigned way = 0;
    for (const QueueKind queue : {QueueKind::fixed, QueueKind::atomic, QueueKind::stealing})
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
    for (const auto& entry : std::filesystem::directory_iterator{SME_SOURCE_DIR "/models"}) {
        const std::string path = (entry.path() / "network.yaml").string();
        if (!std::filesystem::exists(path))
            continue;
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
        for_each_way([&](const SimulatorOptions& options, const std::string& way) {
            const Outcome outcome = model.run(options, cycles, parallel);
            if (!(outcome == expected[options.seed])) // a message for each check would be slow
                FAIL_CHECK("differs with " << way);
        });
    }
    CHECK(models >= 10);
    MESSAGE(parallel << " runs of " << models << " models shared work");
    CHECK(parallel >= 1000);
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
        return Model{std::make_shared<Source>("test.yaml", text)}.joined();
    };
    CHECK(joined("k", "x + 2"));
    CHECK_FALSE(joined("99 - k", "x + 2"));    // from thread to thread
    CHECK_FALSE(joined("k", "x / (x - 200)")); // all have to hear of a fault
}
