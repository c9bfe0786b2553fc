// SPDX-License-Identifier: Apache-2.0
//
// Two ranks compare what they have loaded. Each change of a file is named, and what does not change
// the run does not count.
#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/test/scratch.hpp"
#include "engine/test/rank_threads.hpp"
#include "session/loading.hpp"
#include "session/run_digest.hpp"

using namespace sme;

namespace {

struct File {
    std::string name;
    std::string text;
};

const std::vector<File> files{{"network.yaml", R"(network: n
import: [words.yaml]
domains: {fast: 1, slow: every 4 offset 1}
parameters: {g: 3}
constants:
  c: u8 = 5
  taps: u8[] = file(taps.csv)
functions:
  twice(v): v + v
buses:
  x: u8
  drawn: u8
  steps: u8
  y: u8 = 7
  late: delay 2 u8
  hits: u8
processes:
  sum:
    in: [x, drawn, steps]
    out: y
    state:
      total: u8 = 1
      words: u8[4] = [9, 8, 7, 6]
    step:
      total: scaled(total + x) + c + taps[1] + words[u2(total)]
      words[u2(x)]: total
      y: twice(total) ^ drawn ^ steps
      print: '"total {total}" when total == 200'
      assert: total != 255 or x != 255
  count:
    domain: slow
    out: hits
    step: {hits: hits + u8(g)}
  wait:
    in: y
    out: late
    step: {late: y}
inputs:
  x: {file: x.csv, at_end: repeat}
  drawn: random
  steps: {0: 1, 5: 2}
assume:
  - drawn < limit and odd(drawn)
outputs:
  y.csv: {record: y, expect: expected.csv}
checks:
  - after 9: y != 3
clock: 10 ns
run: {cycles: 9}
)"},
                              {"words.yaml", "constants: {limit: u8 = 100}\n"
                                             "functions:\n"
                                             "  scaled(v): v * 3\n"
                                             "  odd(v): v % 2 == 1\n"},
                              {"taps.csv", "1\n2\n3\n"},
                              {"x.csv", "4\n5\n6\n"},
                              {"expected.csv", "value\n7\n"}};

/// Loads the network with one text replaced in one of the files.
void load_changed(const std::string& name, const std::string& from, const std::string& to,
                  session::RunDigest& digest, const session::LoadSettings& given = {}) {
    const test::Scratch folder;
    for (File file : files) {
        if (file.name == name) {
            const std::size_t at = file.text.find(from);
            REQUIRE(at != std::string::npos);
            file.text.replace(at, from.size(), to);
        }
        folder.write(file.name, file.text);
    }
    session::LoadSettings settings = given;
    settings.digest = &digest;
    settings.library = session::library_folder();
    Diagnostics diagnostics;
    session::Observed observed;
    const auto loaded = session::load(
        folder.path("network.yaml"), settings,
        [&](VerilogModules* modules) { return session::factories(observed, modules); },
        diagnostics);
    REQUIRE_MESSAGE(loaded.has_value(), render(diagnostics));
}

/// What the last of some ranks, which is another, finds; the others are equal. The names are
/// without places.
std::vector<std::string> differences(const session::RunDigest& first,
                                     const session::RunDigest& last, unsigned ranks = 2) {
    test::RankThreads all{ranks};
    std::vector<std::optional<session::RunDigest::Difference>> found(ranks);
    std::vector<std::thread> threads;
    for (unsigned rank = 0; rank < ranks; ++rank)
        threads.emplace_back(
            [&, rank] { found[rank] = (rank + 1 < ranks ? first : last).compare(all.rank(rank)); });
    for (std::thread& thread : threads)
        thread.join();
    for (const auto& other : found) {
        REQUIRE(other.has_value() == found[0].has_value());
        if (other)
            CHECK(other->rank == ranks - 1);
    }
    std::vector<std::string> names = found[0] ? found[0]->names : std::vector<std::string>{};
    for (std::string& name : names)
        name.resize(std::min(name.find(" ("), name.size()));
    return names;
}

std::vector<std::string> differences_of(const std::string& name, const std::string& from,
                                        const std::string& to) {
    session::RunDigest first, other;
    load_changed("", "", "", first);
    load_changed(name, from, to, other);
    return differences(first, other);
}

} // namespace

