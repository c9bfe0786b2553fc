// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "network/checks/check.hpp"
#include "network/checks/connections.hpp"

using namespace sme;
using namespace graphs;

namespace {

using Lines = std::vector<std::string>;

Lines errors_of(const Graph& graph) {
    Diagnostics diagnostics;
    const bool fine = analyse(graph, diagnostics).has_value();
    CHECK(fine == !diagnostics.has_errors());
    return errors(diagnostics);
}

Lines warnings_of(const Graph& graph) {
    Diagnostics diagnostics;
    analyse(graph, diagnostics);
    Lines lines;
    for (const Diagnostic& found : diagnostics.all())
        if (found.severity == Severity::warning)
            lines.push_back(found.message);
    return lines;
}

/// Returns the single error of a graph with its notes.
std::string report_of(const Graph& graph) {
    Diagnostics diagnostics;
    analyse(graph, diagnostics);
    REQUIRE(diagnostics.all().size() == 1);
    return render(diagnostics);
}

} // namespace

TEST_CASE("a ring of a billion processes is checked at once") {
    const std::uint64_t n = 1'000'000'000;
    Graph graph;
    bus(graph, "token", n);
    Segments before = Segments::affine(1, static_cast<std::int64_t>(n) - 1, 0);
    before.append(n - 1, 0, 1);
    process(graph, "node", n, {in("x", before), out("y", Segments::identity(n))});
    CHECK(errors_of(graph) == Lines{});
}

TEST_CASE("a network without a process is an error") {
    Graph graph;
    graph.name = "nothing";
    graph.declared = line(1);
    bus(graph, "a", 0);
    CHECK(errors_of(graph) == Lines{"t.cpp:1: error: network 'nothing' has no process "
                                    "[empty-network]"});
}

TEST_CASE("an observer alone does not make a network") {
    Graph graph;
    process(graph, "watcher", 0, {}).observer = true;
    CHECK(errors_of(graph).size() == 1);
}

TEST_CASE("a bus of another type than its port is named with both types and both places") {
    Graph graph;
    bus(graph, "a", 0, 1, Type::unsigned_integer(16));
    process(graph, "reader", 0, {in("x", to({0}))});
    CHECK(report_of(graph) ==
          "t.cpp:11: error: port 'x' of 'reader' is u8, but bus 'a' is u16 [port-type]\n"
          "t.cpp:100: note: 'a' is declared here\n");
}

TEST_CASE("buses of other types between those that a family reads are no error") {
    Graph graph;
    bus(graph, "a", 0);
    bus(graph, "other", 0, 1, Type::boolean());
    bus(graph, "b", 0);
    bus(graph, "fed", 0).input = true;
    bus(graph, "c", 0);
    process(graph, "writer", 3, {out("y", to({0, 2, 4}))});
    process(graph, "reader", 3, {in("x", to({4, 2, 0}))});
    CHECK(errors_of(graph) == Lines{});
}

TEST_CASE("the one misfit of a family is found wherever it stands") {
    Graph graph;
    bus(graph, "a", 3);
    bus(graph, "odd", 0, 1, Type::boolean());
    bus(graph, "b", 3);
    for (const std::int64_t stride : {1, 3, -1, -3}) {
        graph.processes.clear();
        const std::int64_t from = stride > 0 ? 3 - stride : 3 + -stride;
        process(graph, "reader", 2, {in("x", Segments::affine(2, from, stride))});
        CAPTURE(stride);
        REQUIRE(errors_of(graph).size() == 1);
        CHECK(errors_of(graph)[0].find("bus 'odd' is bool [port-type]") != std::string::npos);
    }
}

TEST_CASE("a port that says wire must be bound to a wire") {
    Graph graph;
    bus(graph, "slow", 0, 3);
    process(graph, "reader", 0, {in("x", to({0}))}).ports[0].wants_wire = true;
    CHECK(report_of(graph) == "t.cpp:11: error: port 'x' of 'reader' is a wire, but bus 'slow' is "
                              "a register of delay 3; declare the bus 'wire' [port-wire]\n"
                              "t.cpp:100: note: 'slow' is declared here\n");
    graph.buses[0].delay = 0;
    process(graph, "writer", 0, {out("y", to({0}))});
    CHECK(errors_of(graph) == Lines{});
}

