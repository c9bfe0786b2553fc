// SPDX-License-Identifier: Apache-2.0
//
// Tests the files that --report writes, and their content.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "base/test/scratch.hpp"
#include "cli/test/command.hpp"
#include "cli/test/running.hpp"
#include "report/report.hpp"

namespace {

using namespace sme::test;
using Json = nlohmann::json;

/// True if the page has been built.
bool is_built() {
    const std::string problem = text_of(SME_BINARY_DIR "/sim/report/page.txt");
    if (!problem.empty())
        MESSAGE("skipped: " << problem);
    return problem.empty();
}

/// The data of a complete report.
Json data_of(const std::string& path) {
    const std::string text = text_of(path);
    CHECK(text.starts_with("<!doctype html>"));
    CHECK(text.ends_with("</html>\n"));
    const std::string begin = "id=\"sme-report\">";
    const std::size_t at = text.find(begin);
    REQUIRE(at != std::string::npos);
    const std::size_t from = at + begin.size();
    return Json::parse(text.substr(from, text.find("</script>", from) - from));
}

constexpr const char* counters = R"(network: counters
buses:
  count[200]: u16
  even: bool
processes:
  p[k < 200]:
    out: count[k]
    state:
      n: u16 = u16(k)
    step:
      n: n + 1
      count: n + 1
  q:
    in:
      x: count[3]
    out: even
    step:
      even: x % 2 == 0
checks:
  - always: count[7] != 30 and past(even) == past(even)
)";

/// The names of the signals of the first check.
std::vector<std::string> signals_of_check(const Json& data) {
    std::vector<std::string> names;
    for (const std::size_t signal : data["checks"][0]["signals"])
        names.push_back(data["waves"]["signals"][signal]["name"]);
    return names;
}

} // namespace

TEST_CASE("a report of a failed run is whole, and its check knows what it looks at") {
    if (!is_built())
        return;
    const Scratch folder;
    folder.write("net.yaml", counters);
    const Command run = sme_in(folder, "run net.yaml --cycles 100 --report r.html --seed 7");
    CHECK(run.exit_code == 1);
    const Json data = data_of(folder.path("r.html"));
    CHECK(data["command"] == "sme run net.yaml --cycles 100 --report r.html --seed 7");
    CHECK(data["ok"] == false);
    CHECK(data["ending"] == "check-failed");
    CHECK(data["checks"][0]["cycle"] == 23); // count[7] is 7 + t
    CHECK(data["waves"]["to"] == 25);        // cycles 0 to 23, and the next
    CHECK(signals_of_check(data) == std::vector<std::string>{"count[7]", "even"});
    CHECK_FALSE(std::filesystem::exists(folder.path("r.html.part")));
}

TEST_CASE("a report has the states that are arrays of few words, and names the others") {
    if (!is_built())
        return;
    const Scratch folder;
    folder.write("net.yaml", R"(network: n
buses: {x: u8}
processes:
  p:
    out: x
    state: {one: u2, four: u2[4], many: u8[100]}
    step:
      x: x + 1
      one: one + 1
      four[k < 4]: four[k] + one
      many[x]: x
)");
    const Command run = sme_in(folder, "run net.yaml --cycles 5 --report r.html");
    const auto names = [&] {
        std::string found;
        const Json data = data_of(folder.path("r.html"));
        for (const Json& signal : data["waves"]["signals"])
            found += std::string{signal["name"]} + " ";
        return found;
    };
    CHECK(names() == "x p.one p.four[0] p.four[1] p.four[2] p.four[3] ");
    CHECK_MESSAGE(contains(run.err, "leaves out memories: 'p.many' (100 words)"), run.err);
    CHECK(sme_in(folder, "run net.yaml --cycles 5 --report r.html --trace-memory 'p.many[3]'")
              .exit_code == 0);
    CHECK(names() == "x p.one p.many[3] ");
}

TEST_CASE("a report takes the place of another one, but of no other file without --force") {
    if (!is_built())
        return;
    const Scratch folder;
    folder.write("net.yaml", counters);
    folder.write("mine.html", "<html>mine</html>\n");
    const Command refused = sme_in(folder, "run net.yaml --cycles 9 --report mine.html");
    CHECK(refused.exit_code == 2);
    CHECK_MESSAGE(contains(refused.err, "[not-overwritten]"), refused.err);
    CHECK(text_of(folder.path("mine.html")) == "<html>mine</html>\n");
    CHECK(sme_in(folder, "run net.yaml --cycles 9 --report mine.html --force").exit_code == 0);
    CHECK(sme_in(folder, "run net.yaml --cycles 8 --report mine.html").exit_code == 0);
    CHECK(data_of(folder.path("mine.html"))["waves"]["to"] == 9);
    CHECK(sme_in(folder, "run net.yaml --cycles 8 --report net.yaml --force").exit_code == 2);
}

TEST_CASE("the graph of a report is that of --graph") {
    if (!is_built())
        return;
    const Scratch folder;
    folder.copy(SME_SOURCE_DIR "/models/reconvergent");
    CHECK(sme_in(folder, "run network.yaml --report r.html").exit_code == 0);
    CHECK(sme_in(folder, "run network.yaml --graph g.dot").exit_code == 0);
    CHECK(data_of(folder.path("r.html"))["graph"]["dot"] == text_of(folder.path("g.dot")));
}

