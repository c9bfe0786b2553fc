// SPDX-License-Identifier: Apache-2.0
//
// Tests the text of save files for GTKWave: flags and commands match those of GTKWave's own save
// files.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "trace/view/radixes.hpp"
#include "trace/view/rows.hpp"
#include "trace/view/save_file.hpp"
#include "trace/view/vcd_reader.hpp"
#include "trace_test.hpp"

using sme::Type;
using sme::trace::Row;
using sme::trace::rows_of;
using trace_test::Scratch;
using trace_test::text_of;

namespace {

sme::trace::View view(std::vector<Row> rows) {
    sme::trace::View result;
    result.rows = std::move(rows);
    result.trace = "run.vcd";
    result.save = "run.gtkw";
    return result;
}

/// Returns the lines after the window settings, which define the rows.
std::string shown(const sme::trace::View& what) {
    const std::string text = sme::trace::files_of(what).back().text;
    const std::string last_setting = "[sst_expanded] 1\n";
    return text.substr(text.find(last_setting) + last_setting.size());
}

/// Formats labels as an outline: "group{row row}".
std::string outline(const std::vector<Row>& rows) {
    std::string text;
    for (const Row& row : rows) {
        text += (text.empty() ? "" : " ") + row.label;
        if (row.kind == Row::Kind::group)
            text += "{" + outline(row.rows) + "}";
    }
    return text;
}

std::vector<std::string> signals(const std::vector<Row>& rows) {
    std::vector<std::string> names;
    for (const Row& row : rows) {
        if (row.kind == Row::Kind::signal)
            names.push_back(row.signal);
        for (std::string& name : signals(row.rows))
            names.push_back(std::move(name));
    }
    return names;
}

const sme::trace::Traced everything{sme::trace::Selection{""}, false};

sme::TypeRef sample() {
    return Type::structure("Sample",
                           {{"data", Type::signed_integer(12)}, {"valid", Type::boolean()}});
}

sme::TypeRef phase() {
    return Type::enumeration("Phase", 7, {{"idle", 0}, {"run", 0x33}});
}

std::string phase_file() {
    return "00 idle\n33 run\n";
}

} // namespace

TEST_CASE("a network's rows are grouped, with a clock on top and valid before its data") {
    trace_test::Buses buses{"net"};
    buses.add("x", sample());
    buses.add("deep.count", Type::unsigned_integer(16));
    buses.add("deep.word", Type::unsigned_integer(17));
    buses.add("token", Type::boolean(), {{0, 3, {}}});
    CHECK(shown(view(rows_of(buses.graph(), everything))) == "@28\n[color] 7\nnet.clock\n"
                                                             "@800200\n-x\n"
                                                             "@28\n[color] 2\nnet.x.valid\n"
                                                             "@420\nnet.x.data[11:0]\n"
                                                             "@1000200\n-x\n"
                                                             "@800200\n-token[0..2]\n"
                                                             "@28\n+{token[0]} net.token_0\n"
                                                             "@28\n+{token[1]} net.token_1\n"
                                                             "@28\n+{token[2]} net.token_2\n"
                                                             "@1000200\n-token[0..2]\n"
                                                             "@800200\n-deep\n"
                                                             "@24\nnet.deep.count[15:0]\n"
                                                             "@22\nnet.deep.word[16:0]\n"
                                                             "@1000200\n-deep\n");
}

TEST_CASE("what a reader answers stands with what it is asked") {
    trace_test::Buses buses{"net"};
    buses.add("a", sample());
    buses.add("a.ready", Type::boolean());
    buses.add("b", sample(), {{0, 2, {}}});
    sme::BusFamily& ready = buses.add("b.ready", Type::boolean(), {{0, 2, {}}});
    ready.shape.dimensions[0].after = 1; // "b[0].ready"
    CHECK(outline(rows_of(buses.graph(), everything)) ==
          "clock a{valid data ready} b[0..1]{b[0]{valid data ready} b[1]{valid data ready}}");
}

