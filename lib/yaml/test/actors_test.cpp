// SPDX-License-Identifier: Apache-2.0
//
// Networks of actors. The expected messages are computed here without a clock; they must not depend
// on the depth and latency of the channels.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <sme/load.hpp>
#include <sme/run.hpp>

#include "base/test/scratch.hpp"

using namespace sme;

namespace {

/// The rows that a network records in out.csv, and the end of its run.
struct Outcome {
    RunEnd end;
    std::uint64_t cycles;
    std::vector<std::int64_t> rows;
};

Outcome outcome_of(const std::string& text, std::uint64_t cycles = 2000,
                   Execution execution = Execution::interpreted) {
    const test::Scratch scratch;
    scratch.write("n.yaml", text);
    const LoadedNetwork network = load(scratch.path("n.yaml"));
    Outcome result{};
    {
        Simulator simulator{network, {.threads = 1}};
        result.end = run(simulator, Cycles{cycles}, {.execution = execution});
        result.cycles = simulator.cycle();
    }
    std::istringstream lines{test::text_of(scratch.path("out.csv"))};
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line))
        result.rows.push_back(std::stoll(line));
    return result;
}

/// Returns declarations like "depth 3 delay 2".
std::vector<std::string> queues() {
    return {"", "depth 0", "depth 1", "depth 2", "depth 7", "depth 1 delay 2", "depth 3 delay 5"};
}

/// Returns "SOURCE: counts from `first` in steps of `step`, n messages".
std::string counter(const std::string& name, const std::string& to, int first, int step, int n) {
    return fmt::format("  {}:\n    out: {{y: {}}}\n    state:\n      k: i16 = {}\n      n: u8\n"
                       "    step:\n      y: k\n      k: k + {}\n      n: n + 1\n"
                       "    done: n == {}\n",
                       name, to, first, step, n - 1);
}

} // namespace

TEST_CASE("a pipeline sends the same messages whatever its channels are") {
    std::vector<std::int64_t> wanted;
    for (int k = 0; k < 20; ++k)
        wanted.push_back((5 + 3 * k) * (5 + 3 * k));
    for (const std::string& first : queues())
        for (const std::string& second : queues()) {
            CAPTURE(first);
            CAPTURE(second);
            const Outcome found = outcome_of(
                fmt::format("network: n\nchannels:\n  a: {} i16\n  b: {} i16\nprocesses:\n{}"
                            "  square:\n    in: {{x: a}}\n    out: {{y: b}}\n"
                            "    step:\n      y: x * x\n"
                            "outputs:\n  out.csv: {{record: b}}\n",
                            first, second, counter("source", "a", 5, 3, 20)));
            CHECK(found.rows == wanted);
            CHECK(found.end == RunEnd::halted);
        }
}

TEST_CASE("two sorted channels of any lengths are merged, interpreted and in native code") {
    const auto merged = [](int a, int b, const std::string& queue, Execution execution) {
        return outcome_of(
            fmt::format("network: n\nchannels:\n  a: {0} i16\n  b: {0} i16\n  y: i16\n"
                        "processes:\n{1}{2}"
                        "  merge:\n    in: [a, b]\n    out: y\n"
                        "    receive:\n      a: not a.ended or b.ended\n      b: not b.ended\n"
                        "    let:\n      first: b.ended or not a.ended and a <= b\n"
                        "    take: {{a: first, b: not first}}\n"
                        "    step:\n      y: if first then a else b\n"
                        "outputs:\n  out.csv: {{record: y}}\n",
                        queue, counter("left", "a", -7, 3, a), counter("right", "b", -4, 5, b)),
            2000, execution);
    };
    for (const auto& lengths : {std::pair{1, 1}, {1, 9}, {12, 1}, {10, 6}})
        for (const std::string& queue : queues()) {
            const int a = lengths.first, b = lengths.second;
            std::vector<std::int64_t> wanted;
            for (int k = 0; k < a; ++k)
                wanted.push_back(-7 + 3 * k);
            for (int k = 0; k < b; ++k)
                wanted.push_back(-4 + 5 * k);
            std::sort(wanted.begin(), wanted.end());
            CAPTURE(a);
            CAPTURE(b);
            CAPTURE(queue);
            const Outcome found = merged(a, b, queue, Execution::interpreted);
            CHECK(found.rows == wanted);
            CHECK(found.end == RunEnd::halted);
        }
    const Outcome slow = merged(10, 6, "depth 3", Execution::interpreted);
    const Outcome fast = merged(10, 6, "depth 3", Execution::native);
    CHECK(fast.rows == slow.rows);
    CHECK(fast.cycles == slow.cycles);
}

