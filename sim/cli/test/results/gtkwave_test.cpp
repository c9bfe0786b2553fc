// SPDX-License-Identifier: Apache-2.0
//
// Tests that the real GTKWave, on a virtual display, shows the values that the simulator computed:
// its Tcl interface reads back names and values from the rows on its screen. Saves screenshots in
// the build folder.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <iomanip>
#include <map>
#include <optional>
#include <sstream>

#include "../command.hpp"
#include "interpret/test/yaml_run.hpp"

namespace {

using sme::test::Command;
using sme::test::Scratch;
using sme::test::text_of;
using sme::test::YamlRun;

constexpr int cycles = 40;
constexpr int period = 10; // in ticks

/// GTKWave's answers about a trace and a save file.
struct Screen {
    std::string window;                           // its first and last time, and the marker's
    std::vector<std::string> facilities;          // every signal of the trace
    std::vector<std::string> displayed;           // names of the signals on rows
    std::vector<std::string> rows;                // names on rows, in order
    std::map<std::string, std::string> changes;   // of `changes_of`
    std::vector<std::vector<std::string>> values; // [row][cycle]
};

std::string tcl_script(const std::string& picture, const std::vector<std::string>& changes_of) {
    std::ostringstream script;
    script
        << "puts \"W [gtkwave::getWindowStartTime] [gtkwave::getWindowEndTime] "
           "[gtkwave::getMarker]\"\n"
           "set n [gtkwave::getNumFacs]\n"
           "for {set i 0} {$i < $n} {incr i} { puts \"F [gtkwave::getFacName $i]\" }\n"
           "foreach name [gtkwave::getDisplayedSignals] { puts \"D $name\" }\n"
           "set n [gtkwave::getTotalNumTraces]\n"
           "for {set i 0} {$i < $n} {incr i} { puts \"R [gtkwave::getTraceNameFromIndex $i]\" }\n"
        << "for {set c 0} {$c < " << cycles << "} {incr c} {\n"
        << "  gtkwave::setMarker [expr $c * " << period << "]\n"
        << "  for {set i 0} {$i < $n} {incr i} {"
           " puts \"V $i [gtkwave::getTraceValueAtMarkerFromIndex $i]\" }\n}\n";
    for (const std::string& name : changes_of)
        script << "puts [concat {C " << name << "} [gtkwave::signalChangeList {" << name
               << "} -start_time 0 -end_time 80 -dir forward -max 20]]\n";
    script << "gtkwave::/File/Grab_To_File [list {" << picture << "}]\n"
           << "gtkwave::/File/Quit\n";
    return script.str();
}

/// Starts GTKWave on the files. `nullopt`, after printing "skipped: ", if GTKWave cannot run here.
std::optional<Screen> seen_by_gtkwave(const Scratch& folder, const std::string& trace,
                                      const std::string& save, const std::string& picture,
                                      const std::vector<std::string>& changes_of = {}) {
    const std::string pictures = SME_BINARY_DIR "/gtkwave/";
    std::filesystem::create_directories(pictures);
    std::filesystem::remove(pictures + picture);
    folder.write("script.tcl", "puts \"\\nSTART\"\n" + tcl_script(pictures + picture, changes_of));
    const Command viewer{"timeout 120 xvfb-run -a -s '-screen 0 1400x900x24' gtkwave -S " +
                             folder.path("script.tcl") + " " + folder.path(trace) + " " +
                             folder.path(save),
                         Command::any_program};
    if (viewer.out.find("\nSTART\n") == std::string::npos) {
        MESSAGE("skipped: no GTKWave with Tcl on a display of xvfb-run");
        return std::nullopt;
    }
    CHECK(std::filesystem::file_size(pictures + picture) > 5000);
    Screen screen;
    std::istringstream lines{viewer.out};
    for (std::string line; std::getline(lines, line);) {
        const std::string text = line.size() > 2 ? line.substr(2) : "";
        if (line.starts_with("W "))
            screen.window = text;
        else if (line.starts_with("F "))
            screen.facilities.push_back(text);
        else if (line.starts_with("D "))
            screen.displayed.push_back(text);
        else if (line.starts_with("R "))
            screen.rows.push_back(text);
        else if (line.starts_with("V ")) {
            const std::size_t space = text.find(' ');
            screen.values.resize(screen.rows.size());
            screen.values[std::stoul(text)].push_back(text.substr(space + 1));
        } else if (line.starts_with("C "))
            screen.changes[text.substr(0, text.find(' '))] = text.substr(text.find(' ') + 1);
    }
    return screen;
}

using Lines = std::vector<std::string>;

/// Every kind of scalar, and a producer whose reader is not always ready.
const char* const design = R"(network: kinds
types:
  Phase: [idle, run, done]
  Op u7: [NOP = 0, LOAD = 3, STORE = 0x23]
  Sample: {data: i12, valid: bool}
buses:
  sample: Sample
  small: u5
  word: u40
  phase: Phase
  op: hold Op
  lane[3]: wire i16
processes:
  source:
    out: [sample, small, word, phase, op]
    state:
      n: i32 = -9
    step:
      n: n * 3 + 7
      sample.data: i12(n)
      sample.valid: n % 4 == 0
      small: u5(u32(n))
      word: u40(u32(n)) * 40503
      phase:
        - Phase.done when n % 3 == 0
        - Phase.run when n % 5 == 1
      op:
        - STORE when n % 7 == 0
        - LOAD when n % 7 == 3
  lanes[k < 3]:
    in:
      x: small
    out:
      y: lane[k]
    step:
      y: i16(u16(x)) * (5 - 4 * k) - 3
run: {cycles: 40}
)";

