// SPDX-License-Identifier: Apache-2.0
//
// Compares two short texts in memory; the differences are obvious.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "diff/comparison.hpp"

using namespace sme;
using namespace sme::validator;

namespace {

using Lines = std::vector<std::string>;

struct Result {
    Lines lines; // "5 ns top.x 1 0"
    Outcome outcome;
    Pairing pairing;
};

struct Asked {
    NameRules names{};
    Sameness sameness{};
    vcd::Femtoseconds shift = 0;
    std::size_t most = 100;
};

Result diff(const std::string& first, const std::string& second, const Asked& asked = {}) {
    vcd::Reader left{"first.vcd", first}, right{"second.vcd", second};
    REQUIRE_FALSE(left.problem());
    REQUIRE_FALSE(right.problem());
    Result result;
    result.pairing = pair_signals(left.declarations(), right.declarations(), asked.names);
    Comparison comparison{left, right, result.pairing, asked.sameness, asked.shift};
    result.outcome = comparison.run([&](const Difference& found) {
        result.lines.push_back(vcd::time_text(found.time, comparison.unit()) + " " +
                               shown_name(left.declarations(), result.pairing.pairs[found.pair]) +
                               " " + found.first + " " + found.second +
                               (found.where.empty() ? "" : " " + found.where));
        return result.lines.size() < asked.most;
    });
    return result;
}

/// Returns a file with one signal for each of these names and widths; codes count from 'a'.
std::string file(const std::string& values,
                 const std::vector<std::pair<std::string, unsigned>>& variables = {{"x", 8}},
                 const std::string& timescale = "1 ns", const std::string& scope = "top") {
    std::string text = "$timescale " + timescale + " $end\n$scope module " + scope + " $end\n";
    char code = 'a';
    for (const auto& [name, width] : variables)
        text += "$var wire " + std::to_string(width) + " " + code++ + " " + name + " $end\n";
    return text + "$upscope $end\n$enddefinitions $end\n" + values;
}

NameMap map_of(const std::string& text) {
    std::string problem;
    const auto result = NameMap::parse(text, problem);
    REQUIRE_MESSAGE(result, problem);
    return *result;
}

} // namespace

TEST_CASE("a glob fits names and what lies below them") {
    CHECK(Glob{"top.x"}.fits("top.x"));
    CHECK(Glob{"top"}.fits("top.x"));
    CHECK(Glob{"top.m"}.fits("top.m[3]"));
    CHECK_FALSE(Glob{"to"}.fits("top.x"));
    CHECK(Glob{"*.x"}.fits("top.core.x"));
    CHECK(Glob{"*.x*"}.fits("top.core.xyz"));
    CHECK(Glob{"t?p.*y"}.fits("top.xyz.y"));
    CHECK_FALSE(Glob{"*.y"}.fits("top.x"));
    CHECK(Glob{"*a*b"}.fits("aabab"));
}

TEST_CASE("a map gives names another beginning, and stars what they stand for") {
    CHECK(*map_of("TOP.top=top").apply("TOP.top.x") == "top.x");
    CHECK(*map_of("TOP.top=").apply("TOP.top.x") == "x");
    CHECK(*map_of("=top").apply("x") == "top.x");
    CHECK(*map_of("a.mem[*]=b.mem_*").apply("a.mem[12]") == "b.mem_12");
    CHECK(*map_of("*.u[*].x=*_*").apply("top.u[3].x[1]") == "top_3[1]");
    CHECK(*map_of("*_q=*").apply("top.state_q") == "top.state");
    CHECK_FALSE(map_of("TOP.top=top").apply("TOP.topx"));
    std::string problem;
    CHECK_FALSE(NameMap::parse("TOP", problem));
    CHECK(problem == "it is written FROM=TO, but this is 'TOP'");
    CHECK_FALSE(NameMap::parse("a*=b*c*", problem));
    CHECK(problem == "'b*c*' has more '*' than 'a*'");
}

