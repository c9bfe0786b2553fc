// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include <sys/resource.h>

#include "fst_test.hpp"

using namespace fst_test;
using sme::fst::Writer;

namespace {

// Features that only fstapi has.
#if SME_FST_FSTCPP
constexpr bool leaves_sections = false, notes_errors = true, has_names_file = false,
               begins_unknown = false, limits_width = true; // a signal without a value is unknown
#elif SME_FST_LIBFST
constexpr bool leaves_sections = false, notes_errors = false, has_names_file = true,
               begins_unknown = true, limits_width = false;
#else
constexpr bool leaves_sections = true, notes_errors = true, has_names_file = true,
               begins_unknown = true, limits_width = false;
#endif

/// Limits the file size of this program while it lives.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes) : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const struct rlimit small { bytes, before_.rlim_max };
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

private:
    struct rlimit before_ {};
    void (*handler_)(int);
};

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++found;
    return found;
}

/// Returns the times and, in digit order, the changes at each.
std::string changes_of(const std::string& text) {
    std::istringstream lines{text.substr(text.find("\n#0\n") + 1)};
    std::string result;
    std::set<std::string> changes;
    const auto take = [&] {
        for (const std::string& change : changes)
            result += change + " ";
        changes.clear();
    };
    for (std::string line; std::getline(lines, line);) {
        std::erase(line, ' ');
        if (line.starts_with('#')) {
            take();
            result += line + " ";
        } else if (!line.starts_with('$'))
            changes.insert(line);
    }
    take();
    return result;
}

} // namespace

TEST_CASE("what is written comes back as the text of a VCD file") {
    const Scratch folder;
    write_counter_file(folder.path("a.fst"), 3, 0);
    std::string problem;
    const std::string text = streamed(folder.path("a.fst"), problem);
    CHECK(problem == "");
    CHECK(text.find("$scope module top $end\n") != std::string::npos);
    CHECK(text.find("$scope struct pair $end\n") != std::string::npos);
    CHECK(text.find("$var wire 8 \" count [7:0] $end\n") != std::string::npos);
    CHECK(changes_of(text) == "#0 1! " + std::string{begins_unknown ? "bxxxxxxxx\" " : ""} +
                                  "#5 0! #10 1! b00000001\" #15 0! #20 1! b00000010\" "
                                  "#25 0! #25 ");
    CHECK_FALSE(std::filesystem::exists(folder.path("a.fst.hier")));
}

TEST_CASE("values of several words, members and other names come back") {
    const Scratch folder;
    const std::string digits = "10" + std::string(66, '0') + "11";
    {
        const Open file{folder.path("a.fst"), O_RDWR | O_CREAT};
        Writer writer{file.descriptor, folder.path("a.fst")};
        writer.tick("100 ps");
        writer.comment("of a test");
        const auto wide = writer.signal("wide [69:0]", 70, "u70", 0);
        const std::array<sme::fst::NamedValue, 2> members{{{"red", "0"}, {"green", "1"}}};
        const auto light = writer.signal("light", 1, "Light", writer.enumeration("Light", members));
        writer.alias("lamp", 1, light);
        writer.write([&] {
            writer.time(0);
            writer.value(light, "1");
            writer.value(wide, std::string(70, '0').c_str());
            writer.time(7);
            writer.value(wide, digits.c_str());
            writer.value(light, "0");
        });
        writer.finish();
        CHECK(writer.good());
    }
    std::string problem;
    const std::string text = streamed(folder.path("a.fst"), problem);
    CHECK(problem == "");
    CHECK(changes_of(text) == "#0 1\" b" + std::string(70, '0') + "! #7 0\" b" + digits + "! #7 ");
    for (const char* part : {"of a test", "red green 0 1", "$var wire 1 \" lamp $end", "u70"})
        CHECK(text.find(part) != std::string::npos);
    CHECK(count(text, "100ps") + count(text, "100 ps") == 1);
}

TEST_CASE("two files of the same values are equal") {
    const Scratch folder;
    for (const char* name : {"a.fst", "b.fst"})
        write_counter_file(folder.path(name), 500, 100);
    CHECK(text_of(folder.path("a.fst")) == text_of(folder.path("b.fst")));
}