std::string hexadecimal(std::int64_t value, int digits) {
    std::ostringstream text;
    text << std::hex << std::uppercase << std::setw(digits) << std::setfill('0') << value;
    return text.str();
}

/// A row of the screen, its bus, and the format of its value.
struct Expected {
    std::string row;
    std::string bus; // empty: no signal
    std::function<std::string(std::int64_t)> text;
};

/// Checks the values of a trace in this format.
void check_values_shown(const std::string& trace) {
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    const auto phase = [](std::int64_t value) {
        return std::string{value == 0 ? "idle" : value == 1 ? "run" : "done"};
    };
    const auto op = [](std::int64_t value) {
        return std::string{value == 0 ? "NOP" : value == 3 ? "LOAD" : "STORE"};
    };
    const auto word = [](std::int64_t value) { return hexadecimal(value, 10); };
    const std::vector<Expected> expected{{"clock", "", {}},
                                         {"sample", "", {}},
                                         {"valid", "sample.valid", number},
                                         {"data[11:0]", "sample.data", number},
                                         {"sample", "", {}},
                                         {"small[4:0]", "small", number},
                                         {"word[39:0]", "word", word},
                                         {"phase[1:0]", "phase", phase},
                                         {"op[6:0]", "op", op},
                                         {"lane[0..2]", "", {}},
                                         {"lane[0]", "lane[0]", number},
                                         {"lane[1]", "lane[1]", number},
                                         {"lane[2]", "lane[2]", number},
                                         {"lane[0..2]", "", {}}};
    const Scratch folder;
    folder.write("kinds.yaml", design);
    const Command view{"view " + folder.path("kinds.yaml") + " --no-open --trace " +
                       folder.path(trace)};
    REQUIRE_MESSAGE(view.exit_code == 0, view.err);
    const auto screen =
        seen_by_gtkwave(folder, trace, "kinds.gtkw", trace + ".png", {"kinds.phase[1:0]"});
    if (!screen)
        return;

    Lines rows;
    for (const Expected& one : expected)
        rows.push_back(one.row);
    CHECK(screen->rows == rows);
    CHECK(screen->displayed == Lines{"kinds.clock", "kinds.sample.valid", "kinds.sample.data[11:0]",
                                     "kinds.small[4:0]", "kinds.word[39:0]", "kinds.phase[1:0]",
                                     "kinds.op[6:0]", "kinds.lane_0[15:0]", "kinds.lane_1[15:0]",
                                     "kinds.lane_2[15:0]"});
    CHECK(screen->facilities.size() == screen->displayed.size());

    YamlRun run{design};
    REQUIRE(run.loaded());
    int compared = 0;
    std::string changes; // changes of the phase, as GTKWave lists them
    // name tables in the trace use binary digits, those in files hexadecimal digits
    const std::string radix = trace.ends_with(".fst") ? " 0b" : " 0x";
    for (std::size_t cycle = 0; cycle < cycles; ++cycle) {
        CAPTURE(cycle);
        Lines now(expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k)
            if (!expected[k].bus.empty() && !expected[k].bus.starts_with("lane"))
                now[k] = expected[k].text(run.at(expected[k].bus));
        run.run();
        for (std::size_t k = 0; k < expected.size(); ++k) { // a wire is valid afterwards
            if (expected[k].bus.starts_with("lane"))
                now[k] = expected[k].text(run.at(expected[k].bus));
            if (expected[k].bus.empty())
                continue;
            CAPTURE(expected[k].bus);
            CHECK(screen->values[k].at(cycle) == now[k]);
            ++compared;
        }
        const std::string shown = radix + now[7];
        if (cycle <= 8 && !changes.ends_with(shown))
            changes += (changes.empty() ? "" : " ") + std::to_string(cycle * period) + shown;
    }
    CHECK(compared == 9 * cycles);
    CHECK(screen->changes.at("kinds.phase[1:0]") == changes);
}

} // namespace