TEST_CASE("equal files are the same, whatever their codes, order and spelling") {
    const std::string first =
        file("#0\n$dumpvars\nb101 a\n1b\n$end\n#5\nb11 a\n#9\n", {{"x [7:0]", 8}, {"y", 1}});
    const std::string second = file(
        "#0\n0a\nb00000101 b\n1a\n#2\n1a\n#5\nb111 b\n#5\nb0011 b\n#9\n", {{"y", 1}, {"x", 8}});
    const Result result = diff(first, second);
    CHECK(result.lines == Lines{});
    CHECK(result.pairing.pairs.size() == 2);
    CHECK(result.outcome.whole_end);
    CHECK(result.outcome.to == 9'000'000);
    CHECK_FALSE(result.outcome.second_goes_on);
}

TEST_CASE("differences come by time, then in the order of the first file, as many as asked") {
    const std::string first =
        file("#0\nb0 a\n0b\n#5\n1b\nb1 a\n#6\nb10 a\n#7\n0b\n", {{"x", 8}, {"y", 1}});
    const std::string second = file("#0\nb0 a\n0b\n#5\nb11 a\n#7\nb10 a\n", {{"x", 8}, {"y", 1}});
    const Lines all{"5 ns top.x 0x1 0x3", "5 ns top.y 1 0", "6 ns top.x 0x2 0x3"};
    CHECK(diff(first, second).lines == all);
    CHECK(diff(first, second).outcome.pairs_that_differ == 2);
    const Result two = diff(first, second, {.most = 2});
    CHECK(two.lines == Lines{all.begin(), all.begin() + 2});
    CHECK(two.outcome.stopped);
}

TEST_CASE("only the last value at a time counts") {
    CHECK(diff(file("#0\nb0 a\n#5\nb1 a\nb10 a\nb11 a\n#6\n"), file("#0\nb0 a\n#5\nb11 a\n#6\n"))
              .lines.empty());
}

TEST_CASE("x and z are values, unless an x may be anything") {
    const std::string known = file("#0\nb1010 a\n#1\nbz a\n#2\n"),
                      some = file("#0\nb1x10 a\n#1\nbz a\n#2\n");
    CHECK(diff(known, some).lines == Lines{"0 ns top.x 0xa 0b00001x10"});
    const auto any = [&](AnyX any_x) { return diff(known, some, {.sameness = {any_x, 0}}); };
    CHECK(any(AnyX::first).lines.size() == 1);
    CHECK(any(AnyX::second).lines.empty());
    const std::string fits = file("#0\nbX1X a\n#1\nbz a\n#2\n");
    CHECK(diff(known, fits, {.sameness = {AnyX::second, 0}}).lines.empty());
    CHECK(diff(fits, known, {.sameness = {AnyX::second, 0}}).lines.size() == 1);
    CHECK(diff(fits, known, {.sameness = {AnyX::both, 0}}).lines.empty());
    CHECK(diff(file("#0\nbx a\n#1\n"), file("#0\nbz a\n#1\n")).lines ==
          Lines{"0 ns top.x 0bxxxxxxxx 0bzzzzzzzz"});
    // an unwritten signal is x
    CHECK(diff(file("#0\nbx a\n0b\n#1\n", {{"x", 8}, {"y", 1}}),
               file("#0\n0b\n#1\n", {{"x", 8}, {"y", 1}}))
              .lines.empty());
}

TEST_CASE("signals of different widths are compared as numbers") {
    const auto lines = [](const std::string& narrow, const std::string& wide) {
        return diff(file("#0\nb" + narrow + " a\n#1\n", {{"x", 4}}),
                    file("#0\nb" + wide + " a\n#1\n", {{"x", 16}}));
    };
    CHECK(lines("101", "00000101").lines.empty());
    CHECK(lines("101", "101").pairing.widths == Lines{"'top.x' has the width 4, but 16 there"});
    CHECK(lines("101", "10101").lines == Lines{"0 ns top.x 0x5 0x15"});
    CHECK(lines("1111", "1111111111111111").lines.size() == 1);
    CHECK(lines("x", "xxxx").lines.size() == 1); // above, one is zero-extended and the other
                                                 // x-extended
    CHECK(lines("x", "0xxxx").lines.empty());
    CHECK(lines("z", "x").lines.size() == 1);
}

