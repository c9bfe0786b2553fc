// SPDX-License-Identifier: Apache-2.0
//
// Compares rootfinder with Oleinick's report, order statistics and the erfc of the C library.
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <fmt/format.h>

#include "program.hpp"

using sme::test::Command;
using sme::test::model;
using sme::test::Scratch;
using sme::test::text_of;

namespace {

Command find(const std::string& options) {
    Command run = model("cmmp/rootfinder " + options);
    CHECK(run.exit_code == 0);
    return run;
}

double seconds_of(const std::string& options) {
    return std::atof(find(options).out.c_str());
}

void check_speed_up(const std::string& times, unsigned processes, double expected) {
    CAPTURE(times);
    CAPTURE(processes);
    const auto seconds = [&](unsigned n) {
        return seconds_of(fmt::format("--alike --primitive none --mean 10000 --roots 40 "
                                      "--times {} --processes {}",
                                      times, n));
    };
    CHECK(seconds(1) / seconds(processes) == doctest::Approx(expected).epsilon(0.02));
}

/// Compares roots with the tails that the C library returns for them.
void check_roots(const std::string& file) {
    std::istringstream lines{file.substr(file.find('\n') + 1)};
    unsigned count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const double tail = std::atof(line.c_str());
        const double x = std::atof(line.c_str() + line.find(',') + 1);
        CHECK(std::abs(std::erfc(x / std::sqrt(2.0)) / 2 - tail) < 1e-13 * tail);
    }
    CHECK(count == 50);
}

} // namespace

TEST_CASE("rootfinder: the iterations of the report, and the roots of the C library") {
    const Scratch scratch;
    const unsigned iterations[] = {54, 34, 27, 23, 21, 19, 18, 17, 16, 16, 15, 15};
    const std::string output = scratch.path("roots.csv");
    for (unsigned n = 1; n <= 12; ++n) {
        CAPTURE(n);
        const std::string expected = fmt::format("50 roots, {} iterations each", iterations[n - 1]);
        for (unsigned runners = 1; runners <= 3; ++runners) {
            const Command run = find(fmt::format(
                "--untimed --runners {} --processes {} --output {}", runners, n, output));
            CHECK(run.out.find(expected) != std::string::npos);
            check_roots(text_of(output));
        }
    }
}

TEST_CASE("rootfinder: C.mmp and this machine find the same roots, bit for bit") {
    const Scratch scratch;
    for (const char* processes : {"1", "5", "12"}) {
        CAPTURE(processes);
        const std::string common =
            fmt::format("--processes {} --output {} ", processes, scratch.path("roots.csv"));
        find(common + "--untimed --runners 2");
        const std::string roots = text_of(scratch.path("roots.csv"));
        for (const char* way : {"--times exponential", "--primitive k-sem --shared-code"}) {
            find(fmt::format("{} --mean 100 {}", common, way));
            CHECK(text_of(scratch.path("roots.csv")) == roots);
        }
    }
}

TEST_CASE("rootfinder: speed-ups on an ideal machine are those of order statistics") {
    check_speed_up("constant", 2, 1.59);
    check_speed_up("constant", 9, 3.38);
    check_speed_up("normal", 4, 1.83);
    check_speed_up("exponential", 6, 1.16);
}

TEST_CASE("rootfinder: code that is shared is best with three processes, as in the report") {
    const auto seconds = [](unsigned n) {
        return seconds_of(fmt::format("--shared-code --mean 20000 --roots 10 --processes {}", n));
    };
    CHECK(seconds(3) < seconds(1));
    CHECK(seconds(3) < seconds(2));
    CHECK(seconds(3) < seconds(4));
    CHECK(seconds(3) < seconds(9));
}

TEST_CASE("rootfinder: what it cannot work with") {
    CHECK(model("cmmp/rootfinder --processes 0").exit_code == 2);
    CHECK(model("cmmp/rootfinder --processes 17").err ==
          "rootfinder: C.mmp has 16 processors; give --processes less, or --untimed\n");
    CHECK(model("cmmp/rootfinder --untimed --lanes lanes.svg").err ==
          "rootfinder: --lanes shows C.mmp; leave out --untimed\n");
    find("--untimed --roots 1 --processes 500");
}
