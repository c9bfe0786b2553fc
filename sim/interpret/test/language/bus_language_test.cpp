// SPDX-License-Identifier: Apache-2.0
//
// Buses and bindings: unwritten rules, delays, wires, families of every shape, array ports.
#include "interpret/test/yaml_run.hpp"

#include <fmt/format.h>

namespace {

using namespace sme;
using test::Texts;
using test::Values;
using test::YamlRun;

/// A counter that occasionally writes a field of y, on a bus with this declaration.
std::string writer(const std::string& declaration) {
    return "network: n\ntypes:\n  P: {a: u8, b: u8}\nbuses:\n  y: " + declaration + R"(
processes:
  p:
    out: y
    state:
      t: u8 = 0
    step:
      t: t + 1
      y.a: 10 + t when t % 3 == 0
      y.b: 20 + t when t == 1
)";
}

} // namespace

TEST_CASE("a field nobody wrote is zero, or holds, each field by itself") {
    YamlRun zero{writer("P")};
    CHECK(zero.over("y.a", 6) == Values{0, 10, 0, 0, 13, 0});
    YamlRun zero_b{writer("P = P(b = 5)")};
    CHECK(zero_b.over("y.b", 5) == Values{5, 0, 21, 0, 0});
    YamlRun hold{writer("hold P = P(b = 5)")};
    CHECK(hold.over("y.a", 6) == Values{0, 10, 10, 10, 13, 13});
    YamlRun hold_b{writer("hold P = P(b = 5)")};
    CHECK(hold_b.over("y.b", 5) == Values{5, 5, 21, 21, 21});
}

TEST_CASE("reading a field of an error bus that nobody wrote is a fault, if it is used") {
    const auto reader = [](const std::string& step) {
        return writer("error P = P(a = 9)") +
               "  r:\n    in: y\n    state:\n      s: u8 = 7\n"
               "      t: u8 = 0\n    step:\n      t: t + 1\n      s: " +
               step + "\n";
    };
    YamlRun a{reader("y.a")}; // written in cycle 0, so read in 1; nothing to read in 2
    CHECK(a.run(9) == RunEnd::faulted);
    CHECK(a.engine().cycle() == 3);
    CHECK(a.faults() == Texts{"r: read-unwritten"});
    CHECK(a.engine().faults()[0].message.find("'y.a'") != std::string::npos);
    CHECK(a.at("r.s") == 10);
    YamlRun guarded{reader("if t < 2 or t == 4 then y.a elif t == 2 then y.b else 0")};
    CHECK(guarded.run(9) == RunEnd::completed);
    YamlRun wrong{reader("if t < 2 then y.a elif t == 3 then y.b else 0")};
    CHECK(wrong.run(9) == RunEnd::faulted);
    CHECK(wrong.engine().cycle() == 4);
}

TEST_CASE("a delay of n is n cycles, with the rule applied at the writer") {
    for (unsigned delay : {1u, 2u, 3u, 5u}) {
        CAPTURE(delay);
        YamlRun zero{writer(fmt::format("delay {} P = P(a = 7)", delay))};
        YamlRun hold{writer(fmt::format("delay {} hold P = P(a = 7)", delay))};
        Values zeros(delay, 7), holds(delay, 7);
        for (const std::int64_t value : {10, 0, 0, 13, 0, 0, 16})
            zeros.push_back(value);
        for (const std::int64_t value : {10, 10, 10, 13, 13, 13, 16})
            holds.push_back(value);
        CHECK(zero.over("y.a", delay + 7) == zeros);
        CHECK(hold.over("y.a", delay + 7) == holds);
    }
}

TEST_CASE("wires are read in the cycle in which they are written, in any order of processes") {
    YamlRun run{R"(
network: n
buses:
  out: u8
  b: wire u8
  a: wire u8
processes:
  last:
    in: [a, b]
    out: out
    step:
      out: a * 10 + b
  middle:
    in: a
    out: b
    step:
      b: a + 1 when a != 2
  first:
    out: a
    state:
      t: u8 = 0
    step:
      t: t + 1
      a: t
)"};
    CHECK(run.over("out", 5) == Values{0, 1, 12, 20, 34});
}

