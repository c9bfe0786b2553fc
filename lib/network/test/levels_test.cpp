// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/codes.hpp"
#include "graphs.hpp"
#include "network/checks/check.hpp"

using namespace sme;
using namespace graphs;

namespace {

/// An instance of a part, with the wires that it reads and writes and the fields of each.
struct Place {
    std::size_t family, part;
    std::uint64_t instance;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> reads, writes; // element, fields
};

std::vector<Place> places_of(const Graph& graph) {
    std::vector<Place> places;
    for (std::size_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        for (std::size_t p = 0; p < family.parts.size(); ++p)
            for (std::uint64_t k = 0; k < family.count; ++k) {
                Place place{f, p, k, {}, {}};
                const auto add = [&](const PortUse& use, auto& list) {
                    const auto element =
                        static_cast<std::uint64_t>(family.ports[use.port].buses.at(k));
                    if (graph.family_of(element).wire())
                        list.emplace_back(element, use.fields);
                };
                for (const PortUse& use : family.parts[p].reads)
                    add(use, place.reads);
                for (const PortUse& use : family.parts[p].writes)
                    add(use, place.writes);
                places.push_back(std::move(place));
            }
    }
    return places;
}

bool feeds(const Place& from, const Place& to) {
    for (const auto& [written, some] : from.writes)
        for (const auto& [read, others] : to.reads)
            if (written == read && (some & others) != 0)
                return true;
    return false;
}

/// The reference: raises every level above those it reads until nothing changes. `nullopt` if this
/// does not end, which means a loop.
std::optional<std::vector<std::uint32_t>> relaxed_levels(const std::vector<Place>& places) {
    std::vector<std::uint32_t> levels(places.size(), 0);
    for (std::size_t round = 0; round <= places.size(); ++round) {
        bool changed = false;
        for (std::size_t to = 0; to < places.size(); ++to)
            for (std::size_t from = 0; from < places.size(); ++from)
                if (levels[to] <= levels[from] && feeds(places[from], places[to])) {
                    levels[to] = levels[from] + 1;
                    changed = true;
                }
        if (!changed)
            return levels;
    }
    return std::nullopt;
}

/// Returns the wires named in a report of a loop, in order.
std::vector<std::string> named_wires(const std::string& message) {
    std::vector<std::string> names;
    const std::size_t end = message.find(';');
    for (std::size_t at = message.find('\''); at < end; at = message.find('\'', at + 1)) {
        const std::size_t close = message.find('\'', at + 1);
        names.push_back(message.substr(at + 1, close - at - 1));
        at = close;
    }
    return names;
}

/// Checks that every wire of the chain is read by a part that writes the next one.
void check_is_loop(const Graph& graph, const std::vector<Place>& places,
                   const std::vector<std::string>& wires) {
    REQUIRE(wires.size() >= 2);
    CHECK(wires.front() == wires.back());
    const auto touches = [&](const auto& list, const std::string& name) {
        return std::any_of(list.begin(), list.end(),
                           [&](const auto& use) { return graph.bus_name(use.first) == name; });
    };
    for (std::size_t k = 0; k + 1 < wires.size(); ++k)
        CHECK(std::any_of(places.begin(), places.end(), [&](const Place& place) {
            return touches(place.reads, wires[k]) && touches(place.writes, wires[k + 1]);
        }));
}

/// Processes with several parts and structs of three fields on wires. Every input is bound to a
/// random bus; `backward` out of ten inputs may also be bound to a bus that closes a loop.
class RandomGraph {
public:
    RandomGraph(std::mt19937& random, std::uint32_t backward) : random_{random} {
        const TypeRef type = Type::structure(
            "", {{"a", Type::boolean()}, {"b", Type::boolean()}, {"c", Type::boolean()}});
        for (int f = 0; f < 3; ++f)
            bus(graph, "w" + std::to_string(f), 8, below(5) == 0 ? 1 : 0, type);
        std::vector<std::int64_t> free(24);
        for (std::size_t k = 0; k < 24; ++k)
            free[k] = static_cast<std::int64_t>(k);
        if (below(2))
            std::shuffle(free.begin(), free.end(), random_);
        for (int f = 0; f < 4; ++f)
            add_process(f, type, free, backward);
    }

    Graph graph;

private:
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

