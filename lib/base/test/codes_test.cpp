// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "base/codes.hpp"

using namespace sme;

TEST_CASE("every code has a slug of its own in lower case and a meaning") {
    std::set<std::string_view> slugs;
    std::size_t place = 0;
    for (const CodeInfo& code : all_codes()) {
        CAPTURE(code.slug);
        CHECK(static_cast<std::size_t>(code.code) == place++);
        CHECK(&info(code.code) == &code);
        CHECK(slugs.insert(code.slug).second);
        CHECK_FALSE(code.slug.empty());
        CHECK(std::all_of(code.slug.begin(), code.slug.end(),
                          [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }));
        CHECK(code.meaning.ends_with('.'));
    }
}

#ifdef SME_SOURCE_DIR

namespace {

/// Returns the text of all files in folders called "test" under lib, sim, hdl and validator, except
/// this file, which uses codes only as examples.
std::string texts_of_tests() {
    namespace fs = std::filesystem;
    std::string all;
    for (const char* top : {"lib", "sim", "hdl", "validator"}) {
        const fs::path root = fs::path{SME_SOURCE_DIR} / top;
        if (!fs::is_directory(root))
            continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator{root}) {
            const fs::path inside = entry.path().lexically_relative(root);
            if (!entry.is_regular_file() || inside.string().starts_with("base/") ||
                std::find(inside.begin(), inside.end(), "test") == inside.end())
                continue;
            all += "/" + entry.path().stem().string() + "-\n";
            std::ifstream file{entry.path(), std::ios::binary};
            all.append(std::istreambuf_iterator<char>{file}, {});
        }
    }
    return all;
}

} // namespace

TEST_CASE("every code of the registry is expected by some test") {
    const std::string texts = texts_of_tests();
    REQUIRE_FALSE(texts.empty());
    for (const CodeInfo& code : all_codes()) {
        const std::string slug{code.slug};
        std::string name = slug;
        std::replace(name.begin(), name.end(), '-', '_');
        const bool expected = texts.find("[" + slug + "]") != std::string::npos ||
                              texts.find("\"" + slug + "\"") != std::string::npos ||
                              texts.find("/" + slug + "-") != std::string::npos ||
                              texts.find("Code::" + name) != std::string::npos;
        CHECK_MESSAGE(expected, "no test expects '" << slug << "'");
    }
}

#endif
