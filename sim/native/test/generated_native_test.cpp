// SPDX-License-Identifier: Apache-2.0
//
// Random networks of every construct: interpreted, as native code, with threads, and in Icarus
// Verilog they have the same value on every bus in every cycle, and fault, fail and halt alike.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/program.hpp"
#include "base/test/nightly.hpp"
#include "export/test/exported.hpp"
#include "native/fuzz/differences.hpp"
#include "native/test/attached.hpp"

namespace {

using namespace sme;

struct Seeds {
    std::uint64_t first = 1, last = 64;
    bool others = false; // than the ones that are counted
};

/// The seeds of SME_SEEDS, "17" or "17-90".
Seeds seeds() {
    Seeds result;
    if (const char* text = std::getenv("SME_SEEDS")) {
        char* end = nullptr;
        result.first = result.last = std::strtoull(text, &end, 10);
        if (*end == '-')
            result.last = std::strtoull(end + 1, nullptr, 10);
        result.others = true;
    }
    return result;
}

/// The network and its files, for inspection.
std::string text_of(const fuzz::Generated& network) {
    std::string all = network.text;
    for (const auto& [name, text] : network.files)
        all += fmt::format("--- {}\n{}", name, text);
    return all;
}

void write(const fuzz::Generated& network, const test::Scratch& folder) {
    folder.write("network.yaml", network.text);
    for (const auto& [name, text] : network.files)
        folder.write(name, text);
}

/// True if the network could be exported to Verilog: a network with random values cannot, nor one
/// that faults in its first cycle.
bool try_icarus(const fuzz::Generated& network) {
    const test::Scratch folder;
    write(network, folder);
    const test::ExportedNetwork exported{folder.path("network.yaml") +
                                         fmt::format(" --cycles {}", network.cycles)};
    CAPTURE(exported.written.err);
    if (exported.written.exit_code == 1 ||
        (exported.written.exit_code == 2 && test::contains(exported.written.err, "random(")))
        return false;
    CHECK(exported.written.exit_code == 0);
    const std::string said = exported.icarus();
    CAPTURE(said);
    CHECK(said.starts_with("PASS: "));
    return true;
}

} // namespace

TEST_CASE("random networks have the same bits in every engine") {
    const test::Scratch kept;
    const native::CompilerSettings optimised = test::compiler_settings(kept);
    native::CompilerSettings plain = optimised, tiny = optimised;
    plain.more_flags.emplace_back("-O0"); // compiles three times as fast
    if (const auto tcc = find_program("tcc"))
        tiny.compiler = *tcc; // compiles thirty times as fast
    else
        tiny = plain;
    const auto settings_for = [&](std::uint64_t seed, bool traps) -> const auto& {
        return seed % test::cases(10, 3) == 0 ? optimised : traps ? plain : tiny;
    };
    const bool has_icarus = test::has_program("iverilog");
    if (!has_icarus)
        MESSAGE("no Icarus Verilog: it judges nothing");
    const Seeds wanted = seeds();
    fuzz::Tally tally;
    unsigned in_icarus = 0;
    for (std::uint64_t seed = wanted.first; seed <= wanted.last; ++seed) {
        fuzz::Choices choices{seed};
        const fuzz::Case given = fuzz::make_case(choices);
        CAPTURE(seed);
        INFO(text_of(given.network));
        if (const char* to = std::getenv("SME_KEEP")) { // keeps it there for inspection
            const test::Scratch folder;
            write(given.network, folder);
            std::filesystem::copy(folder.path(), to, std::filesystem::copy_options::recursive);
        }
        const bool traps = seed % 10 == 0; // which tcc does not have
        CHECK(fuzz::differences(given, wanted.others ? optimised : settings_for(seed, traps), traps,
                                tally) == "");
        if (has_icarus && seed % 4 == 0)
            in_icarus += try_icarus(given.network) ? 1u : 0u;
    }
    MESSAGE(fmt::format("{} native, {} swapped, {} in cycle kernels, {} on two threads, {} in "
                        "files, {} with quick code, {} runs skipping, {} runs on two threads, "
                        "{} with traps, {} faulted, "
                        "{} halted, {} failed, {} in Icarus",
                        tally.native, tally.swapped, tally.in_cycle_kernels,
                        tally.in_shared_kernels, tally.in_files, tally.quick, tally.skipping,
                        tally.threaded, tally.trapped, tally.faulted, tally.halted, tally.failed,
                        in_icarus));
    if (wanted.others)
        return;
    CHECK(tally.native > 50);
    CHECK(tally.skipping > 60);
    CHECK(tally.threaded > 300);
    CHECK(tally.swapped > 20);
    CHECK(tally.in_cycle_kernels > 10);
    CHECK(tally.in_shared_kernels > 5);
    CHECK(tally.in_files > 20);
    CHECK(tally.quick > 20);
    CHECK(tally.trapped > 4);
    CHECK(tally.faulted > 6);
    CHECK(tally.halted > 6);
    CHECK(tally.failed > 3);
    if (has_icarus)
        CHECK(in_icarus > 4);
}