TEST_CASE("sections hold the same values as one") {
    const Scratch folder;
    write_counter_file(folder.path("one.fst"), 300, 0);
    write_counter_file(folder.path("some.fst"), 300, 7);
    std::string problem;
    const std::string one = streamed(folder.path("one.fst"), problem);
    CHECK(problem == "");
    CHECK(changes_of(one) == changes_of(streamed(folder.path("some.fst"), problem)));
    CHECK(problem == "");
    CHECK(count(one, "\n#") == 601);
}

TEST_CASE("a file that is not finished is read up to its last section, with the names beside it") {
    const Scratch folder;
    const std::string path = folder.path("a.fst");
    const Open file{path, O_RDWR | O_CREAT};
    {
        Writer writer{file.descriptor, path};
        write_counter(writer, 100, 30);
        CHECK(writer.has_section() == leaves_sections);
        if (!leaves_sections)
            return;
        writer.keep_names();
    }
    REQUIRE(std::filesystem::exists(path + ".hier"));
    std::string problem;
    const std::string text = streamed(path, problem);
    CHECK(problem == "");
    CHECK(text.find("b01010111 \"") != std::string::npos); // 87
    CHECK(text.find("b01011010 \"") == std::string::npos); // 90 is in the next section
    std::filesystem::remove(path + ".hier");
    CHECK(streamed(path, problem).empty());
    CHECK(problem != "");
}

TEST_CASE("names beside a whole file are those of another, and are not read") {
    const Scratch folder;
    write_counter_file(folder.path("a.fst"), 3, 0);
    std::string problem;
    const std::string before = streamed(folder.path("a.fst"), problem);
    folder.write("a.fst.hier", "wrong");
    CHECK(streamed(folder.path("a.fst"), problem) == before);
    CHECK(text_of(folder.path("a.fst.hier")) == "wrong");
}

TEST_CASE("a disk without room is noted, in the declarations, the values and the end") {
    const Scratch folder;
    write_counter_file(folder.path("whole.fst"), 300, 100);
    const auto whole = std::filesystem::file_size(folder.path("whole.fst"));
    for (rlim_t bytes = 0; notes_errors && bytes < whole; bytes += whole / 40) {
        CAPTURE(bytes);
        const std::string path = folder.path("a.fst");
        const Open file{path, O_RDWR | O_CREAT | O_TRUNC};
        Writer::Problem problem;
        {
            const SmallFiles small{bytes};
            Writer writer{file.descriptor, path};
            write_counter(writer, 300, 100);
            writer.finish();
            problem = writer.problem();
        }
        CHECK(problem.error == EFBIG);
        CHECK_FALSE(std::filesystem::exists(path + ".hier"));
    }
}

TEST_CASE("a name that readers would cut, and more signals than fit, are said") {
    const Scratch folder;
    const Open file{folder.path("a.fst"), O_RDWR | O_CREAT};
    {
        Writer writer{file.descriptor, folder.path("a.fst")};
        writer.signal(std::string(511, 'a'), 1, "bool", 0);
        CHECK(writer.good());
        writer.signal(std::string(512, 'a'), 1, "bool", 0);
        CHECK(writer.problem().limit.find("at most 511 characters") != std::string::npos);
    }
    Writer writer{file.descriptor, folder.path("a.fst")};
    for (int k = 0; k < 4 && writer.good(); ++k)
        writer.signal("a", std::uint32_t{1} << 29, "u", 0);
    CHECK(writer.problem().limit.find(limits_width ? "takes signals of at most" : "has room for") !=
          std::string::npos);
}

TEST_CASE("a file in the place of the names is left alone unless it is one that was left") {
    if (!has_names_file || !notes_errors)
        return;
    const Scratch folder;
    const std::string path = folder.path("a.fst");
    std::filesystem::create_directory(path + ".hier");
    const Open file{path, O_RDWR | O_CREAT};
    {
        const Writer writer{file.descriptor, path};
        CHECK(writer.problem().error == EEXIST);
    }
    CHECK(std::filesystem::is_directory(path + ".hier"));
    std::filesystem::remove(path + ".hier");
    folder.write("a.fst.hier", "left");
    CHECK(Writer{file.descriptor, path}.good());
}
