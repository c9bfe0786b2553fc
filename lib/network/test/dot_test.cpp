// SPDX-License-Identifier: Apache-2.0
//
// Tests pictures of networks, all drawn by hand: folding, connections, and the text.
#include "graphs.hpp"

#include <fmt/format.h>

#include "network/checks/check.hpp"
#include "network/folded_name.hpp"
#include "network/picture/diagram.hpp"

using namespace graphs;
using sme::Diagram;
using sme::Segments;
using sme::Shape;

namespace {

Diagram drawn(const sme::Graph& graph, const sme::DiagramOptions& options = {}) {
    sme::Diagnostics diagnostics;
    const auto analysis = sme::analyse(graph, diagnostics);
    REQUIRE_MESSAGE(analysis.has_value(), sme::render(diagnostics));
    return sme::diagram_of(graph, analysis->writers, options);
}

std::string name_of(const Diagram::Node& node) {
    switch (node.role) {
    case Diagram::Role::junction: return "*";
    case Diagram::Role::nobody: return "nobody";
    default: return fmt::format("{}", fmt::join(node.path, "."));
    }
}

/// Returns "a -> b: label; label"; "a ~> b" for wires; "a <-> b" and "a <~> b" with back fields.
std::vector<std::string> edges(const Diagram& diagram) {
    std::vector<std::string> lines;
    for (const Diagram::Edge& edge : diagram.edges)
        lines.push_back(fmt::format("{} {}{} {}{}{}", name_of(diagram.nodes[edge.from]),
                                    edge.returns ? "<" : "", edge.wire ? "~>" : "->",
                                    name_of(diagram.nodes[edge.to]),
                                    edge.labels.empty() ? "" : ": ", fmt::join(edge.labels, "; ")));
    return lines;
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("names that differ in their indices only are one") {
    sme::FoldedName folded{"stage[3].fifo[1, 2]"};
    CHECK(folded.text() == "stage[3].fifo[1, 2]");
    const sme::FoldedName other{"stage[5].fifo[0, 2]"};
    CHECK(other.pattern() == folded.pattern());
    folded.add(other);
    CHECK(folded.text() == "stage[3..5].fifo[0..1, 2]");
    CHECK(folded.count() == 2);
    CHECK(folded.segments() == Lines{"stage[3..5]", "fifo[0..1, 2]"});
    CHECK(sme::FoldedName{"stage.fifo"}.pattern() != folded.pattern());
}

TEST_CASE("the indices of a family stand where its shape puts them") {
    Shape shape;
    shape.dimensions = {{0, 8, "", 5}, {1, 4, "k"}};
    CHECK(sme::FoldedName("stage.fifo", shape).text() == "stage[0..7].fifo[1..4]");
    CHECK(sme::FoldedName("stage.fifo", shape).count() == 32);
}

TEST_CASE("brackets that hold no numbers are part of a name") {
    for (const char* name : {"a[x]", "a[", "a[]", "a[1", "a[1,2]", "a]1[", "", "[", "a[1.5]"})
        CHECK(sme::FoldedName{name}.text() == name);
    CHECK(sme::FoldedName{"a\x01z"}.text() == "a?z");
}

TEST_CASE("a ring of a million is one node with one edge") {
    constexpr std::uint64_t n = 1'000'000;
    sme::Graph graph;
    graph.name = "ring";
    bus(graph, "token", n);
    Segments before;
    before.append(1, n - 1, 0);
    before.append(n - 1, 0, 1);
    process(graph, "node", n, {in("x", before), out("y", Segments::identity(n))});
    const Diagram diagram = drawn(graph);
    REQUIRE(diagram.nodes.size() == 1);
    CHECK(diagram.nodes[0].count == n);
    CHECK(edges(diagram) ==
          Lines{"node[0..999999] -> node[0..999999]: token[0..999999]: u8  [k] → [k + 1]"});
}

TEST_CASE("elements of a family join only those that write and read them") {
    sme::Graph graph;
    bus(graph, "a", 4);
    process(graph, "even", 2, {out("y", Segments::affine(2, 0, 2))});
    process(graph, "odd", 2, {out("y", Segments::affine(2, 1, 2))});
    process(graph, "reads_even", 2, {in("x", Segments::affine(2, 0, 2))});
    process(graph, "reads_3", 0, {in("x", to({3}))});
    CHECK(edges(drawn(graph)) == Lines{"even[0..1] -> reads_even[0..1]: a[0..3]: u8",
                                       "odd[0..1] -> reads_3: a[0..3]: u8"});
}

TEST_CASE("buses between the same processes share an edge, which says what is a wire") {
    sme::Graph graph;
    bus(graph, "a", 0);
    bus(graph, "b", 0, 3);
    bus(graph, "c", 0, 0);
    bus(graph, "d", 0, 1, sme::Type::array(sme::Type::boolean(), 3)).unwritten =
        sme::Unwritten::hold;
    process(graph, "p", 0, {out("a", to({0})), out("b", to({1})), out("c", to({2}))});
    graph.processes.back().ports.push_back(
        port("d", true, to({3}), sme::Type::array(sme::Type::boolean(), 3)));
    graph.processes.back().parts[0].writes.push_back({3});
    process(graph, "q", 0, {in("a", to({0})), in("b", to({1})), in("c", to({2}))});
    CHECK(edges(drawn(graph)) ==
          Lines{"p -> q: a: u8; b: delay 3 u8; c: u8  (wire)", "p -> nobody: d: hold bool[3]"});
}

TEST_CASE("fields of a bundle that run back are part of its edge") {
    sme::Graph graph;
    bus(graph, "s", 0, 0).bundle = true;
    bus(graph, "s.ready", 0, 1).reverse_field = "ready";
    process(graph, "p", 0, {out("s", to({0})), in("ready", to({1}))});
    process(graph, "q", 0, {in("s", to({0})), out("ready", to({1}))});
    CHECK(edges(drawn(graph)) == Lines{"p <~> q: s: u8"});
    CHECK(drawn(graph).edges[0].buses == Lines{"s", "s.ready"});
    // A process that only reads both: "s" forks, and the back field comes from q alone.
    process(graph, "r", 0, {in("s", to({0})), in("ready", to({1}))});
    CHECK(edges(drawn(graph)) == Lines{"p <~> *: s: u8", "* <~> q", "* ~> r"});
    // A process that reads nothing else of the bundle has its own edge.
    process(graph, "t", 0, {in("x", to({1}))});
    CHECK(edges(drawn(graph)) ==
          Lines{"p <~> *: s: u8", "* <~> q", "* ~> r", "q -> t: s.ready: u8"});
}

TEST_CASE("the other buses of a channel are part of its edge") {
    sme::Graph graph;
    graph.channels.push_back({"s", {}});
    sme::BusFamily& received = bus(graph, "s", 0, 0);
    received.bundle = true;
    received.channel = {sme::ChannelRole::received, 0};
    bus(graph, "s.closed", 0, 0).channel = {sme::ChannelRole::closed, 0};
    process(graph, "p", 0, {out("s", to({0})), out("closed", to({1}))});
    process(graph, "q", 0, {in("s", to({0})), in("closed", to({1}))});
    CHECK(edges(drawn(graph)) == Lines{"p ~> q: s: u8"});
}

TEST_CASE("fields that run back are no part of a bundle that is not one") {
    sme::Graph graph;
    bus(graph, "s", 0, 0);
    bus(graph, "s.ready", 0, 1);
    process(graph, "p", 0, {out("s", to({0})), in("ready", to({1}))});
    process(graph, "q", 0, {in("s", to({0})), out("ready", to({1}))});
    CHECK(edges(drawn(graph)) == Lines{"p ~> q: s: u8", "q -> p: s.ready: u8"});
}

TEST_CASE("a bus with several readers divides once, and buses alike divide together") {
    sme::Graph graph;
    bus(graph, "a", 0);
    bus(graph, "b", 0);
    process(graph, "p", 0, {out("a", to({0})), out("b", to({1}))});
    process(graph, "q", 0, {in("a", to({0})), in("b", to({1}))});
    process(graph, "r", 0, {in("a", to({0})), in("b", to({1}))});
    CHECK(edges(drawn(graph)) == Lines{"p -> *: a: u8; b: u8", "* -> q", "* -> r"});
}

TEST_CASE("a reader that sees several elements says how many") {
    sme::Graph graph;
    bus(graph, "a", 4);
    process(
        graph, "p", 4,
        {out("y", Segments::identity(4)), in("l", to({3, 0, 1, 2})), in("r", to({1, 2, 3, 0}))});
    CHECK(edges(drawn(graph)) == Lines{"p[0..3] -> p[0..3]: a[0..3]: u8  (2 each)"});
}

TEST_CASE("onlookers, files and the simulator's user are shown") {
    sme::Graph graph;
    bus(graph, "poked", 0).input = true;
    bus(graph, "fed", 0);
    bus(graph, "made", 0);
    process(graph, "p", 0, {in("a", to({0})), in("b", to({1})), out("y", to({2}))});
    process(graph, "input fed", 0, {out("fed", to({1}))});
    graph.processes.back().helper = true;
    graph.processes.back().file = "rows.csv";
    process(graph, "output out.csv", 0, {in("made", to({2}))});
    graph.processes.back().observer = true;
    graph.processes.back().file = "out.csv";
    process(graph, "checks", 0, {in("made", to({2})), in("fed", to({1}))});
    graph.processes.back().observer = true;
    process(graph, "the end", 0, {in("made", to({2}))}); // made by the loader
    graph.processes.back().observer = true;
    const Lines joined{"poked -> p: poked: u8", "rows.csv -> p: fed: u8", "p -> out.csv: made: u8"};
    const Diagram plain = drawn(graph);
    CHECK(edges(plain) == joined);
    CHECK(plain.nodes[3].role == Diagram::Role::hidden);
    CHECK(plain.nodes[0].seen_by.empty());
    const Diagram checked = drawn(graph, {true});
    CHECK(edges(checked) == joined);
    CHECK(checked.nodes[0].seen_by == Lines{"checks"});
    CHECK(checked.nodes[1].seen_by.empty()); // a file
    CHECK(sme::to_dot(checked).find("n0 [label=\"p\\nseen by checks\"];\n") != std::string::npos);
}

TEST_CASE("a bus that only checks read leads to them") {
    sme::Graph graph;
    bus(graph, "made", 0);
    process(graph, "p", 0, {out("y", to({0}))});
    for (const char* name : {"checks", "more"}) {
        process(graph, name, 0, {in("made", to({0}))});
        graph.processes.back().observer = true;
    }
    CHECK(edges(drawn(graph)) == Lines{"p -> checks: made: u8"});
}

TEST_CASE("a family of components is a cluster, and its inner buses lose its name") {
    sme::Graph graph;
    graph.name = "chain";
    const auto inside = [](std::uint64_t count) {
        Shape shape;
        shape.dimensions = {{0, count, "", 5}};
        return shape;
    };
    sme::BusFamily& link = bus(graph, "link", 5);
    link.delay = 0;
    bus(graph, "stage.held", 0).shape = inside(4);
    graph.buses.back().count = 4;
    process(graph, "stage.take", 0,
            {in("x", Segments::identity(4)), out("y", Segments::affine(4, 5, 1))});
    graph.processes.back().count = 4;
    graph.processes.back().shape = inside(4);
    process(graph, "stage.give", 0,
            {in("x", Segments::affine(4, 5, 1)), out("y", Segments::affine(4, 1, 1))});
    graph.processes.back().count = 4;
    graph.processes.back().shape = inside(4);
    process(graph, "source", 0, {out("y", to({0}))});
    const Diagram diagram = drawn(graph);
    CHECK(edges(diagram) ==
          Lines{"stage[0..3].give ~> stage[0..3].take: link[0..4]: u8  [k] → [k + 1]",
                "source ~> stage[0..3].take: link[0..4]: u8",
                "stage[0..3].take -> stage[0..3].give: held: u8"});
    const std::string dot = sme::to_dot(diagram);
    CHECK(dot.find("subgraph cluster_0 {\n    label=\"stage[0..3]\"") != std::string::npos);
}

TEST_CASE("whatever a name holds, the text stays whole") {
    sme::Graph graph;
    graph.name = "say \"hi\\\n";
    bus(graph, "b\xff", 0);
    process(graph, "ü\"p\\", 0, {out("y", to({0}))});
    process(graph, "q", 0, {in("x", to({0}))});
    const std::string dot = sme::to_dot(drawn(graph));
    CHECK(dot.starts_with("digraph \"say \\\"hi\\\\?\" {\n"));
    CHECK(dot.find("n0 [label=\"ü\\\"p\\\\\"];\n") != std::string::npos);
    CHECK(dot.find("n0 -> n1 [label=\"b?: u8\"];\n") != std::string::npos);
}

TEST_CASE("shares are whole only where all or nothing was active") {
    CHECK(sme::share_text(0) == "0 %");
    CHECK(sme::share_text(1) == "100 %");
    CHECK(sme::share_text(0.125) == "12.5 %");
    CHECK(sme::share_text(1e-9) == "0.1 %");
    CHECK(sme::share_text(1 - 1e-9) == "99.9 %");
    CHECK(sme::activity_text("x", {true, 1, 8}) == "x: 1 item, at most 8");
    CHECK(sme::activity_text("x", {false, 0, 8}) == "x: 0 changes, at most 8");
}

TEST_CASE("after a run an edge is as thick as its most active bus") {
    sme::Graph graph;
    graph.name = "u<s>ed";
    bus(graph, "a[0].x", 0); // two families, one fold
    bus(graph, "a[1].x", 0);
    bus(graph, "idle", 0);
    process(graph, "w", 0, {out("o", to({0})), out("p", to({1})), out("q", to({2}))});
    process(graph, "r", 0, {in("i", to({0})), in("j", to({1}))});
    process(graph, "s", 0, {in("i", to({2}))});
    sme::Activity activity;
    activity.cycles = 10;
    activity.buses = {{false, 10, 10}, {false, 5, 10}, {false, 0, 10}};
    sme::DiagramOptions options;
    options.activity = &activity;
    const Diagram diagram = drawn(graph, options);
    CHECK(edges(diagram) == Lines{"w -> r: a[0..1].x: u8  75.0 %", "w -> s: idle: u8  0 %"});
    const std::string dot = sme::to_dot(diagram);
    CHECK(dot.find("<td>u&lt;s&gt;ed</td></tr><tr><td><font point-size=\"10\">thickness and %: in "
                   "how many of 10 cycles<br/>a bus changed or a stream moved an item</font>") !=
          std::string::npos);
    CHECK(dot.find("penwidth=3.15, tooltip=\"a[0..1].x: 15 changes, at most 20\"") !=
          std::string::npos);
    CHECK(dot.find("penwidth=0.60, color=\"#a8a8a8\", tooltip=\"idle: 0 changes, at most 10\"") !=
          std::string::npos);
    CHECK(sme::to_dot(drawn(graph)).find("penwidth") == std::string::npos);
}
