// SPDX-License-Identifier: Apache-2.0
//
// Files written by hand, read through windows of any size. validator/diff/test reads files of other
// simulators.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/codes.hpp"
#include "base/test/scratch.hpp"
#include "vcd/reader.hpp"

using namespace sme;
using namespace sme::vcd;

namespace {

const std::string header = "$timescale 1 ns $end\n"
                           "$scope module top $end\n"
                           "$var wire 1 ! clk $end\n"
                           "$var wire 8 \" count [7:0] $end\n"
                           "$scope module inner $end\n"
                           "$var real 64 # level $end\n"
                           "$var event 1 $ tick $end\n"
                           "$var string 1 % word $end\n"
                           "$upscope $end\n"
                           "$upscope $end\n"
                           "$enddefinitions $end\n";

/// Returns "5: clk=1 count=0x3" for each time with changes.
std::vector<std::string> steps_of(const std::string& text, std::size_t block) {
    Reader reader{"made.vcd", text, block};
    std::vector<std::string> steps;
    while (reader.more()) {
        std::string step = std::to_string(reader.time()) + ":";
        reader.take();
        for (const std::uint32_t signal : reader.changed())
            for (const Variable& variable : reader.declarations().variables)
                if (variable.signal == signal)
                    step += " " + variable.name + "=" + value_text(reader.value(signal));
        steps.push_back(step + (reader.off() ? " off" : "") + (reader.cut() ? " cut" : ""));
    }
    if (reader.problem())
        steps.push_back(render(*reader.problem()));
    return steps;
}

std::string problem_of(const std::string& text) {
    Reader reader{"made.vcd", text};
    while (reader.more())
        reader.take();
    return reader.problem() ? render(*reader.problem()) : std::string{"none"};
}

using Steps = std::vector<std::string>;

} // namespace

