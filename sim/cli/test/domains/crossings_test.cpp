// SPDX-License-Identifier: Apache-2.0
//
// Tests crossings between clock domains with the metastability of real ones: the crossings of the
// library tolerate them, wrong ones do not.
#include <string>

#include "../command.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::replaced;
using sme::test::Scratch;
using sme::test::sme_in;
using sme::test::text_of;

/// A counter in a fast domain that a slow domain samples, encoded.
const char* const counted = R"(network: counted
domains: {fast: 1, slow: every 3 offset 1}
buses: {count: hold u4, seen: u4}
processes:
  counter:
    out: count
    state: {wait: u3, n: u4}
    step:
      wait: wait + 1
      n: n + 1 when wait == 0
      count: CODE
  reader:
    domain: slow
    in: count
    out: seen
    crosses: {count: sampled}
    step:
      seen: count
outputs: {seen.csv: {record: seen}}
checks:
  - always: CHECK
run: {cycles: 300}
)";

std::string network(const std::string& code, const std::string& check) {
    return replaced(replaced(counted, "CODE", code), "CHECK", check);
}

} // namespace

TEST_CASE("the crossings of the standard library bear metastable inputs") {
    const std::string folder = std::string{SME_SOURCE_DIR} + "/lib/std/test/";
    for (const char* name : {"async_fifo", "handshake", "gray_synchroniser"}) {
        CAPTURE(name);
        const Command run{"validate " + folder + name + ".yaml --orders 1 --metastability 11"};
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, "passed       8 runs with metastable inputs"));
    }
}

TEST_CASE("a count in binary does not bear them, one in Gray code does") {
    const Scratch folder;
    folder.write("n.yaml", network("n", "counter.n - seen <= 2"));
    CHECK(sme_in(folder, "run n.yaml --strict").exit_code == 0);
    const Command binary = sme_in(folder, "validate n.yaml --orders 0 --metastability 3");
    CHECK(binary.exit_code == 1);
    CHECK(contains(binary.err, "the check 'always: counter.n - seen <= 2' failed in cycle "));
    CHECK(contains(binary.out, "FAILED       with metastable inputs, run "));
    const std::size_t at = binary.out.find("'sme run --metastability ");
    REQUIRE(at != std::string::npos);
    const std::string seed = binary.out.substr(at + 25, binary.out.find(' ', at + 25) - at - 26);
    const Command again = sme_in(folder, "run n.yaml --force --metastability " + seed);
    CHECK(again.exit_code == 1);
    CHECK(again.err.substr(0, again.err.find('\n')) == binary.err.substr(0, binary.err.find('\n')));

    folder.write("n.yaml",
                 network("n ^ (n >> 1)",
                         "counter.n - (seen ^ (seen >> 1) ^ (seen >> 2) ^ (seen >> 3)) <= 2"));
    const Command gray = sme_in(folder, "validate n.yaml --orders 0 --metastability 3");
    CAPTURE(gray.err);
    CHECK(gray.exit_code == 0);
}

TEST_CASE("with metastable inputs, too, a seed gives the same values in every engine") {
    const Scratch folder;
    folder.write("n.yaml", network("n", "seen <= 15 and count <= 15"));
    const auto rows = [&](const std::string& how) {
        const Command run = sme_in(folder, "run n.yaml --force " + how);
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        return text_of(folder.path("seen.csv"));
    };
    const std::string plain = rows(""), seven = rows("--metastability 7");
    CHECK(plain != seven);
    CHECK(seven != rows("--metastability 8"));
    for (const char* how : {"--engine interpreted", "--engine native", "--threads 2"})
        CHECK(rows(std::string{"--metastability 7 "} + how) == seven);
}

TEST_CASE("a run with metastable inputs goes on as one") {
    const Scratch folder;
    folder.write("n.yaml", network("n", "seen <= 15 and count <= 15"));
    const std::string saving = " --force --cycles 20 --checkpoint-every 20 ";
    REQUIRE(sme_in(folder, "run n.yaml --metastability 7" + saving + "late.smc").exit_code == 0);
    REQUIRE(sme_in(folder, "run n.yaml" + saving + "plain.smc").exit_code == 0);
    const Command forgotten = sme_in(folder, "run n.yaml --force --resume late.smc");
    CHECK(forgotten.exit_code == 2);
    CHECK(contains(forgotten.err, "its run has metastable inputs; give --metastability 7"));
    const Command added = sme_in(folder, "run n.yaml --force --metastability 7 --resume plain.smc");
    CHECK(added.exit_code == 2);
    CHECK(contains(added.err, "its run has no metastable inputs; leave --metastability out"));
    const Command other = sme_in(folder, "run n.yaml --force --metastability 8 --resume late.smc");
    CHECK(contains(other.err, "its run has seed 7; give --metastability 7"));
    CHECK(sme_in(folder, "run n.yaml --force --metastability 7 --resume late.smc").exit_code == 0);
    CHECK(sme_in(folder, "run n.yaml --force --resume plain.smc").exit_code == 0);
}