TEST_CASE("a channel is taken in every cycle from depth 2 on, and in every second at depth 1") {
    const auto cycles = [](const std::string& queue) {
        return outcome_of(fmt::format("network: n\nchannels:\n  a: {} i16\nprocesses:\n{}"
                                      "outputs:\n  out.csv: {{record: a}}\n",
                                      queue, counter("source", "a", 0, 1, 100)))
            .cycles;
    };
    // sent in cycles 0 to 99 and received in 1 to 100; in 101 the channel is empty
    CHECK(cycles("depth 2") == 102);
    CHECK(cycles("depth 100") == 102);
    CHECK(cycles("depth 1") == 201); // received in 1, 3, ... 199
    CHECK(cycles("depth 5 delay 4") == 105);
}

TEST_CASE("a message that a firing does not receive reads as zero, and stays") {
    // a: 1 2 3 ...; b: 10 20 30 ...; b is received in every second firing
    const Outcome found =
        outcome_of("network: n\nchannels:\n  a: i16\n  b: i16\n  y: i16\nprocesses:\n" +
                   counter("left", "a", 1, 1, 6) + counter("right", "b", 10, 10, 3) +
                   "  add:\n    in: [a, b]\n    out: y\n    state:\n      odd: bool\n"
                   "    receive:\n      b: odd\n"
                   "    step:\n      odd: not odd\n      y: a + b\n"
                   "outputs:\n  out.csv: {record: y}\n");
    CHECK(found.rows == std::vector<std::int64_t>{1, 2 + 10, 3, 4 + 20, 5, 6 + 30});
}

TEST_CASE("messages go where the step says, from blocks and matches") {
    const Outcome found = outcome_of(
        "network: n\nchannels:\n  a: i16\n  small: depth 9 i16\n  large: depth 9 i16\n  y: i16\n"
        "processes:\n" +
        counter("source", "a", 0, 1, 8) +
        "  route:\n    in: a\n    out: [small, large]\n"
        "    step:\n"
        "      if a < 4:\n        small: a\n"
        "      else:\n"
        "        match u2(a):\n          0: {}\n          1, 2:\n            large: 10 * a\n"
        "          3:\n            large: 100 * a\n            small: a\n"
        "  join:\n    in: [small, large]\n    out: y\n"
        "    receive:\n      small: not small.ended\n      large: small.ended\n"
        "    step:\n      y: if small.ended then large else small\n"
        "outputs:\n  out.csv: {record: y}\n");
    CHECK(found.rows == std::vector<std::int64_t>{0, 1, 2, 3, 7, 50, 60, 700});
}

TEST_CASE("an actor that does not fire changes nothing") {
    // the bus keeps what the last firing wrote; every firing takes at least two cycles
    const test::Scratch scratch;
    scratch.write("n.yaml", "network: n\nbuses:\n  count: hold u8\nchannels:\n  a: depth 1 i16\n"
                            "processes:\n" +
                                counter("source", "a", 0, 1, 5) +
                                "  sink:\n    in: a\n    out: count\n    state:\n      n: u8\n"
                                "    step:\n      n: n + 1\n      count: n + 1\n"
                                "checks:\n  - always: count <= sink.n\n"
                                "  - eventually by 20: sink.done and sink.n == 5 and count == 5\n");
    const LoadedNetwork network = load(scratch.path("n.yaml"));
    Simulator simulator{network};
    CHECK(run(simulator, Cycles{100}) == RunEnd::halted);
    for (const CheckResult& check : network.checks(simulator))
        CHECK_MESSAGE(check.kind == CheckResult::Kind::passed, check.text);
}

