// SPDX-License-Identifier: Apache-2.0
//
// Memories of any size as native code: results equal to arithmetic in this file, and C whose size
// does not depend on the memories.
#include "interpret/test/yaml_run.hpp"
#include "native/test/attached.hpp"

using namespace sme;

namespace {

/// Each cycle reverses the first memory and adds to it, in place if nothing else reads it; the
/// second memory holds the previous contents of the first; `tick` selects a word that may be out of
/// range.
std::string network(std::uint64_t words, const std::string& reads) {
    return "network: many\nparameters: {n: " + std::to_string(words) +
           "}\nbuses: {tick: u32, total: u32, most: u32}\nprocesses:\n  p:\n"
           "    out: [tick, total, most]\n    state:\n      mem: u32[n]\n      copy: u32[n]\n"
           "    step:\n      tick: tick + 1\n      mem[k < n]: " +
           reads +
           " + u32(k)\n      copy: mem\n      total: sum(k < n, copy[k] * 3)\n"
           "      most: max(k < n, mem[k] / (20 - tick))\n";
}

struct Expected {
    std::vector<std::uint32_t> mem, copy;
    std::uint32_t total = 0, most = 0;

    explicit Expected(std::uint64_t words) : mem(words), copy(words) {}
    void cycle(std::uint32_t tick, bool turned) {
        const std::vector<std::uint32_t> before = mem;
        total = most = 0;
        for (std::size_t k = 0; k < mem.size(); ++k) {
            total += copy[k] * 3;
            most = std::max(most, before[k] / (20 - tick));
            mem[k] = before[turned ? mem.size() - 1 - k : k] + static_cast<std::uint32_t>(k);
        }
        copy = before;
    }
};

} // namespace

TEST_CASE("60,000 words are a loop of native code, read before they are written") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = test::compiler_settings(scratch);
    for (const bool turned : {false, true})
        for (const std::uint64_t words : {999u, 1000u, 60'000u}) {
            CAPTURE(words);
            test::YamlRun run{network(words, turned ? "mem[n - 1 - k]" : "mem[k]")};
            INFO(render(run.diagnostics));
            REQUIRE(run.loaded());
            const auto attached = test::attach(run.engine(), run.graph(), settings);
            Expected expected{words};
            for (std::uint32_t tick = 0; tick < 12; ++tick) {
                run.run();
                expected.cycle(tick, turned);
                REQUIRE(static_cast<std::uint32_t>(run.at("total")) == expected.total);
                REQUIRE(static_cast<std::uint32_t>(run.at("most")) == expected.most);
            }
            CHECK(run.engine().run(20) == RunEnd::faulted); // tick is 20
            CHECK(run.faults() == test::Texts{"p: divide-by-zero"});
            CHECK(run.engine().cycle() == 21);
        }
}

TEST_CASE("the C of a loop does not grow with it") {
    std::vector<std::size_t> sizes;
    for (const std::uint64_t words : {2'000u, 2'000'000u}) {
        test::YamlRun run{network(words, "mem[n - 1 - k]")};
        INFO(render(run.diagnostics));
        REQUIRE(run.loaded());
        sizes.push_back(
            native::Native::of(run.graph(), run.engine(), true)->c_module().text().size());
    }
    CHECK(sizes[1] > sizes[0]); // longer numbers
    CHECK(sizes[1] < sizes[0] + 200);
}
