// SPDX-License-Identifier: Apache-2.0
//
// Tests "sme graph" with Graphviz as the reader.
#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "../command.hpp"
#include "../model_copies.hpp"
#include "../rows.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::model;
using sme::test::Scratch;
using sme::test::text_of;

/// Counts the lines of "dot -Tplain" that start with "node" and "edge". Without dot, reports that
/// and returns `nullopt`.
std::optional<std::pair<int, int>> counted_by_graphviz(const std::string& file) {
    const Command dot{"dot -Tplain '" + file + "'", Command::any_program};
    if (dot.exit_code == 127) {
        MESSAGE("skipped: no Graphviz");
        return std::nullopt;
    }
    CHECK(dot.exit_code == 0);
    CHECK(dot.err == "");
    std::istringstream lines{dot.out};
    std::pair<int, int> counts{0, 0};
    for (std::string line; std::getline(lines, line);) {
        counts.first += line.starts_with("node ") ? 1 : 0;
        counts.second += line.starts_with("edge ") ? 1 : 0;
    }
    return counts;
}

/// Counts from a CSV trace how many members of a bus or a family changed from row to row, or in how
/// many rows but the last a member of a stream was valid and ready.
std::uint64_t counted_in_trace(const std::vector<std::vector<std::string>>& rows,
                               const std::string& folded, bool items) {
    const std::string name = folded.substr(0, folded.find('['));
    const std::regex member{name + R"((\[[^\]]*\])?(\..*)?)"};
    std::map<std::string, std::map<std::string, std::size_t>> columns; // member → part → column
    std::smatch parts;
    for (std::size_t k = 1; k < rows[0].size(); ++k)
        if (std::regex_match(rows[0][k], parts, member))
            columns[parts[1]][parts[2]] = k;
    std::uint64_t count = 0;
    for (const auto& [index, own] : columns)
        for (std::size_t row = 1; row + 1 < rows.size(); ++row)
            if (items)
                count += rows[row][own.at(".valid")] == "1" && rows[row][own.at(".ready")] == "1";
            else
                count += std::any_of(own.begin(), own.end(), [&](const auto& part) {
                    return rows[row][part.second] != rows[row + 1][part.second];
                });
    return count;
}

} // namespace

