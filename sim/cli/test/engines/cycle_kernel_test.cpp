// SPDX-License-Identifier: Apache-2.0
//
// Compares cycle kernels of native code with the interpreter: printed lines, recordings, checks and
// every byte of the checkpoint are equal, with all options.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "engine/threads/cpus.hpp"

using namespace sme::test;

namespace {

/// Slots of every kind, fed by rows of every kind; {0} instances.
constexpr const char* slots = R"(network: slots
types:
  Pair: {{a: u5, b: i11}}
  Phase: [idle, run, rest]
buses:
  fed[3]: i9
  held: Pair
  cleared: wire u16
  twice: u40
  late: delay 2 Pair = Pair(a = 3)
  later[{0}]: delay 5 u32
  kept[{0}]: hold u32 = 7
  strict: error Pair = Pair(a = 1)
  sum: wire u64
  phase: hold Phase
processes:
  mix:
    in: [fed, held, cleared, twice]
    out: [late, phase, strict]
    state:
      n: i33 = -5
      queue: u12[6]
    step:
      n: n * 3 + i33(fed[1]) - i33(held.b)
      queue[u8(n) % 6]: u12(twice) when cleared > 9
      late.a: u5(n)
      late.b: i11(queue[u8(n) % 5])
      strict:
        a: held.a + 1
        b: 3 when cleared <= 100
      phase: if n > 9 then run elif n < -9 then rest else idle when fed[0] != 2
  cell[k < {0}]:
    in:
      x: kept[(k + 1) % {0}]
      late: late
    out:
      y: kept[k]
      z: later[k]
    state:
      last: u8[4]
      n: u32
    step:
      n: n + x
      last[n % 4]: u8(x) ^ random(u8)
      y: (x ^ n) + u32(last[x % 4]) + u32(late.a) when n & 3 != 1
      z: x * 5
  adder:
    in: {{xs: later, p: phase, s: strict}}
    out: sum
    step:
      sum: u64(sum(k < {0}, xs[k])) ^ u64(s.a) ^ (if p == run then 5 else 0)
inputs:
  fed: {{file: rows.csv, at_end: repeat}}
  held: {{file: pair.csv, at_end: hold}}
  cleared: {{file: few.csv, at_end: zero}}
  twice: {{file: few.csv, at_end: repeat}}
outputs:
  seen.csv:
    record: sum
    when: fed[2] == 3 and cleared == 0
checks:
  - always: twice < 1000
  - never: mix.n == 123456789
  - after 70: cleared == 0
  - at 33: twice >= 0
  - cover: phase == rest
  - cover: past(sum, 3) > sum
  - eventually by 5000: fed[2] == 3
  - always: fed[2] == 3 then fed[2] != 3 in 1 to 9
)";

/// A network up to its reader: stream 'a' passes through a FIFO to 'b'. `more` are further buses.
std::string buffered(const std::string& name, const std::string& more = "") {
    return "network: " + name + R"(
import: [std/stream.yaml, std/fifo.yaml]
buses:
  a: Stream(u12)
  b: Stream(u12)
)" + more + R"(processes:
  buffer:
    use: fifo
    with: {depth: 4, T: u12}
    in: {x: a}
    out: {y: b}
  reader:
)";
}

/// A reader that takes rows, with every kind of input end; it records some rows.
constexpr const char* stream_reader = R"(    in: {{b: b, c: c}}
    state:
      n: u32
      total: u32
    step:
      n: n + 1
      b.ready: n % 7 < 3
      c.ready: n % 11 == 4
      total: total + (if b.valid and b.ready then u32(b.data) else 0) + (if c.valid and c.ready then u32(c.data) * 3 else 0)
      halt: n == 5000
inputs:
  a: {{file: rows12.csv, at_end: {0}}}
  c: {{file: rows12.csv, at_end: {1}}}
outputs:
  totals.csv:
    record: reader.total
    when: reader.n % 97 == 5
checks:
  - always: reader.n <= 5000
  - always: reader.n % 64 == 5 then b.valid in 1 to 12
  - cover: c.valid and c.ready
)";

/// Many processes that write memories and eventually fault, print or halt.
constexpr const char* trouble = R"(network: trouble
buses:
  x[300]: u32
processes:
  p[k < 300]:
    in:
      x: x[(k * 7 + 1) % 300]
    out:
      y: x[k]
    state:
      n: u32
      m: u16[8]
    step:
      n: n + 1
      m[x % 8]: u16(x) + 1
      y: u32(m[n % 8]) * 31 + k
      print: "{{k}} at {{cycle}}" when n % 200 == 77 and k % 100 == 4
      {0}
