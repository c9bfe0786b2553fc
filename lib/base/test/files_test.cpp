// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.hpp"
#include "base/test/scratch.hpp"

using namespace sme;
using test::Scratch;
using test::text_of;
namespace fs = std::filesystem;

namespace {

void put(const std::string& path, const std::string& text) {
    std::ofstream{path, std::ios::binary} << text;
}

} // namespace

TEST_CASE("a file is read whole, bytes of every value included") {
    const Scratch scratch;
    std::string text;
    for (int k = 0; k < 100'000; ++k)
        text += static_cast<char>(k * 7);
    put(scratch.path("a"), text);
    const FileText read = read_file(scratch.path("a"), 1 << 20);
    REQUIRE(read.text.has_value());
    CHECK(*read.text == text);
    CHECK(read.problem.empty());

    put(scratch.path("empty"), "");
    CHECK(read_file(scratch.path("empty"), 0).text == std::string{});
}

TEST_CASE("a text is read without its byte-order mark, and not in UTF-16") {
    const Scratch scratch;
    put(scratch.path("a"), "\xef\xbb\xbfx: 1\n");
    CHECK(read_text(scratch.path("a"), 100).text == "x: 1\n");
    for (const std::string mark : {"\xff\xfe", "\xfe\xff"}) {
        put(scratch.path("b"), mark + "x");
        const FileText refused = read_text(scratch.path("b"), 100);
        CHECK_FALSE(refused.text.has_value());
        CHECK(refused.problem == "it is written in UTF-16; save it as UTF-8");
    }
}

TEST_CASE("a file of exactly the limit is read, one byte more is too large") {
    const Scratch scratch;
    put(scratch.path("a"), "12345");
    CHECK(read_file(scratch.path("a"), 5).text == "12345");
    const FileText read = read_file(scratch.path("a"), 4);
    CHECK_FALSE(read.text.has_value());
    CHECK(read.too_large);
    CHECK(read.problem == "it is larger than 4 bytes");
    put(scratch.path("b"), std::string((1 << 16) + 1, 'x')); // more than one read
    CHECK(read_file(scratch.path("b"), 1 << 16).too_large);
}

TEST_CASE("a file without an end is refused without reading it") {
    const FileText read = read_file("/dev/zero", 1 << 20);
    CHECK_FALSE(read.text.has_value());
    CHECK(read.problem == "it is not a regular file");
}

TEST_CASE("a missing file, a folder and a pipe nobody writes say what is wrong at once") {
    const Scratch scratch;
    CHECK(read_file(scratch.path("missing"), 10).problem == "No such file or directory");
    CHECK(read_file(scratch.path(""), 10).problem == "it is a folder");
    REQUIRE(::mkfifo(scratch.path("pipe").c_str(), 0600) == 0);
    CHECK(read_file(scratch.path("pipe"), 10).problem == "it is not a regular file");
}

TEST_CASE("an output file appears under its name only when it is whole") {
    const Scratch scratch;
    OutputFile file{scratch.path("out")};
    CHECK(file.write("abc"));
    CHECK_FALSE(fs::exists(scratch.path("out")));
    CHECK(fs::exists(scratch.path("out.part")));
    CHECK(file.write("def"));
    CHECK(file.commit());
    CHECK(text_of(scratch.path("out")) == "abcdef");
    CHECK(scratch.files().size() == 1);
}

TEST_CASE("more than a buffer arrives in order") {
    const Scratch scratch;
    std::string expected;
    OutputFile file{scratch.path("out")};
    for (int k = 0; k < 200'000; ++k) {
        const std::string piece = std::to_string(k) + ",";
        expected += piece;
        file.write(piece);
    }
    REQUIRE(file.commit());
    CHECK(text_of(scratch.path("out")) == expected);
}

TEST_CASE("a file that is not committed leaves nothing, and an older one as it was") {
    const Scratch scratch;
    put(scratch.path("out"), "older");
    {
        OutputFile file{scratch.path("out")};
        file.write(std::string(1 << 20, 'x'));
    }
    CHECK(text_of(scratch.path("out")) == "older");
    CHECK(scratch.files().size() == 1);
    {
        OutputFile file{scratch.path("out")};
        file.write("newer");
        CHECK(file.commit());
    }
    CHECK(text_of(scratch.path("out")) == "newer");
}

TEST_CASE("a file that cannot be opened says so and swallows what is written") {
    const Scratch scratch;
    OutputFile file{scratch.path("no/such/folder")};
    CHECK_FALSE(file.good());
    CHECK(file.problem() ==
          "cannot open '" + scratch.path("no/such/folder") + "': No such file or directory");
    CHECK_FALSE(file.write("abc"));
    CHECK_FALSE(file.commit());
    OutputFile folder{scratch.path("")};
    CHECK_FALSE(folder.good());
}

TEST_CASE("a full disk is noticed at the latest when the file is committed") {
    OutputFile small{"/dev/full"};
    CHECK(small.write("abc"));
    CHECK_FALSE(small.commit());
    CHECK(small.problem() == "cannot write '/dev/full': No space left on device");

    OutputFile large{"/dev/full"};
    CHECK_FALSE(large.write(std::string(1 << 20, 'x')));
    CHECK_FALSE(large.good());
    CHECK_FALSE(large.commit());
}

TEST_CASE("lines that are worth keeping stay when the file cannot be finished") {
    const Scratch scratch;
    const std::string path = scratch.path("out"), part = scratch.path("out.part");
    const std::string kept = "; the earlier lines are in '" + part + "'";
    {
        OutputFile file{path};
        file.keep_lines();
        CHECK(file.write("one\ntw"));
        CHECK(file.flush());
        CHECK(text_of(part) == "one\ntw");
        CHECK(file.write("o\nthr"));
        file.abandon();
        CHECK(file.problem() == "'" + path + "' is not finished" + kept);
        CHECK_FALSE(file.write("ee\n"));
        CHECK_FALSE(file.commit());
    }
    CHECK(text_of(part) == "one\ntwo\n");
    CHECK_FALSE(fs::exists(path));
    {
        OutputFile file{path}; // the next one overwrites it
        file.keep_lines();
        file.write("other\n");
        fs::create_directories(scratch.path("out/inside")); // blocks the name
        CHECK_FALSE(file.commit());
        CHECK(file.problem().ends_with(kept));
    }
    CHECK(text_of(part) == "other\n");
}

TEST_CASE("without a whole line there is nothing to keep") {
    const Scratch scratch;
    {
        OutputFile file{scratch.path("out")};
        file.keep_lines();
        file.write("half a line");
        file.abandon();
        CHECK(file.problem() == "'" + scratch.path("out") + "' is not finished");
    }
    CHECK(scratch.files().empty());
}

TEST_CASE("a file that cannot get its name is removed and reported") {
    const Scratch scratch;
    OutputFile file{scratch.path("out")};
    file.write("abc");
    fs::create_directories(scratch.path("out/inside")); // blocks the name
    CHECK_FALSE(file.commit());
    CHECK(file.problem().starts_with("cannot finish '" + scratch.path("out") + "': "));
    CHECK_FALSE(fs::exists(scratch.path("out.part")));
}

TEST_CASE("a second file of one name is refused while the first is under way") {
    const Scratch scratch;
    const std::string path = scratch.path("out");
    {
        OutputFile first{path};
        CHECK(first.write("first"));
        OutputFile second{path};
        CHECK(second.problem() ==
              "cannot open '" + path + "': another run writes it now, into '" + path + ".part'");
        CHECK_FALSE(second.write("second"));
        CHECK_FALSE(second.commit());
        CHECK(take_left_part(path, scratch.path("taken")) == LeftFile::in_use);
        CHECK(first.commit());
    }
    CHECK(text_of(path) == "first");
    CHECK(scratch.files().size() == 1);
    OutputFile third{path};
    CHECK(third.good());
}

TEST_CASE("a process that ended left a file under way, which is replaced or taken") {
    const Scratch scratch;
    const std::string path = scratch.path("out");
    const auto leave = [&] {
        const pid_t child = ::fork();
        if (child == 0) {
            OutputFile file{path};
            file.write("left\n");
            file.flush();
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        CHECK(text_of(path + ".part") == "left\n");
    };
    leave();
    CHECK(take_left_part(path, scratch.path("taken")) == LeftFile::taken);
    CHECK(text_of(scratch.path("taken")) == "left\n");
    CHECK(take_left_part(path, scratch.path("taken")) == LeftFile::none);
    leave();
    OutputFile file{path};
    CHECK(file.write("new"));
    CHECK(file.commit());
    CHECK(text_of(path) == "new");
}

TEST_CASE("a link in the place of the file under way leads nowhere") {
    const Scratch scratch;
    const std::string path = scratch.path("out"), victim = scratch.path("victim");
    put(victim, "precious");
    fs::create_symlink(victim, path + ".part");
    OutputFile refused{path};
    CHECK(refused.problem() ==
          "cannot open '" + path + "': '" + path + ".part' is a link; remove it");
    CHECK(take_left_part(path, scratch.path("taken")) == LeftFile::none);
    fs::remove(path + ".part");
    fs::create_hard_link(victim, path + ".part");
    {
        OutputFile file{path};
        CHECK(file.write("new"));
        CHECK(file.commit());
    }
    CHECK(text_of(victim) == "precious");
    CHECK(text_of(path) == "new");
    REQUIRE(::mkfifo((path + ".part").c_str(), 0600) == 0);
    CHECK(OutputFile{path}.problem().ends_with("' is not a regular file; remove it"));
}

TEST_CASE("a file under way that was removed or replaced does not get the name") {
    const Scratch scratch;
    const std::string path = scratch.path("out");
    OutputFile file{path};
    CHECK(file.write("abc"));
    fs::remove(path + ".part");
    put(path + ".part", "of another program");
    CHECK_FALSE(file.commit());
    CHECK(file.problem() ==
          "cannot finish '" + path + "': '" + path + ".part' was removed or replaced meanwhile");
    CHECK_FALSE(fs::exists(path));
    CHECK(text_of(path + ".part") == "of another program");
}

TEST_CASE("processes that write one name at once leave a whole file of one of them") {
    const Scratch scratch;
    const std::string path = scratch.path("out");
    std::vector<pid_t> children;
    for (char letter = 'a'; letter < 'e'; ++letter) {
        children.push_back(::fork());
        if (children.back() != 0)
            continue;
        for (int k = 0; k < 200; ++k) {
            OutputFile file{path};
            file.write(std::string(3000, letter));
            file.flush();
            file.write(std::string(3000, letter));
            file.commit();
        }
        ::_exit(0);
    }
    std::size_t seen = 0;
    bool whole = true;
    for (const pid_t child : children)
        for (int status = 0; ::waitpid(child, &status, WNOHANG) == 0;) {
            const std::string text = text_of(path);
            seen += text.empty() ? 0U : 1U;
            whole = whole && (text.empty() || text == std::string(6000, text[0]));
        }
    CHECK(whole);
    CHECK(text_of(path).size() == 6000);
    CHECK(seen > 0);
    CHECK(scratch.files().size() == 1);
}

TEST_CASE("an open file of the process is written where it stands, whatever it is") {
    const Scratch scratch;
    const int open = ::open(scratch.path("out").c_str(), O_WRONLY | O_CREAT, 0600);
    REQUIRE(open >= 0);
    CHECK(::write(open, "first\n", 6) == 6);
    const std::string path = "/dev/fd/" + std::to_string(open);
    {
        OutputFile file{path};
        file.keep_lines();
        CHECK(file.write("second\n"));
        CHECK(file.commit());
    }
    CHECK(::write(open, "third\n", 6) == 6);
    ::close(open);
    CHECK(text_of(scratch.path("out")) == "first\nsecond\nthird\n");
    CHECK(scratch.files().size() == 1);
    CHECK(is_written_in_place("/dev/stdout"));
    CHECK_FALSE(is_written_in_place("/dev/fd/x"));
}

TEST_CASE("what is no regular file is written in place") {
    OutputFile file{"/dev/null"};
    CHECK(file.write("abc"));
    CHECK(file.commit());
    CHECK_FALSE(fs::exists("/dev/null.part"));
    CHECK(fs::is_character_file("/dev/null"));
}
