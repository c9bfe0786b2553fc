// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "exported.hpp"

namespace sme::test {

struct Example {
    std::string path;
    std::string arguments;
};

/// Returns all models in YAML, with large ones made small.
inline std::vector<Example> models() {
    const std::map<std::string, std::string> sizes{{"ring", "--set nodes=20"},
                                                   {"sort", "--set n=12"}};
    std::vector<Example> found;
    for (const auto& entry : std::filesystem::directory_iterator{SME_SOURCE_DIR "/models"}) {
        const std::string path = (entry.path() / "network.yaml").string();
        const auto size = sizes.find(entry.path().filename().string());
        if (std::filesystem::exists(path))
            found.push_back({path, size == sizes.end() ? "" : size->second});
    }
    return found;
}

inline std::vector<Example> components() {
    std::vector<Example> found;
    for (const auto& entry : std::filesystem::directory_iterator{SME_SOURCE_DIR "/lib/std/test"})
        if (entry.path().extension() == ".yaml")
            found.push_back({entry.path().string(), ""});
    return found;
}

/// Calls visit() for each model, written as Verilog.
template <class Visit>
void for_all(const std::vector<Example>& examples, const std::string& cycles, Visit visit) {
    REQUIRE(examples.size() > 10);
    for (const Example& example : examples) {
        CAPTURE(example.path);
        const ExportedNetwork exported{
            fmt::format("{} {} --cycles {}", example.path, example.arguments, cycles)};
        CAPTURE(exported.written.err);
        REQUIRE(exported.written.exit_code == 0);
        visit(exported);
    }
}

inline std::string model(const std::string& name) {
    return SME_SOURCE_DIR "/models/" + name + "/network.yaml";
}

inline bool skip(const std::string& program) {
    if (has_program(program))
        return false;
    MESSAGE("skipped: no " << program);
    return true;
}

/// Runs all test benches in Verilator.
inline void run_in_verilator(const std::vector<Example>& examples, const std::string& cycles) {
    if (skip("verilator"))
        return;
    const Scratch shared;
    for_all(examples, cycles, [&](const ExportedNetwork& exported) {
        const std::string said = exported.verilator(shared);
        CAPTURE(said);
        CHECK(said.starts_with("PASS: "));
    });
}

} // namespace sme::test
