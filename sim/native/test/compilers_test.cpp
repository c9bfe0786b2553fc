// SPDX-License-Identifier: Apache-2.0
//
// Several C files at a time: a slow or failing compiler does not delay the other files.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "native/test/attached.hpp"
#include "native/toolchain/c_compiler.hpp"

namespace {

using namespace sme;

std::string file_text(std::size_t file) {
    return "unsigned long f(const void *b) { (void)b; return " + std::to_string(file) + "; }\n";
}

/// A compiler that treats the file that returns 1 differently.
native::CompilerSettings with_trouble(const test::Scratch& scratch, const std::string& trouble) {
    const std::string path = scratch.path("trouble");
    scratch.write("trouble", "#!/bin/sh\nfor last; do :; done\nif grep -q 'return 1;' \"$last\"; "
                             "then " +
                                 trouble + "; fi\nexec " + test::c_compiler() + " \"$@\"\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    native::CompilerSettings settings = test::compiler_settings(scratch);
    settings.compiler = path;
    return settings;
}

/// The results of all files, by number.
std::vector<native::Compilers::Made> all(native::Compilers& compilers) {
    std::vector<native::Compilers::Made> result;
    while (!compilers.done())
        for (native::Compilers::Made& one : compilers.take(std::chrono::milliseconds{20}))
            result.push_back(std::move(one));
    std::sort(result.begin(), result.end(),
              [](const auto& one, const auto& other) { return one.file < other.file; });
    return result;
}

} // namespace

TEST_CASE("C files are compiled side by side or one by one") {
    const test::Scratch scratch;
    for (const unsigned at_once : {1u, 3u}) {
        native::Compilers compilers{
            {0, 1, 2, 3}, file_text, test::compiler_settings(scratch), at_once};
        const auto result = all(compilers);
        REQUIRE(result.size() == 4);
        for (std::size_t file = 0; file < result.size(); ++file) {
            CHECK(result[file].file == file);
            REQUIRE(result[file].compiled.object);
            CHECK(result[file].compiled.object->kernel("f")(nullptr) == file);
            CHECK(result[file].compiled.kept == (at_once == 3)); // compiled by then
        }
    }
}

TEST_CASE("a file whose compiler fails or is too slow leaves the others as they are") {
    const test::Scratch scratch;
    native::Compilers failing{{0, 1, 2}, file_text, with_trouble(scratch, "exit 9"), 1};
    const auto result = all(failing);
    REQUIRE(result.size() == 3);
    CHECK(test::contains(result[1].compiled.problem, "exit code 9"));
    CHECK_FALSE(result[1].slow);
    CHECK(result[0].compiled.object);
    CHECK(result[2].compiled.object);

    const test::Scratch other;
    native::Compilers slow{{0, 1, 2}, file_text, with_trouble(other, "sleep 1000"), 1};
    std::vector<native::Compilers::Made> seen;
    while (!slow.done()) {
        for (native::Compilers::Made& one : slow.take(std::chrono::milliseconds{20}))
            seen.push_back(std::move(one));
        if (seen.size() == 1)
            slow.stop_slow(0.1);
    }
    REQUIRE(seen.size() == 3);
    CHECK(seen[1].file == 1);
    CHECK(seen[1].slow);
    CHECK_FALSE(seen[1].compiled.object);
    CHECK(seen[2].compiled.object);
}

TEST_CASE("compilers that hang are stopped all at once") {
    const test::Scratch scratch;
    native::CompilerSettings settings = with_trouble(scratch, ":");
    scratch.write("trouble", "#!/bin/sh\nsleep 1000\n");
    native::Compilers compilers{{0, 1, 2, 3, 4, 5}, file_text, settings, 3};
    while (compilers.longest_s() == 0) {
    }
    const auto begin = std::chrono::steady_clock::now();
    compilers.stop();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    CHECK(taken.count() < 5); // about a second on an idle machine
    CHECK(compilers.take().size() <= 3);
    CHECK(compilers.done());
}
