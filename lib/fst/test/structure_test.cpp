// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "fst/structure.hpp"
#include "fst_test.hpp"

using namespace fst_test;
using sme::fst::Structure;

namespace {

Structure structure_of(const Scratch& folder, const std::string& bytes) {
    folder.write("changed.fst", bytes);
    const Open file{folder.path("changed.fst"), O_RDONLY};
    return sme::fst::check_structure(file.descriptor);
}

} // namespace

TEST_CASE("a whole file has no problem, and one that is cut anywhere has") {
    const Scratch folder;
    write_counter_file(folder.path("a.fst"), 100, 30);
    const std::string bytes = text_of(folder.path("a.fst"));
    CHECK(structure_of(folder, bytes).problem == "");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        CAPTURE(size);
        CHECK(structure_of(folder, bytes.substr(0, size)).problem != "");
    }
    CHECK(structure_of(folder, bytes + "x").problem != "");
}

TEST_CASE("wrong sizes are problems") {
    const Scratch folder;
    write_counter_file(folder.path("a.fst"), 100, 0);
    const std::string bytes = text_of(folder.path("a.fst"));
    const auto with = [&](std::size_t at, char byte) {
        std::string changed = bytes;
        changed[at] = byte;
        return structure_of(folder, changed).problem;
    };
    CHECK(with(25, 'x') == "its first block is damaged");
    CHECK(with(57, 1) == "it claims to have more signals than any file has");
    CHECK(with(72, 9) == "it has 1 blocks of values, but says that there are 9");
    CHECK(with(330, 99) == "the block at byte 330 is of a kind that is not known");
    CHECK(with(331, 1).find("ends behind the end") != std::string::npos);
    CHECK(with(355, 1) == "the block at byte 330 says wrongly how long its changes are");
}

TEST_CASE("an FST file is known by its first bytes") {
    const Scratch folder;
    write_counter_file(folder.path("a.fst"), 1, 0);
    folder.write("a.vcd", "$timescale 1 ns $end\n");
    folder.write("short.fst", std::string(3, '\0'));
    CHECK(sme::fst::is_fst(Open{folder.path("a.fst"), O_RDONLY}.descriptor));
    CHECK_FALSE(sme::fst::is_fst(Open{folder.path("a.vcd"), O_RDONLY}.descriptor));
    CHECK_FALSE(sme::fst::is_fst(Open{folder.path("short.fst"), O_RDONLY}.descriptor));
    CHECK(sme::fst::check_structure(Open{folder.path("a.fst"), O_RDONLY}.descriptor).last_time ==
          5);
}