checks:
  - always: x[7] == x[7]
)";

void write_rows(const Scratch& folder) {
    std::string rows = "[0],[1],[2]\n", pairs = "a,b\n", few = "{}\n", one;
    for (int k = 0; k < 23; ++k)
        rows += fmt::format("{},{},{}\n", k % 5, k * 7 - 90, k % 13);
    for (int k = 0; k < 6; ++k)
        pairs += fmt::format("{},{}\n", k + 9, 100 - k * 50);
    for (int k = 0; k < 40; ++k)
        one += fmt::format("{}\n", k * 20);
    folder.write("rows.csv", rows);
    folder.write("pair.csv", pairs);
    folder.write("few.csv", "value\n" + one);
    folder.write("rows12.csv", "data\n" + one);
}

/// All results of a run: streams, exit code, files.
std::string left(const Scratch& folder, const std::string& engine, std::uint64_t cycles,
                 const Scratch& cache, unsigned threads = 1) {
    const std::string checkpoint = folder.path("run.checkpoint");
    std::filesystem::remove(checkpoint);
    const Command run{fmt::format("cd {0} && XDG_CACHE_HOME={1} {2} run network.yaml --engine {3} "
                                  "--threads {6} --cycles {4} --checkpoint-every {4} {5}",
                                  folder.path(), cache.path(), SME_COMMAND, engine, cycles,
                                  checkpoint, threads),
                      Command::any_program};
    std::string result = fmt::format("{}\n{}\n{}\n", run.exit_code, run.out, run.err);
    std::vector<std::string> names = folder.files();
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
        if (std::filesystem::is_regular_file(folder.path(name)))
            result += name + ": " + text_of(folder.path(name)) + "\n";
    return result;
}

/// Returns the number of cycles that the cycle kernel executes.
std::uint64_t lapped(const Scratch& folder, std::uint64_t cycles, const Scratch& cache,
                     unsigned threads = 1) {
    const Command run{fmt::format("cd {} && XDG_CACHE_HOME={} {} run network.yaml --engine native "
                                  "--threads {} --cycles {} --stats",
                                  folder.path(), cache.path(), SME_COMMAND, threads, cycles),
                      Command::any_program};
    const std::size_t end = run.err.find(" cycles in the cycle kernel");
    REQUIRE_MESSAGE(end != std::string::npos, run.err);
    return std::stoull(run.err.substr(run.err.rfind(' ', end - 1) + 1));
}

/// Runs a network for at most this many cycles with both engines, also on two threads; the cycle
/// kernel must execute at least `least_lapped` cycles.
void compare(const std::string& text, std::uint64_t least_lapped,
             std::uint64_t least_on_two_threads = 0) {
    const Scratch folder, cache;
    write_rows(folder);
    folder.write("network.yaml", text);
    for (const std::uint64_t cycles : {1U, 2U, 3U, 6U, 7U, 40U, 64U, 333U, 4999U, 9000U}) {
        CAPTURE(cycles);
        const std::string wanted = left(folder, "interpreted", cycles, cache);
        CHECK((wanted == left(folder, "native", cycles, cache)));
        if (cycles % 3 == 0)
            CHECK((wanted == left(folder, "native", cycles, cache, 2)));
        if (wanted.starts_with("2\n")) // the network itself is invalid
            FAIL(wanted);
    }
    CHECK(lapped(folder, 9000, cache) >= least_lapped);
    if (sme::engine::usable_cpus() > 1)
        CHECK(lapped(folder, 9000, cache, 2) >= least_on_two_threads);
}

} // namespace

TEST_CASE("slots, delays, inputs and checks of every kind go by in the cycle kernel") {
    compare(fmt::format(fmt::runtime(slots), 3), 6000);
    compare(fmt::format(fmt::runtime(slots), 300), 0); // too many delays for local variables
}

TEST_CASE("streams are taken in the cycle kernel as they are one by one") {
    for (const auto& ends : {std::pair{"halt", "repeat"},
                             {"zero", "hold"},
                             {"hold", "zero"},
                             {"repeat", "halt"},
                             {"repeat", "repeat"}}) {
        CAPTURE(ends.first);
        CAPTURE(ends.second);
        compare(buffered("streams", "  c: Stream(u12)\n") +
                    fmt::format(fmt::runtime(stream_reader), ends.first, ends.second),
                30);
    }
}

