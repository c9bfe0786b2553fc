// SPDX-License-Identifier: Apache-2.0
//
// Components, imports, bundles and families with dropped members, run by the interpreter.
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "interpret/test/yaml_run.hpp"

using sme::test::YamlRun;

namespace {

/// A folder with files that a network imports.
class Files {
public:
    Files() : path_{std::filesystem::temp_directory_path() / "sme-component-test"} {
        std::filesystem::create_directories(path_);
        add("stream.yaml", R"(
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
constants:
  seven: u8 = 7
)");
        add("fifo.yaml", R"(
component: fifo
import: [stream.yaml]
parameters:
  depth: 4
  T: type = u8
types:
  Place: u(clog2(depth))
in:
  x: Stream(T)
out:
  y: Stream(T)
state:
  mem: T[depth]
  head: Place
  tail: Place
  count: u8
let:
  push: x.valid and x.ready
  pop: y.valid and y.ready
step:
  x.ready: count != u8(depth)
  y.valid: count != 0
  y.data: mem[head]
  mem[tail]: x.data when push
  tail: (if tail == depth - 1 then 0 else tail + 1) when push
  head: (if head == depth - 1 then 0 else head + 1) when pop
  count:
    - count + 1 when push and not pop
    - count - 1 when pop and not push
checks:
  - always: count <= depth
  - cover: push and pop
)");
        add("add.yaml", R"(
component: add
parameters:
  T: type = u8
in:
  a: T
  b: T
out:
  sum: T
step:
  sum: a + b
)");
        add("twice.yaml", R"(
component: twice
import: [add.yaml]
parameters:
  by: 1
in:
  x: u8
out:
  y: u8
buses:
  middle: u8
processes:
  first:
    use: add
    in: {a: x, b: by}
    out: {sum: middle}
  second:
    use: add
    in: {a: middle, b: by}
    out: {sum: y}
checks:
  - always: middle == 0 or middle > 0
)");
    }
    ~Files() { std::filesystem::remove_all(path_); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;

    void add(const std::string& name, const std::string& text) const {
        std::ofstream{path_ / name} << text;
    }
    std::string folder() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

} // namespace

TEST_CASE("a component of processes is loaded into the network around it, names and all") {
    const Files files;
    YamlRun run{R"(
network: n
import: [twice.yaml]
buses:
  a: u8
  b: u8
processes:
  source:
    out: a
    step:
      a: 10
  plus:
    use: twice
    with: {by: 3}
    in: {x: a}
    out: {y: b}
checks:
  - at 2: plus.middle == 13
  - at 3: b == 16
)",
                files.folder()};
    run.run(4);
    CHECK(run.at("plus.middle") == 13);
    CHECK(run.at("b") == 16); // 10 + 3 + 3
    CHECK(run.verdicts()[0].kind == sme::CheckResult::Kind::passed);
    CHECK(run.verdicts()[1].kind == sme::CheckResult::Kind::passed);
}

TEST_CASE("a family of components is a family of everything in it") {
    const Files files;
    YamlRun run{R"(
network: n
import: [twice.yaml]
buses:
  a[5]: u8
processes:
  source:
    out: {first: "a[0]"}
    step:
      first: first + 1
  stage[k < 4]:
    use: twice
    in: {x: "a[k]"}
    out: {y: "a[k + 1]"}
checks:
  - at 20: stage[2].middle + 1 == a[3]
)",
                files.folder()};
    run.run(20);
    // a[0] counts cycles; each stage takes two cycles and adds two
    CHECK(run.at("a[0]") == 20);
    CHECK(run.at("a[1]") == 20);
    CHECK(run.at("a[4]") == 20);
    CHECK(run.at("stage[3].middle") == 20);
    CHECK(run.graph().processes.size() == 3 + 1); // source, first, second, checks
}

TEST_CASE("values for inputs may differ along a family") {
    const Files files;
    YamlRun run{R"(
network: n
import: [add.yaml]
buses:
  y[4]: u16
processes:
  p[k < 4]:
    use: add
    with: {T: u16}
    in: {a: "y[k]", b: 100 * k}
    out: {sum: "y[k]"}
)",
                files.folder()};
    run.run(3);
    CHECK(run.at("y[0]") == 0);
    CHECK(run.at("y[1]") == 300);
    CHECK(run.at("y[3]") == 900);
}

