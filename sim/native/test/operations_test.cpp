// SPDX-License-Identifier: Apache-2.0
//
// Random programs of every operation on random and extreme values: compares compiled code, in
// loops, one by one and by tables, with expr::evaluate; and memory writes, faults and halts with
// the interpreter.
#include "interpret/test/random_program.hpp"
#include "native/ir/routine.hpp"
#include "native/test/attached.hpp"

using namespace sme;
using test::instances;

namespace {

/// The layout of the instances' slots.
enum class Lie : std::uint8_t { line, singles, table };

/// A family around a random program. Its ports are bytes: only their addresses matter.
class OneFamily {
public:
    OneFamily(const test::RandomProgram& random, test::World& world, Lie lie) {
        graph_.name = "random";
        ProcessFamily family;
        family.name = "process";
        family.count = instances;
        for (const char* name : {"in", "out"}) {
            BusFamily bus;
            bus.name = name;
            bus.type = Type::array(Type::unsigned_integer(8), 8 * 1024);
            bus.count = instances;
            family.ports.push_back(
                {name, family.ports.size() == 1, bus.type, false, false, {}, {}});
            family.ports.back().buses =
                Segments::affine(instances, static_cast<std::int64_t>(graph_.add(bus).first), 1);
        }
        family.memories.push_back(
            {"memory", Type::signed_integer(16), test::memory_words, {}, {}, {}});
        family.parts.resize(1);
        graph_.processes.push_back(std::move(family));
        auto program = std::make_shared<expr::Program>(random.program);
        program->parts = {random.part};
        if (lie != Lie::line)
            shuffle(world, lie);
        Build build{graph_, graph_.processes[0], world.places.order, {}, {}, {}, 0};
        for (std::size_t p = 0; p < 2; ++p)
            build.ports.push_back({world.places.ports[p], graph_.processes[0].ports[p].buses});
        build.memories = world.places.memories;
        group_ = std::make_unique<interpret::ProgramGroup>(program, build, nullptr);
    }

    interpret::ProgramGroup& group() { return *group_; }
    const Graph& graph() const { return graph_; }

private:
    /// The same slots, with instance 1 and others moved off any line.
    static void shuffle(test::World& world, Lie lie) {
        constexpr std::uint64_t one_by_one[instances] = {0, 1, 2, 3, 4, 7, 5, 6};
        constexpr std::uint64_t all[instances] = {3, 1, 6, 0, 7, 2, 5, 4};
        for (Segments& port : world.places.ports) {
            Segments moved;
            for (std::uint64_t k = 0; k < instances; ++k)
                moved.append(port.at(lie == Lie::singles ? one_by_one[k] : all[k]));
            port = std::move(moved);
        }
    }

    Graph graph_;
    std::unique_ptr<interpret::ProgramGroup> group_;
};

struct Totals {
    unsigned faults = 0, halts = 0, writes = 0, values = 0;
    std::set<native::Pattern::Kind> kinds;
};

void compare(unsigned seed, bool may_fault, bool writes, Lie lie,
             const native::CompilerSettings& settings, Totals& totals) {
    CAPTURE(seed);
    test::RandomProgram random{seed, may_fault};
    if (!writes)
        random.part.memory_writes.clear();
    test::World ours{random, seed}, theirs{random, seed};
    const std::vector<std::byte> before = ours.memory;
    OneFamily here{random, ours, lie}, there{random, theirs, lie};
    native::Native native{here.graph(), {&here.group()}, ~std::uint64_t{0}};
    INFO(native.c_module().text());
    native::Compiled compiled = native::compile(native.c_module().text(), settings);
    std::string problem = compiled.problem;
    REQUIRE_MESSAGE((compiled.object && native.load(0, compiled.object, problem)), problem);
    for (const native::Pattern& pattern : native.c_module().families()[0].parts[0].runs.patterns)
        totals.kinds.insert(pattern.kind);
    native.group(0)->step(0, {0, 3}, ours.frame()); // ranges cut pieces
    native.group(0)->step(0, {3, instances - 3}, ours.frame());
    there.group().step(0, {0, instances}, theirs.frame());
    ours.heard.sort();
    theirs.heard.sort();
    REQUIRE((ours.heard.faults == theirs.heard.faults));
    REQUIRE(ours.heard.halted == theirs.heard.halted);
    REQUIRE((ours.memory == theirs.memory));
    totals.faults += !ours.heard.faults.empty();
    totals.halts += ours.heard.halted;
    totals.writes += ours.memory != before;
    REQUIRE((ours.write == theirs.write));
    if (lie != Lie::line || !ours.heard.faults.empty())
        return;
    for (std::uint64_t p = 0; p < instances; ++p) {
        const std::vector<std::uint64_t> values = test::walk(random, ours, before, p);
        for (expr::NodeId id = 0; id < values.size(); ++id) {
            CAPTURE(id);
            REQUIRE(ours.output(p, id, random.program.nodes[id].type) == values[id]);
            ++totals.values;
        }
    }
}

} // namespace

TEST_CASE("every operation gives in native code what evaluate says") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = test::compiler_settings(scratch);
    Totals totals;
    for (unsigned seed = 1; seed <= 60; ++seed)
        compare(seed, seed % 4 == 0, seed % 3 == 0,
                seed % 5 == 0   ? Lie::singles
                : seed % 5 == 1 ? Lie::table
                                : Lie::line,
                settings, totals);
    CHECK(totals.kinds.size() == 3);
    CHECK(totals.faults > 5);
    CHECK(totals.halts > 20);
    CHECK(totals.writes > 10);
    CHECK(totals.values > 10'000);
}

TEST_CASE("names of a network become names of C") {
    CHECK(native::c_name("total.value") == "n_total_value");
    CHECK(native::c_name("stage[3].fifo") == "n_stage_3_fifo");
    CHECK(native::c_name("while") == "n_while");
    CHECK(native::c_name("__x__") == "n_x");
    CHECK(native::c_name("3") == "n_3");
    CHECK(native::c_name("_") == "n");
}