TEST_CASE("wide values are compared in all their digits") {
    std::string digits(600, '0');
    digits[0] = '1';
    const auto wide = [](const std::string& value) {
        return file("#0\nb" + value + " a\n#1\n", {{"x", 600}});
    };
    CHECK(diff(wide(digits), wide(digits)).lines.empty());
    CHECK(diff(wide("0"), wide(std::string(600, '0'))).lines.empty());
    std::string other = digits;
    other[300] = '1';
    CHECK(diff(wide(digits), wide(other)).lines.size() == 1);
    CHECK(diff(wide("101"), wide("1" + std::string(17, '0') + "101")).lines.size() == 1);
}

TEST_CASE("reals, texts and events are compared as such") {
    const auto result = [](const std::string& values) {
        return "$timescale 1 ns $end\n$var real 64 r level $end\n$var string 1 s word $end\n"
               "$var event 1 e tick $end\n$enddefinitions $end\n" +
               values;
    };
    CHECK(
        diff(result("#0\nr0.5 r\nsab s\n#5\n1e\n#6\n"), result("#0\nr5e-1 r\nsab s\n#5\n1e\n#6\n"))
            .lines.empty());
    CHECK(diff(result("#0\nr0.5 r\nsab s\n#5\n1e\n#6\n"), result("#0\nr0.25 r\nsac s\n#6\n1e\n"))
              .lines == Lines{"0 ns level 0.5 0.25", "0 ns word 'ab' 'ac'",
                              "5 ns tick an event no event", "6 ns tick no event an event"});
    CHECK(diff(result("#0\nrnan r\n#1\n"), result("#0\nrNaN r\n#1\n")).lines.empty());
    CHECK(diff(result("#0\nr1.000001 r\n#1\n"), result("#0\nr1 r\n#1\n")).lines.size() == 1);
    CHECK(diff(result("#0\nr1.000001 r\n#1\n"), result("#0\nr1 r\n#1\n"),
               {.sameness = {AnyX::neither, 1e-5}})
              .lines.empty());
}

TEST_CASE("timescales may differ, times are compared exactly") {
    const std::string nano = file("#0\nb0 a\n#5\nb1 a\n#10\nb10 a\n#11\n");
    CHECK(diff(nano, file("#0\nb0 a\n#5000\nb1 a\n#10000\nb10 a\n#11000\n", {{"x", 8}}, "1ps"))
              .lines.empty());
    CHECK(diff(nano, file("#0\nb0 a\n#5001\nb1 a\n#10000\nb10 a\n#11000\n", {{"x", 8}}, "1ps"))
              .lines == Lines{"5 ns top.x 0x1 0x0"});
    CHECK(diff(file("#0\nb0 a\n#50\nb1 a\n#51\n", {{"x", 8}}, "100 ps"),
               file("#0\nb0 a\n#5001\nb1 a\n#5100\n", {{"x", 8}}, "1ps"))
              .lines == Lines{"5000 ps top.x 0x1 0x0"});
    // a file without a timescale takes that of the other
    const std::string none = "$scope module top $end\n$var wire 8 a x $end\n$enddefinitions $end\n";
    CHECK(diff(none + "#0\nb0 a\n#5\nb1 a\n#10\nb10 a\n#11\n", nano).lines.empty());
}

TEST_CASE("a shift says how much later things happen in the second file") {
    const std::string first = file("#0\nb0 a\n#5\nb1 a\n#10\nb10 a\n#12\n"),
                      later = file("#0\nb111 a\n#7\nb0 a\n#12\nb1 a\n#17\nb10 a\n#19\n");
    CHECK_FALSE(diff(first, later).lines.empty());
    const Result shifted = diff(first, later, {.shift = 7'000'000});
    CHECK(shifted.lines.empty());
    CHECK(shifted.outcome.from == 0);
    CHECK(shifted.outcome.to == 12'000'000);
    const Result back = diff(later, first, {.shift = -7'000'000});
    CHECK(back.lines.empty());
    CHECK(back.outcome.from == 7'000'000);
}

