// SPDX-License-Identifier: Apache-2.0
//
// Parameters that stay parameters: another value in the Verilog is that value in a run.
#include <filesystem>
#include <sstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "examples.hpp"

namespace {

using namespace sme::test;

struct Kept {
    std::string name;
    long long low = 0, high = 0, value = 0;
};

/// The parameters that the top module declares, with what its comments say of them.
std::vector<Kept> kept_in(const std::string& module) {
    std::vector<Kept> found;
    Kept now;
    std::istringstream lines{module};
    for (std::string line; std::getline(lines, line);) {
        std::array<char, 80> name{};
        if (std::sscanf(line.c_str(), " // the design is the same from %lld to %lld", &now.low,
                        &now.high) == 2)
            continue;
        if (std::sscanf(line.c_str(), " parameter integer %79s = %lld", name.data(), &now.value) ==
            2) {
            now.name = name.data();
            found.push_back(now);
        }
    }
    return found;
}

/// What the test bench of a run with another value says of the modules that were written for the
/// first one, with the parameter changed in the top module alone.
std::string changed(const ExportedNetwork& first, const std::string& arguments, const Kept& kept,
                    long long value) {
    const ExportedNetwork other{fmt::format("{} --set {}={}", arguments, kept.name, value)};
    CAPTURE(other.written.err);
    REQUIRE(other.written.exit_code == 0);
    for (const std::string& file : first.folder().files())
        if (file.ends_with(".v") && !file.ends_with("_bench.v"))
            other.folder().write(file, first.text(file));
    std::string top = first.text(first.top + ".v");
    const std::string before = fmt::format("parameter integer {} = {}", kept.name, kept.value);
    const std::size_t at = top.find(before);
    REQUIRE(at != std::string::npos);
    top.replace(at, before.size(), fmt::format("parameter integer {} = {}", kept.name, value));
    other.folder().write(first.top + ".v", top);
    return other.icarus();
}

constexpr const char* lamp = R"(network: lamp
parameters:
  period: 12
  step: 3
  width: 4
buses:
  on: bool
  level: u8
  wide: u8
processes:
  blink:
    out: [on, level, wide]
    state:
      time: u4
      sum: u8
      bits: u8
    step:
      time: if time >= period - 1 then 0 else time + 1
      on: time == period - 1
      sum: sum + step
      level: sum
      bits: bits + 1
      wide: u8(bits[width - 1:0])
run: {cycles: 40}
)";

} // namespace

TEST_CASE("a parameter works when it is changed, as far as the text is the same") {
    const Scratch folder;
    folder.write("lamp.yaml", lamp);
    const std::string network = folder.path("lamp.yaml");
    const ExportedNetwork exported{network};
    REQUIRE(exported.written.exit_code == 0);
    CHECK(contains(exported.written.out, "\n  parameters   period, step\n"));
    const std::string blink = exported.text("blink.v");
    CHECK(contains(blink, "localparam integer period_minus_1 = (period - 1);"));
    CHECK_FALSE(contains(blink, "width"));
    CHECK(contains(exported.text("lamp.v"), "// written for width = 4"));
    const std::vector<Kept> kept = kept_in(exported.text("lamp.v"));
    REQUIRE(kept.size() == 2);
    CHECK(kept[0].name == "period");
    CHECK(kept[0].high == 16); // time is u4
    CHECK(kept[1].name == "step");
    CHECK(kept[1].high == 255);
    const ExportedNetwork wanted{network + " --keep step --keep width --keep depth"};
    CHECK(wanted.written.exit_code == 2);
    CHECK(wanted.folder().files().empty());
    CHECK(
        contains(wanted.written.err,
                 "--keep: 'width' cannot stay a parameter, because widths, ranges or what is "
                 "unrolled follow from it; write the network for each value, with --set width=N"));
    CHECK(contains(wanted.written.err, "--keep: 'lamp' has no parameter 'depth' that is a number"));
    if (skip("iverilog"))
        return;
    for (const long long period : {2, 5, 11, 13, 16})
        CHECK(changed(exported, network, kept[0], period) == "PASS: 40 cycles\n");
    for (const long long step : {1, 2, 255})
        CHECK(changed(exported, network, kept[1], step) == "PASS: 40 cycles\n");
    // a bench for another value notices
    const ExportedNetwork other{network + " --set period=9"};
    other.folder().write("lamp.v", exported.text("lamp.v"));
    CHECK(contains(other.icarus(), "FAIL"));
    if (!skip("verilator"))
        CHECK(exported.lint() == "");
}

TEST_CASE("the parameters that models keep work at both ends of their range") {
    if (skip("iverilog"))
        return;
    int tried = 0;
    for (const Example& example : models()) {
        CAPTURE(example.path);
        const std::string arguments = example.path + " " + example.arguments + " --cycles 40";
        const ExportedNetwork exported{arguments};
        CAPTURE(exported.written.err);
        REQUIRE(exported.written.exit_code == 0);
        for (const Kept& kept : kept_in(exported.text(exported.top + ".v")))
            for (const long long value : {kept.low, kept.high}) {
                CAPTURE(kept.name);
                CAPTURE(value);
                CHECK(contains(changed(exported, arguments, kept, value), "PASS: "));
                ++tried;
            }
    }
    CHECK(tried > 4);
}