TEST_CASE("of a large family the first members are shown, and the others counted") {
    trace_test::Buses buses{"net"};
    buses.add("token", Type::boolean(), {{1, 1'000'000, {}}});
    buses.add("memory", Type::array(sample(), 40));
    const std::vector<Row> rows = rows_of(buses.graph(), everything);
    REQUIRE(rows.size() == 3);
    CHECK(rows[1].label == "token[1..1000000]");
    CHECK(rows[1].rows.size() == 33);
    CHECK(rows[1].rows.back().label == "999968 more, to token[1000000]");
    CHECK(rows[2].label == "memory[0..39]");
    CHECK(rows[2].rows.back().label == "8 more, to memory[39]");
}

TEST_CASE("what is not selected is not shown") {
    trace_test::Buses buses{"net"};
    buses.add("token", Type::boolean(), {{0, 100, {}}});
    buses.add("x", sample());
    CHECK(outline(rows_of(buses.graph(), {sme::trace::Selection{"token[50], x.valid"}, false})) ==
          "clock token[50] x{valid}");
    CHECK(outline(rows_of(buses.graph(), {sme::trace::Selection{"token"}, false}))
              .ends_with("token[31] 68 more, to token[99]}"));
}

TEST_CASE("groups close when there are more signals than a window holds") {
    trace_test::Buses buses{"net"};
    buses.add("few", Type::boolean(), {{0, 16, {}}});
    buses.add("many", Type::boolean(), {{0, 17, {}}});
    buses.add("rest", Type::boolean(), {{0, 31, {}}});
    std::string text = shown(view(rows_of(buses.graph(), everything)));
    CHECK(text.find("@c00200") != std::string::npos); // 1 + 16 + 17 + 31 exceeds 64
    CHECK(text.find("@800200\n-few[0..15]") != std::string::npos);
    CHECK(text.find("@c00200\n-many[0..16]") != std::string::npos);
    CHECK(text.find("@1401200\n-many[0..16]") != std::string::npos);
}

TEST_CASE("past two thousand signals the tree has the rest") {
    std::vector<Row> rows;
    for (int k = 0; k < 2003; ++k)
        rows.push_back({Row::Kind::signal, fmt::format("s{}", k), fmt::format("t.s{}", k)});
    const std::string text = shown(view(std::move(rows)));
    CHECK(text.find("t.s1999\n@200\n-3 more signals are in the tree\n") != std::string::npos);
}

TEST_CASE("an enumeration has one file that translates its values") {
    trace_test::Buses buses{"net"};
    buses.add("a", phase());
    buses.add("b", phase());
    buses.add("c", Type::enumeration("Phase", 2, {{"one", 1}}));
    const auto files = files_of(view(rows_of(buses.graph(), everything)));
    REQUIRE(files.size() == 3);
    CHECK(files[0].name == "run.Phase.txt");
    CHECK(files[0].text.starts_with("# sme "));
    CHECK(files[0].text.ends_with(phase_file()));
    CHECK(files[1].name == "run.Phase-2.txt");
    CHECK(files[1].text.ends_with("\n1 one\n"));
    CHECK(files[2].text.ends_with("@2022\n[color] 3\n^1 run.Phase.txt\nnet.a[6:0]\n"
                                  "@2022\n[color] 3\n^1 run.Phase.txt\nnet.b[6:0]\n"
                                  "@2022\n[color] 3\n^2 run.Phase-2.txt\nnet.c[1:0]\n"));
}

TEST_CASE("the window begins and the marker stands where they are asked to") {
    auto what = view({});
    what.span_ticks = 413.5;
    CHECK(files_of(what).back().text.find("\n*-6.643856 -1\n") !=
          std::string::npos); // 2^6.64 is 100
    what.begin_ticks = 70;
    what.marker_ticks = 380;
    const std::string text = files_of(what).back().text;
    CHECK(text.find("[timestart] 70\n") != std::string::npos);
    CHECK(text.find("\n*-6.643856 380\n") != std::string::npos);
}

TEST_CASE("a label cannot break its line") {
    Row row{Row::Kind::signal, "x}\n@28"};
    row.signal = "t.x";
    CHECK(shown(view({row})) == "@22\n+{x__@28} t.x\n");
    CHECK(shown(view({{Row::Kind::remark, "a\nb"}})) == "@200\n-a_b\n");
}

