// SPDX-License-Identifier: Apache-2.0
//
// Tests --results and --junit: the outcomes of checks, for programs.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::Scratch;
using test::text_of;

namespace {

const char* const network = R"(network: results
types:
  Pair: {a: u8, b: bool}
buses:
  x: u8
  p: Pair
processes:
  node[k < 2]:
    out:
      y: last[k]
    state:
      n: u8 = 0
    step:
      n: n + 1
      y: n + u8(k)
    checks:
      - always: y < 9 + u8(k)
  pair:
    out: [x, p]
    state:
      n: u8 = 0
    step:
      n: n + 1
      x: n
      p: {a: n, b: n == 3}
outputs:
  x.csv:
    record: x
checks:
  - always: p.b then x == 77 within 4
  - always: p.b then x == 77 within 40
  - cover: "x < 5 and p.a != 200"
  - cover: x == 100
  - at 100: x == 1
  - at 100: x == 1
run: {cycles: 20}
)";

std::string with_bus() {
    std::string text = network;
    text.insert(text.find("  x: u8\n"), "  last[2]: u8\n");
    return text;
}

/// Returns the output and errors of a Python program about a file.
std::string judged(const std::string& program, const std::string& file) {
    const Scratch scratch;
    scratch.write("judge.py", program);
    const Command judge{SME_PYTHON " " + scratch.path("judge.py") + " " + file,
                        Command::any_program};
    return judge.out + judge.err;
}

bool has_judge(const char* module) {
    if (Command{std::string{SME_PYTHON " -c 'import "} + module + "'", Command::any_program}
            .exit_code == 0)
        return true;
    MESSAGE("skipped: no " << std::string{module} << " in build/venv (tools/test makes it)");
    return false;
}

} // namespace

TEST_CASE("the results of a run that fails, as JSON") {
    const Scratch scratch;
    scratch.write("n.yaml", with_bus());
    const std::string file = scratch.path("r.json");
    const Command run{"run " + scratch.path("n.yaml") + " --seed 5 --results " + file};
    CHECK(run.exit_code == 1);
    if (!has_judge("json"))
        return;
    const std::string found = judged(R"(
import json, sys
r = json.load(open(sys.argv[1]))
print(r["network"], r["parameters"], r["seed"], r["cycles"], r["ending"], len(r["faults"]))
for c in r["checks"]:
    print(c["name"], c.get("of"), c["result"], c["evaluated"], c.get("cycle"), c.get("began"),
          c.get("held"), c.get("open"), c.get("values"), c["line"], c["column"])
for o in r["outputs"]:
    print(o["name"].split("/")[-1], o["result"], o["rows"])
)",
                                     file);
    CHECK(found == R"(results {} 5 9 check-failed 0
always: p.b then x == 77 within 4 None failed 1 8 4 0 0 {'p.b': 'false', 'x': '7'} 31 13
always: p.b then x == 77 within 40 None pending 1 None None 0 1 None 32 13
cover: x < 5 and p.a != 200 None passed 10 0 None 6 None None 33 13
cover: x == 100 None not reached 10 None None 0 None None 34 12
at 100: x == 1 None not reached 0 None None None None None 35 13
at 100: x == 1 None not reached 0 None None None None None 36 13
always: y < 9 + u8(k) node[0] passed 10 None None None None None 18 17
always: y < 9 + u8(k) node[1] passed 10 None None None None None 18 17
x.csv recorded 10
)");
    CHECK(run.err.find("begun in cycle 4: 'p.b' is false, 'x' is 7 [check-failed]") !=
          run.err.npos);
}

TEST_CASE("JUnit XML is read by others: a test case each, and all that has not passed says why") {
    const Scratch scratch;
    scratch.write("n.yaml", with_bus());
    const std::string file = scratch.path("r.xml");
    CHECK(Command{"run " + scratch.path("n.yaml") + " --junit " + file}.exit_code == 1);
    if (!has_judge("junitparser"))
        return;
    const std::string found = judged(R"(
import sys
from junitparser import JUnitXml, Failure, Skipped, Error
for suite in JUnitXml.fromfile(sys.argv[1]):
    print(suite.name, suite.tests, suite.failures, suite.errors, suite.skipped)
    for case in suite:
        kinds = [(type(r).__name__, r.message.split(": ", 1)[-1][:40]) for r in case.result]
        print(case.classname, "|", case.name, "|", case._elem.get("line"), kinds)
)",
                                     file);
    CHECK(found == R"(results 10 1 0 4
results | run | 1 []
results | always: p.b then x == 77 within 4 | 31 [('Failure', "the check 'always: p.b then x == 77 with")]
results | always: p.b then x == 77 within 40 | 32 [('Skipped', '1 of 1 were open when the run ended')]
results | cover: x < 5 and p.a != 200 | 33 []
results | cover: x == 100 | 34 [('Skipped', 'not reached')]
results | at 100: x == 1 | 35 [('Skipped', 'not reached')]
results | at 100: x == 1 #2 | 36 [('Skipped', 'not reached')]
results.node[0] | always: y < 9 + u8(k) | 18 []
results.node[1] | always: y < 9 + u8(k) | 18 []
results | output )" + scratch.path("x.csv") +
                       R"( | 28 []
)");
    CHECK(text_of(file).find("n.yaml:31:13: the check") != std::string::npos);
}