TEST_CASE("coverage begins with the user's file, and counts no file of the library") {
    if (!is_built())
        return;
    const Scratch folder;
    folder.copy(SME_SOURCE_DIR "/models/reconvergent");
    CHECK(sme_in(folder, "run network.yaml --report r.html").exit_code == 0);
    const auto coverage = data_of(folder.path("r.html"))["coverage"];
    REQUIRE(coverage["files"].size() == 2);
    CHECK(coverage["files"][0]["file"] == "network.yaml");
    CHECK(coverage["totals"]["lines"]["found"] == coverage["files"][0]["lines"].size());
}

TEST_CASE("a run without a clock has no report") {
    const Scratch folder;
    folder.copy(SME_SOURCE_DIR "/models/reconvergent");
    const Command run = sme_in(folder, "run network.yaml --untimed --report r.html");
    CHECK(run.exit_code == 2);
    CHECK_MESSAGE(contains(run.err, "'--report' is for a run with a clock"), run.err);
}

TEST_CASE("a run with a checkpoint names what its report lacks") {
    if (!is_built())
        return;
    const Scratch folder;
    folder.write("net.yaml", counters);
    const std::string run = "run net.yaml --cycles 20 --checkpoint-every 10 c.ckpt --report r.html";
    const Command without = sme_in(folder, run);
    CHECK_MESSAGE(contains(without.err, "note: 'r.html' leaves out coverage"), without.err);
    CHECK(data_of(folder.path("r.html"))["coverage"].is_null());
    CHECK(sme_in(folder, run + " --coverage c.json").err.find("coverage") == std::string::npos);
    CHECK(data_of(folder.path("r.html"))["coverage"]["totals"]["lines"]["found"] == 3);
}

TEST_CASE("a report that cannot be written is said") {
    if (!is_built())
        return;
    const Scratch folder;
    folder.write("net.yaml", counters);
    CHECK(sme_in(folder, "run net.yaml --cycles 9 --report no/where.html").exit_code == 4);
    const Command full = sme_in(folder, "run net.yaml --cycles 9 --report /dev/full");
    CHECK(full.exit_code == 4);
    CHECK_MESSAGE(contains(full.err, "No space left"), full.err);
    const Command none =
        sme_in(folder, "run net.yaml --cycles 9 --report r.html --trace-select nothing");
    CHECK(none.exit_code == 2);
    CHECK_FALSE(std::filesystem::exists(folder.path("r.html")));
}

TEST_CASE("an interrupted run has a report") {
    if (!is_built())
        return;
    const Scratch folder;
    std::string endless = counters;
    endless.resize(endless.find("checks:"));
    folder.write("net.yaml", endless);
    Running run{"run net.yaml --cycles 4611686018427387904 --report r.html --trace t.csv "
                "--trace-select 'count[0]'",
                folder.path()};
    REQUIRE(run.runs_until([&] { return text_of(folder.path("t.csv.part")).size() > 1000; }));
    run.signal(SIGINT);
    CHECK(run.wait() == 130);
    const Json data = data_of(folder.path("r.html"));
    CHECK(data["ending"] == "interrupted");
    CHECK(data["waves"]["signals"].size() == 1);
}

TEST_CASE("what a report leaves out is said in it and on standard error") {
    if (!is_built())
        return;
    const Scratch folder;
    std::string long_run = counters;
    long_run.resize(long_run.find("checks:"));
    folder.write("net.yaml", long_run);
    const Command run = sme_in(folder, "run net.yaml --cycles 17000 --report r.html --threads 1");
    CHECK(run.exit_code == 0);
    const Json waves = data_of(folder.path("r.html"))["waves"];
    CHECK(waves["to"] == 17001);
    CHECK(waves["from"] > 0);
    const std::string note = "the waves begin in cycle " + waves["from"].dump();
    REQUIRE(waves["notes"].size() == 1);
    CHECK(std::string{waves["notes"][0]}.starts_with(note));
    CHECK_MESSAGE(contains(run.err, "note: in 'r.html' " + note), run.err);
}

TEST_CASE("changes are written as the format says") {
    sme::trace::Changes changes{2};
    const auto add = [&](std::uint64_t cycle, std::uint64_t low, std::uint64_t high) {
        const std::uint64_t words[] = {low, high};
        changes.add(cycle, words);
    };
    add(0, 1, 0);
    add(3, 0, 1); // 2^64
    changes.add_unknown(100);
    std::string bytes;
    const auto type = sme::Type::unsigned_integer(70);
    const std::size_t written = sme::report::append_changes(changes, *type, bytes);
    CHECK(written == bytes.size());
    // 2^64 is 1 after nine groups of 7 bits: 64 = 9 * 7 + 1; 97 cycles are 2 * 97 + 1 = 195
    CHECK(bytes == std::string("\x00\x01\x06\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02\xc3\x01", 15));
    sme::trace::Changes small{1};
    const std::uint64_t minus_one[] = {~std::uint64_t{0}};
    small.add(5, minus_one);
    bytes.clear();
    sme::report::append_changes(small, *sme::Type::signed_integer(9), bytes);
    CHECK(bytes == "\x0a\xff\x03"); // 511
}

TEST_CASE("bytes are packed as other programs unpack them") {
    const Scratch folder;
    for (const std::string text : {"", "a", "ab", "abc", "abcd"})
        folder.write("packed" + std::to_string(text.size()), sme::report::deflated_base64(text));
    const Command python{"cd " + folder.path() +
                             " && python3 -c 'import base64, zlib\n"
                             "for n in range(5): print(zlib.decompress(base64.b64decode("
                             "open(f\"packed{n}\").read(), validate=True)).decode())'",
                         Command::any_program};
    CHECK_MESSAGE(python.out == "\na\nab\nabc\nabcd\n", python.err);
}