TEST_CASE("a file that somebody changed is kept, unless asked") {
    const Scratch folder;
    const std::string path = folder.path("run.gtkw");
    const auto before = files_of(view({{Row::Kind::remark, "one"}})).back();
    const auto after = files_of(view({{Row::Kind::remark, "two"}})).back();
    const std::string place = folder.path("");
    CHECK_FALSE(write_view_file(place, before, false).kept);
    CHECK(text_of(path) == before.text);
    CHECK_FALSE(write_view_file(place, after, false).kept);
    CHECK(text_of(path) == after.text);
    for (const std::string& edited :
         {after.text + "@28\nmore\n", std::string{"[*] GTKWave Analyzer\n"}, std::string{},
          after.text.substr(0, after.text.size() - 1), std::string{"\n"}}) {
        std::ofstream{path, std::ios::binary} << edited;
        CHECK(write_view_file(place, before, false).kept);
        CHECK(text_of(path) == edited);
    }
    CHECK_FALSE(write_view_file(place, before, true).kept);
    CHECK(text_of(path) == before.text);
    CHECK(write_view_file(folder.path("none/"), before, false).problem.find("none") !=
          std::string::npos);
}

TEST_CASE("declarations of anybody become rows, with names as GTKWave makes them") {
    const std::vector<Row> rows = sme::trace::rows_of_declarations(
        "$date today $end $version x $end\n$timescale 1ns $end\n"
        "$scope module top $end\n"
        "$var wire 1 ! clk $end\n$var wire 8 \" a [7:0] $end\n$var wire 8 # b[7:0] $end\n"
        "$var reg 4 $ c $end\n$var integer 32 % i $end\n$var real 64 & r $end\n"
        "$var wire 1 ' d [0] $end\n$scope function f $end\n$var wire 16 ( e [15:0] $end\n"
        "$upscope $end\n$upscope $end\n");
    CHECK(signals(rows) == std::vector<std::string>{"top.clk", "top.a[7:0]", "top.b[7:0]",
                                                    "top.c[3:0]", "top.i", "top.r", "top.d[0]",
                                                    "top.f.e[15:0]"});
    CHECK(outline(rows) == "clk a b c i r d[0] f{e}");
    CHECK(rows[0].part == sme::trace::Part::clock);
    CHECK(rows[4].radix == sme::trace::Radix::signed_decimal);
    CHECK(rows[5].radix == sme::trace::Radix::real);
}

TEST_CASE("our comments give names back") {
    const std::vector<Row> rows = sme::trace::rows_of_declarations(
        "$comment my net is my_net $end $scope module my_net $end\n"
        "$comment alive[-1, 0] to alive[3, 2] are alive_m1_0 to alive_3_2 $end\n"
        "$var wire 1 ! alive_m1_0 $end $var wire 1 ! alive_m1_1 $end\n"
        "$comment packet[0].a[0] to packet[1].a[1] are packet_0.a_0 to packet_1.a_1 $end\n"
        "$comment x is x_v2 $end $scope module x_v2 $end\n"
        "$comment .data[0] to .data[1] are .data_0 to .data_1 $end\n"
        "$var wire 4 # data_0 [3:0] $end $var wire 4 # data_1 [3:0] $end $upscope $end\n");
    CHECK(outline(rows) == "alive[-1, 0..1]{alive[-1, 0] alive[-1, 1]} "
                           "x{data[0..1]{data[0] data[1]}}");
}