TEST_CASE("a chain of wires ripples through one family in one cycle") {
    YamlRun run{R"(
network: n
parameters:
  n: 70
buses:
  c[n + 1]: wire u16
  s[n]: u16
processes:
  head:
    out:
      first: c[0]
    state:
      t: u16 = 0
    step:
      t: t + 1
      first: t
  cell[k < n]:
    in:
      from: c[k]
    out:
      to: c[k + 1]
      sum: s[k]
    step:
      to: from + k
      sum: from
)"};
    run.run(4);
    CHECK(run.at("s[0]") == 3);
    CHECK(run.at("s[10]") == 3 + 45);
    CHECK(run.at("s[69]") == 3 + 69 * 68 / 2);
}

TEST_CASE("a wire output that needs no wire runs before one that does: ready and valid") {
    YamlRun run{R"(
network: n
buses:
  valid: wire bool
  ready: wire bool
  seen: u8
processes:
  consumer:
    in: valid
    out: [ready, seen]
    state:
      t: u8 = 0
      got: u8 = 0
    step:
      t: t + 1
      ready: t % 2 == 1
      got: got + 1 when valid and ready
      seen: got
  producer:
    in: ready
    out: valid
    state:
      n: u8 = 0
    step:
      valid: n < 3
      n: n + 1 when valid and ready
)"};
    CHECK(run.over("seen", 9) == Values{0, 0, 0, 1, 1, 2, 2, 3, 3});
    const auto errors = test::errors_of(R"(
network: n
buses:
  a: wire u8
  b: wire u8
processes:
  p:
    in: a
    out: b
    step:
      b: a + 1
  q:
    in: b
    out: a
    step:
      a: b + 1
)");
    REQUIRE(!errors.empty());
    CHECK(errors[0].starts_with("wire-loop: "));
}

TEST_CASE("a process reads its own outputs as readers see them") {
    YamlRun run{R"(
network: n
buses:
  y: u8 = 1
  w: wire u8
  v: u8
processes:
  p:
    out: [y, w, v]
    step:
      y: y * 2
      w: y + 1
      v: w + 100
  r:
    in: w
    state:
      s: u8
    step:
      s: w
)"};
    CHECK(run.over("y", 4) == Values{1, 2, 4, 8});
    CHECK(run.at("v") == 109); // y was 8 in cycle 3
}

TEST_CASE("memory is read at the start of the cycle by a part that waits for a wire") {
    YamlRun run{R"(
network: n
buses:
  go: wire u8
  w: wire u8
  z: u8
processes:
  p:
    in: go
    out: w
    state:
      m: u8[2] = 5
    step:
      m[0]: m[0] + 1
      w: m[0] + go
  first:
    out: go
    step:
      go: 100
  r:
    in: w
    out: z
    step:
      z: w
)"};
    CHECK(run.over("z", 4) == Values{0, 105, 106, 107});
}

TEST_CASE("bindings of every shape reach the buses they name") {
    struct Case {
        std::string binding;
        std::int64_t (*from)(std::int64_t k, std::int64_t n);
    };
    const Case cases[] = {
        {"k", [](auto k, auto) { return k; }},
        {"(k + 1) % n", [](auto k, auto n) { return (k + 1) % n; }},
        {"(k + n - 1) % n", [](auto k, auto n) { return (k + n - 1) % n; }},
        {"n - 1 - k", [](auto k, auto n) { return n - 1 - k; }},
        {"k / 2", [](auto k, auto) { return k / 2; }},
        {"2 * k % n", [](auto k, auto n) { return 2 * k % n; }},
        {"(k * k + 3) % n", [](auto k, auto n) { return (k * k + 3) % n; }},
        {"if k % 3 == 0 then k else n - 1", [](auto k, auto n) { return k % 3 == 0 ? k : n - 1; }},
        {"7", [](auto, auto) { return std::int64_t{7}; }},
        {"min(k + 5, n - 1)", [](auto k, auto n) { return std::min(k + 5, n - 1); }},
    };
    for (const Case& one : cases)
        for (const std::int64_t n : {8, 13, 300}) {
            CAPTURE(one.binding);
            CAPTURE(n);
            YamlRun run{fmt::format(R"(
network: n
parameters:
  n: {}
buses:
  x[k < n]: hold u32 = 1000 + k
  y[n]: u32
processes:
  feed[k < n]:
    out:
      v: x[k]
    step:
      v: v + 1
  p[k < n]:
    in:
      v: x[{}]
    out:
      r: y[n - 1 - k]
    step:
      r: v * 2
)",
                                    n, one.binding)};
            run.run();
            bool equal = true;
            const BusFamily& y = run.graph().buses[1];
            REQUIRE(y.name == "y");
            for (std::int64_t k = 0; k < n; ++k)
                equal =
                    equal && test::scalar_at(run.engine().access().value(
                                                 y.first + static_cast<std::uint64_t>(n - 1 - k)),
                                             *y.type) == 2 * (1000 + one.from(k, n));
            CHECK(equal);
        }
}

