// SPDX-License-Identifier: Apache-2.0
//
// A point in a loop counts once per step, as in the unrolled loop; counting reads the state before
// the step.
#include <doctest/doctest.h>

#include "engine/feeder.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/checks.hpp"
#include "yaml_run.hpp"

using namespace sme;

namespace {

struct Counted {
    std::string kind_and_line;
    std::uint64_t count;
    bool operator==(const Counted&) const = default;
};

/// The network, with parts that count.
yaml::Design covered_design(const std::string& text, const yaml::GroupFactories& kinds,
                            std::uint64_t loops_from, Diagnostics& diagnostics) {
    yaml::LoadOptions options;
    options.cover = true;
    options.loops_from = loops_from;
    auto design =
        yaml::load(std::make_shared<Source>("test.yaml", text), options, kinds, diagnostics);
    INFO(render(diagnostics));
    REQUIRE(design);
    return std::move(*design);
}

std::vector<Counted> counts_of(const std::string& text, std::uint64_t loops_from,
                               std::uint64_t cycles) {
    const auto covered = std::make_shared<interpret::CoveredPrograms>();
    const yaml::GroupFactories kinds{[&](std::shared_ptr<const expr::Program> program) {
                                         return interpret::counted_program_factory(
                                             std::move(program), covered);
                                     },
                                     engine::feeder,
                                     {},
                                     {}};
    Diagnostics diagnostics;
    const yaml::Design design = covered_design(text, kinds, loops_from, diagnostics);
    const auto analysis = analyse(design.graph, diagnostics);
    REQUIRE(analysis);
    engine::Engine engine{design.graph, *analysis, engine::Options{{}, nullptr, nullptr},
                          diagnostics};
    engine.run(cycles);
    std::vector<Counted> found;
    for (const auto& counts : *covered) {
        const std::vector<std::uint64_t> points = counts->points();
        for (std::size_t k = 0; k < points.size(); ++k) {
            const expr::CoverPoint& point = counts->program().cover.points[k];
            found.push_back({std::to_string(static_cast<int>(point.kind)) + " at " +
                                 std::to_string(point.where.begin),
                             points[k]});
        }
    }
    return found;
}

} // namespace

TEST_CASE("lines and conditions in loops count as often as they do unrolled") {
    const std::string text = "network: test\n"
                             "buses:\n"
                             "  tick: u8\n"
                             "processes:\n"
                             "  p:\n"
                             "    out: tick\n"
                             "    state:\n"
                             "      mem: u8[12]\n"
                             "    step:\n"
                             "      tick: tick + 1\n"
                             "      mem[k < 12]: mem[k] + 1 when mem[k] < u8(k)\n"
                             "      match tick[1:0]:\n"
                             "        0b01:\n"
                             "          mem[k < 12]:\n"
                             "            - 3 when mem[k] == 2\n"
                             "            - mem[k] * 2 when mem[k][0]\n"
                             "            - 1\n"
                             "        0b1?:\n"
                             "          mem[k < 12]:\n"
                             "            match mem[k][1:0]:\n"
                             "              0, 1: 5\n"
                             "              else: mem[k]\n"
                             "        else: {}\n";
    const auto unrolled = counts_of(text, 0, 7), looped = counts_of(text, 1, 7);
    CHECK(unrolled.size() > 10);
    CHECK(looped == unrolled);
}

TEST_CASE("a condition that only coverage reads sees a memory as it was before the step") {
    // both values are the same, so the process itself does not read the memory
    const std::string text = "network: test\n"
                             "buses:\n"
                             "  tick: u8\n"
                             "processes:\n"
                             "  p:\n"
                             "    out: tick\n"
                             "    state:\n"
                             "      mem: u8[2]\n"
                             "    step:\n"
                             "      mem[0]: 1\n"
                             "      tick:\n"
                             "        - 1 when mem[0] == 0\n"
                             "        - 1\n";
    Diagnostics diagnostics;
    const yaml::GroupFactories kinds{interpret::program_factory, engine::feeder, {}, {}};
    const yaml::Design design = covered_design(text, kinds, 0, diagnostics);
    CHECK(design.graph.processes[0].parts.back().kind == Part::Kind::commit);
}