TEST_CASE("each part of a network file that shapes the run is compared, and named") {
    struct Change {
        std::string from, to;
        std::vector<std::string> names;
    };
    const std::vector<std::string> sum{"process 'sum'"};
    for (const Change& change :
         std::vector<Change>{{"twice(total) ^", "twice(total) +", sum},
                             {"c: u8 = 5", "c: u8 = 6", sum},
                             {"v + v", "v - v", sum},
                             {"g: 3", "g: 4", {"process 'count'"}},
                             {"y: u8 = 7", "y: u8 = 8", {"bus 'y'"}},
                             {"total: u8 = 1", "total: u8 = 2", {"state 'sum.total'"}},
                             {"9, 8, 7, 6", "9, 8, 7, 5", sum},
                             {"\"total {total}\"", "\"sum {total}\"", sum},
                             {"{total}\"", "{total:x}\"", sum},
                             {"total != 255", "total != 254", sum},
                             {"delay 2", "delay 3", {"bus 'late'"}},
                             {"y: u8 = 7", "y: hold u8 = 7", {"bus 'y'", "process 'sum'"}},
                             {"at_end: repeat", "at_end: hold", {"input 'x'"}},
                             {"5: 2}", "5: 3}", {"input 'steps'"}},
                             {"5: 2}", "6: 2}", {"input 'steps'"}},
                             {"after 9: y", "after 8: y", {"checks"}},
                             {"y != 3", "y != 4", {"checks"}},
                             {"every 4 offset 1",
                              "every 4 offset 2",
                              {"clock 'slow'", "clock slow", "process 'count'"}},
                             {"10 ns", "20 ns", {"the period of the clock"}},
                             {"network: n", "network: m", {"the name of the network"}}}) {
        CAPTURE(change.from);
        CAPTURE(change.to);
        CHECK(fmt::format(
                  "{}", fmt::join(differences_of("network.yaml", change.from, change.to), ", ")) ==
              fmt::format("{}", fmt::join(change.names, ", ")));
    }
    const auto renamed = differences_of("network.yaml", "  wait:", "  stay:");
    CHECK(renamed == std::vector<std::string>{"process 'stay'", "process 'wait'"});
}

TEST_CASE("the files that a network reads are compared") {
    using Names = std::vector<std::string>;
    CHECK(differences_of("words.yaml", "v * 3", "v * 5") == Names{"process 'sum'"});
    CHECK(differences_of("taps.csv", "2", "4") == Names{"process 'sum'"});
    CHECK(differences_of("x.csv", "6", "7") == Names{"input 'x'"});
    CHECK(differences_of("expected.csv", "7", "6") == Names{"output y.csv"});
    CHECK(differences_of("words.yaml", "limit: u8 = 100", "limit: u8 = 90").back() ==
          "the assumptions");
    CHECK(differences_of("words.yaml", "== 1", "== 0").back() == "the assumptions");
}

TEST_CASE("comments, places and unused names do not count") {
    CHECK(differences_of("network.yaml", "\nbuses:", "\n  unused(v): v\n# more\nbuses:").empty());
    CHECK(differences_of("network.yaml", "    step:\n      total: ", "    step:\n\n      total:  ")
              .empty());
    CHECK(differences_of("taps.csv", "1", "value\n1").empty());
}

TEST_CASE("the differing rank is found among several, and parts are named with their places") {
    session::RunDigest first, last;
    load_changed("", "", "", first);
    load_changed("network.yaml", "c: u8 = 5", "c: u8 = 6", last);
    CHECK(differences(first, last, 4) == std::vector<std::string>{"process 'sum'"});
    test::RankThreads ranks{2};
    std::thread other{[&] { static_cast<void>(last.compare(ranks.rank(1))); }};
    const auto found = first.compare(ranks.rank(0));
    other.join();
    CHECK(test::contains(found.value().names.at(0), "network.yaml:18:3)"));
}

TEST_CASE("values that are no part of a network are compared by their names") {
    session::RunDigest first, same, other, more;
    for (session::RunDigest* digest : {&first, &same, &other, &more})
        digest->add("the seed", digest == &other ? 8U : 7U);
    more.add("parameter 'g'", "4");
    CHECK(differences(first, same).empty());
    CHECK(differences(first, other) == std::vector<std::string>{"the seed"});
    CHECK(differences(first, more) == std::vector<std::string>{"parameter 'g'"});
    CHECK(differences(more, first) == std::vector<std::string>{"parameter 'g'"});
}