TEST_CASE("families of two dimensions with lower bounds bind by each index") {
    YamlRun run{R"(
network: n
parameters:
  w: 5
  h: 4
buses:
  g[2 <= x < 2 + w, y < h]: hold u16 = 100 * x + y
  r[w, 1 <= j < h + 1]: u16
processes:
  keep[2 <= x < 2 + w, y < h]:
    out:
      v: g[x, y]
    step: {}
  p[i < w, 1 <= j < h + 1]:
    in:
      v: g[2 + (i + 1) % w, h - j]
    out:
      o: r[i, j]
    step:
      o: v
)"};
    run.run();
    for (int i = 0; i < 5; ++i)
        for (int j = 1; j < 5; ++j)
            CHECK(run.at(fmt::format("r[{}, {}]", i, j)) == 100 * (2 + (i + 1) % 5) + 4 - j);
}

TEST_CASE("a row of a family binds to a port") {
    YamlRun run{R"(
network: rows
buses:
  sent[2, 1 <= d < 4]: u8
  seen[2]: u8
  deep[2, 2, 3]: wire u16
processes:
  source[s < 2]:
    out: {row: "sent[s]"}
    step: {"row[1 <= k < 4]": u8(s) * 10 + u8(k)}
  reader[s < 2]:
    in: {row: "sent[1 - s]"}
    out: {y: "seen[s]"}
    step: {y: "row[1] + row[3]"}
  fill[a < 2]:
    out: {o: "deep[a]"}
    step: {"o[i < 2, j < 3]": u16(a) * 100 + u16(i) * 10 + u16(j)}
)"};
    run.run(4);
    CHECK(run.at("seen[0]") == 24);
    CHECK(run.at("seen[1]") == 4);
    CHECK(run.at("deep[1, 1, 2]") == 112);
}

TEST_CASE("array ports are bound by expression or to a whole family, and indexed dynamically") {
    YamlRun run{R"(
network: n
buses:
  a[3, 2]: hold u8
  b[k < 4]: hold u8 = k * k
  s: u16
  t: u8
processes:
  fill[i < 3, j < 2]:
    out:
      me: a[i, j]
    step:
      me: 10 * i + j
  squares[k < 4]:
    out:
      me: b[k]
    step: {}
  reader:
    in:
      some[k < 3]: a[2 - k, 1]
      b: b
      a: a
    out: [s, t]
    state:
      n: u2 = 0
    step:
      n: n + 1
      s: 1000 * u16(some[0]) + u16(sum(i < 3, j < 2, a[i, j]))
      t: b[n]
)"};
    run.run(2);
    CHECK(run.at("s") == 21063); // some[0] is a[2, 1]; the sum is 0+1+10+11+20+21
    CHECK(run.over("t", 4) == Values{1, 4, 9, 0});
    YamlRun out{R"(
network: n
buses:
  y[1 <= k < 5]: u8
processes:
  p:
    out: y
    state:
      n: u2 = 0
    step:
      n: n + 1
      y[u3(n) + 1]: 7
)"};
    out.run();
    CHECK(Values{out.at("y[1]"), out.at("y[2]")} == Values{7, 0});
    out.run(3);
    CHECK(Values{out.at("y[1]"), out.at("y[4]")} == Values{0, 7});
}

TEST_CASE("a binding outside its family, two writers and no writer are errors that name both") {
    const auto first = [](const std::string& binding, const std::string& extra = "") {
        const auto errors =
            test::errors_of("network: n\nbuses:\n  x[4]: u8\n  y[4]: u8\nprocesses:\n"
                            "  p[k < 4]:\n    in:\n      v: x[k]\n    out:\n"
                            "      o: y[" +
                            binding + "]\n    step:\n      o: v\n" + extra);
        return errors.empty() ? std::string{} : errors[0];
    };
    CHECK(first("k + 1").starts_with("index-outside: "));
    const std::string feeds = "  q[k < 4]:\n    out:\n      o: x[k]\n    step:\n      o: 1\n";
    CHECK(first("k", feeds).empty());
    CHECK(first("k / 2", feeds).starts_with("two-writers: "));
    CHECK(first("k").starts_with("no-writer: "));
}