TEST_CASE("a channel that is too shallow is named, and one place more does") {
    // join takes a sum after every third sample; fork can be three samples ahead of it
    const auto places = [](int count, Execution execution) {
        const test::Scratch scratch;
        scratch.write("n.yaml",
                      fmt::format("network: n\nchannels:\n  held: depth {} i16\n  all: i16\n"
                                  "  sums: i16\n  y: i16\nprocesses:\n"
                                  "  fork:\n    out: [held, all]\n    state:\n      k: i16\n"
                                  "    step:\n      held: k\n      all: k\n      k: k + 1\n"
                                  "    done: k == 29\n"
                                  "  sum:\n    in: all\n    out: sums\n    state:\n      n: u2\n"
                                  "    step:\n      n: if n == 2 then 0 else n + 1\n"
                                  "      sums: all when n == 2\n"
                                  "  join:\n    in: [held, sums]\n    out: y\n    state:\n"
                                  "      n: u2\n    take:\n      sums: n == 2\n"
                                  "    step:\n      n: if n == 2 then 0 else n + 1\n"
                                  "      y: held + sums\n"
                                  "outputs:\n  out.csv: {{record: y}}\n",
                                  count));
        const LoadedNetwork network = load(scratch.path("n.yaml"));
        Simulator simulator{network, {.threads = 1}};
        std::string fault;
        try {
            run(simulator, Cycles{500}, {.execution = execution});
        } catch (const ModelFault& found) {
            fault = found.what();
        }
        return fault;
    };
    for (const Execution execution : {Execution::interpreted, Execution::native}) {
        for (const int count : {1, 2}) {
            const std::string fault = places(count, execution);
            CAPTURE(fault);
            CHECK(test::contains(fault, fmt::format("give 'held' more than {} place", count)));
            CHECK(test::contains(fault, "'fork' waits for room in 'held'"));
            CHECK(test::contains(fault, "[deadlock]"));
        }
        CHECK(places(3, execution) == "");
    }
}

TEST_CASE("a file with a header of its fields feeds a channel of structs") {
    const test::Scratch scratch;
    scratch.write("rows.csv", "a,b\n1,2\n3,4\n");
    scratch.write("n.yaml", "network: n\ntypes:\n  Pair: {a: u8, b: i8}\nchannels: {x: Pair}\n"
                            "inputs: {x: rows.csv}\nprocesses:\n  sink:\n    in: x\n"
                            "    state: {sum: i16}\n    step:\n"
                            "      sum: sum + i16(x.a) * i16(x.b)\n");
    const LoadedNetwork network = load(scratch.path("n.yaml"));
    Simulator simulator{network};
    run(simulator, Cycles{20});
    CHECK(simulator.peek<int>("sink.sum") == 14);
    scratch.write("rows.csv", "a,c\n1,2\n");
    CHECK_THROWS_WITH_AS(load(scratch.path("n.yaml")),
                         doctest::Contains("has the columns 'a,c', but 'x' needs 'a,b'"),
                         NetworkError);
}

TEST_CASE("an end that is under way is no deadlock") {
    // 'few' sends nothing, and its end takes ten cycles
    const Outcome result =
        outcome_of("network: n\nchannels:\n  x: i16\n  y: delay 10 i16\nprocesses:\n" +
                   counter("source", "x", 0, 1, 3) +
                   "  few:\n    in: x\n    out: y\n    step:\n      y: x when x == 200\n"
                   "  sink:\n    in: y\n    state: {sum: i16}\n    step:\n      sum: sum + y\n");
    CHECK(result.end == RunEnd::halted);
    CHECK(result.cycles > 10);
    CHECK(result.cycles < 30);
}

TEST_CASE("a run lasts until a file is recorded that no actor is bound to") {
    const test::Scratch scratch;
    std::string rows = "value\n";
    for (int k = 0; k < 20; ++k)
        rows += std::to_string(k) + "\n";
    scratch.write("rows.csv", rows);
    // a channel of one place is empty in every second cycle
    scratch.write("n.yaml", "network: n\nchannels:\n  x: i16\n  y: depth 1 u8\nprocesses:\n" +
                                counter("source", "x", 0, 1, 2) +
                                "  sink:\n    in: x\n    state: {sum: i16}\n    step:\n"
                                "      sum: sum + x\n"
                                "inputs: {y: rows.csv}\n"
                                "outputs: {out.csv: {record: y, expect: rows.csv}}\n");
    const LoadedNetwork network = load(scratch.path("n.yaml"));
    Simulator simulator{network};
    CHECK(run(simulator, Cycles{200}) == RunEnd::halted);
    simulator.finish();
    CHECK(network.outputs(simulator).at(0).rows == 20);
    CHECK(network.outputs(simulator).at(0).difference.empty());
}
