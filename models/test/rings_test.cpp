// SPDX-License-Identifier: Apache-2.0
//
// rings: sums from formulas, for all ways to run.
#include <string>

#include <doctest/doctest.h>

#include <fmt/format.h>

#include "program.hpp"

using sme::test::Command;
using sme::test::model;

namespace {

const std::string loads[] = {"pass", "divide", "uneven", "sleep"};
const std::string clocked = " --kind clocked --nodes 12 --trips 3 --tokens 2 --divisions 9 --nap 1";
const std::string small = " --nodes 20 --trips 30 --divisions 50 --nap 1";

/// Tests whether a run prints this sum, which is given here independently.
void expect(const std::string& options, const std::string& sum) {
    CAPTURE(options);
    const Command run = model("rings" + options);
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    CHECK(run.out.find("sum " + sum + ",") != std::string::npos);
}

} // namespace

TEST_CASE("rings: channels without a clock") {
    // Ritson, Sampson and Barnes: T = 1, c = 1024: 1 + 255 * 1025 + 1024
    expect("", "262400");
    expect(" --tokens 64 --trips 16", "280544");               // 64 * 65 / 2 + 64 * (255 * 17 + 16)
    expect(" --nodes 2 --tokens 9 --trips 1 --depth 0", "72"); // 45 + 9 * (1 * 2 + 1)
    for (const std::string& load : loads)
        for (const char* runners :
             {" --runners 1", " --runners 2", " --runners 2 --place good",
              " --runners 2 --place bad", " --runners 3 --depth 0", " --threads"})
            // 3 tokens: 6 + 3 * (19 * 31 + 30)
            expect(fmt::format("{} --tokens 3 --load {}{}", small, load, runners), "1863");
}

TEST_CASE("rings: buses and clocked channels with threads, queues and policies") {
    expect(" --kind buses --nodes 1 --trips 7", "7");
    unsigned way = 0;
    for (const std::string& load : loads)
        for (const char* queue : {"static", "atomic", "stealing"})
            for (const char* policy : {"optimize", "blocks", "round-robin", "monte-carlo"}) {
                const std::string who =
                    fmt::format(" --clock-threads {} --queue {} --policy {} --load {}", way++ % 4,
                                queue, policy, load);
                expect(fmt::format("{} --kind buses{}", small, who), "600");
                // 3 + 2 * (11 * 4 + 3)
                expect(clocked + who, "97");
            }
}

TEST_CASE("rings: what it cannot work with") {
    CHECK(model("rings --nodes 0").exit_code == 2);
    CHECK(model("rings --nodes 1").err ==
          "rings: a ring of channels has two nodes or more; give --nodes 2\n");
    CHECK(model("rings --load heavy").err ==
          "rings: --load 'heavy': give one of pass, divide, uneven, sleep\n");
    CHECK(model("rings --kind buses --policy best").err ==
          "rings: --policy 'best': give one of optimize, blocks, round-robin, monte-carlo\n");
    CHECK(model("rings --threads --place bad").exit_code == 2);
    CHECK(model("rings --kind buses --place bad").exit_code == 2);
    const Command full = model("rings --kind clocked --nodes 3 --tokens 9 --trips 2");
    CHECK(full.exit_code == 1);
    CHECK(full.err.find("nothing moves any more") != std::string::npos);
}