TEST_CASE("files are compared from the later beginning to the earlier end") {
    const std::string whole = file("#0\nb0 a\n#5\nb1 a\n#10\nb10 a\n#15\nb11 a\n");
    const Result late = diff(whole, file("#7\nb1 a\n#10\nb10 a\n#15\nb11 a\n"));
    CHECK(late.lines.empty());
    CHECK(late.outcome.from == 7'000'000);
    // a run that stops within a time says nothing about that time
    const Result stopped = diff(whole, file("#0\nb0 a\n#5\nb1 a\n#10\nb111 a\n"));
    CHECK(stopped.lines.empty());
    CHECK(stopped.outcome.first_goes_on);
    CHECK_FALSE(stopped.outcome.whole_end);
    CHECK(stopped.outcome.to == 10'000'000);
    const Result wrong = diff(whole, file("#0\nb0 a\n#5\nb11 a\n#10\nb111 a\n"));
    CHECK(wrong.lines == Lines{"5 ns top.x 0x1 0x3"});
    // the end itself counts if both files have it, or if the longer one has no more changes
    CHECK(diff(whole, file("#0\nb0 a\n#5\nb1 a\n#10\nb10 a\n#15\nb0 a\n")).lines.size() == 1);
    const Result tail = diff(whole + "#99\n", file("#0\nb0 a\n#5\nb1 a\n#10\nb10 a\n#15\nb0 a\n"));
    CHECK(tail.lines.size() == 1);
    // a file that ends with a bare time asserts that nothing happened before it
    const Result quiet = diff(file("#0\nb0 a\n#20\nb1 a\n"), file("#0\nb0 a\n#10\n"));
    CHECK(quiet.outcome.to == 10'000'000);
    CHECK(quiet.outcome.whole_end);
    CHECK_FALSE(diff(file("#0\nb0 a\n#5\nb1 a\n"), file("#7\nb0 a\n#9\nb1 a\n")).outcome.any_time);
}

TEST_CASE("the last time of a file that was cut off is not compared") {
    const std::string whole = file("#0\nb0 a\n0b\n#5\nb1 a\n1b\n", {{"x", 8}, {"y", 1}});
    const Result cut = diff(whole, whole.substr(0, whole.size() - 2));
    CHECK(cut.lines.empty());
    CHECK_FALSE(cut.outcome.whole_end);
    CHECK_FALSE(cut.outcome.first_goes_on);
    CHECK(cut.outcome.to == 5'000'000);
}

TEST_CASE("what a file leaves out is not compared, and all is again afterwards") {
    const std::string gap =
        file("#0\nb0 a\n#5\n$dumpoff\nbx a\n$end\n#10\n$dumpon\nb1 a\n$end\n#12\n");
    const Result result = diff(gap, file("#0\nb0 a\n#6\nb1 a\n#12\n"));
    CHECK(result.lines.empty());
    CHECK(result.outcome.gaps);
    CHECK(diff(gap, file("#0\nb0 a\n#6\nb10 a\n#12\n")).lines == Lines{"10 ns top.x 0x1 0x2"});
}

