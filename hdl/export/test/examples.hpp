// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/test/nightly.hpp"
#include "exported.hpp"

namespace sme::test {

struct Example {
    std::string path;
    std::string arguments;
    bool operator<(const Example& other) const { return path < other.path; }
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
    std::sort(found.begin(), found.end());
    return found;
}

/// Returns the test networks of all standard components that have hardware: no random values.
inline std::vector<Example> components() {
    std::vector<Example> found;
    for (const auto& entry : std::filesystem::directory_iterator{SME_SOURCE_DIR "/lib/std/test"})
        if (const std::string path = entry.path().string();
            entry.path().extension() == ".yaml" &&
            text_of(path).find("stream_sink.yaml") == std::string::npos)
            found.push_back({path, ""});
    std::sort(found.begin(), found.end());
    return found;
}

/// Calls visit() for one in `one_in` of the examples, written as Verilog.
template <class Visit>
void for_all(const std::vector<Example>& examples, const std::string& cycles, Visit visit,
             std::size_t one_in = 1) {
    REQUIRE(examples.size() > 10);
    for (std::size_t k = 0; k < examples.size(); k += one_in) {
        const Example& example = examples[k];
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

/// The test benches in Verilator, which compiles each of them; a fifth of them without --nightly.
inline void run_in_verilator(const std::vector<Example>& examples, const std::string& cycles) {
    if (skip("verilator"))
        return;
    const Scratch shared;
    for_all(
        examples, cycles,
        [&](const ExportedNetwork& exported) {
            const std::string said = exported.verilator(shared);
            CAPTURE(said);
            CHECK(said.starts_with("PASS: "));
        },
        cases(5, 1));
}

} // namespace sme::test
