// SPDX-License-Identifier: Apache-2.0
// Damaged files: whatever the library does with them, this program continues.
#include <doctest/doctest.h>

#include <random>

#include <sys/resource.h>
#include <sys/wait.h>

#include "fst_test.hpp"

using namespace fst_test;

namespace {

/// Returns the CPU seconds of the children for which this program has waited.
double computed_by_children() {
    struct rusage used {};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::string number(std::uint64_t value) {
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift);
    return bytes;
}

} // namespace

TEST_CASE("a file whose names do not end is refused at once") {
    const Scratch folder;
    write_counter_file(folder.path("a.fst"), 20, 0);
    std::string bytes = text_of(folder.path("a.fst"));
    const std::size_t names = bytes.rfind("\6" + std::string(6, '\0')); // the last block
    REQUIRE(names != std::string::npos);
    // Without a terminating zero.
    const std::string scope = {'\xfe', 0, 'a', 'a', 'a', 'a', 'a', 'a'};
    bytes.resize(names + 1);
    bytes += number(8 + 8 + 1 + scope.size()) + number(scope.size()) + '\x80' + scope; // LZ4
    folder.write("a.fst", bytes);
    const double before = computed_by_children();
    std::string problem;
    streamed(folder.path("a.fst"), problem);
    CHECK(problem == "it is damaged");
    constexpr double most = 2.5; // the limit of fst2vcd
    CHECK(computed_by_children() - before < most);
}

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
        const double before = computed_by_children();
        same += unsigned{streamed(folder.path("changed.fst"), problem) == whole};
        problems += unsigned{!problem.empty()};
        CHECK(computed_by_children() - before < 2.5);
    }
    CHECK(problems > tries / 4); // wrong sizes, or packed data with a checksum
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