TEST_CASE("names are mapped, selected and ignored") {
    const std::string ours = file("#0\nb0 a\nb1 b\n#1\n", {{"x", 8}, {"y", 8}}),
                      theirs = file("#0\nb0 a\nb10 b\n#1\n", {{"x", 8}, {"y", 8}}, "1 ns", "TOP");
    CHECK(diff(ours, theirs).pairing.pairs.empty());
    Asked mapped;
    mapped.names.maps.push_back(map_of("TOP=top"));
    CHECK(diff(ours, theirs, mapped).lines == Lines{"0 ns top.y 0x1 0x2"});
    Asked ignoring = mapped;
    ignoring.names.ignore.emplace_back("*.y");
    const Result without = diff(ours, theirs, ignoring);
    CHECK(without.lines.empty());
    CHECK(without.pairing.only_first.empty());
    CHECK(without.pairing.only_second.empty());
    Asked selecting = mapped;
    selecting.names.select.emplace_back("top.x");
    CHECK(diff(ours, theirs, selecting).pairing.pairs.size() == 1);
    vcd::Reader left{"a", ours}, right{"b", theirs};
    CHECK(suggested_map(left.declarations(), right.declarations()) == "TOP=top");
}

TEST_CASE("several names of a signal are one pair, and one signal may be in several pairs") {
    const auto result = [](const std::string& variables, const std::string& values) {
        return "$timescale 1 ns $end\n" + variables + "$enddefinitions $end\n" + values;
    };
    const std::string alias = "$var wire 1 a x $end\n$var wire 1 a y $end\n",
                      apart = "$var wire 1 a x $end\n$var wire 1 b y $end\n";
    CHECK(diff(result(alias, "#0\n1a\n#1\n0a\n#2\n"), result(alias, "#0\n1a\n#1\n0a\n#2\n"))
              .pairing.pairs.size() == 1);
    const Result split =
        diff(result(alias, "#0\n1a\n#1\n0a\n#2\n"), result(apart, "#0\n1a\n1b\n#1\n0a\n#2\n"));
    CHECK(split.lines == Lines{"1 ns y 0 1"});
    CHECK(split.pairing.pairs.size() == 2);
    const Result joined =
        diff(result(apart, "#0\n1a\n1b\n#1\n0a\n#2\n"), result(alias, "#0\n1a\n#1\n0a\n#2\n"));
    CHECK(joined.lines == Lines{"1 ns y 1 0"});
    // signals of one name are paired in order
    const std::string twice = "$var wire 1 a x $end\n$var wire 1 b x $end\n";
    CHECK(diff(result(twice, "#0\n1a\n0b\n#1\n"), result(twice, "#0\n1a\n0b\n#1\n")).lines.empty());
    CHECK(diff(result(twice, "#0\n1a\n0b\n#1\n"), result("$var wire 1 a x $end\n", "#0\n1a\n#1\n"))
              .pairing.only_first == Lines{"x"});
    // a repeated declaration is the same signal
    const std::string again = "$var wire 1 a x $end\n$var wire 1 a x $end\n";
    CHECK(diff(result(again, "#0\n1a\n#1\n"), result("$var wire 1 a x $end\n", "#0\n1a\n#1\n"))
              .pairing.only_first.empty());
    // parts of a vector keep their ranges
    const std::string parts = "$var wire 4 a x [7:4] $end\n$var wire 4 b x [3:0] $end\n";
    CHECK(
        diff(result(parts, "#0\nb1 a\nb0 b\n#1\n"), result(parts, "#0\nb1 a\nb10 b\n#1\n")).lines ==
        Lines{"0 ns x[3:0] 0x0 0x2"});
}

TEST_CASE("signals of one file only, and of unlike kinds, are told") {
    const Result result =
        diff(file("#0\n0a\n0b\n#1\n", {{"x", 1}, {"y", 1}}),
             "$timescale 1 ns $end\n$scope module top $end\n$var real 1 a x $end\n"
             "$var wire 1 b z $end\n$enddefinitions $end\n#0\nr1 a\n0b\n#1\n");
    CHECK(result.pairing.only_first == Lines{"top.y"});
    CHECK(result.pairing.only_second == Lines{"top.z"});
    CHECK(result.pairing.unlike == Lines{"'top.x' is bits, but a real number there"});
    CHECK(result.pairing.pairs.empty());
}