TEST_CASE("GTKWave shows every value as the simulator computed it, in its radix or by its name") {
    for (const char* trace : {"kinds.vcd", "kinds.fst"}) {
        CAPTURE(trace);
        check_values_shown(trace);
    }
}

TEST_CASE("GTKWave begins where a check failed, with the marker there") {
    const Scratch folder;
    folder.write("f.yaml", std::string{design} + "checks:\n  - at 39: small != small\n");
    CHECK(Command{"view " + folder.path("f.yaml") + " --no-open"}.exit_code == 1);
    const auto screen = seen_by_gtkwave(folder, "f.vcd", "f.gtkw", "failed.png");
    if (!screen)
        return;
    std::istringstream words{screen->window};
    int begin = 0, end = 0, marker = 0;
    words >> begin >> end >> marker;
    CHECK(marker == 390);
    CHECK(begin == 200); // 20 cycles before the end, at 400
    CHECK(end > 390);
}

TEST_CASE("GTKWave knows every name in the save file of every model") {
    int models = 0;
    for (const auto& model : std::filesystem::directory_iterator{SME_SOURCE_DIR "/models"}) {
        if (Command{"check " + (model.path() / "network.yaml").string()}.exit_code != 0)
            continue; // not a model, or a model with errors that other tests cover
        ++models;
        const std::string name = model.path().filename().string();
        CAPTURE(name);
        const Scratch folder;
        folder.copy(model.path().string());
        const Command view{"view " + folder.path("network.yaml") + " --cycles 100 --no-open -o " +
                           folder.path("m.gtkw")};
        REQUIRE_MESSAGE(view.exit_code <= 1, view.err);
        // the trace without its network gives the same names
        std::filesystem::copy_file(folder.path("m.vcd"), folder.path("t.vcd"));
        REQUIRE(Command{"view " + folder.path("t.vcd") + " --no-open"}.exit_code == 0);
        for (const char* file : {"m", "t"}) {
            const std::string save = text_of(folder.path(std::string{file} + ".gtkw"));
            Lines named;
            std::istringstream lines{save};
            for (std::string line; std::getline(lines, line);)
                if (line[0] == '+' || (line[0] != '@' && line[0] != '[' && line[0] != '-' &&
                                       line[0] != '*' && line[0] != '^'))
                    named.push_back(line.substr(line[0] == '+' ? line.find("} ") + 2 : 0));
            const auto screen = seen_by_gtkwave(folder, std::string{file} + ".vcd",
                                                std::string{file} + ".gtkw", name + ".png");
            if (!screen)
                return;
            CHECK(named.size() > 1);
            for (const std::string& one : named) {
                CAPTURE(one);
                CHECK(std::find(screen->facilities.begin(), screen->facilities.end(), one) !=
                      screen->facilities.end());
            }
            CHECK(screen->displayed.size() == named.size());
        }
    }
    CHECK(models >= 5);
}

