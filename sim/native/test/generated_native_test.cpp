// SPDX-License-Identifier: Apache-2.0
//
// Random networks of every construct: as native code they give every value, print every line, and
// fault, fail and halt as the interpreter does.
#include <cstdlib>

#include <fmt/format.h>

#include "interpret/test/yaml_run.hpp"
#include "native/test/attached.hpp"
#include "trace/vcd.hpp"
#include "yaml/fuzz/network_maker.hpp"

namespace {

using namespace sme;

constexpr unsigned networks_made = 120;

struct Shown {
    std::string text;
    engine::Ending ending = engine::Ending::completed;
};

/// All that a run shows. `settings`: as native code, attached before cycle `at`.
Shown shown(const test::Scratch& folder, const fuzz::Generated& network,
            const native::CompilerSettings* settings, std::uint64_t at) {
    test::YamlRun run{network.text, folder.path(), {{}, 1'000'000'000, SME_SOURCE_DIR "/lib"}};
    REQUIRE(run.loaded());
    Shown made;
    {
        trace::VcdTracer tracer{folder.path("run.vcd"), {{}, "", true}};
        run.engine().attach(tracer);
        std::unique_ptr<native::Native> native;
        if (at > 0)
            run.run(at);
        if (settings)
            native = test::attach(run.engine(), run.graph(), *settings);
        if (run.engine().ending() == engine::Ending::completed && network.cycles > at)
            run.run(network.cycles - at);
        made.ending = run.engine().ending();
        run.finish();
    }
    for (const Diagnostic& fault : run.engine().faults())
        made.text += fault.message + "\n";
    for (const auto& recording : run.recordings) {
        recording->finish(made.ending != engine::Ending::completed);
        made.text += recording->difference() + test::text_of(recording->recording().path);
    }
    for (const std::string& line : run.printed())
        made.text += line + "\n";
    for (const interpret::Verdict& verdict : run.verdicts())
        made.text += fmt::format("{} {}\n", static_cast<int>(verdict.kind), verdict.cycle);
    made.text += test::text_of(folder.path("run.vcd"));
    return made;
}

} // namespace

TEST_CASE("random networks of every construct have the same bits as native code") {
    const test::Scratch kept;
    const native::CompilerSettings settings = test::compiler_settings(kept);
    unsigned faulted = 0, halted = 0;
    std::uint64_t first = 5001, last = 5000 + networks_made;
    if (const char* seed = std::getenv("SME_SEED")) // to look at one of them
        first = last = std::strtoull(seed, nullptr, 10);
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        fuzz::Choices choices{seed};
        const fuzz::Generated network = fuzz::generate(choices, true);
        const test::Scratch folder;
        for (const auto& [name, text] : network.files)
            folder.write(name, text);
        CAPTURE(seed);
        INFO(network.text);
        const Shown expected = shown(folder, network, nullptr, 0);
        const Shown native = shown(folder, network, &settings, seed % 3 == 0 ? seed % 5 : 0);
        REQUIRE(native.text == expected.text);
        REQUIRE(native.ending == expected.ending);
        faulted += native.ending == engine::Ending::faulted;
        halted += native.ending == engine::Ending::halted;
    }
    if (first != last) {
        CHECK(faulted > 2);
        CHECK(halted > 2);
    }
}
