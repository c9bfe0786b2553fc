// SPDX-License-Identifier: Apache-2.0
//
// Compares cmmp with the tables of Oleinick's report, copied here.
#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "program.hpp"

using sme::test::Command;
using sme::test::model;
using sme::test::number_after;
using sme::test::Scratch;
using sme::test::text_of;

namespace {

double stage_of(const std::string& options) {
    const Command run = model("cmmp" + options);
    CHECK(run.exit_code == 0);
    return number_after(run.out, "");
}

} // namespace

TEST_CASE("cmmp: processors and banks take as long as in tables 1 and 2") {
    const double processors[] = {15.559, 10.413, 9.985,  9.745,  16.144, 10.060, 10.238, 9.829,
                                 14.867, 10.022, 10.173, 10.001, 10.129, 10.005, 14.965, 14.999};
    const double banks[] = {15.243, 14.943, 15.127, 14.999, 15.087, 15.950, 15.272, 15.402,
                            15.887, 15.858, 15.860, 15.855, 15.070, 15.155, 15.034, 15.013};
    const Command run = model("cmmp --tables");
    CHECK(run.exit_code == 0);
    std::istringstream text{run.out.substr(run.out.find("   0"))};
    for (std::size_t k = 0; k < 16; ++k) {
        CAPTURE(k);
        std::size_t number = 0;
        double on_processor = 0;
        double in_bank = 0;
        text >> number >> on_processor >> number >> in_bank;
        CHECK(number == k);
        CHECK(on_processor == doctest::Approx(processors[k]).epsilon(0.001));
        CHECK(in_bank == doctest::Approx(banks[k]).epsilon(0.001));
    }
    CHECK(run.out.find("semiconductor bank: 1.49 million") != std::string::npos); // table 3
    CHECK(run.out.find("core bank: 1.71 million") != std::string::npos);
}

TEST_CASE("cmmp: the primitives are usable from the work of table 10 on") {
    const Command run = model("cmmp --crossover");
    CHECK(run.exit_code == 0);
    CHECK(number_after(run.out, "k-sem") == doctest::Approx(18).epsilon(0.1));
    CHECK(number_after(run.out, "pm1-300") == doctest::Approx(33).epsilon(0.1));
    CHECK(number_after(run.out, "pm1-0") == doctest::Approx(80).epsilon(0.1));
    CHECK(number_after(run.out, "spin") < 2);
    CHECK(number_after(run.out, "pm0") > 200);
}

TEST_CASE("cmmp: code that is shared is slower than a bank allows") {
    // nine processors request 6.2 million references per second, and a core bank serves 1.71
    const double own = stage_of(" --processes 9 --stages 4");
    const double shared = stage_of(" --processes 9 --stages 4 --shared-code");
    CHECK(shared / own == doctest::Approx(6.2 / 1.71).epsilon(0.06));
}

TEST_CASE("cmmp: one process has nobody to wait for, and none costs nothing") {
    CHECK(stage_of(" --processes 1 --primitive pm0 --compute 10000 --stages 4") < 10.8);
    CHECK(stage_of(" --processes 11 --primitive none --compute 10000 --stages 4") < 10.8);
    // the code of the sixteenth process is in the bank that the others poll
    CHECK(stage_of(" --processes 16 --compute 10000 --stages 4") > 17.5);
}

TEST_CASE("cmmp: interrupts take time from processors with devices, and slow ones from all") {
    const auto stage = [](const std::string& options, int processes = 8) {
        return stage_of(" --processes " + std::to_string(processes) + " --compute 100000" +
                        options);
    };
    const double calm = stage(""), busy = stage(" --interrupts 100");
    CHECK(busy > calm + 1); // one of 1 to 15 ms in most stages
    CHECK(busy < calm + 40);
    CHECK(stage(" --interrupts 1", 1) == stage("", 1)); // Pc[1] has no device
    CHECK(stage(" --fast 7") > 1.3 * calm);
    CHECK(stage(" --fast 8") == calm);
}

TEST_CASE("cmmp: lanes and trace") {
    const Scratch scratch;
    const std::string options = "cmmp --processes 3 --primitive k-sem --compute 5000 --stages 4";
    const Command run = model(options + " --lanes " + scratch.path("lanes.svg") + " --trace " +
                              scratch.path("cmmp.vcd"));
    CHECK(run.exit_code == 0);
    const std::string svg = text_of(scratch.path("lanes.svg"));
    CHECK(svg.find("Pc[1]") != std::string::npos);
    CHECK(svg.find("Pc[5]") == std::string::npos);
    CHECK(svg.ends_with("</svg>\n"));
    const std::string vcd = text_of(scratch.path("cmmp.vcd"));
    CHECK(vcd.find("activity") != std::string::npos);
    CHECK(model(options + " --lanes " + scratch.path("none/lanes.svg")).exit_code != 0);
}

TEST_CASE("cmmp: what it cannot work with") {
    CHECK(model("cmmp --processes 0").exit_code == 2);
    CHECK(model("cmmp --processes 17").exit_code == 2);
    CHECK(model("cmmp --compute 0").exit_code == 2);
    CHECK(model("cmmp --primitive mutex").err ==
          "cmmp: --primitive 'mutex': give one of none, spin, k-sem, pm1-300, pm1-0, pm0\n");
}