TEST_CASE("a run ends in the cycle kernel with the row that an output halts it with") {
    const auto network = [](const char* rows) {
        return buffered("through") + fmt::format(R"(    in: b
    state:
      n: u32
    step:
      n: n + 1
      b.ready: n % 71 < 3
inputs:
  a: rows12.csv
outputs:
  through.csv:
    record: b.data
    when: b.valid and b.ready
    expect: few.csv
    halt_after: {}
  all.csv:
    record: reader.n
    when: reader.n % 100 == 7
)",
                                                 rows);
    };
    compare(network("expect"), 500);
    compare(network("7"), 100);
    compare(network("41"), 4000); // these never arrive
}

TEST_CASE("a cycle kernel ends before a cycle in which the interpreter has something to do") {
    compare(fmt::format(fmt::runtime(trouble), "assert: n < 40000"), 8000, 8000);
    compare(fmt::format(fmt::runtime(trouble), "assert: n != 5021 or k != 17"), 4000, 4000);
    compare(fmt::format(fmt::runtime(trouble), "halt: n == 6003 and k == 299"), 4000);
    compare(fmt::format(fmt::runtime(trouble),
                        "assert: 100 / (n % 6007 + (if k == 5 then 0 else 1)) < 1000 or n == 0"),
            0);
}

TEST_CASE("of many memories some are variables and some are not") {
    compare(R"(network: memories
buses:
  a: u32
  s1: u8
  s2: u8
processes:
  first:
    out: a
    state:
      m: u32[4] = 0
    step:
      m[0]: m[0] + 1
      m[1]: m[1] + m[0]
      a: m[1]
  one:
    in: a
    out: s1
    state:
      n: u8[200] = 7
    step:
      n[0]: u8(a)
      n[1]: n[0]
      s1: sum(k < 200, n[k])
  other:
    in: s1
    out: s2
    state:
      n: u8[200] = 9
    step:
      n[0]: s1
      n[1]: n[0]
      s2: sum(k < 200, n[k])
checks:
  - always: first.m[0] != 5000
)",
            4000);
}

TEST_CASE("buses may be called as the variables of native code are") {
    compare(R"(network: names
buses:
  d0: u32
  stage0: delay 3 u8
  table1: u8
  word: u8
  work: u32
  y[100]: u32
constants:
  powers: u8[4] = [1, 2, 4, 8]
processes:
  p:
    in: [stage0, d0]
    out: [table1, word]
    step:
      table1: powers[stage0 % 4]
      word: u8(d0)
  q:
    in: table1
    out: [stage0, d0]
    step:
      stage0: stage0 + table1 + 1
      d0: d0 + 3
  one:
    in:
      c: y[3]
    out:
      at: work
    step:
      at: at + c
  c[k < 100]:
    in:
      x: y[(k + 99) % 100]
    out:
      y: y[k]
    step:
      y: x + random(u32) % 3
checks:
  - always: d0 % 3 == 0 or d0 > 4
)",
            8000);
}

TEST_CASE("processes may be called as the functions of native code are") {
    std::string text = "network: cycle_kernel\nbuses:\n  x[6]: u32\nprocesses:\n";
    unsigned k = 0;
    for (const char* name :
         {"cycle_kernel", "steps_1", "results_1", "cycle_kernel_2", "main", "memset"}) {
        text += fmt::format("  {}:\n    in:\n      a: x[{}]\n    out:\n      y: x[{}]\n    step:\n"
                            "      y: a * 3 + {}\n",
                            name, (k + 1) % 6, k, k);
        ++k;
    }
    compare(text + "checks:\n  - always: x[0] == x[0]\n", 8000);
}

TEST_CASE("every model leaves what it leaves interpreted") {
    unsigned models = 0;
    for (const auto& entry : std::filesystem::directory_iterator{SME_SOURCE_DIR "/models"}) {
        if (!std::filesystem::exists(entry.path() / "network.yaml"))
            continue;
        const Scratch cache;
        CAPTURE(entry.path().filename().string());
        for (const std::uint64_t cycles : {5U, 1000U}) {
            const Scratch folder;
            std::filesystem::copy(entry.path(), folder.path(),
                                  std::filesystem::copy_options::recursive);
            const std::string wanted = left(folder, "interpreted", cycles, cache);
            CHECK_MESSAGE(!wanted.starts_with("2\n"), wanted);
            CHECK((wanted == left(folder, "native", cycles, cache)));
        }
        ++models;
    }
    CHECK(models >= 12);
}
