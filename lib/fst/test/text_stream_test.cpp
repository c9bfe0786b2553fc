// SPDX-License-Identifier: Apache-2.0
// Damaged files: whatever the library does with them, this program goes on.
#include <doctest/doctest.h>

#include <random>

#include <sys/wait.h>

#include "fst_test.hpp"

using namespace fst_test;

TEST_CASE("a file with any bit wrong gives text or a problem") {
    const Scratch folder;
    write_counter_file(folder.path("a.fst"), 200, 60);
    const std::string bytes = text_of(folder.path("a.fst"));
    std::string problem;
    const std::string whole = streamed(folder.path("a.fst"), problem);
    std::mt19937 random{7};
    unsigned problems = 0, same = 0;
    constexpr unsigned tries = 100;
    for (unsigned k = 0; k < tries; ++k) {
        std::string changed = bytes;
        const std::size_t at = 330 + random() % (bytes.size() - 330);
        changed[at] = static_cast<char>(changed[at] ^ 1 << random() % 8);
        folder.write("changed.fst", changed);
        same += unsigned{streamed(folder.path("changed.fst"), problem) == whole};
        problems += unsigned{!problem.empty()};
    }
    CHECK(problems > tries / 4); // sizes, and what is packed with a checksum
    CHECK(same < tries / 2);
}

TEST_CASE("no process is left, when all was read and when not") {
    const Scratch folder;
    write_counter_file(folder.path("a.fst"), 50'000, 0);
    std::string problem;
    streamed(folder.path("a.fst"), problem);
    CHECK(problem == "");
    {
        const Open file{folder.path("a.fst"), O_RDONLY};
        const sme::fst::TextStream stream{file.descriptor, folder.path("a.fst")};
        char byte = 0;
        CHECK(::read(stream.descriptor(), &byte, 1) == 1);
    }
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}
