// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/test/scratch.hpp"
#include "yaml/fuzz/make/network_maker.hpp"

namespace sme::test {

/// Writes the random network of a seed with `Exported`, and calls judge(exported). Returns false if
/// it cannot be written: a network that uses random(...) has no hardware. SME_KEEP names a folder
/// to keep it in.
template <class Exported, class Judge> bool write_random(std::uint64_t seed, Judge judge) {
    fuzz::Choices choices{seed};
    const fuzz::Generated network = fuzz::generate(choices, true);
    const Scratch folder;
    folder.write("network.yaml", network.text);
    std::string all = network.text;
    for (const auto& [name, text] : network.files) {
        folder.write(name, text);
        all += fmt::format("--- {}\n{}", name, text);
    }
    if (const char* kept = std::getenv("SME_KEEP"))
        std::filesystem::copy(folder.path(), kept, std::filesystem::copy_options::recursive);
    CAPTURE(seed);
    INFO(all);
    const Exported exported{folder.path("network.yaml") +
                            fmt::format(" --cycles {}", network.cycles)};
    if (exported.written.exit_code == 2 && contains(exported.written.err, "random(")) {
        CHECK(contains(all, "random("));
        return false;
    }
    if (exported.written.exit_code == 1) // it faults in its first cycle
        return false;
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    judge(exported);
    return true;
}

/// Tests the seeds 1 to `last`, or up to SME_SEEDS, or only SME_SEED.
template <class Exported, class Judge> void write_random_networks(std::uint64_t last, Judge judge) {
    const auto number = [](const char* name, std::uint64_t usual) {
        const char* const text = std::getenv(name);
        return text ? std::strtoull(text, nullptr, 10) : usual;
    };
    const auto write = [&](std::uint64_t seed) {
        return write_random<Exported>(seed,
                                      [&](const Exported& exported) { judge(exported, seed); });
    };
    if (const std::uint64_t seed = number("SME_SEED", 0)) { // to investigate one seed
        CHECK(write(seed));
        return;
    }
    last = number("SME_SEEDS", last);
    unsigned written = 0;
    for (std::uint64_t seed = 1; seed <= last; ++seed)
        written += write(seed) ? 1u : 0u;
    CHECK(written > last / 3); // half of them use random(...)
}

} // namespace sme::test
