// SPDX-License-Identifier: Apache-2.0
//
// Tests "sme validate --stalls" with designs that do and do not rely on cycle counts.
#include <doctest/doctest.h>

#include <string>

#include "../command.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::Scratch;

/// A network of a source of 40 numbers, a process `middle`, and a file that records `y`.
std::string network(const std::string& middle, const std::string& more = "") {
    return "network: n\nchannels: {x: u8, y: depth 3 delay 2 u8}\n" + more +
           "processes:\n"
           "  source:\n    out: x\n    state: {k: u8}\n    step:\n      x: k\n      k: k + 1\n"
           "    done: k == 39\n" +
           middle + "outputs: {out.csv: {record: y, halt_after: 20}}\n";
}

/// A component with valid and ready whose text ends with `step`.
std::string part_with(const std::string& states, const std::string& step) {
    return "files:\n  part:\n    component: part\n    import: [std/stream.yaml]\n"
           "    in: {x: Stream(u8)}\n    out: {y: Stream(u8)}\n    state: {" +
           states + "}\n    step:\n" + step;
}

Command validate(const Scratch& scratch, const std::string& text) {
    scratch.write("n.yaml", text);
    return Command{"validate " + scratch.path("n.yaml") + " --orders 1 --stalls 5 --cycles 400"};
}

const char* const use_part = "  middle: {use: part, in: {x: x}, out: {y: y}}\n";

} // namespace

TEST_CASE("actors, and components that keep what they have, rely on no cycle") {
    const Scratch scratch;
    const Command actor =
        validate(scratch, network("  middle:\n    in: {x: x}\n    out: {y: y}\n"
                                  "    state: {sum: u8}\n    step:\n      sum: sum + x\n"
                                  "      y: sum + x when x[0]\n"));
    CAPTURE(actor.err);
    CHECK(actor.exit_code == 0);
    CHECK(contains(actor.out, "same         4 runs with stalls"));
    const Command kept = validate(
        scratch, network(use_part, "import: [part]\n") +
                     part_with("held: u8, full: bool",
                               "      x.ready: not full\n      y.valid: full\n"
                               "      y.data: held\n      held: x.data when x.valid and not full\n"
                               "      full: if full then not y.ready else x.valid\n"));
    CAPTURE(kept.err);
    CHECK(kept.exit_code == 0);
    for (const char* model : {"merge", "reconvergent"}) {
        const Command run{"validate " + std::string{SME_SOURCE_DIR} + "/models/" + model +
                          "/network.yaml --orders 1 --stalls 3"};
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, "runs with stalls"));
    }
}

TEST_CASE("what does not look at ready loses messages, which shows") {
    const Scratch scratch;
    const Command lossy =
        validate(scratch, network(use_part, "import: [part]\n") +
                              part_with("n: u8", "      x.ready: true\n      y.valid: x.valid\n"
                                                 "      y.data: x.data\n      n: n + 1\n"));
    CHECK(lossy.exit_code == 1);
    CHECK(contains(lossy.out, "DIFFER       with stalls, run 1 of 4: message "));
    CHECK(contains(lossy.out, " of 'y' is "));
}

TEST_CASE("an actor that reads a counter of cycles differs, and so does who asks what is there") {
    const Scratch scratch;
    const Command counter =
        validate(scratch, network("  clock: {out: now, state: {t: u8}, step: {t: t + 1, now: t}}\n"
                                  "  middle: {in: {x: x, now: now}, out: {y: y}, step: {y: now}}\n",
                                  "buses: {now: u8}\n"));
    CHECK(counter.exit_code == 1);
    CHECK(contains(counter.out, "DIFFER"));
    const Command polls =
        validate(scratch, network(use_part, "import: [part]\n") +
                              part_with("n: u8", "      x.ready: y.ready\n      y.valid: true\n"
                                                 "      y.data: if x.valid then x.data else 255\n"
                                                 "      n: n + 1\n"));
    CHECK(polls.exit_code == 1);
    CHECK(contains(polls.out, "DIFFER"));
}

TEST_CASE("what does not end any more differs") {
    // stops taking messages after three cycles without one
    const Scratch scratch;
    const Command waits = validate(
        scratch, network(use_part, "import: [part]\n") +
                     part_with("idle: u8",
                               "      x.ready: y.ready and idle < 3\n"
                               "      y.valid: x.valid and idle < 3\n      y.data: x.data\n"
                               "      idle: if idle >= 3 then 3 else if x.valid then 0 else idle + "
                               "1\n"));
    CHECK(waits.exit_code == 1);
    CHECK(contains(waits.out, "it does not end within"));
}

TEST_CASE("families, channels without places, and networks without channels") {
    const Scratch scratch;
    scratch.write(
        "n.yaml",
        "network: n\nchannels:\n  a[i < 20]: u8\n  b[i < 20]: depth 0 u8\nprocesses:\n"
        "  s[i < 20]:\n    out:\n      y: a[i]\n    state: {k: u8}\n    step:\n      y: k\n"
        "      k: k + 1\n    done: k == 9\n"
        "  m[i < 20]:\n    in:\n      x: a[i]\n    out:\n      y: b[i]\n"
        "    step:\n      y: x + 1\n"
        "  t[i < 20]:\n    in:\n      x: b[i]\n    state: {sum: u8}\n"
        "    step:\n      sum: sum + x\n"
        "run: {cycles: 100}\n");
    const Command family{"validate " + scratch.path("n.yaml") + " --orders 1 --stalls 9"};
    CAPTURE(family.err);
    CHECK(family.exit_code == 0);
    CHECK(contains(family.out, "200 messages on 20 channels"));
    const Command none{"validate " + std::string{SME_SOURCE_DIR} +
                       "/models/running_sum/network.yaml --orders 1 --stalls 9"};
    CHECK(none.exit_code == 2);
    CHECK(contains(none.err, "no channels"));
}
