// SPDX-License-Identifier: Apache-2.0
//
// Tests when signals change in several clock domains. The tables of values were derived by hand
// from the rules of the language; the exported Verilog has its own clocks, so that Icarus Verilog
// confirms the values independently.
#include <string>

#include "../command.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::replaced;
using sme::test::run_in;
using sme::test::Scratch;
using sme::test::sme_in;
using sme::test::text_of;

const char* const two_clocks = R"(network: two
domains: {fast: 1, slow: every 4 offset 1}
buses:
  n: u8
  m: u8
  kept: hold u8 = 7
  both: u8 = 3
  later: delay 3 u8
  now: wire u8
processes:
  counter:
    out: n
    state: {c: u8}
    step:
      c: c + 1
      n: c
  tick:
    domain: slow
    out: [m, later, kept, now]
    state:
      c: u8 = 10
      last: u8[4]
    step:
      c: c + 1
      m: c when c[0]
      kept: c when c == 12
      later: c
      now: last[c & 3]
      last[c & 3]: c
      print: "slow {cycle} {c}"
      halt: c == 15
  adder:
    domain: slow
    in: [m, later]
    out: both
    step:
      both: m + later
outputs:
  all.csv:
    record: {n: n, m: m, kept: kept, both: both, later: later}
  slow.csv: {record: m, domain: slow}
run: {cycles: 40}
)";

// m is written in every other cycle of its domain, and is 0 in between
const char* const two_clocks_rows = "n,m,kept,both,later\n"
                                    "0,0,7,3,0\n0,0,7,3,0\n"
                                    "1,0,7,0,0\n2,0,7,0,0\n3,0,7,0,0\n4,0,7,0,0\n"
                                    "5,11,7,0,0\n6,11,7,0,0\n7,11,7,0,0\n8,11,7,0,0\n"
                                    "9,0,12,11,10\n10,0,12,11,10\n11,0,12,11,10\n12,0,12,11,10\n"
                                    "13,13,12,10,11\n14,13,12,10,11\n15,13,12,10,11\n"
                                    "16,13,12,10,11\n"
                                    "17,0,12,24,12\n18,0,12,24,12\n19,0,12,24,12\n20,0,12,24,12\n"
                                    "21,15,12,12,13\n";

const char* const two_clocks_lines =
    "slow 1 10\nslow 5 11\nslow 9 12\nslow 13 13\nslow 17 14\nslow 21 15\n";

/// Every feature of a process, at two rates.
const char* const everything = R"(network: everything
import: [std/stream.yaml, std/async_fifo.yaml]
domains: {slow: every 3 offset 2, fast: 1, late: every 5}
types:
  Pair: {a: u7, b: bool}
buses:
  x: u8
  y: error Pair = {a: 0, b: false}
  z: delay 4 u16
  held: hold u12
  s: Stream(Pair)
  t: Stream(Pair)
  r: u32
  sum: u32
channels:
  c: depth 3 delay 2 u8
processes:
  maker[k < 1]:
    in: x
    out: [y, z, held, s]
    state: {n: u12, mem: "u8[8]", p: Pair}
    reset: x == 9
    step:
      n: n + 5
      mem[n & 7]: x
      p.a: u7(x & 127)
      y: p
      z: u16(n) * 3
      held: n when n[2]
      s.valid: n[0]
      s.data: p
      assert: n < 4000
  across:
    use: async_fifo
    with: {depth: 4, T: Pair}
    domains: {write: slow, read: fast}
    in: {x: s}
    out: {y: t}
  taker:
    domain: fast
    in: t
    out: r
    state: {n: u32}
    step:
      t.ready: n[0] or n[2]
      n: n + 1
      r: u32(t.data.a) + n
  reader:
    in: [y, z, held]
    out: sum
    step:
      sum: u32(y.a) + u32(z) + u32(held)
  source:
    domain: late
    out: c
    state: {k: u8}
    step:
      c: k when random(u2) != 0
      k: k + 1
  sink:
    domain: late
    in: c
    state: {all: u16}
    step:
      all: all + u16(c)
inputs:
  x: {file: x.csv, at_end: repeat}
outputs:
  seen.csv:
    record: {sum: sum, r: r}
  c.csv: {record: c}
checks:
  - always: cycle % 3 != 0 implies stable(sum)
  - cover: t.valid and not t.ready
run: {cycles: 200}
)";

} // namespace

