// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/graph.hpp"

/// Networks as plain data, for tests, with locations as if written line by line in a file "t.cpp".
namespace graphs {

inline sme::Location line(std::uint32_t number) {
    sme::Location location;
    location.file = "t.cpp";
    location.line = number;
    return location;
}

/// Adds a family of buses; `count` 0 means a single bus without an index.
inline sme::BusFamily& bus(sme::Graph& graph, std::string name, std::uint64_t count,
                           std::uint32_t delay = 1,
                           sme::TypeRef type = sme::Type::unsigned_integer(8)) {
    sme::BusFamily family;
    family.name = std::move(name);
    if (count > 0)
        family.shape.dimensions = {{0, count, {}}};
    family.type = std::move(type);
    family.delay = delay;
    family.declared = line(100 + static_cast<std::uint32_t>(graph.buses.size()));
    return graph.add(std::move(family));
}

inline sme::Segments to(const std::vector<std::int64_t>& elements) {
    sme::Segments map;
    for (const std::int64_t element : elements)
        map.append(element);
    return map;
}

inline sme::Port port(std::string name, bool output, sme::Segments buses,
                      sme::TypeRef type = sme::Type::unsigned_integer(8)) {
    sme::Port result;
    result.name = std::move(name);
    result.output = output;
    result.type = std::move(type);
    result.buses = std::move(buses);
    return result;
}

inline sme::Port in(std::string name, sme::Segments buses) {
    return port(std::move(name), false, std::move(buses));
}
inline sme::Port out(std::string name, sme::Segments buses) {
    return port(std::move(name), true, std::move(buses));
}

/// Adds a family of processes with one part that reads all inputs and writes all outputs. `count` 0
/// means a single process without an index.
inline sme::ProcessFamily& process(sme::Graph& graph, std::string name, std::uint64_t count,
                                   std::vector<sme::Port> ports) {
    sme::ProcessFamily family;
    family.name = std::move(name);
    if (count > 0)
        family.shape.dimensions = {{0, count, "k"}};
    family.count = count > 0 ? count : 1;
    family.declared = line(10 * (1 + static_cast<std::uint32_t>(graph.processes.size())));
    sme::Part part;
    for (std::uint32_t k = 0; k < ports.size(); ++k) {
        ports[k].declared = line(family.declared.line + 1 + k);
        (ports[k].output ? part.writes : part.reads).push_back({k});
    }
    family.ports = std::move(ports);
    family.parts = {std::move(part)};
    return graph.processes.emplace_back(std::move(family));
}

/// Returns the messages of all errors, with locations and slugs, without notes.
inline std::vector<std::string> errors(const sme::Diagnostics& diagnostics) {
    std::vector<std::string> lines;
    for (sme::Diagnostic found : diagnostics.all())
        if (found.severity == sme::Severity::error) {
            found.notes.clear();
            lines.push_back(sme::render(found));
            lines.back().pop_back();
        }
    return lines;
}

} // namespace graphs

template <> struct doctest::StringMaker<std::vector<std::string>> {
    static String convert(const std::vector<std::string>& lines) {
        std::string text;
        for (const std::string& line : lines)
            text += "\n    " + line;
        return text.c_str();
    }
};
