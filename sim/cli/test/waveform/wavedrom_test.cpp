// SPDX-License-Identifier: Apache-2.0
//
// Tests --wavedrom: the values read back equal those of a CSV trace, and WaveDrom itself draws
// them.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::contains;
using test::run_in;
using test::Scratch;
using test::sme_in;
using test::text_of;

namespace {

/// One value of each kind, on wires and buses, in families, and without a value.
constexpr const char* shapes = R"(network: shapes
types:
  Phase: [idle, busy]
  Item:
    valid: bool
    tag: u3
    values: i16[2]
buses:
  small: i8
  top: u64
  wide: u100
  phase: Phase
  grid[2, 3]: u8
  item: Item
  next: wire bool
  seldom: error u8
processes:
  p:
    out: [small, top, wide, phase, grid, item, next, seldom]
    state:
      n: u8 = 1
    step:
      n: n + 1
      small: -i8(n & 127)
      top: 0xffffffffffffff00 | u64(n)
      wide: u100(n) << 92 | u100(n)
      phase: if n % 2 == 0 then idle else busy
      grid[i < 2, j < 3]: n / 4 + u8(3 * i + j)
      item.valid: n % 8 < 3
      item.tag: u3(n % 8)
      item.values[i < 2]: if i == 0 then i16(n) else -i16(n)
      next: n % 3 == 0
      seldom: n when n % 4 == 0
)";

/// A folder with the network, in which the WaveDrom of tools/requirements.txt is found.
struct Shapes {
    Shapes() { folder.write("n.yaml", shapes); }
    Command run(const std::string& options) const {
        return run_in(folder,
                      "PATH=$(dirname " SME_PYTHON "):$PATH " SME_COMMAND " run n.yaml " + options);
    }
    Command read(const std::string& json, const std::string& csv) const {
        return run_in(folder, "python3 " SME_SOURCE_DIR "/sim/cli/test/waveform/read_wavejson.py " +
                                  json + " " + csv);
    }
    bool has(const std::string& file) const { return std::filesystem::exists(folder.path(file)); }
    Scratch folder;
};

bool has_wavedrom() {
    const bool has =
        Command{"test -x $(dirname " SME_PYTHON ")/yowasp-wavedrom", Command::any_program}
            .exit_code == 0;
    if (!has)
        MESSAGE("skipped: there is no yowasp-wavedrom");
    return has;
}

} // namespace

TEST_CASE("WaveJSON has the values of a CSV trace of the same run") {
    const Shapes network;
    const Command run = network.run("--cycles 60 --trace t.csv --wavedrom first.json");
    CHECK(run.exit_code == 0);
    CHECK_FALSE(contains(run.out, "clock"));
    CHECK(network.read("first.json", "t.csv").out == "16 signals, 40 cycles from 0\n");
    CHECK(network.run("--cycles 60 --trace t.csv --wavedrom later.json --from 51").exit_code == 0);
    const Command later = network.read("later.json", "t.csv");
    CHECK_MESSAGE(later.out == "16 signals, 10 cycles from 51\n", later.err);
    CHECK(network.run("--cycles 60 --wavedrom part.json --show 'grid[1, *]' --to 6").exit_code ==
          0);
    CHECK(network.run("--cycles 60 --trace part.csv --trace-select 'grid[1, *]'").exit_code == 0);
    CHECK(network.read("part.json", "part.csv").out == "3 signals, 6 cycles from 0\n");
}

TEST_CASE("WaveDrom draws an SVG with all names and values of the diagram") {
    const Shapes network;
    if (!has_wavedrom())
        return;
    const Command run =
        network.run("--cycles 8 --wavedrom a.svg --wavedrom a.json --show item --show phase");
    CHECK_MESSAGE(run.exit_code == 0, run.err);
    const std::string svg = text_of(network.folder.path("a.svg"));
    CHECK(svg.starts_with("<svg "));
    for (const char* const text : {"shapes", "clock", "item", "valid", "tag", "values[0]",
                                   "values[1]", "phase", "idle", "busy", "-8", "7"})
        CHECK_MESSAGE(contains(svg, ">" + std::string{text} + "<"), text);
    CHECK_FALSE(contains(svg, ">grid"));
    CHECK(contains(svg, "id=\"pclk\"")); // only the shapes that are used
    CHECK_FALSE(contains(svg, "id=\"zmz\""));
    CHECK_FALSE(network.has("a.svg.part"));
}

TEST_CASE("a diagram says in which cycle a check failed, and shows the last cycles") {
    const Shapes network;
    network.folder.write("n.yaml", std::string{shapes} + "checks:\n  - at 70: small == 1\n");
    CHECK(network.run("--cycles 99 --wavedrom a.json --show small").exit_code == 1);
    const std::string json = text_of(network.folder.path("a.json"));
    CHECK(contains(json, "\"foot\": {\"text\":\"a check failed in cycle 70\"}"));
    CHECK(contains(json, "\"tick\":31"));
}

TEST_CASE("without WaveDrom no SVG is written, and the message says how to get it") {
    const Shapes network;
    const Command run = run_in(network.folder, "PATH=/nowhere " SME_COMMAND
                                               " run n.yaml --cycles 8 --wavedrom a.svg");
    CHECK(run.exit_code == 3);
    CHECK(run.out == "");
    CHECK(contains(run.err, "error: there is no program 'yowasp-wavedrom' (pip install "
                            "yowasp-wavedrom) or 'wavedrom-cli'"));
    CHECK_FALSE(network.has("a.svg"));
    CHECK_FALSE(network.has("a.svg.part"));
}

TEST_CASE("a WaveDrom that fails leaves no file") {
    const Shapes network;
    network.folder.write("yowasp-wavedrom", "#!/bin/sh\necho no\nexit 7\n");
    const Command run =
        run_in(network.folder, "chmod +x yowasp-wavedrom && PATH=$PWD:$PATH " SME_COMMAND
                               " run n.yaml --cycles 8 --wavedrom a.svg --wavedrom a.json");
    CHECK(run.exit_code == 3);
    CHECK(contains(run.err, "ended with 7; an SVG is drawn by WaveDrom"));
    CHECK_FALSE(network.has("a.svg"));
    CHECK(network.has("a.json"));
}

TEST_CASE("--wavedrom writes over its own files only, and knows two endings") {
    const Shapes network;
    network.folder.write("mine.json", "{\"mine\": 1}\n");
    const Command refused = network.run("--cycles 8 --wavedrom mine.json");
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "[not-overwritten]"));
    CHECK(text_of(network.folder.path("mine.json")) == "{\"mine\": 1}\n");
    CHECK(network.run("--cycles 8 --wavedrom a.json").exit_code == 0);
    CHECK(network.run("--cycles 9 --wavedrom a.json").exit_code == 0);
    CHECK(contains(network.run("--cycles 8 --wavedrom a.png").err,
                   "--wavedrom writes FILE.json (WaveJSON) or FILE.svg, but this is 'a.png'"));
}
