// SPDX-License-Identifier: Apache-2.0
//
// Tests --keep-last: a waveform around a failure, and no file otherwise.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::Scratch;
using test::text_of;

namespace {

/// A counter, followed by `behind`.
std::string counter(const std::string& behind) {
    return R"(network: counter
buses:
  x: u8
  y: wire u8
processes:
  p:
    out: [x, y]
    state:
      n: u8 = 0
    step:
      n: n + 1
      x: n
      y: n + 100
)" + behind;
}

struct Kept {
    Kept(const std::string& behind, const std::string& options) {
        folder.write("n.yaml", counter(behind));
        command.emplace("run " + folder.path("n.yaml") + " --trace " + folder.path("n.vcd") + " " +
                        options);
    }
    std::string vcd() const { return text_of(folder.path("n.vcd")); }
    bool any() const {
        return std::filesystem::exists(folder.path("n.vcd")) ||
               std::filesystem::exists(folder.path("n.vcd.part"));
    }
    Scratch folder;
    std::optional<Command> command;
};

} // namespace

TEST_CASE("a failed check keeps the cycles before it, at their times") {
    const Kept kept{"checks:\n  - always: x < 40\n", "--cycles 100 --keep-last 3"};
    CHECK(kept.command->exit_code == 1);
    CHECK(kept.command->out.find("n.vcd: cycles 39 to 41\n") != std::string::npos);
    const std::string vcd = kept.vcd();
    // x is 38 in cycle 39; the file ends at the start of cycle 42
    CHECK(vcd.substr(vcd.find("$enddefinitions")) == R"($enddefinitions $end
#390
$dumpvars
1!
b100110 "
b10001011 #
$end
#395
0!
#400
1!
b100111 "
b10001100 #
#405
0!
#410
1!
b101000 "
b10001101 #
#415
0!
#420
1!
b101001 "
)");
}

TEST_CASE("a fault keeps its own cycle as the last") {
    const Kept kept{"checks:\n  - cover: x == 200\n", "--cycles 100 --keep-last 5"};
    CHECK(kept.command->exit_code == 0);
    CHECK(!kept.any());
    CHECK(kept.command->out.find("n.vcd: nothing went wrong\n") != std::string::npos);
    const Kept faulted{"checks:\n  - always: 100 / (x - 7) != 3\n", "--cycles 100 --keep-last 5"};
    CHECK(faulted.command->exit_code == 1);
    CHECK(faulted.command->out.find("n.vcd: cycles 4 to 8\n") != std::string::npos);
    CHECK(faulted.vcd().find("#40\n$dumpvars\n") != std::string::npos);
    CHECK(faulted.vcd().find("#85\n") != std::string::npos);
}

TEST_CASE("an interrupted run keeps what it ran last") {
    const Scratch folder;
    folder.write("n.yaml", counter(""));
    const Command run{"timeout -s INT 2 " SME_COMMAND " run " + folder.path("n.yaml") +
                          " --cycles 4000000000000 --keep-last 10 --trace " + folder.path("n.vcd"),
                      Command::any_program};
    CHECK(run.out.find("interrupted") != std::string::npos);
    CHECK(run.out.find("n.vcd: cycles ") != std::string::npos);
    const std::string vcd = text_of(folder.path("n.vcd"));
    CHECK(vcd.find("$dumpvars") != std::string::npos);
    CHECK(std::count(vcd.begin(), vcd.end(), '#') >= 21);
    CHECK(std::count(vcd.begin(), vcd.end(), '#') <= 43); // one `#` is an identifier
}

TEST_CASE("--keep-last needs a trace and a number of cycles") {
    const Scratch folder;
    folder.write("n.yaml", counter(""));
    const Command none{"run " + folder.path("n.yaml") + " --cycles 5 --keep-last 10"};
    CHECK(none.exit_code == 2);
    CHECK(none.err.find("give --trace FILE.vcd as well [bad-option]") != std::string::npos);
    for (const char* bad : {"0", "-1", "many", "1000000001"})
        CHECK(
            Command{"run " + folder.path("n.yaml") + " --cycles 5 --trace n.vcd --keep-last " + bad}
                .exit_code == 2);
    const Command full{"run " + folder.path("n.yaml") + " --cycles 5 --keep-last 2 --trace " +
                       folder.path("no/n.vcd")};
    CHECK(full.exit_code == 4); // reported before the run, even if the file might never be written
    CHECK(full.out == "");
}
