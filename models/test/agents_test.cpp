// SPDX-License-Identifier: Apache-2.0
//
// agents: compares the end positions with a sequential program of the same law (named in
// README.md).
#include <doctest/doctest.h>

#include <string>

#include "program.hpp"

using sme::test::Command;
using sme::test::model;

namespace {

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++count;
    return count;
}

} // namespace

TEST_CASE("agents: the last agent ends where it ends in a sequential program") {
    for (const char* way : {"", " --runners 2"}) {
        CAPTURE(way);
        const Command run = model(std::string{"agents --grid 3"} + way);
        CHECK(run.exit_code == 0);
        CHECK(run.out.find("agent 108: location 2 (-1242, 1385), persona 135568\n") !=
              std::string::npos);
    }
    const Command run = model("agents --grid 5 --runners 2");
    CHECK(run.out.find("agent 300: location 18 (-1033, 1680), persona 1419541\n") !=
          std::string::npos);
}

TEST_CASE("agents: with a clock they end in the same place") {
    const Command clocked = model("agents --grid 3 --cycles 30 --clocked");
    const Command untimed = model("agents --grid 3 --cycles 30");
    CHECK(clocked.exit_code == 0);
    const auto end_of = [](const Command& run) {
        return run.out.substr(run.out.find("agent 108"));
    };
    CHECK(end_of(clocked) == end_of(untimed));
}

TEST_CASE("agents: a film shows each of them, in each cycle") {
    const sme::test::Scratch scratch;
    const Command run =
        model("agents --grid 3 --agents 2 --cycles 7 --film " + scratch.path("film.svg"));
    CHECK(run.exit_code == 0);
    const std::string film = sme::test::text_of(scratch.path("film.svg"));
    CHECK(count_of(film, "<circle ") == 18);
    CHECK(count_of(film, ";") == 18 * 2 * 6);
}

TEST_CASE("agents: what they cannot work with") {
    CHECK(model("agents --grid 2").err ==
          "agents: --grid '2': give a whole number from 3 to 100\n");
    CHECK(model("agents --grid 3 --cycles 0 --film x.svg").exit_code == 2);
    CHECK(model("agents --grid 30 --cycles 2 --runners 2").exit_code == 0);
    const Command none = model("agents --grid 3 --cycles 1 --film /no/such/folder/film.svg");
    CHECK(none.exit_code == 1);
    CHECK(none.err.find("could not be written") != std::string::npos);
}
