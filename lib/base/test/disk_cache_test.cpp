// SPDX-License-Identifier: Apache-2.0
#include "base/disk_cache.hpp"

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test/scratch.hpp"

using namespace sme;

namespace {

/// Makes an entry with this size, last used `hours` hours ago.
void make(const DiskCache& kept, const std::string& key, std::size_t bytes, int hours) {
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
    const DiskCache kept{scratch.path("kept"), "object", 2500};
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
    const DiskCache kept{scratch.path("kept"), "object", 1 << 20};
    make(kept, "a", 10, 0);
    make(kept, "a", 20, 0);
    CHECK(std::filesystem::file_size(kept.place("a") + "/object") == 20);
    CHECK(digest_of_file(kept.place("a") + "/object", 19) == "none");
    CHECK(digest_of_file(kept.place("a") + "/object", 20).ends_with("-20"));
    std::string problem;
    CHECK(DiskCache{scratch.path("kept/a/object"), "object", 1}.begin(problem).empty());
    CHECK(problem.find("Not a directory") != problem.npos);
}

TEST_CASE("what others could have written is not taken") {
    namespace fs = std::filesystem;
    const test::Scratch scratch;
    const std::string folder = scratch.path("a/kept");
    const DiskCache kept{folder, "object", 1 << 20};
    make(kept, "a", 10, 0);
    const auto mode = [](const std::string& path) {
        return static_cast<unsigned>(fs::status(path).permissions());
    };
    CHECK(mode(scratch.path("a")) == 0700);
    CHECK(mode(folder) == 0700);
    const std::string object = kept.place("a") + "/object";
    ::chmod(object.c_str(), 0600);
    CHECK(kept.holds("a", "object"));
    CHECK_FALSE(kept.holds("b", "object"));
    for (const std::string& path : {object, kept.place("a")}) {
        CAPTURE(path);
        const unsigned before = mode(path);
        for (const unsigned more : {0020U, 0002U}) {
            ::chmod(path.c_str(), before | more);
            CHECK_FALSE(kept.holds("a", "object"));
        }
        ::chmod(path.c_str(), before);
        CHECK(kept.holds("a", "object"));
    }
    // Own folder, writable by others: the constructor removes that permission.
    ::chmod(folder.c_str(), 0777);
    CHECK(kept.holds("a", "object"));
    CHECK(mode(folder) == 0755);
    fs::rename(object, object + "2");
    fs::create_symlink(object + "2", object);
    CHECK_FALSE(kept.holds("a", "object"));
}

TEST_CASE("nothing is kept in the folder of another user, or nowhere") {
    const test::Scratch scratch;
    std::string problem;
    CHECK(DiskCache{"", "object", 1}.begin(problem).empty());
    CHECK(problem == "neither HOME nor XDG_CACHE_HOME names a folder for it");
    CHECK_FALSE(DiskCache{"", "object", 1}.holds("usr", "lib"));
    if (::geteuid() != 0)
        return; // cannot give a folder to another user
    const DiskCache kept{scratch.path("kept"), "object", 1 << 20};
    make(kept, "a", 10, 0);
    const std::string object = kept.place("a") + "/object";
    for (const std::string& path : {object, kept.place("a"), kept.folder()}) {
        CAPTURE(path);
        REQUIRE(::chown(path.c_str(), 65534, 65534) == 0);
        CHECK_FALSE(kept.holds("a", "object"));
        CHECK(is_of_another(kept.folder()) == (path == kept.folder()));
        if (path != kept.folder())
            REQUIRE(::chown(path.c_str(), 0, 0) == 0);
    }
    CHECK(kept.begin(problem).empty());
    CHECK(problem == "'" + kept.folder() + "' belongs to another user");
    CHECK(DiskCache::Lock{kept.folder(), "a"}.problem() == problem);
    CHECK(is_of_another(kept.folder() + "/not/there"));
    CHECK_FALSE(is_of_another("/not/there"));
}