TEST_CASE("a binding that leaves the buses is an error, not a hang") {
    for (const std::int64_t element : {std::int64_t{-1}, std::int64_t{2}, std::int64_t{1} << 40}) {
        CAPTURE(element);
        Graph graph;
        bus(graph, "a", 2);
        process(graph, "reader", 0, {in("x", to({element}))});
        REQUIRE(errors_of(graph).size() == 1);
        CHECK(errors_of(graph)[0].ends_with("[index-outside]"));
    }
    Graph without_buses;
    process(without_buses, "reader", 0, {in("x", to({0}))});
    CHECK(errors_of(without_buses).size() == 1);
}

TEST_CASE("two writers of one bus are both named") {
    Graph graph;
    bus(graph, "a", 0);
    process(graph, "left", 0, {out("y", to({0}))});
    process(graph, "right", 0, {out("z", to({0}))});
    CHECK(report_of(graph) == "t.cpp:21: error: bus 'a' is written by 'left.y' and by 'right.z', "
                              "but a bus has one writer [two-writers]\n"
                              "t.cpp:11: note: 'left.y' writes it here\n"
                              "t.cpp:100: note: the bus is declared here\n");
}

TEST_CASE("two instances of one family that write one bus are named with their indices") {
    Graph graph;
    bus(graph, "a", 10);
    process(graph, "node", 4, {out("y", to({3, 5, 7, 5}))});
    CHECK(errors_of(graph) == Lines{"t.cpp:11: error: bus 'a[5]' is written by 'node[1].y' and by "
                                    "'node[3].y', but a bus has one writer [two-writers]"});
}

TEST_CASE("a family that writes one bus from everywhere is reported once") {
    Graph graph;
    bus(graph, "a", 0);
    process(graph, "node", 1'000'000'000, {out("y", Segments::affine(1'000'000'000, 0, 0))});
    CHECK(errors_of(graph) == Lines{"t.cpp:11: error: bus 'a' is written by 'node[0].y' and by "
                                    "'node[1].y', but a bus has one writer [two-writers]"});
}

TEST_CASE("two writers are found when and where a plain count of writers finds them") {
    std::mt19937 random{4};
    int conflicts = 0;
    for (int round = 0; round < 300; ++round) {
        CAPTURE(round);
        Graph graph;
        const std::int64_t buses = 12;
        bus(graph, "a", buses);
        std::vector<int> writers(buses, 0);
        for (int f = 0; f < 3; ++f) {
            const std::uint64_t count = 1 + random() % 4;
            std::vector<std::int64_t> elements;
            const auto start = static_cast<std::int64_t>(random() % buses);
            const auto stride = static_cast<std::int64_t>(random() % 5) - 2;
            for (std::uint64_t k = 0; k < count; ++k) {
                const std::int64_t next = start + static_cast<std::int64_t>(k) * stride;
                elements.push_back((next % buses + buses) % buses);
                ++writers[static_cast<std::size_t>(elements.back())];
            }
            process(graph, "p" + std::to_string(f), count, {out("y", to(elements))});
        }
        const Lines found = errors_of(graph);
        for (std::size_t element = 0; element < writers.size(); ++element) {
            const std::string start = "bus 'a[" + std::to_string(element) + "]'";
            for (const std::string& error : found)
                if (error.find(start) != std::string::npos)
                    CHECK(writers[element] > 1);
        }
        const bool conflict =
            std::any_of(writers.begin(), writers.end(), [](int n) { return n > 1; });
        CHECK(found.empty() == !conflict);
        conflicts += conflict ? 1 : 0;
    }
    CHECK(conflicts > 50);
    CHECK(conflicts < 290);
}

TEST_CASE("every conflict inside a long run of writers is reported") {
    Graph graph;
    bus(graph, "a", 10);
    process(graph, "all", 10, {out("y", Segments::identity(10))});
    process(graph, "second", 0, {out("y", to({2}))});
    process(graph, "third", 0, {out("y", to({7}))});
    const Lines found = errors_of(graph);
    REQUIRE(found.size() == 2);
    CHECK(found[0].find("'a[2]' is written by 'all[2].y' and by 'second.y'") != std::string::npos);
    CHECK(found[1].find("'a[7]' is written by 'all[7].y' and by 'third.y'") != std::string::npos);
}

TEST_CASE("a process that writes an input is an error") {
    Graph graph;
    bus(graph, "x", 0).input = true;
    process(graph, "writer", 0, {out("y", to({0}))});
    CHECK(report_of(graph) == "t.cpp:11: error: bus 'x' is written by 'writer', but it is also an "
                              "input [two-writers]\n"
                              "t.cpp:100: note: 'x' is declared here\n");
}

