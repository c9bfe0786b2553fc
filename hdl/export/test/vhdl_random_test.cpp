// SPDX-License-Identifier: Apache-2.0
//
// Random well-typed networks of every construct, written as VHDL: GHDL agrees with our run on every
// bus in every cycle.
#include <cstdlib>
#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "vhdl_exported.hpp"
#include "yaml/fuzz/make/network_maker.hpp"

namespace {

using namespace sme;

constexpr std::uint64_t networks_made = 60;

/// Whether it could be written: a network with something random cannot.
bool try_seed(std::uint64_t seed) {
    fuzz::Choices choices{seed};
    const fuzz::Generated network = fuzz::generate(choices, true);
    const test::Scratch folder;
    folder.write("network.yaml", network.text);
    std::string all = network.text;
    for (const auto& [name, text] : network.files) {
        folder.write(name, text);
        all += fmt::format("--- {}\n{}", name, text);
    }
    if (const char* kept = std::getenv("SME_KEEP")) // where to leave it, to look at
        std::filesystem::copy(folder.path(), kept, std::filesystem::copy_options::recursive);
    CAPTURE(seed);
    INFO(all);
    const test::ExportedVhdl exported{folder.path("network.yaml") +
                                      fmt::format(" --cycles {}", network.cycles)};
    if (exported.written.exit_code == 2 && test::contains(exported.written.err, "random("))
        return false;
    if (exported.written.exit_code == 1) // it faults in its first cycle
        return false;
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    const std::string said = exported.ghdl();
    CAPTURE(said);
    CHECK(said.starts_with("PASS: "));
    return true;
}

} // namespace

TEST_CASE("random networks written as VHDL do in GHDL what they do here") {
    if (!test::has_program("ghdl")) {
        MESSAGE("skipped: no GHDL");
        return;
    }
    if (const char* seed = std::getenv("SME_SEED")) { // to look at one of them
        CHECK(try_seed(std::strtoull(seed, nullptr, 10)));
        return;
    }
    const char* more = std::getenv("SME_SEEDS"); // the last one of them
    const std::uint64_t last = more ? std::strtoull(more, nullptr, 10) : networks_made;
    unsigned written = 0;
    for (std::uint64_t seed = 1; seed <= last; ++seed)
        written += try_seed(seed) ? 1u : 0u;
    CHECK(written > last / 3); // half of them have something random
}
