// SPDX-License-Identifier: Apache-2.0
//
// Tests that a trace of the last cycles equals the end of the full trace, with all values at its
// start.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <random>
#include <sstream>

#include "trace/tracer.hpp"
#include "trace_test.hpp"

using trace_test::Buses;
using trace_test::Scratch;
using trace_test::text_of;

namespace {

using sme::Type;

/// The value of each signal at each time from `from`, as a viewer shows it.
std::map<std::string, std::map<std::string, std::string>> shown(const std::string& text,
                                                                std::uint64_t from) {
    std::map<std::string, std::map<std::string, std::string>> found;
    std::map<std::string, std::string> now;
    std::istringstream lines{text.substr(text.find("$enddefinitions"))};
    std::uint64_t time = 0;
    const auto keep = [&] {
        if (time >= from)
            found[std::to_string(time)] = now;
    };
    bool any = false;
    for (std::string line; std::getline(lines, line);) {
        if (line[0] == '#') {
            if (any)
                keep();
            any = true;
            time = std::stoull(line.substr(1));
        } else if (line[0] == 'b')
            now[line.substr(line.find(' ') + 1)] = line.substr(1, line.find(' ') - 1);
        else if (line[0] != '$')
            now[line.substr(1)] = line.substr(0, 1);
    }
    keep();
    return found;
}

struct TracedRun {
    std::string whole, kept;
    std::optional<std::uint64_t> from;
};

/// Runs `cycles` cycles with random changes and both tracers.
TracedRun traced(std::uint64_t cycles, std::uint64_t last, bool faulted, unsigned seed) {
    const Scratch folder;
    Buses buses{"last"};
    buses.add("a", Type::unsigned_integer(8), {{0, 3, {}}});
    buses.add("w", Type::boolean()).delay = 0;
    buses.add("wide", Type::unsigned_integer(100)).unwritten = sme::Unwritten::error;
    buses.add(
        "s", Type::structure("S", {{"x", Type::boolean(), 0}, {"y", Type::signed_integer(33), 0}}));
    buses.lay_out();
    TracedRun result;
    sme::trace::Tracer whole{folder.path("whole.vcd"), {}};
    sme::trace::TracerOptions options;
    options.keep_last = last;
    options.keep = [] { return true; };
    sme::trace::Tracer kept{folder.path("kept.vcd"), options};
    std::mt19937_64 random{seed};
    whole.open(buses);
    kept.open(buses);
    const auto step = [&](std::uint64_t cycle, bool wires) {
        const sme::Frame frame = buses.frame(cycle, wires);
        whole.step(0, {0, 1}, frame);
        kept.step(0, {0, 1}, frame);
    };
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        if (random() % 3 == 0)
            buses.set(0, random() % 3, 0, static_cast<std::uint8_t>(random() % 4));
        buses.set(1, 0, 0, static_cast<std::uint8_t>(random() % 2));
        if (random() % 4 == 0) {
            buses.set(2, 0, 0, random());
            buses.set(2, 0, 16, static_cast<std::uint8_t>(random() % 2));
        }
        if (random() % 5 == 0)
            buses.set(3, 0, 8, static_cast<std::int64_t>(random() % 5) - 2);
        step(cycle, !faulted || cycle + 1 < cycles);
    }
    if (!faulted)
        step(cycles, false);
    whole.close(cycles);
    kept.close(cycles);
    REQUIRE(whole.problem().empty());
    REQUIRE(kept.problem().empty());
    result.whole = text_of(folder.path("whole.vcd"));
    result.kept = text_of(folder.path("kept.vcd"));
    result.from = kept.kept_from();
    return result;
}

} // namespace

TEST_CASE("the last cycles are shown as the whole trace shows them, at the same times") {
    for (const unsigned last : {1u, 2u, 3u, 7u, 16u, 200u})
        for (const unsigned cycles : {1u, 2u, 5u, 16u, 17u, 63u, 64u, 65u, 333u})
            for (const bool faulted : {false, true}) {
                CAPTURE(last);
                CAPTURE(cycles);
                CAPTURE(faulted);
                const TracedRun result = traced(cycles, last, faulted, last * 1000 + cycles);
                const unsigned from = cycles > last ? cycles - last : 0;
                CHECK(result.from == from);
                const std::string begin = "#" + std::to_string(from * 10) + "\n$dumpvars\n";
                const std::size_t at = result.kept.find("$enddefinitions $end\n") + 21;
                CHECK(result.kept.substr(at, begin.size()) == begin);
                const auto whole = shown(result.whole, from * 10);
                REQUIRE(whole.size() == 2 * (cycles - from) + 1);
                CHECK(shown(result.kept, 0) == whole);
            }
}

TEST_CASE("nothing is written when all went well, and what stood there stays") {
    const Scratch folder;
    folder.write("run.vcd", "old");
    Buses buses{"fine"};
    buses.add("a", Type::unsigned_integer(8));
    buses.lay_out();
    sme::trace::TracerOptions options;
    options.keep_last = 4;
    options.keep = [] { return false; };
    {
        sme::trace::Tracer tracer{folder.path("run.vcd"), options};
        tracer.open(buses);
        for (std::uint64_t cycle = 0; cycle < 20; ++cycle)
            tracer.step(0, {0, 1}, buses.frame(cycle));
        tracer.close(20);
        CHECK(tracer.problem().empty());
        CHECK(!tracer.kept_from());
    }
    CHECK(text_of(folder.path("run.vcd")) == "old");
    CHECK(!std::filesystem::exists(folder.path("run.vcd.part")));
}

TEST_CASE("a run that never began leaves a trace that can be read") {
    const Scratch folder;
    Buses buses{"none"};
    buses.add("a", Type::unsigned_integer(8));
    buses.lay_out();
    sme::trace::TracerOptions options;
    options.keep_last = 4;
    options.keep = [] { return true; };
    sme::trace::Tracer tracer{folder.path("run.vcd"), options};
    tracer.open(buses);
    tracer.close(0);
    CHECK(tracer.problem().empty());
    CHECK(text_of(folder.path("run.vcd")).find("$enddefinitions") != std::string::npos);
}