TEST_CASE("after a run each bus has the activity that a trace has") {
    const Scratch scratch;
    std::set<std::string> kinds;
    for (const char* name : {"running_sum", "reconvergent", "traffic", "life", "uart"}) {
        CAPTURE(name);
        const Command run{"run " + model(name) + " --graph " + scratch.path("g.dot") + " --trace " +
                          scratch.path("t.csv") + " --force"};
        REQUIRE(run.exit_code == 0);
        auto rows = sme::test::rows_of(text_of(scratch.path("t.csv")));
        rows.pop_back(); // after the final line end
        const std::string dot = text_of(scratch.path("g.dot"));
        CHECK(contains(dot, "of " + std::to_string(rows.size() - 2) + " cycles"));
        const std::regex use{R"re(["\s]([^":;]+): (\d+) (change|item)s?, at most (\d+))re"};
        int buses = 0;
        for (std::sregex_iterator at{dot.begin(), dot.end(), use}, end; at != end; ++at, ++buses) {
            const std::string bus = (*at)[1];
            CAPTURE(bus);
            CHECK(std::stoull((*at)[2]) == counted_in_trace(rows, bus, (*at)[3] == "item"));
            CHECK(std::stoull((*at)[2]) <= std::stoull((*at)[4]));
            kinds.insert((*at)[3]);
        }
        CHECK(buses >= 2);
    }
    CHECK(kinds.size() == 2);
}

TEST_CASE("activity is the same for every engine and number of threads") {
    const Scratch scratch;
    for (const char* name : {"ring", "reconvergent"}) {
        CAPTURE(name);
        std::set<std::string> drawn;
        for (const char* options :
             {"--threads 1 --engine interpreted", "--threads 2 --queue atomic",
              "--threads 1 --engine native", "--threads 2 --engine native"}) {
            CAPTURE(options);
            const Command run{"run " + model(name) + " --cycles 300 --graph " +
                              scratch.path("g.dot") + " " + options};
            REQUIRE(run.exit_code == 0);
            drawn.insert(text_of(scratch.path("g.dot")));
        }
        CHECK(drawn.size() == 1);
        CHECK(contains(*drawn.begin(), "cycles<br/>a bus changed"));
    }
}

TEST_CASE("a run that is interrupted is drawn as far as it came") {
    if (Command{"command -v dot", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: no Graphviz");
        return;
    }
    const Scratch scratch;
    const Command run = sme::test::run_in(
        scratch,
        "{ " SME_COMMAND " run " + model("ring") +
            " --cycles 4611686018427387904 --graph g.svg & pid=$!; "
            "while ! [ -e g.svg.part ]; do sleep 0.02; done; kill -INT $pid; wait $pid; }");
    CHECK(run.exit_code == 130);
    const std::string svg = text_of(scratch.path("g.svg"));
    CHECK(contains(svg, "thickness and %"));
    CHECK(svg.ends_with("</svg>\n"));
}

TEST_CASE("the graph of a run is refused in the words of 'sme graph'") {
    const Scratch scratch;
    const Command other{"run " + model("ring") + " --graph g.png"};
    CHECK(other.exit_code == 2);
    CHECK(contains(other.err, "FILE.dot or FILE.svg"));
    CHECK(contains(Command{"run " + model("reconvergent") + " --untimed --graph g.dot"}.err,
                   "'--graph' is for a run with a clock"));
    CHECK(Command{"run " + model("ring") + " --graph " + scratch.path("none/g.dot")}.exit_code ==
          4);
    CHECK(scratch.files().empty());
    scratch.write("kept.dot", "mine");
    CHECK(Command{"run " + model("ring") + " --graph " + scratch.path("kept.dot")}.exit_code == 2);
    CHECK(text_of(scratch.path("kept.dot")) == "mine");
}

TEST_CASE("Graphviz finds the nodes and edges that a model has") {
    // counted by hand from the networks: processes, files, branching points of buses, labels of
    // edges from a node to itself, and checks with a bus of their own
    const std::map<std::string, std::pair<int, int>> expected{{"ring", {2, 2}},
                                                              {"life", {3, 3}},
                                                              {"ripple", {6, 7}},
                                                              {"fir", {3, 2}},
                                                              {"running_sum", {3, 2}}};
    const Scratch scratch;
    for (const auto& each : expected) {
        const std::string& name = each.first;
        CAPTURE(name);
        const Command graph{"graph " + model(name) + " -o " + scratch.path(name + ".dot")};
        CHECK(graph.exit_code == 0);
        CHECK(graph.out == "");
        const auto found = counted_by_graphviz(scratch.path(name + ".dot"));
        if (!found)
            return;
        CHECK(found->first == each.second.first);
        CHECK(found->second == each.second.second);
    }
}

TEST_CASE("checks are named on request") {
    const Command plain{"graph " + model("running_sum")};
    CHECK_FALSE(contains(plain.out, "checks"));
    const Command all{"graph " + model("running_sum") + " --checks"};
    CHECK(contains(all.out, "n1 [label=\"accumulator\\nseen by checks\"];\n"));
}

TEST_CASE("a stream is one edge") {
    const Command graph{"graph " + model("uart")};
    CHECK_FALSE(contains(graph.out, "ready"));
    CHECK(contains(graph.out, "[label=\"heard: Stream(u8)\", style=dashed, dir=both, "
                              "arrowtail=onormal];\n"));
}

TEST_CASE("a channel is one node, and its ends are edges with its name") {
    const Command graph{"graph " + model("reconvergent")};
    for (const char* const name : {"samples", "to_peak", "held", "peaks", "levelled"})
        CHECK(contains(graph.out, std::string{" [label=\""} + name + "\", shape=box, "));
    for (const char* const inside : {"queue", "feed", "record", ".in", ".file", "closed"})
        CHECK_FALSE(contains(graph.out, inside));
    CHECK(contains(graph.out, "[label=\"held: Stream(i16)\", style=dashed"));
    const Command family{"graph " + model("token_ring")};
    CHECK(contains(family.out, "[label=\"link[0..63]\\n64 channels\", shape=box3d"));
    CHECK_FALSE(contains(family.out, "closed"));
}

TEST_CASE("Graphviz draws every model that there is") {
    int models = 0;
    for (const auto& folder : std::filesystem::directory_iterator{SME_SOURCE_DIR "/models"}) {
        const std::string network = folder.path().string() + "/network.yaml";
        if (Command{"check " + network}.exit_code != 0)
            continue; // not a model, or a model with errors that other tests cover
        ++models;
        CAPTURE(network);
        const Scratch scratch;
        const Command graph{"graph " + network + " --output " + scratch.path("g.svg")};
        if (graph.exit_code == 3) {
            MESSAGE("skipped: no Graphviz");
            return;
        }
        CHECK(graph.exit_code == 0);
        const std::string svg = text_of(scratch.path("g.svg"));
        CHECK(contains(svg, "<svg "));
        CHECK(svg.ends_with("</svg>\n"));
        CHECK(contains(svg, "<style>.edge text{paint-order:stroke;"));
        CHECK(scratch.files().size() == 1);
        const Command again{"graph " + network};
        scratch.write("g.dot", again.out);
        const auto found = counted_by_graphviz(scratch.path("g.dot"));
        REQUIRE(found.has_value());
        CHECK(found->first > 0);
        CHECK(found->first < 60); // fits a page
    }
    CHECK(models >= 5);
}

TEST_CASE("a family of any size is one node") {
    const Command small{"graph " + model("ring") + " --set nodes=7"};
    const Command large{"graph " + model("ring") + " --set nodes=1000000"};
    CHECK(contains(small.out, "node[0..6]\\n7 processes"));
    CHECK(contains(large.out, "node[0..999999]\\n1000000 processes"));
    CHECK(large.out.size() < 1200);
}

TEST_CASE("without Graphviz there is still DOT, and a sentence about SVG") {
    const Scratch scratch;
    const std::string line = "env PATH=" + scratch.path("") + " " SME_COMMAND " graph " +
                             model("ring") + " -o " + scratch.path("g");
    const Command svg{line + ".svg", Command::any_program};
    CHECK(svg.exit_code == 3);
    CHECK(contains(svg.err, "apt-get install graphviz"));
    CHECK(contains(svg.err, "FILE.dot"));
    CHECK(scratch.files().empty());
    CHECK(Command{line + ".dot", Command::any_program}.exit_code == 0);
    scratch.write("dot", "#!/bin/sh\necho drawing; exit 7\n");
    std::filesystem::permissions(scratch.path("dot"), std::filesystem::perms::owner_all);
    const Command failing{line + ".svg", Command::any_program};
    CHECK(failing.exit_code == 3);
    CHECK(contains(failing.err, "/dot' ended with 7"));
    CHECK_FALSE(std::filesystem::exists(scratch.path("g.svg")));
}

TEST_CASE("what cannot be drawn or written is said") {
    const Scratch scratch;
    const Command other{"graph " + model("ring") + " -o g.png"};
    CHECK(other.exit_code == 2);
    CHECK(contains(other.err, "FILE.dot or FILE.svg"));
    CHECK(Command{"graph " + scratch.path("none.yaml")}.exit_code == 2);
    CHECK(Command{"graph"}.exit_code == 2);
    CHECK(contains(Command{"graph x --cycles 3"}.err, "--cycles"));
    CHECK(Command{"graph " + model("ring") + " -o " + scratch.path("none/g.dot")}.exit_code == 4);
    const Command full{"graph " + model("ring") + " >/dev/full"};
    CHECK(full.exit_code == 4);
    CHECK(contains(Command{"graph --help"}.out, "--output"));
    CHECK(contains(Command{"--help"}.out, "graph "));
}

TEST_CASE("a network with errors is not drawn") {
    const Scratch scratch;
    scratch.write("n.yaml", "network: n\nbuses: {x: u8}\nprocesses:\n  p: {in: y}\n");
    const Command graph{"graph " + scratch.path("n.yaml")};
    CHECK(graph.exit_code == 2);
    CHECK(graph.out == "");
}

TEST_CASE("a picture of a sequence has its items, its decisions and their conditions") {
    const std::string network =
        std::string{SME_SOURCE_DIR} + "/models/tutorial/9_sequences/network.yaml";
    const Command drawn{"graph " + network + " --states reader"};
    CHECK(drawn.exit_code == 0);
    CHECK(contains(drawn.out, "n0 [label=\"wait_start\"]"));
    CHECK(contains(drawn.out, "[label=\"if_sum\", shape=diamond"));
    CHECK(contains(drawn.out, "[label=\"after 12 cycles and try == 2\"]"));
    CHECK(contains(drawn.out, "[label=\"sum == ~value\"]"));
    const Command refused{"graph " + network + " --states raeder"};
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "did you mean 'reader'?"));
}
