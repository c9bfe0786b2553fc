// SPDX-License-Identifier: Apache-2.0
//
// Deviations from IEEE 1364 in the output of simulators, shortened from their files. They are read
// as GTKWave or wellen reads them, with one warning for each kind.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "vcd/reader.hpp"

using namespace sme;
using namespace sme::vcd;

namespace {

struct Reading {
    std::vector<std::string> names;
    std::vector<std::string> changes; // "5 x=0x3"
    std::vector<std::string> warnings;
    std::string problem;
    Femtoseconds tick = 0;
};

Reading read(const std::string& text, std::size_t block = 1 << 16) {
    Reader reader{"made.vcd", text, block};
    Reading result;
    for (const Variable& variable : reader.declarations().variables)
        result.names.push_back(full_name(reader.declarations(), variable));
    while (reader.more()) {
        const std::string time = std::to_string(reader.time());
        reader.take();
        for (const std::uint32_t signal : reader.changed())
            result.changes.push_back(time + " " + result.names[signal] + "=" +
                                     value_text(reader.value(signal)));
    }
    for (const Diagnostic& warning : reader.warnings())
        result.warnings.push_back(render(warning));
    result.problem = reader.problem() ? render(*reader.problem()) : "";
    result.tick = reader.declarations().tick.value_or(0);
    return result;
}

using Lines = std::vector<std::string>;

std::string with(const std::string& variables, const std::string& values) {
    return "$timescale 1 ns $end\n" + variables + "$enddefinitions $end\n" + values;
}

} // namespace

TEST_CASE("a scope without a name adds nothing to the names, as Verilator writes it") {
    const Reading result =
        read("$scope module  $end\n$scope module top $end\n$var wire 1 a x $end\n$upscope $end\n"
             "$var wire 1 b y $end\n$upscope $end\n$scope module  $end\n$upscope $end\n"
             "$var wire 1 c z $end\n$enddefinitions $end\n#1\n1a\n");
    CHECK(result.names == Lines{"top.x", "y", "z"});
    CHECK(result.changes == Lines{"1 top.x=1"});
    CHECK(result.warnings == Lines{"made.vcd:1:16: warning: a scope has no name; its signals are "
                                   "read as those of the scope around it [vcd-unusual]\n"
                                   "  $scope module  $end\n                 ^~~~\n"});
    CHECK(result.problem.empty());
}

TEST_CASE("texts on a real are its numbers where they are some, and texts, as MyHDL writes them") {
    const std::string text = with("$var real 1 a x $end\n$var real 1 b y $end\n",
                                  "#0\ns0.5 a\nsIDLE b\n#5\ns-1 a\nsRUN b\n#7\nr2 b\n#8\ns0x1f "
                                  "b\n#9\n");
    for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 16}) {
        const Reading result = read(text, block);
        CHECK(result.changes ==
              Lines{"0 x=0.5", "0 y='IDLE'", "5 x=-1", "5 y='RUN'", "7 y=2", "8 y='0x1f'"});
        CHECK(result.warnings ==
              Lines{"made.vcd:7:1: warning: a real has a text as its value, which is compared as a "
                    "text [vcd-unusual]\n  sIDLE b\n  ^~~~~~~\n"});
        CHECK(result.problem.empty());
    }
}

TEST_CASE("a text may hold blanks, and ends before the last word of its line") {
    const std::string variables = "$var string 1 s x $end\n$var wire 1 b y $end\n";
    const Reading result = read(with(variables, "#0\nsone  two s\n1b\n#1\nss b s\n#2\nsx s 0b\n#3\n"
                                                "s s\n"));
    CHECK(result.changes ==
          Lines{"0 x='one  two'", "0 y=1", "1 x='s b'", "2 x='x'", "2 y=0", "3 x=''"});
    CHECK(result.warnings ==
          Lines{"made.vcd:6:1: warning: a text holds blanks; the last word of the "
                "line is taken for the "
                "code [vcd-unusual]\n  sone  two s\n  ^~~~~~~~~~~\n"});
    CHECK(read(with(variables, "#0\nsone  two t\n"))
              .problem.starts_with("made.vcd:6:7: error: no variable has the code 'two'"));
}

