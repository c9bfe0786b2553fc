// SPDX-License-Identifier: Apache-2.0
//
// Tests a file that feeds one member of a family.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"

using namespace sme::test;

namespace {

constexpr const char* network = R"(network: members
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
parameters: {which: 2}
buses:
  x[4]: u8
  s[2]: Stream(u4)
inputs:
  x[which]: {file: x.csv, at_end: hold}
  x[0]: {file: y.csv, at_end: zero}
  s[1]: {file: s.csv}
processes:
  w[k < 4]:
    where: k % 2 == 1
    out: {y: "x[k]"}
    step:
      y: y + 1
  idle:
    out: {y: "s[0]"}
    step:
      y.valid: false
  add:
    in: s
    state:
      got: u8 = 0
    step:
      s[k < 2].ready: true
      got: got + u8(s[1].data)
    checks:
      - at 5: got == 6
checks:
  - always: x[1] == x[3]
  - at 0: x[2] == 7 and x[0] == 1 and x[1] == 0
  - at 1: x[2] == 8 and x[0] == 2 and x[1] == 1
  - at 4: x[2] == 9 and x[0] == 0
run: {cycles: 8}
)";

Command with(const Scratch& folder, const std::string& from, const std::string& to,
             const std::string& options = "") {
    folder.write("n.yaml", replaced(network, from, to));
    return Command{fmt::format("run {} --strict {}", folder.path("n.yaml"), options)};
}

} // namespace

TEST_CASE("a waveform of the same buses feeds single members by their own names") {
    const Scratch folder;
    folder.write("source.yaml", R"(network: n
types: {P: {a: u8, b: bool}, S: {valid: bool, data: u4, back ready: bool}}
buses: {"f[k < 2]": u8, "g[x < 2, -1 <= y < 1]": u8, "s[k < 2]": P, "t[2]": S}
processes:
  p:
    out: {f: f, g: g, s: s, offered: "t[0]", more: "t[1]"}
    state: {c: u8}
    step:
      c: c + 1
      f[k < 2]: c + u8(k)
      g[x < 2, -1 <= y < 1]: c + u8(x) + 2 * u8(y + 1)
      s[k < 2]: {a: c + u8(k), b: c[0]}
      offered: {valid: false, data: 0}
      more: {valid: c[0], data: u4(c)}
  take: {in: {t: t}, step: {"t[k < 2].ready": true}}
run: {cycles: 6}
)");
    folder.write("replay.yaml", R"(network: r
types: {P: {a: u8, b: bool}, S: {valid: bool, data: u4, back ready: bool}}
parameters: {wave: file = f.vcd}
buses: {"f[k < 2]": u8, "g[x < 2, -1 <= y < 1]": u8, "s[k < 2]": P, "t[2]": S, got: u4}
inputs:
  f[0]: {file: wave}
  f[1]: {file: wave}
  g[0, 0]: {file: wave}
  g[1, -1]: {file: wave}
  s[1]: {file: wave}
  t[1]: {file: wave}
processes:
  p:
    in: {t: t, f: f, g: g, s: s}
    out: {a: "g[0, -1]", b: "g[1, 0]", c: "s[0]", d: "t[0]", got: got}
    step: {a: 0, b: 0, c.a: 0, d.valid: false, "t[k < 2].ready": true, got: "t[1].data"}
checks:
  - at 3: f[0] == 2 and f[1] == 3 and g[0, 0] == 4 and g[1, -1] == 3
  - at 3: s[1] == {a: 3, b: false}
  - at 1: t[1].valid and t[1].data == 3
run: {cycles: 5}
)");
    for (const char* wave : {"f.vcd", "f.fst"}) {
        CHECK(
            Command{fmt::format("run {} --trace {}", folder.path("source.yaml"), folder.path(wave))}
                .exit_code == 0);
        const Command replayed{
            fmt::format("run {} --set wave={}", folder.path("replay.yaml"), folder.path(wave))};
        CHECK_MESSAGE(replayed.exit_code == 0, replayed.err);
    }
    folder.write("replay.yaml", replaced(text_of(folder.path("replay.yaml")), "s[1]: {file: wave}",
                                         "s[1]: {file: wave, signal: n.nix}"));
    const Command wrong{"run " + folder.path("replay.yaml") +
                        " --set wave=" + folder.path("f.vcd")};
    CHECK_MESSAGE(contains(wrong.err, "has no signal 'n.nix.a'"), wrong.err);
}

TEST_CASE("files feed single members of a family, processes the others") {
    const Scratch folder;
    folder.write("x.csv", "7\n8\n9\n");
    folder.write("y.csv", "1\n2\n");
    folder.write("s.csv", "1\n2\n3\n");
    for (const char* options : {"", "--threads 2"}) {
        const Command run = with(folder, "8", "8", options);
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
    }
    const Command printed{fmt::format("check {} --print", folder.path("n.yaml"))};
    CHECK(contains(printed.out, "  x[which]: {file: "));
    const Command verilog{
        fmt::format("verilog {} --output {}", folder.path("n.yaml"), folder.path("o"))};
    CHECK(contains(verilog.err, "an input feeds one member of 'x', but a port of a network that is "
                                "written carries all of them"));
    CHECK(contains(with(folder, "which: 2", "which: 4").err,
                   "'x' has the members 0 to 3, but this is 4 [bad-index]"));
    CHECK(contains(with(folder, "which: 2", "which: 1").err, "[two-writers]"));
    CHECK(contains(with(folder, "x[which]", "x[1, 2]").err,
                   "'x' has 1 dimension, but this has 2 indices [bad-index]"));
    CHECK(contains(with(folder, "x[which]", "x[2].low").err,
                   "an input is a bus, or a member of a family, as in 'x[2]' [bad-index]"));
    CHECK(contains(with(folder, "x[4]: u8", "x[4]: error u8").err,
                   "'x' says 'error', so all of its members are fed from one file, or none"));
}