TEST_CASE("what is in a domain changes at its edges, in every engine") {
    const Scratch folder;
    folder.write("two.yaml", two_clocks);
    for (const char* how : {"--engine interpreted", "--engine native", "--threads 2",
                            "--engine native --threads 2", "--coverage c.json"}) {
        CAPTURE(how);
        const Command run = sme_in(folder, std::string{"run two.yaml --force "} + how);
        CAPTURE(run.err);
        REQUIRE(run.exit_code == 0);
        CHECK(contains(run.out, two_clocks_lines));
        CHECK(contains(run.out, "two: 22 cycles of 3 processes, 6 buses, halted"));
        CHECK(text_of(folder.path("all.csv")) == two_clocks_rows);
        // only the cycles 1, 5, 9, ...
        CHECK(text_of(folder.path("slow.csv")) == "value\n0\n0\n11\n0\n13\n0\n");
    }
    // the slow process reaches each line six times, not 22 times
    std::string coverage = text_of(folder.path("c.json"));
    std::erase_if(coverage, [](char c) { return c == ' ' || c == '\n'; });
    CHECK(contains(coverage, "{\"line\":25,\"count\":6}"));
    CHECK(contains(coverage, "{\"line\":16,\"count\":22}"));
}

TEST_CASE("the written Verilog has a clock for each domain, and Icarus agrees in every cycle") {
    const Scratch folder;
    folder.write("two.yaml", two_clocks);
    folder.write("all.yaml", replaced(everything, "      c: k when random(u2) != 0\n",
                                      "      c: k when k[1:0] != 0\n"));
    folder.write("x.csv", "x\n1\n2\n9\n200\n");
    for (const char* name : {"two", "all --cycles 200", "two --top tick", "all --top across"}) {
        CAPTURE(name);
        const std::string file = replaced(std::string{name} + " ", " ", ".yaml ");
        const Command written = sme_in(folder, "verilog " + file + " -o out --force");
        CAPTURE(written.err);
        REQUIRE(written.exit_code == 0);
        const Command bench = run_in(folder, "cd out && iverilog -g2005 -o bench $(cat files.f) "
                                             "*_bench.v && vvp -n bench && rm *");
        CAPTURE(bench.err);
        CHECK(contains(bench.out, "PASS: "));
        run_in(folder, "rm -r out");
    }
    const Command self = sme_in(folder, "cosim all.yaml --self --cycles 60");
    CAPTURE(self.err);
    CHECK(self.exit_code == 0);
    CHECK(contains(self.out, "agree        everything and its Verilog: 60 cycles"));
}

TEST_CASE("any order, a judge and a run in two pieces give the same values") {
    const Scratch folder;
    folder.write("all.yaml", everything);
    folder.write("x.csv", "x\n1\n2\n9\n200\n");
    const Command judged = sme_in(folder, "validate all.yaml --orders 6");
    CAPTURE(judged.err);
    CHECK(judged.exit_code == 0);
    CHECK(contains(judged.out, "no invariant is broken"));
    CHECK(contains(judged.out, "6 orders"));
    REQUIRE(sme_in(folder, "run all.yaml --engine native").exit_code == 0);
    const std::string whole = text_of(folder.path("seen.csv")),
                      messages = text_of(folder.path("c.csv"));
    CHECK(whole.size() > 1000);
    const Command first = sme_in(
        folder,
        "run all.yaml --cycles 73 --checkpoint-every 73 half.smc --force --engine interpreted");
    CAPTURE(first.err);
    REQUIRE(first.exit_code == 0);
    const Command second =
        sme_in(folder, "run all.yaml --resume half.smc --trace rest.vcd --force");
    CAPTURE(second.err);
    REQUIRE(second.exit_code == 0);
    CHECK(text_of(folder.path("seen.csv")) == whole);
    CHECK(text_of(folder.path("c.csv")) == messages);
    CHECK(contains(text_of(folder.path("rest.from-73.vcd")), "$scope module late $end"));
}

TEST_CASE("an input feeds a row for each cycle of the domain that reads it") {
    const Scratch folder;
    folder.write("x.csv", "x\n5\n6\n7\n");
    const std::string network = R"(network: fed
domains: {slow: every 3 offset 1}
buses: {x: KIND u8, y: u8, n: u8}
processes:
  p:
    in: x
    out: y
    step: {y: x}
  q:
    out: n
    step: {n: n + 1}
inputs: {x: {file: x.csv, at_end: END}}
outputs: {out.csv: {record: {x: x, y: y}}}
run: {cycles: 14}
)";
    const std::string begin = "x,y\n5,0\n5,0\n6,5\n6,5\n6,5\n7,6\n7,6\n7,6\n";
    for (const char* kind : {"wire", "delay 1"})
        for (const auto& [after, rest] :
             {std::pair{"hold", "7,7\n7,7\n7,7\n7,7\n7,7\n7,7\n"},
              std::pair{"zero", "0,7\n0,7\n0,7\n0,0\n0,0\n0,0\n"},
              std::pair{"repeat", "5,7\n5,7\n5,7\n6,5\n6,5\n6,5\n"}, std::pair{"halt", ""}})
            for (const char* engine : {"interpreted", "native"}) {
                CAPTURE(kind);
                const std::string end = after;
                CAPTURE(end);
                CAPTURE(engine);
                folder.write("fed.yaml", replaced(replaced(network, "END", end), "KIND", kind));
                const Command run =
                    sme_in(folder, std::string{"run fed.yaml --force --engine "} + engine);
                CAPTURE(run.err);
                CHECK(run.exit_code == 0);
                // registers also show their value in the cycle after the last one
                std::string rows = text_of(folder.path("out.csv"));
                if (kind != std::string{"wire"})
                    rows.resize(rows.size() - 4);
                CHECK(rows == begin + rest);
            }
}