TEST_CASE("a change is late by one edge at most") {
    const Scratch folder;
    folder.write("n.yaml", network("if n[0] then 15 else 0", "seen <= 15"));
    REQUIRE(sme_in(folder, "run n.yaml --force --metastability 5").exit_code == 0);
    // each value lasts eight cycles: at least two edges see it, and the second sees all of its bits
    const std::string rows = text_of(folder.path("seen.csv"));
    std::string values, last;
    for (std::size_t begin = rows.find('\n') + 1; begin < rows.size();) {
        const std::size_t end = rows.find('\n', begin);
        const std::string value = rows.substr(begin, end - begin);
        if (value != last)
            values += value + " ";
        last = value;
        begin = end + 1;
    }
    std::size_t mixed = 0;
    for (std::size_t begin = 0; begin < values.size();) {
        const std::size_t end = values.find(' ', begin);
        const std::string value = values.substr(begin, end - begin);
        const bool whole = value == "0" || value == "15";
        mixed = whole ? 0 : mixed + 1;
        CHECK(mixed <= 1);
        begin = end + 1;
    }
    CHECK(contains(values, "0 "));
    CHECK(contains(values, "15 "));
}

TEST_CASE("a Verilog module takes domains as its clocks, and its outputs belong to them") {
    const Scratch folder;
    folder.write("async_fifo.v",
                 text_of(std::string{SME_SOURCE_DIR} + "/hdl/verilator/test/async_fifo.v"));
    const std::string text = R"(network: modules
import: [std/stream.yaml]
domains: {fast: 1, slow: every 3 offset 1}
buses:
  a: Stream(u8)
  b: Stream(u8)
  sum: u16
  count: wire u4
processes:
  source:
    out: a
    state: {n: u8}
    step:
      a.valid: true
      a.data: n
      n: n + 1 when a.ready
  across:
    verilog:
      files: async_fifo.v
      top: async_fifo
      clock: {s_clk: fast, m_clk: slow}
      reset: [{port: s_rst_n, active: low}, m_rst]
    in: {s_valid: a.valid, s_data: a.data, s_ready: a.ready}
    out: {m_valid: b.valid, m_data: b.data, m_ready: b.ready, s_level: level}
  adder:
    domain: slow
    in: b
    out: sum
    state: {all: u16}
    step:
      b.ready: true
      all: all + u16(b.data) when b.valid
      sum: all
outputs: {sum.csv: {record: sum, domain: slow}}
run: {cycles: 90}
)";
    folder.write("m.yaml",
                 replaced(replaced(text, ", s_level: level", ""), "  count: wire u4\n", ""));
    const Command run = sme_in(folder, "run m.yaml");
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    // 0 + 1 + 2 + ...: no value is lost between the clocks
    CHECK(contains(text_of(folder.path("sum.csv")), "\n0\n1\n3\n6\n10\n15\n"));
    const Command written = sme_in(folder, "cosim m.yaml --self");
    CAPTURE(written.err);
    CHECK(written.exit_code == 0);

    folder.write("wrong.yaml", replaced(replaced(replaced(text, "s_level: level", "s_level: count"),
                                                 "    in: b\n", "    in: [b, count]\n"),
                                        "sum: all\n", "sum: all + u16(count)\n"));
    const Command wrong = sme_in(folder, "check wrong.yaml");
    CHECK(wrong.exit_code == 2);
    CHECK(contains(wrong.err, "'adder' in the clock domain 'slow' reads 'count', which 'across' in "
                              "the domain 'fast' writes"));
}

TEST_CASE("what --metastability cannot do is said") {
    const Scratch folder;
    folder.write("n.yaml", sme::test::talking("\"{x}\""));
    const Command none = sme_in(folder, "validate n.yaml --cycles 4 --orders 0 --metastability 1");
    CHECK(none.exit_code == 2);
    CHECK(contains(none.err, "no input that says 'crosses: {x: sampled}'"));
    const Command two = sme_in(folder, "run n.yaml --cycles 4 --seed 2 --metastability 1");
    CHECK(two.exit_code == 2);
    CHECK(contains(two.err, "--metastability gives the seed of the run"));
}
