// SPDX-License-Identifier: Apache-2.0
// Tests the exact text of a CSV trace.
#include <doctest/doctest.h>

#include "trace/tracer.hpp"
#include "trace_test.hpp"

using trace_test::Buses;
using trace_test::Scratch;
using trace_test::text_of;

namespace {

sme::trace::TracerOptions csv_options() {
    sme::trace::TracerOptions options;
    options.format = &sme::trace::format_of("run.csv");
    return options;
}

} // namespace

TEST_CASE("the ending of its name gives a trace its format, VCD where there is none of its own") {
    using sme::trace::format_of;
    CHECK(format_of("a/run.csv").ending == ".csv");
    CHECK(format_of("a.csv/run.vcd").ending == ".vcd");
    CHECK(format_of("/dev/stdout").ending == ".vcd");
    CHECK(sme::trace::format_names() == "FILE.vcd|FILE.fst|FILE.csv");
}

TEST_CASE("no bus shares the name of the column of cycles in a CSV trace") {
    const Scratch folder;
    for (const bool taken : {false, true}) {
        Buses buses{"n"};
        buses.add("cycle", sme::Type::unsigned_integer(8));
        buses.add(taken ? "cycle_v2" : "other", sme::Type::unsigned_integer(8));
        buses.lay_out();
        sme::trace::Tracer tracer{folder.path("run.csv"), csv_options()};
        tracer.open(buses);
        tracer.close(0);
        const std::string text = text_of(folder.path("run.csv"));
        CHECK(text.substr(0, text.find('\n')) ==
              (taken ? "cycle,cycle_v3,cycle_v2" : "cycle,cycle_v2,other"));
    }
}

TEST_CASE("no two columns of a CSV trace have one name") {
    const Scratch folder;
    Buses buses{"n"};
    const sme::TypeRef flag = sme::Type::boolean();
    buses.add("slow", sme::Type::structure("S", {{"clock", flag}, {"clock_v2", flag}}));
    buses.add("slow.clock", flag);
    buses.add("slow.clock", flag);
    buses.lay_out();
    sme::trace::Tracer tracer{folder.path("run.csv"), csv_options()};
    tracer.open(buses);
    tracer.close(0);
    const std::string text = text_of(folder.path("run.csv"));
    CHECK(text.substr(0, text.find('\n')) ==
          "cycle,slow.clock,slow.clock_v2,slow.clock_v3,slow.clock_v4");
}

TEST_CASE("a CSV trace has a row a cycle, and an empty cell where there is no value") {
    const Scratch folder;
    Buses buses{"n"};
    buses.add("wire", sme::Type::unsigned_integer(8)).delay = 0;
    buses.add("bit", sme::Type::boolean()).unwritten = sme::Unwritten::error;
    buses.add("small", sme::Type::signed_integer(5), {{0, 2, "k"}});
    buses.add("wide", sme::Type::unsigned_integer(68));
    buses.add("a,\"b\"", sme::Type::unsigned_integer(64));
    buses.lay_out();
    sme::trace::Tracer tracer{folder.path("run.csv"), csv_options()};
    tracer.open(buses);
    CHECK(tracer.signals() == 6);
    tracer.step(0, {0, 1}, buses.frame(0, false));
    buses.set<std::uint8_t>(0, 0, 0, 6);
    buses.set<std::uint8_t>(1, 0, 1, 1); // a written zero
    buses.set<std::int8_t>(2, 1, 0, -16);
    buses.set<std::uint64_t>(3, 0, 0, 0xfedcba9876543210);
    buses.set<std::uint64_t>(3, 0, 8, 0xa);
    buses.set<std::uint64_t>(4, 0, 0, ~std::uint64_t{0});
    tracer.step(0, {0, 1}, buses.frame(1));
    buses.set<std::uint8_t>(1, 0, 1, 0);
    buses.set<std::uint8_t>(0, 0, 0, 7);
    tracer.step(0, {0, 1}, buses.frame(2, false)); // after the last cycle: wires keep their values
    tracer.close(2);
    CHECK(tracer.problem() == "");
    CHECK(text_of(folder.path("run.csv")) ==
          "cycle,wire,bit,small[0],small[1],wide,\"a,\"\"b\"\"\"\n"
          "0,,,0,0,0x00000000000000000,0\n"
          "1,6,0,0,-16,0xafedcba9876543210,18446744073709551615\n"
          "2,6,,0,-16,0xafedcba9876543210,18446744073709551615\n");
}

TEST_CASE("a CSV trace of the last cycles begins with the first of them") {
    const Scratch folder;
    Buses buses{"n"};
    buses.add("x", sme::Type::unsigned_integer(8));
    buses.lay_out();
    auto options = csv_options();
    options.keep_last = 2;
    options.keep = [] { return true; };
    sme::trace::Tracer tracer{folder.path("run.csv"), options};
    tracer.open(buses);
    for (std::uint8_t cycle = 0; cycle < 10; ++cycle) {
        buses.set<std::uint8_t>(0, 0, 0, cycle);
        tracer.step(0, {0, 1}, buses.frame(cycle));
    }
    tracer.close(9);
    CHECK(text_of(folder.path("run.csv")) == "cycle,x\n7,7\n8,8\n9,9\n");
}