TEST_CASE("long values that differ are shown where they differ, the same digits of both") {
    const auto wide = [](const std::string& value, unsigned width = 600) {
        return file("#0\nb" + value + " a\n#1\n", {{"x", width}});
    };
    std::string digits(600, '0');
    digits[0] = '1';
    std::string other = digits;
    other[299] = '1'; // bit 300, the lowest of digit 75
    const std::string zeros(16, '0'), more(47, '0');
    CHECK(diff(wide(digits), wide(other)).lines ==
          Lines{"0 ns top.x 0x..." + zeros + "0" + more + "... 0x..." + zeros + "1" + more +
                "... bit 300 is the highest that differs"});
    other[1] = 'x';
    CHECK(diff(wide(digits), wide(other)).lines ==
          Lines{"0 ns top.x 0b10" + more + "... 0b1x" + more +
                "... bit 598 is the highest that differs"});
    CHECK(diff(wide(digits), wide(other), {.sameness = {AnyX::second, 0}})
              .lines[0]
              .ends_with("bit 300 is the highest that differs"));
    // the narrower one is zero-extended
    CHECK(diff(wide("1", 8), wide(digits)).lines ==
          Lines{"0 ns top.x 0x00" + more.substr(1) + "... 0x80" + more.substr(1) +
                "... bit 599 is the highest that differs"});
    const std::string ones(312, '1'); // 78 hexadecimal digits are shown whole
    CHECK(diff(wide(ones), wide("0")).lines ==
          Lines{"0 ns top.x 0x" + std::string(78, 'f') + " 0x0"});
    const auto text = [](const std::string& value) {
        return "$var string 1 a x $end\n$enddefinitions $end\n#0\ns" + value + " a\n#1\n";
    };
    const std::string same(200, 'q');
    CHECK(diff(text(same + "a" + same), text(same + "b")).lines ==
          Lines{"0 ns x '..." + same.substr(0, 16) + "a" + same.substr(0, 46) + "...' '..." +
                same.substr(0, 16) + "b' character 201 is the first difference"});
}

TEST_CASE("a time that a file names first is its beginning, whether anything changes then or not") {
    const std::string early = file("#0\n#5\nb1 a\n#9\n"), late = file("#5\nb1 a\n#9\n"),
                      known = file("#0\nb1 a\n#9\n");
    CHECK(diff(early, early).outcome.from == 0);
    CHECK(diff(early, late).outcome.from == 5'000'000);
    const Result result = diff(early, known);
    CHECK(result.outcome.from == 0);
    CHECK(result.lines == Lines{"0 ns top.x 0bxxxxxxxx 0x1"});
}

TEST_CASE("patterns and maps that fit no name are told") {
    const std::string ours = file("#0\nb0 a\n#1\n"),
                      theirs = file("#0\nb0 a\n#1\n", {{"x", 8}}, "1 ns", "TOP");
    Asked asked;
    for (const char* map : {"TOP=top", "TOP=other", "top.x=y", "=top"})
        asked.names.maps.push_back(map_of(map));
    for (const char* select : {"top", "*.x", "x", "TOP.x"})
        asked.names.select.emplace_back(select);
    for (const char* ignore : {"top.z", "*.y*"})
        asked.names.ignore.emplace_back(ignore);
    const Pairing result = diff(ours, theirs, asked).pairing;
    CHECK(result.pairs.size() == 1);
    CHECK(result.idle_maps == Lines{"top.x=y"});
    CHECK(result.idle_select == Lines{"x", "TOP.x"});
    CHECK(result.idle_ignore == Lines{"top.z", "*.y*"});
}

TEST_CASE("a real that is a text is no number, and is compared as a text") {
    const auto result = [](const std::string& values) {
        return "$timescale 1 ns $end\n$var real 1 r x $end\n$enddefinitions $end\n" + values;
    };
    CHECK(diff(result("#0\ns0.5 r\n#1\nsIDLE r\n#2\n"), result("#0\nr5e-1 r\n#1\nsIDLE r\n#2\n"))
              .lines.empty());
    CHECK(diff(result("#0\nsIDLE r\n#1\n"), result("#0\nr0 r\n#1\n")).lines ==
          Lines{"0 ns x 'IDLE' 0"});
}