TEST_CASE("a variable of no bits is read as one bit, whatever is written to it") {
    const Reading result = read(with("$var wire 0 a x $end\n$var string 0 s t $end\n",
                                     "#0\nb a\n#1\nb101 a\n#2\nb0 a\n#3\n1a\n#4\nbx a\nsab s\n"));
    CHECK(result.changes == Lines{"0 x=0", "1 x=1", "2 x=0", "3 x=1", "4 x=x", "4 t='ab'"});
    CHECK(result.warnings ==
          Lines{"made.vcd:2:11: warning: a variable of width 0 is read as one bit, the lowest that "
                "is written [vcd-unusual]\n  $var wire 0 a x $end\n            ^\n"});
    CHECK(result.problem.empty());
    CHECK_FALSE(read(with("$var wire 4 a x $end\n", "#0\nb a\n")).problem.empty());
}

TEST_CASE("two widths of one code are named, and the larger one is read") {
    const Reading result =
        read(with("$var wire 8 a x $end\n$var wire 4 a y $end\n", "#0\nb101 a\n"));
    CHECK(result.changes == Lines{"0 x=0x5"});
    REQUIRE(result.warnings.size() == 1);
    CHECK(result.warnings[0].starts_with(
        "made.vcd:3:17: warning: 'y' is declared with 4 bits, but 'x', "
        "which has the same code, with 8; both are read with 8 "));
}

TEST_CASE("a time with a point is its whole number") {
    const Reading result =
        read(with("$var wire 4 a x $end\n", "#0.0\nb1 a\n#3.0\nb10 a\n#4.5\nb11 a\n#12.\n"));
    CHECK(result.changes == Lines{"0 x=0x1", "3 x=0x2", "4 x=0x3"});
    CHECK(result.warnings ==
          Lines{"made.vcd:4:1: warning: a time is a whole number of ticks; the digits after its "
                "point are ignored [vcd-unusual]\n  #0.0\n  ^~~~\n"});
    for (const char* wrong : {"#.5", "#1.x", "#1e3", "#1.5.2"}) {
        CAPTURE(wrong);
        CHECK_FALSE(
            read(with("$var wire 4 a x $end\n", wrong + std::string{"\nb1 a\n"})).problem.empty());
    }
}

TEST_CASE("a vector may begin with 0b as numbers do in Python") {
    const Reading result =
        read(with("$var wire 4 a x $end\n", "#0\nb0b00 a\n#1\nb0b101 a\n#2\nB0B1x a\n#3\nb1 a\n"));
    CHECK(result.changes == Lines{"0 x=0x0", "1 x=0x5", "2 x=0b001x", "3 x=0x1"});
    CHECK(result.warnings == Lines{"made.vcd:5:1: warning: the digits of a vector begin with '0b', "
                                   "which is left out [vcd-unusual]\n  b0b00 a\n  ^~~~~\n"});
    for (const char* wrong : {"b0b", "b0b2", "b1b0", "b0b0b1"}) {
        CAPTURE(wrong);
        CHECK_FALSE(read(with("$var wire 4 a x $end\n", "#0\n" + std::string{wrong} + " a\n"))
                        .problem.empty());
    }
}

TEST_CASE("a tick may be any length of time") {
    const auto tick = [](const std::string& scale) {
        return read("$timescale " + scale + " $end\n$enddefinitions $end\n");
    };
    CHECK(tick("244 ns").tick == 244'000'000);
    CHECK(tick("244 ns").warnings ==
          Lines{"made.vcd:1:19: warning: a timescale is 1, 10 or 100 and a unit; '244ns' is taken "
                "unchanged [vcd-unusual]\n  $timescale 244 ns $end\n                    ^~~~\n"});
    CHECK(tick("2.5us").tick == 2'500'000'000);
    CHECK(tick("100 ps").warnings.empty());
    for (const char* wrong : {"0 ns", "-1 ns", "+1 ns", "0.1 fs", "12", "12 parsecs"}) {
        CAPTURE(wrong);
        CHECK_FALSE(tick(wrong).problem.empty());
    }
}

TEST_CASE("what is unusual is not warned of in a line that is cut off") {
    const Reading result = read(with("$var real 1 a x $end\n", "#0\nr1 a\n#5\nsIDL"));
    CHECK(result.changes == Lines{"0 x=1"});
    CHECK(result.warnings.empty());
    CHECK(result.problem.empty());
}

TEST_CASE("the beginning of a file is the first time that it names, whatever stands behind it") {
    const auto begin = [](const std::string& values) {
        return Reader{"made.vcd", with("$var wire 4 a x $end\n", values)}.first_time();
    };
    CHECK(begin("#3\n#5\nb1 a\n") == 3);
    CHECK(begin("#5\nb1 a\n") == 5);
    CHECK(begin("b1 a\n#5\n") == 0);
    CHECK(begin("$comment none $end\n#5\n") == 5);
    CHECK(begin("#7\n") == 7);
    CHECK(begin("") == 0);
}