TEST_CASE("GTKWave knows every name in the save file of a trace by others") {
    const Scratch folder;
    folder.write("foreign.vcd",
                 "$timescale 1 ns $end\n$scope module tb $end\n$var reg 1 ! clk $end\n"
                 "$var wire 8 \" a [7:0] $end\n$var wire 8 # b[7:0] $end\n$var reg 4 $ c $end\n"
                 "$var integer 32 % i $end\n$var real 64 & r $end\n$var wire 1 ' d [0] $end\n"
                 "$var parameter 32 ( WIDTH [31:0] $end\n$var time 64 ) t $end\n"
                 "$var wire 1 - one [0:0] $end\n$var wire 4 . rev [0:3] $end\n"
                 "$var wire 4 / m[1][3:0] $end\n$var wire 1 0 \\esc.name $end\n"
                 "$var integer 32 1 i2 [31:0] $end\n"
                 "$scope module dut $end\n$var wire 16 * e [15:0] $end\n"
                 "$var wire 1 + f [1] $end\n$var wire 1 , f [0] $end\n"
                 "$upscope $end\n$upscope $end\n$enddefinitions $end\n"
                 "#0\n0!\nb1 \"\nb1 #\nb1 $\nb1 %\nr1 &\n0'\nb1 (\nb1 )\nb1 *\n0+\n1,\n0-\nb1 "
                 ".\nb1 /\n10\nb1 1\n"
                 "#5\n1!\n#10\n0!\n#15\n1!\n");
    REQUIRE(Command{"view " + folder.path("foreign.vcd") + " --no-open"}.exit_code == 0);
    auto screen = seen_by_gtkwave(folder, "foreign.vcd", "foreign.gtkw", "foreign.png");
    if (!screen)
        return;
    CHECK(screen->facilities.size() == 17);
    for (std::string& name : screen->facilities) // Tcl's list drops it
        std::erase(name, '\\');
    std::sort(screen->facilities.begin(), screen->facilities.end());
    std::sort(screen->displayed.begin(), screen->displayed.end());
    CHECK(screen->displayed == screen->facilities);
}

TEST_CASE("GTKWave shows words of memories and lets, in the radix that is asked for") {
    const Scratch folder;
    folder.write("w.yaml", "network: w\nbuses: {x: u8}\nprocesses:\n  p:\n    out: x\n"
                           "    state: {n: u8 = 0, ram: 'u8[4]'}\n"
                           "    let:\n      twice[k < 2]: u16(n) * u16(k + 1)\n"
                           "    step:\n      n: n + 1\n      ram[u2(n)]: n\n"
                           "      x: u8(twice[1] & 255)\nrun: {cycles: 40}\n");
    const Command view{"view " + folder.path("w.yaml") +
                       " --no-open --trace-memory 'p.ram[2..3]' --trace-let p --radix "
                       "'p.twice[1]=hex'"};
    REQUIRE_MESSAGE(view.exit_code == 0, view.err);
    const auto screen = seen_by_gtkwave(folder, "w.vcd", "w.gtkw", "words.png");
    if (!screen)
        return;
    CHECK(screen->rows == Lines{"clock", "x[7:0]", "p", "ram[2..3]", "ram[2]", "ram[3]",
                                "ram[2..3]", "twice[0..1]", "twice[0]", "twice[1]", "twice[0..1]",
                                "p"});
    for (int cycle = 0; cycle < cycles; ++cycle) {
        CAPTURE(cycle);
        const auto at = static_cast<std::size_t>(cycle);
        const int word =
            cycle < 3 ? 0 : cycle - 1 - (cycle - 1 + 2) % 4; // the last n with n % 4 == 2
        CHECK(screen->values[4].at(at) == std::to_string(word));
        CHECK(screen->values[8].at(at) == std::to_string(cycle));
        CHECK(screen->values[9].at(at) == hexadecimal(2 * cycle, 4));
    }
}