TEST_CASE("valid and ready run both ways through a fifo, at any pace of its ends") {
    const Files files;
    YamlRun run{R"(
network: n
import: [stream.yaml, fifo.yaml]
buses:
  a: Stream(u16)
  b: Stream(u16)
processes:
  producer:
    out: a
    state:
      time: u4
      value: u16
    step:
      time: time + 1 when a.ready or time >= 6
      value: value + 1 when a.valid and a.ready
      a.valid: time < 6
      a.data: value
  buffer:
    use: fifo
    with: {depth: 4, T: u16}
    in: {x: a}
    out: {y: b}
  consumer:
    in: b
    state:
      phase: u2
      expected: u16
    step:
      phase: if phase == 2 then 0 else phase + 1
      b.ready: phase == 0
      expected: expected + 1 when b.valid and b.ready
checks:
  - always: b.valid and b.ready implies b.data == consumer.expected
  - cover: not a.ready
  - always: buffer.count <= 4
)",
                files.folder()};
    run.run(301);
    CHECK(run.at("consumer.expected") > 90); // the consumer accepts a value in one cycle in three
    for (std::size_t check = 0; check < 4; ++check)
        CHECK(run.verdicts()[check].kind == sme::CheckResult::Kind::passed);
    CHECK(run.design().checks->checks[3].owner == "buffer");
}

TEST_CASE("a stream is fed a row at each transfer; 'at_end: halt' ends the run with the last") {
    const Files files;
    files.add("rows.csv", "data\n5\n6\n9\n");
    YamlRun run{R"(
network: n
import: [stream.yaml]
buses:
  a: Stream(u8)
processes:
  taker:
    in: a
    state:
      turn: bool
      sum: u8
    step:
      turn: not turn
      a.ready: turn
      sum: sum + a.data + seven when a.valid and a.ready
inputs:
  a: {file: rows.csv, at_end: halt}
)",
                files.folder()};
    CHECK(run.run(100) == RunEnd::halted);
    CHECK(run.engine().cycle() == 6); // accepted in cycles 1, 3 and 5
    CHECK(run.at("taker.sum") == 5 + 6 + 9 + 3 * 7);
}

TEST_CASE("a family of bundles: each element has its own way back") {
    const Files files;
    YamlRun run{R"(
network: n
import: [stream.yaml]
buses:
  lane[3]: Stream(u8)
processes:
  source[k < 3]:
    out: {o: "lane[k]"}
    state:
      sent: u8
    step:
      o.valid: true
      o.data: k
      sent: sent + 1 when o.ready
  sink:
    in: lane
    state:
      turn: u2
    step:
      turn: if turn == 2 then 0 else turn + 1
      lane[turn].ready: lane[turn].valid
checks:
  - at 6: source[0].sent == 2 and source[2].sent == 2
)",
                files.folder()};
    run.run(7);
    CHECK(run.at("source[0].sent") == 3);
    CHECK(run.at("source[1].sent") == 2);
    CHECK(run.verdicts()[0].kind == sme::CheckResult::Kind::passed);
}

TEST_CASE("dropped members of a family are not there") {
    YamlRun run{R"(
network: n
buses:
  x[6]: u8
processes:
  odd[k < 6]:
    where: k % 2 == 1
    in: {before: "x[k - 1]"}
    out: {y: "x[k]"}
    state:
      seen: u8 = k
    step:
      seen: seen + before
      y: k
  even[k < 6]:
    where: k % 2 == 0
    out: {y: "x[k]"}
    step:
      y: 10 + k
checks:
  - at 3: odd[3].seen == 3 + 2 * 12
)"};
    run.run(4);
    CHECK(run.at("x[5]") == 5);
    CHECK(run.at("x[4]") == 14);
    CHECK(run.at("odd[5].seen") == 5 + 3 * 14);
    CHECK(run.verdicts()[0].kind == sme::CheckResult::Kind::passed);
}

TEST_CASE("checks of a process see its own names, in each member of a family") {
    YamlRun run{R"(
network: n
buses:
  y[3]: u8
processes:
  p[k < 3]:
    out: {out: "y[k]"}
    state:
      s: u8
    let:
      next: s + k
    step:
      s: next
      out: s
    checks:
      - always: next - s == k
      - at 2: out == s - k and s == 2 * k
)"};
    run.run(3);
    REQUIRE(run.design().checks->checks.size() == 6);
    CHECK(run.design().checks->checks[2].owner == "p[1]");
    for (std::size_t check = 0; check < 6; ++check)
        CHECK(run.verdicts()[check].kind == sme::CheckResult::Kind::passed);
}

TEST_CASE("a reader that only says when it is ready reads enough of a bundle") {
    const Files files;
    YamlRun run{R"(
network: n
import: [stream.yaml]
buses:
  a: Stream(u8)
processes:
  source:
    out: a
    state:
      sent: u8
    step:
      a.valid: true
      a.data: seven
      sent: sent + 1 when a.ready
  sink:
    in: a
    step:
      a.ready: true
)",
                files.folder()};
    run.run(3);
    CHECK(run.at("source.sent") == 3);
    CHECK(run.diagnostics.warnings() == 0);
}