    void add_process(int f, const TypeRef& type, std::vector<std::int64_t>& free,
                     std::uint32_t backward) {
        const std::uint64_t count = 1 + below(3);
        std::vector<Port> ports;
        for (std::uint32_t outputs = 1 + below(2); outputs > 0; --outputs) {
            std::vector<std::int64_t> mine(free.end() - static_cast<std::ptrdiff_t>(count),
                                           free.end());
            free.resize(free.size() - count);
            ports.push_back(port("y" + std::to_string(outputs), true, to(mine), type));
        }
        const std::size_t outputs = ports.size();
        for (std::uint32_t inputs = below(3); inputs > 0; --inputs) {
            std::vector<std::int64_t> read;
            for (std::uint64_t k = 0; k < count; ++k)
                read.push_back(bus_for(ports[0].buses.at(k), below(10) < backward, k));
            ports.push_back(port("x" + std::to_string(inputs), false, to(read), type));
        }
        ProcessFamily& result = process(graph, "p" + std::to_string(f), count, std::move(ports));
        result.parts.assign(1 + below(3), {});
        for (std::uint32_t k = 0; k < result.ports.size(); ++k)
            for (std::uint64_t field = 1; field < 8; field *= 2)
                if (k < outputs) // each field by one part
                    result.parts[below(static_cast<std::uint32_t>(result.parts.size()))]
                        .writes.push_back({k, field});
                else
                    for (Part& part : result.parts)
                        if (below(2))
                            part.reads.push_back({k, field});
    }

    /// Returns any bus, or one written by an earlier process or an earlier instance.
    std::int64_t bus_for(std::int64_t own, bool any, std::uint64_t instance) {
        std::vector<std::int64_t> before;
        for (const ProcessFamily& family : graph.processes)
            for (const Port& port : family.ports)
                if (port.output)
                    for (std::uint64_t k = 0; k < port.buses.size(); ++k)
                        before.push_back(port.buses.at(k));
        if (any || before.empty() || (instance == 0 && below(4) == 0))
            return own; // to itself: a loop if parts and fields match
        return before[below(static_cast<std::uint32_t>(before.size()))];
    }

    std::mt19937& random_;
};

std::string loops_of(const Graph& graph) {
    Diagnostics diagnostics;
    CHECK_FALSE(analyse(graph, diagnostics).has_value());
    std::string text;
    for (const Diagnostic& found : diagnostics.all())
        if (found.severity == Severity::error)
            text += found.message + "\n";
    return text;
}

} // namespace

TEST_CASE("random graphs have the levels that raising them one by one gives") {
    std::mt19937 random{6};
    std::uint32_t deepest = 0;
    int with_loop = 0, without = 0;
    for (int round = 0; round < 3000; ++round) {
        CAPTURE(round);
        const RandomGraph result{random, static_cast<std::uint32_t>(round % 3)};
        const std::vector<Place> places = places_of(result.graph);
        const auto expected = relaxed_levels(places);
        Diagnostics diagnostics;
        const std::optional<Analysis> analysis = analyse(result.graph, diagnostics);
        REQUIRE(analysis.has_value() == expected.has_value());
        if (!expected) {
            ++with_loop;
            for (const Diagnostic& found : diagnostics.all())
                if (found.severity == Severity::error) {
                    CHECK(found.code == Code::wire_loop);
                    check_is_loop(result.graph, places, named_wires(found.message));
                }
            continue;
        }
        ++without;
        std::uint32_t count = 1;
        for (std::size_t k = 0; k < places.size(); ++k) {
            const Place& place = places[k];
            CHECK(analysis->levels.parts[place.family][place.part].at(place.instance) ==
                  (*expected)[k]);
            count = std::max(count, (*expected)[k] + 1);
        }
        CHECK(analysis->levels.count == count);
        deepest = std::max(deepest, count);
    }
    CHECK(with_loop > 300);
    CHECK(without > 300);
    CHECK(deepest >= 5);
}

TEST_CASE("without wires there is one level") {
    Graph graph;
    bus(graph, "a", 3);
    process(graph, "p", 3, {in("x", to({2, 0, 1})), out("y", to({0, 1, 2}))});
    Diagnostics diagnostics;
    const auto analysis = analyse(graph, diagnostics);
    REQUIRE(analysis.has_value());
    CHECK(analysis->levels.count == 1);
    CHECK(analysis->levels.parts[0][0].at(2) == 0);
}

