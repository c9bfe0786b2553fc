// SPDX-License-Identifier: Apache-2.0
//
// Each network in the repository, when printed, loads to the same network and prints to the same
// bytes.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "yaml/fuzz/make/network_maker.hpp"
#include "yaml/test/printed.hpp"

using namespace sme;
using test::check_same;
using test::LoadedText;
using test::printed;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("every network of the sources is printed as one that loads to the same") {
    fs::current_path(SME_SOURCE_DIR);
    std::size_t networks = 0;
    for (const char* folder :
         {"models", "lib/std/test", "lib/yaml/fuzz/corpus", "lib/yaml/test/bad", "bench/language"})
        for (const auto& entry : fs::recursive_directory_iterator{folder}) {
            const std::string path = entry.path().string();
            CAPTURE(path);
            fs::path report = entry.path(); // the report about a bad file
            if (entry.path().extension() != ".yaml" ||
                contents(report.replace_extension(".txt")).find(": error: ") != std::string::npos)
                continue;
            const LoadedText loaded = test::load_described(path);
            if (!loaded.design)
                continue;
            ++networks;
            check_same(loaded);
        }
    CHECK(networks > 60);
}

TEST_CASE("every network of the language reference is printed as one that loads to the same") {
    fs::current_path(SME_SOURCE_DIR); // the networks refer to data files of the models
    const std::string reference = contents("LANGUAGE.md");
    constexpr std::string_view fence = "```yaml\n";
    std::size_t networks = 0;
    for (auto at = reference.find(fence); at != std::string::npos; at = reference.find(fence, at)) {
        at += fence.size();
        const std::string block = reference.substr(at, reference.find("```", at) - at);
        if (!block.starts_with("network:"))
            continue;
        printed(block);
        ++networks;
    }
    CHECK(networks >= 40);
}

TEST_CASE("random networks of every construct are printed as ones that load to the same") {
    const char* const count = std::getenv("SME_NETWORKS"); // for longer runs than the default
    const unsigned networks = count ? static_cast<unsigned>(std::stoul(count)) : 200;
    for (unsigned seed = 0; seed < networks; ++seed) {
        CAPTURE(seed);
        fuzz::Choices choices{seed};
        printed(fuzz::generate(choices, false).text);
    }
}

TEST_CASE("parameters from outside stand in what is printed") {
    fs::current_path(SME_SOURCE_DIR);
    for (const std::map<std::string, std::string>& given :
         std::vector<std::map<std::string, std::string>>{
             {{"w", "12"}, {"h", "2 * 5"}, {"board", "glider.hex"}}, {{"h", "0x10"}}}) {
        const LoadedText loaded = test::load_described("models/life/network.yaml", {}, given);
        INFO(render(loaded.diagnostics));
        REQUIRE(loaded.design.has_value());
        check_same(loaded);
        const std::string& text = loaded.printed;
        CHECK(text.find(given.size() == 1 ? "\n  h: 0x10\n" : "\n  h: 10\n") != std::string::npos);
        CHECK(text.find("\n  board: file = models/life/glider.hex\n") != std::string::npos);
    }
}