TEST_CASE("no declarations make trouble") {
    using sme::trace::rows_of_declarations;
    CHECK(rows_of_declarations("").empty());
    CHECK(rows_of_declarations("$upscope $end $upscope $end $var $end $scope $end $comment $end")
              .empty());
    CHECK(rows_of_declarations("$var wire 99999999999999999999999 ! x").size() == 1);
    for (const char* comment : {" is ", "a is ", " is b", "[ to [ are [ to [", "] to ] are ] to ]",
                                "a[0] to a[1] are", "a[0] to a[1] are b", " to  are  to "})
        CHECK(rows_of_declarations(fmt::format("$comment {} $end $var wire 1 ! a_0 $end", comment))
                  .size() == 1);
    std::string deep;
    for (int k = 0; k < 100'000; ++k)
        deep += "$scope module s $end ";
    CHECK(rows_of_declarations(deep + "$var wire 1 ! x $end").empty());
    CHECK(signals(rows_of_declarations("$var wire 1 ! x $end " + deep + "$var wire 1 ! y $end")) ==
          std::vector<std::string>{"x"});
}

TEST_CASE("a file that is no trace is said to be none") {
    const Scratch folder;
    const auto problem_of = [&](const std::string& text) {
        std::ofstream{folder.path("x.vcd"), std::ios::binary} << text;
        return sme::trace::summary_of_vcd(folder.path("x.vcd")).problem;
    };
    CHECK(problem_of("").ends_with("is no VCD file: it has no '$enddefinitions'"));
    CHECK(problem_of(std::string(3'000'000, '\0')).ends_with("it has no '$enddefinitions'"));
    CHECK(problem_of("$enddefinitions $end").ends_with("declares no signals"));
    CHECK(sme::trace::summary_of_vcd(folder.path("none.vcd")).problem.starts_with("cannot read"));
    CHECK(sme::trace::summary_of_vcd(folder.path("")).problem != "");
    const std::string declared = "$var wire 1 ! x $end $enddefinitions $end\n";
    CHECK(problem_of(declared) == "");
    std::ofstream{folder.path("x.vcd"), std::ios::binary} << declared
                                                          << "#0\n1!\n#5\n0!\n#15\n1!\n#7";
    const auto summary = sme::trace::summary_of_vcd(folder.path("x.vcd"));
    CHECK(summary.times == std::vector<std::uint64_t>{0, 5, 15});
    CHECK(summary.end == 15);
}

TEST_CASE("the names of values go into mapping files for Surfer, a file for each enumeration") {
    trace_test::Buses buses{"net"};
    buses.add("a", phase());
    buses.add("b", phase(), {{0, 2, {}}});
    buses.add("c", Type::enumeration("Phase", 70, {{"off", 2}}));
    const std::vector<sme::trace::ViewFile> files =
        sme::trace::mapping_files_of(view(rows_of(buses.graph(), everything)));
    REQUIRE(files.size() == 2);
    const auto behind_mark = [](const std::string& text) {
        CHECK(text.starts_with("# sme ")); // a comment
        return text.substr(text.find('\n') + 1);
    };
    CHECK(files[0].name == ".surfer/mappings/run.Phase.txt");
    CHECK(behind_mark(files[0].text) == "Name = run.Phase\nBits = 7\n0 idle\n51 run\n");
    CHECK(files[1].name == ".surfer/mappings/run.Phase-2.txt");
    CHECK(behind_mark(files[1].text) == "Name = run.Phase-2\nBits = 70\n2 off\n");
}

TEST_CASE("a radix is given by names of signals and of types, and the last rule counts") {
    trace_test::Buses buses{"net"};
    buses.add("x", sample());
    buses.add("deep.count", Type::unsigned_integer(16));
    buses.add("deep.phase", phase());
    buses.add("token", Type::unsigned_integer(16), {{0, 2, {}}});
    std::vector<Row> rows = rows_of(buses.graph(), everything);
    std::vector<sme::trace::RadixRule> rules;
    for (const char* written : {"u16=hex", "token[1]=bin", "x=dec", "deep.ph*=signed", "none=dec"})
        rules.push_back(*sme::trace::radix_rule(written));
    CHECK(sme::trace::give_radixes(rules, rows) == std::vector<std::string>{"none"});
    CHECK(shown(view(rows)) == "@28\n[color] 7\nnet.clock\n"
                               "@800200\n-x\n"
                               "@24\n[color] 2\nnet.x.valid\n"
                               "@24\nnet.x.data[11:0]\n"
                               "@1000200\n-x\n"
                               "@800200\n-token[0..1]\n"
                               "@22\n+{token[0]} net.token_0[15:0]\n"
                               "@28\n+{token[1]} net.token_1[15:0]\n"
                               "@1000200\n-token[0..1]\n"
                               "@800200\n-deep\n"
                               "@22\nnet.deep.count[15:0]\n"
                               "@420\n[color] 3\nnet.deep.phase[6:0]\n"
                               "@1000200\n-deep\n");
    for (const char* written : {"x", "=hex", "x=octal", "x="})
        CHECK_FALSE(sme::trace::radix_rule(written));
}