TEST_CASE("a loop of wires is named whole, in the direction of the data, with who reads what") {
    Graph graph;
    bus(graph, "a", 0, 0);
    bus(graph, "b", 0, 0);
    bus(graph, "c", 2, 0);
    process(graph, "outside", 0, {in("x", to({2})), out("y", to({3}))});
    process(graph, "first", 0, {in("x", to({2})), out("y", to({0}))});
    process(graph, "second", 0, {in("x", to({0})), out("y", to({1}))});
    process(graph, "third", 0, {in("x", to({1})), out("y", to({2}))});
    Diagnostics diagnostics;
    CHECK_FALSE(analyse(graph, diagnostics).has_value());
    REQUIRE(diagnostics.errors() == 1);
    const Diagnostic& loop =
        *std::find_if(diagnostics.all().begin(), diagnostics.all().end(),
                      [](const Diagnostic& d) { return d.code == Code::wire_loop; });
    std::vector<std::string> wires = named_wires(loop.message);
    REQUIRE(wires.size() == 4);
    CHECK(wires.front() == wires.back());
    std::map<std::string, std::string> next;
    for (std::size_t k = 0; k < 3; ++k)
        next[wires[k]] = wires[k + 1];
    CHECK(next == std::map<std::string, std::string>{{"a", "b"}, {"b", "c[0]"}, {"c[0]", "a"}});
    REQUIRE(loop.notes.size() == 3);
    for (const Note& note : loop.notes) {
        const bool known =
            render({Code::wire_loop, Severity::error, note.where, note.message, {}}) != "";
        CHECK(known);
        CHECK(note.where.known());
    }
    const auto noted = [&](const std::string& text) {
        return std::any_of(loop.notes.begin(), loop.notes.end(),
                           [&](const Note& note) { return note.message == text; });
    };
    CHECK(noted("'second' reads 'a' in the cycle in which it is written"));
    CHECK(noted("'third' reads 'b' in the cycle in which it is written"));
    CHECK(noted("'first' reads 'c[0]' in the cycle in which it is written"));
}

TEST_CASE("a process that reads its own wire is a loop of one") {
    Graph graph;
    bus(graph, "w", 0, 0);
    process(graph, "p", 0, {in("x", to({0})), out("y", to({0}))});
    CHECK(loops_of(graph) == "wires form a loop: 'w' -> 'w'; make one of them a registered bus\n");
    graph.buses[0].delay = 1;
    Diagnostics diagnostics;
    CHECK(analyse(graph, diagnostics).has_value());
}

TEST_CASE("a loop inside one family is named by its instances") {
    Graph graph;
    bus(graph, "w", 3, 0);
    process(graph, "p", 3, {in("x", to({2, 0, 1})), out("y", to({0, 1, 2}))});
    const std::vector<std::string> wires = named_wires(loops_of(graph));
    REQUIRE(wires.size() == 4);
    check_is_loop(graph, places_of(graph), wires);
}

TEST_CASE("loops that do not touch are all reported, each once") {
    Graph graph;
    bus(graph, "w", 6, 0);
    process(graph, "p", 6, {in("x", to({1, 0, 3, 2, 4, 4})), out("y", to({0, 1, 2, 3, 4, 5}))});
    const std::string text = loops_of(graph);
    CHECK(std::count(text.begin(), text.end(), '\n') == 3);
    for (const char* wire : {"'w[0]'", "'w[2]'", "'w[4]'"})
        CHECK(text.find(wire) != std::string::npos);
    CHECK(text.find("'w[5]'") == std::string::npos);
}

TEST_CASE("a family whose instances have one level stores one number") {
    const std::uint64_t n = 1'000'000'000;
    Graph graph;
    bus(graph, "a", n, 0);
    bus(graph, "b", n, 0);
    bus(graph, "c", n);
    const auto at = [](std::uint64_t k) { return static_cast<std::int64_t>(k); };
    process(graph, "last", n,
            {in("x", Segments::affine(n, at(n), 1)), out("y", Segments::affine(n, at(2 * n), 1))});
    process(graph, "middle", n,
            {in("x", Segments::affine(n, at(n) - 1, -1)), out("y", Segments::affine(n, at(n), 1))});
    process(graph, "first", n,
            {in("x", Segments::affine(n, at(2 * n), 1)), out("y", Segments::identity(n))});
    Diagnostics diagnostics;
    const auto analysis = analyse(graph, diagnostics);
    REQUIRE(analysis.has_value());
    CHECK(analysis->levels.count == 3);
    for (std::size_t f = 0; f < 3; ++f) {
        CHECK(analysis->levels.parts[f][0].is_uniform());
        CHECK(analysis->levels.parts[f][0].at(n - 1) == 2 - f);
    }
}

TEST_CASE("a chain of 300,000 wires inside one family has as many levels") {
    const std::uint64_t n = 300'000;
    Graph graph;
    bus(graph, "carry", n, 0);
    bus(graph, "start", 0);
    Segments before = to({static_cast<std::int64_t>(n)});
    before.append(n - 1, 0, 1);
    process(graph, "adder", n, {in("x", before), out("y", Segments::identity(n))});
    process(graph, "source", 0, {out("y", to({static_cast<std::int64_t>(n)}))});
    Diagnostics diagnostics;
    const auto analysis = analyse(graph, diagnostics);
    REQUIRE(analysis.has_value());
    CHECK(analysis->levels.count == n);
    CHECK(analysis->levels.parts[0][0].at(0) == 0);
    CHECK(analysis->levels.parts[0][0].at(n - 1) == n - 1);
}
