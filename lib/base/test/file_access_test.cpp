// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "base/file_access.hpp"
#include "base/test/scratch.hpp"

using namespace sme;
using test::Scratch;
using Refusal = FileAccess::Refusal;
namespace fs = std::filesystem;

namespace {

struct Folder : Scratch {
    FileAccess access;
    std::string problem;

    Refusal claim(const std::string& name, bool by_network = false) {
        FileAccess::WriteRequest wish;
        wish.path = name.starts_with('/') ? name : path(name);
        wish.what = "a list";
        wish.by_network = by_network;
        wish.fits = [](std::string_view begin) { return begin.starts_with("list"); };
        return access.claim(wish, problem);
    }
};

} // namespace

TEST_CASE("a file that is read is not written, by whatever name") {
    Folder folder;
    folder.write("in", "list");
    fs::create_symlink(folder.path("in"), folder.path("link"));
    fs::create_hard_link(folder.path("in"), folder.path("hard"));
    fs::create_directory(folder.path("sub"));
    fs::create_directory_symlink(folder.path(), folder.path("again"));
    folder.write("x.part", "list");
    folder.access.note_read(folder.path("in"));
    folder.access.note_read(folder.path("x.part"));
    folder.access.force();
    for (const char* name : {"in", "link", "hard", "./in", "sub/../in", "again/in"}) {
        CAPTURE(name);
        CHECK(folder.claim(name) == Refusal::is_read);
        CHECK(folder.problem.find("is read by this run") != std::string::npos);
    }
    CHECK(folder.claim("x") == Refusal::is_read); // it would be written through x.part
    CHECK(folder.claim("other") == Refusal::none);
}

TEST_CASE("what is read under a link is not written under its own name") {
    Folder folder;
    folder.write("in", "list");
    fs::create_symlink(folder.path("in"), folder.path("link"));
    folder.access.note_read(folder.path("link"));
    CHECK(folder.claim("in") == Refusal::is_read);
    CHECK(folder.problem == "'" + folder.path("in") + "' is read by this run, as '" +
                                folder.path("link") +
                                "', so it cannot be written; give another "
                                "name");
    CHECK(folder.claim("link") == Refusal::is_read);
}

TEST_CASE("no file is written twice, but a device may be") {
    Folder folder;
    fs::create_directory(folder.path("sub"));
    CHECK(folder.claim("a") == Refusal::none);
    CHECK(folder.claim("sub/../a") == Refusal::is_written);
    CHECK(folder.claim("a.part") == Refusal::is_written);
    CHECK(folder.claim("/dev/null") == Refusal::none);
    CHECK(folder.claim("/dev/null") == Refusal::none);
}

TEST_CASE("an existing file is written over when it is empty, of the kind, or by force") {
    Folder folder;
    folder.write("list", "list of things");
    folder.write("empty", "");
    folder.write("other", "precious");
    folder.write("under_way.part", "precious");
    CHECK(folder.claim("list") == Refusal::none);
    CHECK(folder.claim("empty") == Refusal::none);
    CHECK(folder.claim("other") == Refusal::other_kind);
    CHECK(folder.problem == "'" + folder.path("other") +
                                "' is there and is not a list; give another name, or --force to "
                                "write over it");
    CHECK(folder.claim("under_way") == Refusal::other_kind);
    folder.access.force();
    CHECK(folder.claim("other") == Refusal::none);
}

TEST_CASE("a network writes below what is allowed, links resolved, and nothing hidden") {
    Folder folder;
    const Scratch outside;
    fs::create_directories(folder.path("own/sub"));
    fs::create_directory(folder.path("own/.config"));
    fs::create_directory_symlink(outside.path(), folder.path("own/away"));
    outside.write("target", "list");
    fs::create_symlink(outside.path("target"), folder.path("own/link"));
    folder.access.allow(folder.path("own"));
    CHECK(folder.claim("own/a", true) == Refusal::none);
    CHECK(folder.claim("own/sub/../b", true) == Refusal::none);
    CHECK(folder.claim("/dev/null", true) == Refusal::none);
    for (const char* name : {"a", "own/../a", "own/away/a", "own/link", "own/.bashrc",
                             "own/.config/a", "/etc/a", "ownership"}) {
        CAPTURE(name);
        CHECK(folder.claim(name, true) == Refusal::outside);
    }
    CHECK(folder.claim("own/.bashrc") == Refusal::none); // the user may
    folder.access.allow(outside.path());
    folder.access.allow(folder.path("own/.hidden"));
    CHECK(folder.claim("own/away/a", true) == Refusal::none);
    CHECK(folder.claim("own/.hidden", true) == Refusal::none);
}

TEST_CASE("reading is free until it is bounded") {
    Folder folder;
    const Scratch outside;
    folder.access.allow(folder.path() + "/");
    CHECK(folder.access.note_read_by_network(outside.path("a")));
    folder.access.bound_reading();
    CHECK_FALSE(folder.access.note_read_by_network(outside.path("a")));
    CHECK(folder.access.note_read_by_network(folder.path("a")));
    CHECK(folder.access.note_read_by_network(folder.path(".hidden")));
    folder.access.allow_reading(outside.path());
    CHECK(folder.access.note_read_by_network(outside.path("a")));
    CHECK(folder.claim(outside.path("b"), true) == Refusal::outside);
}
