// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "exported.hpp"

namespace sme::test {

/// A parameter kept in Verilog, and its valid range.
struct Kept {
    std::string name;
    long long low = 0, high = 0, value = 0;
};

/// Returns the parameters of the top module, with the ranges from its comments.
inline std::vector<Kept> kept_in(const std::string& module) {
    std::vector<Kept> found;
    Kept now;
    std::istringstream lines{module};
    for (std::string line; std::getline(lines, line);) {
        std::array<char, 80> name{};
        if (std::sscanf(line.c_str(), " // the design is the same from %lld to %lld", &now.low,
                        &now.high) == 2)
            continue;
        if (std::sscanf(line.c_str(), " parameter integer %79s = %lld", name.data(), &now.value) ==
            2) {
            now.name = name.data();
            found.push_back(now);
        }
    }
    return found;
}

/// Returns the output of the test bench of a run with another value, with the modules written for
/// the first value and the parameter changed only in the top module.
inline std::string changed(const ExportedNetwork& first, const Kept& kept, long long value) {
    const ExportedNetwork other{fmt::format("{} --set {}={}", first.arguments, kept.name, value)};
    CAPTURE(other.written.err);
    REQUIRE(other.written.exit_code == 0);
    for (const std::string& file : first.folder().files())
        if (file.ends_with(".v") && !file.ends_with("_bench.v"))
            other.folder().write(file, first.text(file));
    std::string top = first.text(first.top + ".v");
    const std::string before = fmt::format("parameter integer {} = {}", kept.name, kept.value);
    const std::size_t at = top.find(before);
    REQUIRE(at != std::string::npos);
    top.replace(at, before.size(), fmt::format("parameter integer {} = {}", kept.name, value));
    other.folder().write(first.top + ".v", top);
    return other.icarus();
}

} // namespace sme::test