TEST_CASE("a fault is an error of the run, and odd characters stay readable") {
    const Scratch scratch;
    scratch.write("n.yaml", R"(network: odd
buses:
  x: u8
processes:
  p:
    in: {now: x}
    out: x
    step:
      x: 100 / (now - 3) + 1 when now < 50
checks:
  - cover: |
      x < 4 # <&"'> "quoted" ü 🚦
      or x > 200
)");
    const std::string file = scratch.path("r.xml");
    const std::string json = scratch.path("r.json");
    const Command run{"run " + scratch.path("n.yaml") + " --cycles 9 --set x=1 || true",
                      Command::sme};
    const Command faulted{"run " + scratch.path("n.yaml") + " --cycles 9 --junit " + file +
                          " --results " + json};
    INFO(faulted.err);
    const std::string xml =
        judged("import sys, xml.etree.ElementTree as e\n"
               "for c in e.parse(sys.argv[1]).iter('testcase'):\n"
               "    print(c.get('name'), [(r.tag, r.get('type')) for r in c])\n",
               file);
    CHECK(xml.find("cover: x < 4 # <&\"'> \"quoted\" ü 🚦 or x > 200 []") != xml.npos);
    const std::string ending = judged("import sys, json\n"
                                      "print(json.load(open(sys.argv[1]))['ending'])\n",
                                      json);
    CHECK((faulted.exit_code == 0 ? ending == "completed\n" : ending == "faulted\n"));
    CHECK((xml.find("[('error', 'faulted')]") != xml.npos) == (faulted.exit_code == 1));
}

TEST_CASE("a check whose evaluation faults has neither passed nor failed, in all reports") {
    const Scratch scratch;
    scratch.write("n.yaml", R"(network: n
buses: {x: u8}
processes:
  p: {out: x, step: {x: x + 1}}
checks:
  - always: 10 / x < 20
  - always: x < 20
outputs:
  got.csv: {record: 100 / x}
run: {cycles: 6}
)");
    const Command run = test::sme_in(scratch, "run n.yaml --junit r.xml --results r.json");
    CHECK(run.exit_code == 1);
    CHECK(run.out.find("  FAULTED      always: 10 / x < 20\n") != std::string::npos);
    CHECK(run.out.find("  passed       always: x < 20 (evaluated 1 time)\n") != std::string::npos);
    CHECK(run.out.find("  FAULTED      got.csv: 0 rows came before cycle 0\n") !=
          std::string::npos);
    if (!has_judge("json"))
        return;
    CHECK(judged("import json, sys\nr = json.load(open(sys.argv[1]))\n"
                 "print([(c['result'], c['evaluated'], c.get('cycle'), c.get('values'))"
                 " for c in r['checks']], r['outputs'][0]['result'])\n",
                 scratch.path("r.json")) ==
          "[('faulted', 0, 0, {'x': '0'}), ('passed', 1, None, None)] faulted\n");
    CHECK(
        judged(
            "import sys, xml.etree.ElementTree as e\n"
            "print([[r.get('type') for r in c] for c in e.parse(sys.argv[1]).iter('testcase')])\n",
            scratch.path("r.xml")) == "[['faulted'], ['faulted'], [], ['faulted']]\n");
}

TEST_CASE("a file of results that cannot be written is said before the run, or is exit code 4") {
    const Scratch scratch;
    scratch.write("n.yaml", with_bus());
    const std::string run = "run " + scratch.path("n.yaml") + " --cycles 5 ";
    const Command none{run + "--results " + scratch.path("no/r.json")};
    CHECK(none.exit_code == 4);
    CHECK(none.out == "");
    CHECK(none.err.find("[file-unwritable]") != none.err.npos);
    const Command full{run + "--junit /dev/full"};
    CHECK(full.exit_code == 4);
    CHECK(full.err.find("No space left on device") != full.err.npos);
    // of a network that cannot be loaded, too, so that no old file stays
    scratch.write("r.xml", "<testsuites/>");
    const std::string broken = "run " + scratch.path("no.yaml") + " --junit " +
                               scratch.path("r.xml") + " --report " + scratch.path("r.html") +
                               " --results " + scratch.path("r.json");
    CHECK(Command{broken}.exit_code == 2);
    const std::string xml = text_of(scratch.path("r.xml"));
    CHECK(xml.find("errors=\"1\"") != xml.npos);
    CHECK(xml.find("no.yaml") != xml.npos);
    CHECK(text_of(scratch.path("r.html")).find("NOT LOADED") != std::string::npos);
    CHECK(text_of(scratch.path("r.json")).find("\"not-loaded\"") != std::string::npos);
    CHECK(Command{run + "--junit " + scratch.path("r.xml")}.exit_code == 0);
    CHECK(text_of(scratch.path("r.xml")).starts_with("<?xml"));
    CHECK(!std::filesystem::exists(scratch.path("r.xml.part")));
}
