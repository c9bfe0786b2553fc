// SPDX-License-Identifier: Apache-2.0
//
// Part of a network as a separate design, driven as in the whole network.
#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "examples.hpp"

namespace {

using namespace sme::test;

bool has_file(const ExportedNetwork& exported, const std::string& name) {
    const auto files = exported.folder().files();
    return std::find(files.begin(), files.end(), name) != files.end();
}

/// Families, delays, a bundle, and initial values and an index that differ between members.
constexpr const char* bank = R"(network: bank
import: [std/stream.yaml, stage.yaml]
files:
  stage.yaml:
    component: stage
    import: [std/stream.yaml]
    parameters:
      gain: 1
    in:
      x: Stream(u8)
    out:
      y: Stream(u8)
      late: u8
      again: u8
    buses:
      sum: hold u8
    processes:
      add[k < 2]:
        in: sum
        out: again
        where: k == 1
        state:
          seen: u8
        step:
          seen: seen + u8(k) when sum != 0
          again: seen
      keep:
        in: x
        out: [y, late, sum]
        state:
          full: bool
          kept: u8
        let:
          take: x.valid and not full
        step:
          full: take or (full and not y.ready)
          kept: x.data * gain when take
          y: {valid: full, data: kept}
          late: kept
          x.ready: not full
          sum: sum + kept
buses:
  a: Stream(u8)
  b[3]: Stream(u8)
  late[3]: delay 4 u8
  again[3]: u8
  done[k < 3]: hold u8 = 2 * k + 1
  read: u8
processes:
  feed:
    out: a
    state:
      n: u8
    step:
      a.valid: n[0]
      a.data: n
      n: n + 1
  first:
    use: stage
    with: {gain: 3}
    in: {x: a}
    out: {y: "b[0]", late: "late[0]", again: "again[0]"}
  next[k < 2]:
    use: stage
    with: {gain: k + 1}
    in: {x: "b[k]"}
    out: {y: "b[k + 1]", late: "late[k + 1]", again: "again[k + 1]"}
  collect[k < 3]:
    in: {x: "late[k]", own: "again[k]"}
    out: {done: "done[k]"}
    step:
      done: done + x + own + u8(k)
  judge:
    in: {y: "b[2]", done: done}
    out: read
    step:
      y.ready: not done[0][1]
      read: done[1]
run: {cycles: 200}
)";

} // namespace

TEST_CASE("a component is written without its test bench, and driven as in the network") {
    const std::string game = SME_SOURCE_DIR "/models/game/network.yaml --cycles 300";
    const ExportedNetwork exported{game + " --top bricks"};
    CAPTURE(exported.written.err);
    CHECK(exported.written.exit_code == 0);
    CHECK(exported.top == "bricks");
    CHECK(contains(exported.written.out, "\n  left out     hand, eye\n"));
    CHECK(has_file(exported, "fly.v"));
    CHECK_FALSE(has_file(exported, "hand.v"));
    CHECK_FALSE(has_file(exported, "game.v"));
    CHECK(contains(exported.text("bricks.v"), "input wire [2:0] buttons"));
    if (!skip("verilator"))
        CHECK(exported.lint() == "");
    if (!skip("yosys"))
        CHECK(exported.yosys() == "");
    if (skip("iverilog"))
        return;
    CHECK(exported.icarus() == "PASS: 300 cycles\n");
    std::string frame = exported.text("frame.v");
    const std::size_t at = frame.find(" + ");
    REQUIRE(at != std::string::npos);
    exported.folder().write("frame.v", frame.replace(at, 3, " - "));
    CHECK(contains(exported.icarus(), "FAIL"));
}

TEST_CASE("instances, members of families and processes are written by their names") {
    const Scratch folder;
    folder.write("bank.yaml", bank);
    const auto check = [&](const std::string& name, const std::string& top) {
        CAPTURE(name);
        const ExportedNetwork exported{folder.path("bank.yaml") + " --top '" + name + "'"};
        CAPTURE(exported.written.err);
        REQUIRE(exported.written.exit_code == 0);
        CHECK(exported.top == top);
        if (!skip("iverilog"))
            CHECK(exported.icarus() == "PASS: 200 cycles\n");
    };
    check("first", "stage");
    check("next[0]", "stage");
    check("next[1]", "stage"); // with its own gain
    check("next", "stage");
    check("first.keep", "keep");
    check("next[1].add[1]", "add");
    check("collect[0]", "collect");
    check("collect[2]", "collect"); // its index and initial value are parameters
    check("judge", "judge");
}

TEST_CASE("each component of the library can be the top") {
    if (skip("iverilog"))
        return;
    int written = 0;
    for (const Example& example : components()) {
        const std::string name = std::filesystem::path{example.path}.stem().string();
        CAPTURE(name);
        const ExportedNetwork exported{example.path + " --cycles 40 --top " + name};
        CAPTURE(exported.written.err);
        if (exported.written.exit_code == 2) { // several instances
            CHECK(contains(exported.written.err, "--top: "));
            continue;
        }
        CHECK(exported.written.exit_code == 0);
        CHECK(exported.icarus() == "PASS: 40 cycles\n");
        ++written;
    }
    CHECK(written > 10);
}

TEST_CASE("a top that is none is refused with what there is") {
    const Scratch folder;
    folder.write("bank.yaml", bank);
    const auto refused = [&](const std::string& name) {
        const ExportedNetwork exported{folder.path("bank.yaml") + " --top '" + name + "'"};
        CHECK(exported.written.exit_code == 2);
        CHECK(exported.folder().files().empty());
        return exported.written.err;
    };
    CHECK(contains(refused("stags"), "no component or process of 'bank' is called 'stags'; give a "
                                     "process, or 'stage' [bad-option]"));
    CHECK(contains(refused("bank"), "'bank' is the whole network; leave out --top"));
    CHECK(contains(refused("stage"), "'stage' is the component of several; give one of them: "
                                     "'first', 'next[0]' or 'next[1]'"));
    CHECK(contains(refused("next[7]"), "is called 'next[7]'"));
}
