// SPDX-License-Identifier: Apache-2.0
//
// Processes whose inputs and state do not change are skipped, and nothing shows it but the time.
#include <doctest/doctest.h>

#include "engine/slots/state.hpp"
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::Values;
using test::YamlRun;

YamlRun run_of(const std::string& text, Skipping skipping) {
    SimulatorOptions options;
    options.threads = 1;
    options.skipping = skipping;
    return YamlRun{text, "", {}, options};
}

/// The values of a bus must not depend on skipping. Returns how many steps were skipped.
std::uint64_t same_values(const std::string& text, const std::string& name, std::size_t cycles) {
    YamlRun skipping = run_of(text, Skipping::always), all = run_of(text, Skipping::never);
    CHECK(skipping.over(name, cycles) == all.over(name, cycles));
    CHECK(all.engine().skipped().all == 0);
    return skipping.engine().skipped().skipped;
}

} // namespace

TEST_CASE("a family rests while its inputs and its state do not change") {
    // a pulse goes along; each process runs when it comes and when it leaves
    const std::string text =
        "network: t\nbuses:\n  n: u8\n  x[k < 100]: u8\nprocesses:\n"
        "  count:\n    out: n\n    step:\n      n: n + 1\n"
        "  first:\n    in: n\n    out: {y: 'x[0]'}\n    step:\n"
        "      y: if n == 3 then u8(7) else 0\n"
        "  p[k < 99]:\n    in: {a: 'x[k]'}\n    out: {y: 'x[k + 1]'}\n    step:\n"
        "      y: a\n";
    CHECK(same_values(text, "x[99]", 110) > 95 * 99);
    CHECK(same_values(text, "x[40]", 110) > 95 * 99);
}

TEST_CASE("state, memories, wires and delays wake those that read them") {
    const std::string text =
        "network: t\nbuses:\n  n: u8\n  w: wire u8\n  d: delay 4 u8\n  y[k < 8]: hold u8\n  z: u8\n"
        "processes:\n  count:\n    out: n\n    step:\n      n: n + 1\n"
        "  slow:\n    in: n\n    out: [w, d]\n    step:\n      w: n >> 4\n      d: n >> 3\n"
        "  memory[k < 8]:\n    in: [w, d]\n    out: {y: 'y[k]'}\n    state:\n      m: u8[4]\n"
        "      c: u8\n    step:\n      if d[1:0] == u2(k):\n        m[w[1:0]]: c\n        c: c + "
        "3\n"
        "      y: m[d[1:0]] ^ w\n"
        "  last:\n    in: {ys: y}\n    out: z\n    step:\n      z: xor(k < 8, ys[k])\n";
    CHECK(same_values(text, "z", 600) > 600);
    CHECK(same_values(text, "y[3]", 600) > 600);
}

TEST_CASE("a change from outside wakes everything") {
    const std::string text = "network: t\nbuses:\n  n: u8\n  held: hold u8\n  y: u8\nprocesses:\n"
                             "  keep:\n    in: n\n    out: held\n    step:\n"
                             "      held: n when n > 100\n"
                             "  copy:\n    in: held\n    out: y\n    step:\n      y: held + 1\n"
                             "  same:\n    out: n\n    step:\n      n: n\n";
    YamlRun run = run_of(text, Skipping::always);
    CHECK(run.run(20) == RunEnd::completed);
    CHECK(run.engine().skipped().skipped > 30);
    run.poke("held", 9);
    CHECK(run.over("y", 3) == Values{1, 10, 10});
    run.poke("n", 120);
    CHECK(run.over("y", 5) == Values{10, 10, 121, 121, 121});
    const engine::Snapshot before = run.engine().snapshot();
    run.poke("held", 50);
    CHECK(run.over("y", 2) == Values{121, 51});
    run.engine().restore(before);
    CHECK(run.over("y", 3) == Values{121, 121, 121});
}
