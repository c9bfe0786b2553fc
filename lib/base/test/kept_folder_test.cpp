// SPDX-License-Identifier: Apache-2.0
#include "base/kept_folder.hpp"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "base/test/scratch.hpp"

using namespace sme;

namespace {

/// Makes an entry of so many bytes, last used so many hours ago.
void make(const KeptFolder& kept, const std::string& key, std::size_t bytes, int hours) {
    std::string problem;
    const std::string folder = kept.begin(problem);
    REQUIRE(problem == "");
    std::ofstream{folder + "/object"} << std::string(bytes, 'x');
    CHECK(kept.publish(folder, key) == "");
    if (hours > 0)
        std::filesystem::last_write_time(kept.place(key),
                                         std::filesystem::file_time_type::clock::now() -
                                             std::chrono::hours{hours});
}

} // namespace

TEST_CASE("what was used longest ago goes when there is too much") {
    const test::Scratch scratch;
    const KeptFolder kept{scratch.path("kept"), "object", 2500};
    make(kept, "a", 1000, 3);
    make(kept, "b", 1000, 2);
    kept.touch("a");
    make(kept, "c", 1000, 0);
    CHECK(std::filesystem::exists(kept.place("a") + "/object"));
    CHECK_FALSE(std::filesystem::exists(kept.place("b")));
    CHECK(std::filesystem::exists(kept.place("c") + "/object"));
}

TEST_CASE("a new entry takes the place of an old one, and a folder that cannot be is a problem") {
    const test::Scratch scratch;
    const KeptFolder kept{scratch.path("kept"), "object", 1 << 20};
    make(kept, "a", 10, 0);
    make(kept, "a", 20, 0);
    CHECK(std::filesystem::file_size(kept.place("a") + "/object") == 20);
    CHECK(digest_of_file(kept.place("a") + "/object", 19) == "none");
    CHECK(digest_of_file(kept.place("a") + "/object", 20).ends_with("-20"));
    std::string problem;
    CHECK(KeptFolder{scratch.path("kept/a/object"), "object", 1}.begin(problem).empty());
    CHECK(problem.find("Not a directory") != problem.npos);
}
