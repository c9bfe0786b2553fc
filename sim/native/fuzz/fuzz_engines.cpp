// SPDX-License-Identifier: Apache-2.0
//
// Uses bytes as the choices of the generator of well-typed networks, and checks that the network
// behaves the same in every engine.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/test/scratch.hpp"
#include "native/fuzz/differences.hpp"

using namespace sme;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Choices choices{data, size};
    const bool traps = choices.chance(10);
    const fuzz::Case given = fuzz::make_case(choices);
    const test::Scratch kept;
    native::CompilerSettings settings;
    settings.compiler = "/usr/bin/cc";
    settings.folder = kept.path("native");
    fuzz::Tally tally;
    const std::string found = fuzz::differences(given, settings, traps, tally);
    if (found.empty())
        return 0;
    std::fprintf(stderr, "%s\nin this network:\n%s\n", found.c_str(), given.network.text.c_str());
    for (const auto& [name, text] : given.network.files)
        std::fprintf(stderr, "--- %s\n%s", name.c_str(), text.c_str());
    std::abort();
}