TEST_CASE("a stream is fed a row at each edge at which it is taken") {
    const Scratch folder;
    folder.write("x.csv", "data\n5\n6\n7\n");
    folder.write("fed.yaml", R"(network: fed
import: [std/stream.yaml]
domains: {slow: every 3 offset 1}
buses: {x: Stream(u8), y: u8}
processes:
  p:
    in: x
    out: y
    state: {n: u8}
    step:
      n: n + 1
      x.ready: n != 1
      y: x.data
inputs: {x: {file: x.csv, at_end: halt}}
outputs: {out.csv: {record: {data: x.data, y: y}}}
run: {cycles: 30}
)");
    for (const char* engine : {"interpreted", "native"}) {
        CAPTURE(engine);
        const Command run = sme_in(folder, std::string{"run fed.yaml --force --engine "} + engine);
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        // taken at the ends of cycles 1, 7 and 10; it waits in the second cycle of the domain
        CHECK(text_of(folder.path("out.csv")) == "data,y\n5,0\n5,0\n6,5\n6,5\n6,5\n6,6\n6,6\n6,6\n"
                                                 "7,6\n7,6\n7,6\n");
    }
}

TEST_CASE("a waveform shows the clock of each domain") {
    const Scratch folder;
    folder.write("two.yaml", replaced(two_clocks, "domains: {fast: 1, slow: every 4 offset 1}",
                                      "domains: {fast: 1, slow: every 4 offset 1, odd: every 3}"));
    REQUIRE(sme_in(folder, "run two.yaml --trace w.csv --cycles 9").exit_code == 0);
    std::string clocks;
    const std::string rows = text_of(folder.path("w.csv"));
    for (std::size_t at = rows.find('\n') + 1; at < rows.size(); at = rows.find('\n', at) + 1) {
        const std::size_t end = rows.find('\n', at);
        clocks += rows.substr(end - 3, 3) + " ";
    }
    CHECK(contains(rows, "slow.clock,odd.clock\n"));
    // slow rises at the ends of cycles 1 and 5, odd at the ends of 0, 3 and 6
    CHECK(contains(clocks, "0,0 0,1 1,1 1,0 0,1 0,1 1,0 1,1 0,1 "));
}

TEST_CASE("a process may have the name of a domain, and its state that of the clock") {
    const Scratch folder;
    folder.write("n.yaml", "network: n\ndomains: {slow: every 2}\nbuses: {a: u8}\nprocesses:\n"
                           "  slow:\n    domain: slow\n    out: a\n    state: {clock: u8}\n"
                           "    step:\n      a: clock\n      clock: clock + 1\n");
    const Command run = sme_in(folder, "run n.yaml --cycles 3 --trace w.csv --trace-state");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(text_of(folder.path("w.csv")), "cycle,a,slow.clock,slow.clock_\n"));
}

TEST_CASE("a struct may have the name of a domain, and its field that of the clock") {
    const Scratch folder;
    folder.write("n.yaml", "network: n\ndomains: {slow: every 2}\ntypes: {S: {clock: u8}}\n"
                           "buses: {slow: S}\nprocesses:\n  p:\n    out: slow\n"
                           "    step: {slow.clock: slow.clock + 1}\n");
    const Command run = sme_in(folder, "run n.yaml --cycles 5 --trace w.csv");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(text_of(folder.path("w.csv"))
              .starts_with("cycle,slow.clock,slow.clock_v2\n"
                           "0,0,0\n1,1,1\n2,1,0\n3,2,1\n4,2,0\n"));
}

TEST_CASE("a component by itself that names no domain is told how a component does") {
    const Scratch folder;
    folder.write("c.yaml", "component: c\nout: {x: u8}\n"
                           "processes: {p: {domain: a, out: x, step: {x: 1}}}\n");
    const Command check = sme_in(folder, "check c.yaml");
    CHECK(check.exit_code == 2);
    CHECK(contains(check.err, "there is no clock domain 'a'; declare it in the component: "
                              "'domains: [a, b]'"));
}

TEST_CASE("what nothing reads gets a name that no bus has") {
    const Scratch folder;
    folder.write("n.yaml", "network: n\ndomains: {slow: every 3, fast: 1}\n"
                           "buses: {unused: bool}\nprocesses:\n  p:\n    out: unused\n"
                           "    step: {unused: not unused}\n");
    const Command written = sme_in(folder, "verilog n.yaml --cycles 6 -o out");
    CHECK(written.exit_code == 0);
    const Command bench = run_in(folder, "cd out && iverilog -g2005 -o bench $(cat files.f) "
                                         "n_bench.v && vvp -n bench");
    CAPTURE(bench.err);
    CHECK(contains(bench.out, "PASS: 6 cycles"));
}