TEST_CASE("a bus that is read, but neither written nor fed, is an error") {
    Graph graph;
    bus(graph, "a", 4);
    process(graph, "writer", 2, {out("y", to({0, 1}))});
    process(graph, "reader", 3, {in("x", to({0, 1, 2}))});
    CHECK(report_of(graph) ==
          "t.cpp:21: error: 'reader[2]' reads bus 'a[2]', but no process writes it and no input "
          "feeds it [no-writer]\n"
          "t.cpp:100: note: 'a' is declared here\n");
}

TEST_CASE("an unwritten bus is found beside inputs, in any order") {
    for (const std::vector<std::int64_t>& read :
         {std::vector<std::int64_t>{0, 1, 2}, std::vector<std::int64_t>{2, 1, 0},
          std::vector<std::int64_t>{0, 2}}) {
        Graph graph;
        bus(graph, "fed", 0).input = true;
        bus(graph, "also_fed", 0).input = true;
        bus(graph, "a", 0);
        process(graph, "reader", read.size(), {in("x", to(read))});
        REQUIRE(errors_of(graph).size() == 1);
        CHECK(errors_of(graph)[0].find("reads bus 'a'") != std::string::npos);
    }
}

TEST_CASE("the first unwritten element of a run is what a search element by element finds") {
    std::mt19937 random{5};
    for (int round = 0; round < 500; ++round) {
        CAPTURE(round);
        Graph graph;
        bus(graph, "a", 30);
        std::vector<bool> written(30, false);
        std::vector<std::int64_t> elements;
        for (std::int64_t k = 0; k < 30; ++k)
            if (random() % 4 != 0) {
                elements.push_back(k);
                written[static_cast<std::size_t>(k)] = true;
            }
        process(graph, "writer", elements.size(), {out("y", to(elements))});
        Diagnostics diagnostics;
        const Writers writers = Writers::of(graph, diagnostics);
        const auto stride = static_cast<std::int64_t>(random() % 7) - 3;
        const Segment segment{0, 1 + random() % 6, 15 + static_cast<std::int64_t>(random() % 3 - 1),
                              stride == 0  ? 0
                              : stride > 0 ? stride - 1
                                           : stride + 1};
        bool missing = false;
        for (std::uint64_t k = 0; k < segment.end(); ++k)
            missing = missing || !written[static_cast<std::size_t>(segment.at(k))];
        const std::int64_t found = writers.first_unwritten(segment);
        CHECK((found >= 0) == missing);
        if (found >= 0)
            CHECK_FALSE(written[static_cast<std::size_t>(found)]);
        for (std::size_t k = 0; k < 30; ++k) {
            const Writers::Run* run = writers.find(k);
            REQUIRE((run != nullptr) == written[k]);
            if (run)
                CHECK(elements[run->instance + (k - run->first)] == static_cast<std::int64_t>(k));
        }
    }
}

TEST_CASE("a bus that nobody reads or uses is worth a warning, a state is not") {
    Graph graph;
    bus(graph, "a", 0);
    bus(graph, "b", 0);
    bus(graph, "c", 0);
    bus(graph, "s", 0).state = true;
    process(graph, "writer", 2, {out("y", to({0, 1}))});
    process(graph, "watcher", 0, {in("x", to({0}))}).observer = true;
    CHECK(errors_of(graph) == Lines{});
    CHECK(warnings_of(graph) == Lines{"nothing reads bus 'b'", "nothing uses bus 'c'"});
}

TEST_CASE("a bus that its own process reads is read") {
    Graph graph;
    bus(graph, "a", 0);
    bus(graph, "b", 0);
    ProcessFamily& p = process(
        graph, "p", 0, {out("y", to({0})), in("y", to({0})), out("z", to({1})), in("z", to({1}))});
    p.ports[1].own = p.ports[3].own = true;
    Part part;
    part.reads = {{1}};
    part.writes = {{0}, {2}};
    p.parts = {part};
    CHECK(warnings_of(graph) == Lines{"nothing reads bus 'b'"});
}

TEST_CASE("buses, and processes, have names of their own") {
    Graph graph;
    bus(graph, "a", 0);
    bus(graph, "a", 3);
    process(graph, "p", 0, {out("y", to({0}))});
    process(graph, "p", 2, {out("y", to({1, 2}))});
    process(graph, "a", 0, {in("x", to({0}))}); // a process and a bus may have the same name
    CHECK(errors_of(graph) ==
          Lines{"t.cpp:101: error: the bus 'a' is declared twice [duplicate-name]",
                "t.cpp:20: error: the process 'p' is declared twice [duplicate-name]"});
}
