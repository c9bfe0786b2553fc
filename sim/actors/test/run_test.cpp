// SPDX-License-Identifier: Apache-2.0
//
// Actors on several threads: the same messages and the same depths in every run. The command's
// tests compare these with runs that have a clock.
#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actors/run.hpp"
#include "base/test/scratch.hpp"
#include "session/run_loop.hpp"
#include "yaml/design.hpp"

using namespace sme;

namespace {

class Loaded {
public:
    explicit Loaded(const std::string& path, std::map<std::string, std::string> parameters = {}) {
        yaml::LoadOptions options;
        options.library = SME_SOURCE_DIR "/lib";
        options.parameters = std::move(parameters);
        options.untimed = true;
        yaml::GroupFactories kinds = session::factories_of_each(false);
        kinds.checks = nullptr;
        kinds.deadlock = nullptr;
        kinds.halt = nullptr;
        Diagnostics diagnostics;
        design_ = yaml::load(path, options, kinds, diagnostics);
        INFO(render(diagnostics));
        REQUIRE(design_.has_value());
        plans_ = actors::plans_of(design_->graph, diagnostics);
        REQUIRE(!diagnostics.has_errors());
    }
    static Loaded model(const std::string& name,
                        std::map<std::string, std::string> parameters = {}) {
        return Loaded{std::string{SME_SOURCE_DIR} + "/models/" + name + "/network.yaml",
                      std::move(parameters)};
    }
    actors::Result run(actors::RunOptions options) const {
        options.untimed.digests = true;
        return actors::Run{design_->graph, plans_, options}.run();
    }

private:
    std::optional<yaml::Design> design_;
    std::vector<actors::Plan> plans_;
};

std::vector<UntimedOptions> many_ways() {
    std::vector<UntimedOptions> ways;
    for (const unsigned runners : {1U, 2U, 4U, 8U})
        for (std::uint64_t seed = 0; seed < 20; ++seed)
            ways.push_back({.runners = runners, .seed = seed});
    ways.push_back({.thread_per_process = true});
    return ways;
}

using History = std::vector<std::pair<std::string, std::uint64_t>>;

History digests(const actors::Result& result) {
    History made;
    for (const ChannelReport& channel : result.channels)
        made.emplace_back(channel.name, channel.digest);
    return made;
}

} // namespace

TEST_CASE("1, 2, 4 and 8 runners and 20 seeds give one history on each channel") {
    for (const char* name : {"merge", "reconvergent"}) {
        CAPTURE(name);
        const Loaded model = Loaded::model(name);
        const actors::Result first = model.run({});
        CHECK(first.end == RunEnd::completed);
        CHECK(first.firings > 100);
        for (const UntimedOptions& way : many_ways()) {
            const actors::Result other = model.run({.untimed = way});
            CHECK(other.end == RunEnd::completed);
            CHECK(digests(other) == digests(first));
            CHECK(other.firings == first.firings);
        }
    }
}

TEST_CASE("channels become as deep in every run") {
    // eight tokens in four channels of one place each
    const Loaded ring = Loaded::model("token_ring", {{"n", "4"}, {"tokens", "8"}, {"places", "1"}});
    std::vector<std::uint32_t> depths;
    for (const UntimedOptions& way : many_ways()) {
        const actors::Result result = ring.run({.untimed = way});
        CHECK(result.end == RunEnd::completed);
        std::vector<std::uint32_t> found;
        for (const ChannelReport& channel : result.channels)
            found.push_back(channel.depth);
        if (depths.empty())
            depths = found;
        CHECK(found == depths);
    }
    CHECK(depths.size() == 4);
    CHECK(depths[0] + depths[1] + depths[2] + depths[3] > 8);
}

TEST_CASE("a run that is interrupted, or in which an actor has a fault, ends on every thread") {
    const test::Scratch scratch;
    const std::string network = "network: n\nchannels: {a: u8, b: u8}\nprocesses:\n"
                                "  source:\n    out: {y: a}\n    state: {k: u8}\n    step:\n"
                                "      y: k\n      k: k + 1\n"
                                "  other:\n    in: {x: a}\n    out: {y: b}\n    step:\n      y: ";
    scratch.write("endless.yaml", network + "x\noutputs: {b.csv: {record: b}}\n");
    scratch.write("fault.yaml", network + "1 / (x - 200)\noutputs: {b.csv: {record: b}}\n");
    for (const unsigned runners : {1U, 3U}) {
        std::atomic<bool> interrupt{true};
        const actors::Result stopped = Loaded{scratch.path("endless.yaml")}.run(
            {.untimed = {.runners = runners}, .interrupt = &interrupt});
        CHECK(stopped.end == RunEnd::stopped);
        const actors::Result fault =
            Loaded{scratch.path("fault.yaml")}.run({.untimed = {.runners = runners}});
        CHECK(fault.end == RunEnd::faulted);
        REQUIRE(fault.faults.size() == 1);
        CHECK(fault.faults[0].message.find("'other'") != std::string::npos);
        const actors::Result cut = Loaded{scratch.path("endless.yaml")}.run(
            {.untimed = {.runners = runners}, .firings = 1000});
        CHECK(cut.end == RunEnd::completed);
        CHECK(cut.at_limit);
        CHECK(cut.firings == 2000);
    }
}
