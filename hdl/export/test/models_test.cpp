// SPDX-License-Identifier: Apache-2.0
//
// Every model and every standard component as Verilog: lint-clean, without latches and loops, and
// in agreement with our run in every cycle.
#include <filesystem>
#include <map>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "exported.hpp"

namespace {

using namespace sme;

struct Example {
    std::string path;
    std::string arguments;
};

/// All models in YAML; large ones made small.
std::vector<Example> models() {
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

std::vector<Example> components() {
    std::vector<Example> found;
    for (const auto& entry : std::filesystem::directory_iterator{SME_SOURCE_DIR "/lib/std/test"})
        if (entry.path().extension() == ".yaml")
            found.push_back({entry.path().string(), ""});
    return found;
}

/// Calls visit() for each, written as Verilog.
template <class Visit>
void for_all(const std::vector<Example>& examples, const std::string& cycles, Visit visit) {
    REQUIRE(examples.size() > 10);
    for (const Example& example : examples) {
        CAPTURE(example.path);
        const test::ExportedNetwork exported{
            fmt::format("{} {} --cycles {}", example.path, example.arguments, cycles)};
        CAPTURE(exported.written.err);
        REQUIRE(exported.written.exit_code == 0);
        visit(exported);
    }
}

bool skip(const std::string& program) {
    if (test::has_program(program))
        return false;
    MESSAGE("skipped: no " << program);
    return true;
}

} // namespace

TEST_CASE("every model agrees with its run in Icarus Verilog") {
    if (skip("iverilog"))
        return;
    for_all(models(), "200", [](const test::ExportedNetwork& exported) {
        CHECK(exported.icarus().starts_with("PASS: "));
    });
}

TEST_CASE("every standard component agrees with its run in Icarus Verilog") {
    if (skip("iverilog"))
        return;
    for_all(components(), "400", [](const test::ExportedNetwork& exported) {
        CHECK(exported.icarus().starts_with("PASS: "));
    });
}

TEST_CASE("what is written is lint-clean, and Yosys finds neither latches nor loops") {
    const bool no_verilator = skip("verilator"), no_yosys = skip("yosys");
    const auto judge = [&](const test::ExportedNetwork& exported) {
        if (!no_verilator)
            CHECK(exported.lint() == "");
        if (!no_yosys)
            CHECK(exported.yosys() == "");
    };
    for_all(models(), "1", judge);
    for_all(components(), "1", judge);
}