TEST_CASE("declarations give scopes, names, ranges, kinds and widths") {
    const Reader reader{"made.vcd",
                        "$date today $end $version x $end $timescale\n\t100ps\n$end\n"
                        "$scope module top $end\n"
                        "$var reg 4 aa \\mem[0] [3:0] $end\n"
                        "$var wire 8 b q[7:0] $end\n"
                        "$var wire 1 c q2 [5] $end\n"
                        "$var wire 16 d m[2][1:0][7:0] $end\n"
                        "$var integer 32 b same $end\n"
                        "$upscope $end\n$var wire 1 e outside $end\n$enddefinitions $end\n"};
    REQUIRE_FALSE(reader.problem());
    const Declarations& result = reader.declarations();
    CHECK(*result.tick == 100'000);
    REQUIRE(result.variables.size() == 6);
    std::vector<std::string> names;
    for (const Variable& variable : result.variables)
        names.push_back(full_name(result, variable) + " " + variable.range);
    CHECK(names == std::vector<std::string>{"top.mem[0] [3:0]", "top.q [7:0]", "top.q2[5] [5]",
                                            "top.m[2] [1:0][7:0]", "top.same ", "outside "});
    CHECK(result.variables[4].signal == result.variables[1].signal);
    CHECK(result.signals[1].width_bits == 32);
    CHECK(result.signals.size() == 5);
}

TEST_CASE("values are those that were written last at each time, through windows of any size") {
    const std::string text = header + "#0\n$dumpvars\n0!\nb101 \"\nr0.5 #\n1$\nsgo %\n$end\n"
                                      "#5\n1!\nb1x0z \"\n#5\n1$\nb11111111 \"\n#7\n#9\n0! 1!\n"
                                      "b0\n\"\n$comment b1 \" $end\nr-1e3 #\n#12\n";
    const Steps expected{"0: clk=0 count=0x5 level=0.5 word='go'",
                         "5: clk=1 count=0xff tick=an event", "9: clk=1 count=0x0 level=-1000"};
    CHECK(steps_of(text, 1 << 16) == expected);
    std::string crlf;
    for (const char c : text)
        crlf += c == '\n' ? "\r\n" : std::string{c};
    for (std::size_t block = 1; block < 70; ++block) {
        CAPTURE(block);
        CHECK(steps_of(text, block) == expected);
        CHECK(steps_of(crlf, block) == expected);
    }
    Reader reader{"made.vcd", text};
    while (reader.more())
        reader.take();
    CHECK(reader.time() == 12);
}

TEST_CASE("what is left out in front continues the first digit") {
    // IEEE 1364-2005, table 18-2
    const auto digits = [](const std::string& text) {
        std::string all;
        for (std::uint64_t place = 4; place-- > 0;)
            all += digit_at({Kind::bits, 4, text}, place);
        return all;
    };
    CHECK(digits("10") == "0010");
    CHECK(digits("X10") == "xx10");
    CHECK(digits("ZX0") == "zzx0");
    CHECK(digits("0X10") == "0x10");
    CHECK(digits("") == "xxxx");
    CHECK(digits("UHLW") == "x10x"); // IEEE 1164
    CHECK(digits("-") == "xxxx");
    CHECK(digit_at({Kind::bits, 4, "x"}, 4) == '0');
}

TEST_CASE("wide values and long codes are read") {
    std::string digits(1000, '0');
    digits[0] = '1';
    digits[500] = 'z';
    const std::string text = "$var wire 1000 longcode wide $end\n$var wire 200 !!!!!! middle $end\n"
                             "$enddefinitions $end\n#1\nb" +
                             digits + " longcode\nb1" + std::string(199, '0') + " !!!!!!\n#2\n" +
                             "bx longcode\n1!!!!!!\n";
    for (const std::size_t block : {std::size_t{3}, std::size_t{64}, std::size_t{1} << 16}) {
        Reader reader{"made.vcd", text, block};
        reader.take();
        CHECK(digit_at(reader.value(0), 999) == '1');
        CHECK(digit_at(reader.value(0), 499) == 'z');
        CHECK(digit_at(reader.value(0), 998) == '0');
        CHECK(value_text(reader.value(1)) == "0x8" + std::string(49, '0'));
        CHECK(value_text(reader.value(0)) ==
              "0b1" + std::string(39, '0') + "..." + std::string(40, '0'));
        reader.take();
        CHECK(digit_at(reader.value(0), 999) == 'x');
        CHECK(value_text(reader.value(1)) == "0x1");
        CHECK_FALSE(reader.problem());
    }
}

TEST_CASE("a vector may be written longer than it is, by digits that say nothing") {
    CHECK(steps_of(header + "#1\nb0000000000101 \"\n#2\nbxxxxxxxxx1 \"\n", 1 << 16) ==
          Steps{"1: count=0x5", "2: count=0bxxxxxxx1"});
    CHECK(problem_of(header + "#1\nb100000000 \"\n#2\n") ==
          "made.vcd:13:1: error: a vector of 9 digits does not fit this variable [vcd-syntax]\n"
          "  b100000000 \"\n  ^~~~~~~~~~\n");
}

TEST_CASE("codes of every kind of numbering find their variables") {
    std::vector<std::string> codes;
    for (unsigned k = 0; k < 20'000; ++k) { // lowest digit first, as in most simulators
        std::string code;
        for (unsigned rest = k + 1; rest > 0; rest = (rest - 1) / 94)
            code += static_cast<char>('!' + (rest - 1) % 94);
        codes.push_back(code);
    }
    for (unsigned k = 0; k < 300; ++k) // highest first, padded; words
        codes.push_back(
            {'~', '!', static_cast<char>('!' + k / 94), static_cast<char>('!' + k % 94)});
    for (unsigned k = 0; k < 300; ++k)
        codes.push_back("signal" + std::to_string(k));
    codes.insert(codes.end(), {"\x7f", "\x80!", "\xff\xff\xff"}); // outside the standard
    CodeTable table;
    for (std::size_t k = 0; k < codes.size(); ++k)
        CHECK(table.add(codes[k]) == k);
    for (std::size_t k = 0; k < codes.size(); ++k) {
        const std::string text = codes[k] + "\n        ";
        const char* end = nullptr;
        REQUIRE(table.find(text.data(), end) == k);
        REQUIRE(*end == '\n');
        REQUIRE(table.add(codes[k]) == k);
    }
    const char* end = nullptr;
    for (const char* unknown : {"~~~\n        ", "}!!!!\n        ", "signal300\n        ",
                                "\n        ", "~~~~\n        "})
        CHECK(table.find(unknown, end) == CodeTable::none);
}

TEST_CASE("between $dumpoff and $dumpon nothing is known") {
    CHECK(
        steps_of(header + "#1\n1!\n#2\n$dumpoff\nx!\n$end\n#3\n#4\n$dumpon\n0!\n1$\n$end\n#5\n1$\n",
                 1 << 16) == Steps{"1: clk=1", "2: clk=x off", "4: clk=0", "5: tick=an event"});
    // As written by fst2vcd.
    CHECK(steps_of(header + "#2\n$dumpoff $end\nx!\n#4\n$dumpon $end\n0!\n", 1 << 16) ==
          Steps{"2: clk=x off", "4: clk=0"});
}

TEST_CASE("a file that was cut off is read up to its last whole line") {
    const std::string whole = header + "#0\n0!\n#5\n1!\nb1010 \"\n#100\n0!\n";
    std::size_t torn = 0;
    for (std::size_t length = header.size(); length < whole.size(); ++length) {
        CAPTURE(whole.substr(header.size(), length - header.size()));
        Reader reader{"made.vcd", std::string_view{whole}.substr(0, length), 16};
        while (reader.more())
            reader.take();
        CHECK_FALSE(reader.problem());
        torn += reader.cut() ? 1u : 0u;
    }
    CHECK(torn >= 10);
    CHECK(steps_of(header + "#0\n0!\n1", 1 << 16).back() == "0: clk=0 cut");
    CHECK(steps_of(header + "#0\n0!", 1 << 16).back() == "0: clk=0");
    CHECK(problem_of(header.substr(0, 100)) ==
          "error: 'made.vcd' is no VCD file: it ends within a declaration [vcd-syntax]\n");
}

TEST_CASE("what is wrong is said with its place") {
    CHECK(problem_of("network: x\n") ==
          "made.vcd:1:1: error: a VCD file begins with a word like '$timescale', but this is "
          "'network:' [vcd-syntax]\n  network: x\n  ^~~~~~~~\n");
    CHECK(problem_of("") == "error: 'made.vcd' is no VCD file: it has no '$enddefinitions' "
                            "[vcd-syntax]\n");
    CHECK(problem_of("$timescale 3 sn $end\n") ==
          "made.vcd:1:17: error: a timescale is 1, 10 or 100 and a unit such as ns, but this is "
          "'3sn' [vcd-syntax]\n  $timescale 3 sn $end\n                  ^~~~\n");
    CHECK(
        problem_of("$timescale $end\n")
            .starts_with("made.vcd:1:12: error: a timescale is 1, 10 or 100 and a unit such as ns, "
                         "but this is ''"));
    CHECK(problem_of("$scope module a $end\n$upscope $end\n  $upscope $end\n") ==
          "made.vcd:3:3: error: no scope is open that '$upscope' could leave [vcd-syntax]\n"
          "    $upscope $end\n    ^~~~~~~~\n");
    CHECK(problem_of("$var wire x ! a $end\n")
              .starts_with("made.vcd:1:11: error: the width of a "
                           "variable is a number"));
    CHECK(problem_of("$var wire 1 $end\n")
              .starts_with("made.vcd:1:13: error: the code of a "
                           "variable belongs here, but"));
    CHECK(problem_of("$var wire 4000000000 ! a $end\n").find("up to 67108864") !=
          std::string::npos);
    const std::vector<std::pair<std::string, std::string>> values{
        {"1&", "made.vcd:15:2: error: no variable has the code '&' [vcd-syntax]\n  1&\n   ^\n"},
        {"b12 \"", "made.vcd:15:1: error: 'b12' is no vector of the digits 0, 1, x and z"},
        {"b \"", "made.vcd:15:1: error: 'b' is no vector"},
        {"rx #", "made.vcd:15:1: error: 'rx' is no real number"},
        {"r1 !", "made.vcd:15:1: error: this variable has no real values"},
        {"sx !", "made.vcd:15:1: error: this variable has no texts"},
        {"1#", "made.vcd:15:1: error: this variable has no values of one digit"},
        {"#x", "made.vcd:15:1: error: '#x' is no time"},
        {"#18446744073709551616", "made.vcd:15:1: error: '#18446744073709551616' is no time"},
        {"#3", "made.vcd:15:1: error: time goes backwards: 3 comes after 5"},
        {"1#\nr0.5 #", "made.vcd:15:1: error: this variable has no values of one digit"},
        {"1#\nsab %", "made.vcd:15:1: error: this variable has no values of one digit"},
        {"1#\n1&", "made.vcd:15:1: error: this variable has no values of one digit"},
        {"q!", "made.vcd:15:1: error: 'q!' is no change of a value"},
        {"pD 6 0 !", "made.vcd:15:1: error: values of $dumpports (extended VCD) are not read"},
        {"$var", "made.vcd:15:1: error: '$var' belongs before the values"},
        {"0! b100000000\n\"",
         "made.vcd:15:4: error: a vector of 9 digits does not fit this variable "
         "[vcd-syntax]\n  0! b100000000\n     ^~~~~~~~~~\n"},
    };
    for (const auto& value : values) {
        const std::string& line = value.first;
        const std::string& expected = value.second;
        CAPTURE(line);
        std::string text = header + "#4\n1!\n#5\n";
        text += line;
        text += "\n#6\n0!\n";
        for (std::size_t block = 1; block < 70; ++block)
            CHECK(steps_of(text, block).back().substr(0, expected.size()) == expected);
        CHECK(steps_of(text, 1 << 16).back().substr(0, expected.size()) == expected);
    }
}

TEST_CASE("names with their scopes are limited, so that a small file needs little memory") {
    std::string deep;
    for (int k = 0; k < 5000; ++k)
        deep += "$scope module a $end\n";
    CHECK(problem_of(deep).find("a name with its scopes has at most 4096 characters") !=
          std::string::npos);
    CHECK(problem_of("$var wire 1 ! " + std::string(5000, 'a') + " $end\n")
              .find("has at most 4096 characters") != std::string::npos);
}

TEST_CASE("a file that is not there, a folder and a file of bytes are refused") {
    const test::Scratch scratch;
    const auto code_of = [](const std::string& path) {
        const Reader reader{path};
        REQUIRE(reader.problem());
        return reader.problem()->code;
    };
    CHECK(code_of(scratch.path("none.vcd")) == Code::file_unreadable);
    CHECK(code_of(scratch.path()) == Code::file_unreadable);
    scratch.write("bytes.vcd", std::string(100, '\0') + "\xff\xfe$var");
    CHECK(code_of(scratch.path("bytes.vcd")) == Code::vcd_syntax);
    scratch.write("short.fst", "\x01\x02\x03");
    const Reader reader{scratch.path("short.fst")};
    CHECK(reader.problem()->message.find("no '$enddefinitions'") != std::string::npos);
}

TEST_CASE("times are exact, in any unit") {
    CHECK(*parse_time("12 ns") == 12'000'000);
    CHECK(*parse_time("-2.5us") == Femtoseconds{-2'500'000'000});
    CHECK(*parse_time("0.001 ps") == 1);
    for (const char* wrong :
         {"", "5", "ns", "0.0001ps", "1..2ns", "5 hours", "1234567890123456789 s"})
        CHECK_FALSE(parse_time(wrong));
    CHECK(time_text(12'500'000, "ns") == "12.5 ns");
    CHECK(time_text(-1, "ns") == "-0.000001 ns");
    CHECK(time_text(Femtoseconds{1} << 100, "fs") == "1267650600228229401496703205376 fs");
    CHECK(unit_of(100'000) == "ps");
    CHECK(unit_of(10'000'000) == "ns");
    for (const char* wrong : {"2 ns", "1000 ns", "10", "ns", "1 xs"})
        CHECK_FALSE(parse_timescale(wrong));
    CHECK(*parse_timescale("100 s") == Femtoseconds{100'000'000'000'000'000});
}
