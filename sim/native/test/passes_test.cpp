// SPDX-License-Identifier: Apache-2.0
//
// The passes on small functions written here; the tests of whole networks show that they keep the
// bits.
#include "native/passes/passes.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "native/emit/emitter.hpp"

using namespace sme;
using native::Id;
using native::Node;
using native::Place;
using native::Routine;

namespace {

constexpr expr::Scalar word{32, false};
constexpr std::uint64_t wires_begin = 100;

Id load(Routine& routine, std::uint64_t at) {
    const Id result = routine.load(word, "SLOT", {}, {.space = Place::Space::slot, .at = at}, "x");
    routine.body.push_back(result);
    return result;
}

Id store(Routine& routine, std::uint64_t at, Id value) {
    const Id result =
        routine.effect("SLOT = $0;", {value}, {.space = Place::Space::slot, .at = at});
    routine[result].type = word;
    routine[result].name = "y";
    routine.body.push_back(result);
    return result;
}

Id operation(Routine& routine, expr::Op op, std::vector<Id> operands) {
    const Id result = routine.operation(op, word, std::move(operands), "v");
    routine.body.push_back(result);
    return result;
}

std::string c_of(Routine& routine) {
    return native::Emitter{routine, native::Arithmetic{4}}.block(routine.body, 0);
}

} // namespace

TEST_CASE("dead code goes with all that only it uses, loops that carry nothing needed, too") {
    Routine routine;
    const Id kept = load(routine, 0), unused = load(routine, 4);
    operation(routine, expr::Op::negate, {unused});
    native::Region region;
    const Id start = routine.constant(word, 0);
    const Id variable =
        routine.add({.kind = Node::Kind::variable, .type = word, .name = "carried"});
    region.step = routine.add({.kind = Node::Kind::variable, .op = expr::Op::step, .name = "step"});
    const Id next = routine.operation(expr::Op::add, word, {variable, unused}, "v");
    region.first = {next};
    region.carried = {{variable, start, next}};
    routine.body.push_back(
        routine.add({.kind = Node::Kind::loop, .immediate = 3}, std::move(region)));
    const Id effect = store(routine, 0, kept);
    native::remove_dead_code(routine);
    CHECK(routine.body == std::vector{kept, effect});
}

TEST_CASE("a wire is the value stored before it, a register is not") {
    Routine routine;
    const Id one = load(routine, 0);
    store(routine, 4, one);
    store(routine, 104, one);
    const Id negated = operation(routine, expr::Op::negate, {load(routine, 104)});
    const Id doubled = operation(routine, expr::Op::complement, {load(routine, 4)});
    native::forward_wires(routine, wires_begin);
    CHECK(routine[negated].operands == std::vector{one});
    CHECK(routine[doubled].operands != std::vector{one});
}

TEST_CASE("equal values are computed once, loads of wires are not shared") {
    Routine routine;
    const Id first =
        operation(routine, expr::Op::add, {load(routine, 0), routine.constant(word, 7)});
    const Id again =
        operation(routine, expr::Op::add, {load(routine, 0), routine.constant(word, 7)});
    const Id other =
        operation(routine, expr::Op::add, {load(routine, 0), routine.constant(word, 8)});
    const Id wire = load(routine, 104), later = load(routine, 104);
    const Id all = routine.effect("f($0, $1, $2, $3, $4);", {first, again, other, wire, later});
    routine.body.push_back(all);
    native::share_values(routine, wires_begin);
    CHECK(routine[all].operands == std::vector{first, first, other, wire, later});
}

TEST_CASE("registers and wires that last are variables, others are not stored, reached ones stay") {
    Routine routine;
    store(routine, 0, load(routine, 4));   // a register
    store(routine, 104, load(routine, 4)); // a wire that is never read
    store(routine, 4, load(routine, 108)); // a wire that is read before it is written
    store(routine, 108, load(routine, 0));
    store(routine, 8, load(routine, 8)); // keeps its value
    store(routine, 12, load(routine, 16));
    native::Ranges reached;
    reached.add(12, 20);
    const native::Variables result = native::slots_to_variables(routine, wires_begin, reached, {});
    native::sink_lasting_effects(routine);
    CHECK(result.is_fit);
    CHECK(c_of(routine) == "const u32 x = _x;\n"
                           "const u32 x_2 = _x_2;\n"
                           "const u32 x_3 = _y;\n"
                           "const u32 x_4 = SLOT;\n"
                           "SLOT = x_4;\n"
                           "_y = x;\n"
                           "_x = x_2;\n"
                           "_x_2 = x_3;\n");
    CHECK(result.after == "    *(u32 *)(last + 0) = _y;\n"
                          "    *(u32 *)(last + 4) = _x;\n"
                          "    *(u32 *)(last + 108) = _x_2;\n");
}

TEST_CASE("a small memory is variables unless a word of it is computed or a kernel reaches it") {
    Routine routine;
    std::vector<std::byte> bytes(64);
    const auto access = [&](std::size_t first, std::optional<std::uint64_t> at, Id value) {
        const Place place{.space = Place::Space::memory,
                          .known = at.has_value(),
                          .at = at.value_or(0),
                          .words = {bytes.data() + first, 8},
                          .scalars = 2,
                          .base = "m" + std::to_string(first)};
        const Id result = value == native::no_id ? routine.load(word, "MEMORY", {}, place, "r")
                                                 : routine.effect("MEMORY = $0;", {value}, place);
        routine[result].type = word;
        routine.body.push_back(result);
        return result;
    };
    access(0, 4, access(0, 0, native::no_id));              // both words by constants
    access(16, std::nullopt, access(16, 0, native::no_id)); // one is computed
    access(32, 4, access(32, 0, native::no_id));            // a kernel reaches half of it
    access(48, 0, access(48, 0, native::no_id));            // overlaps the words of another one
    access(52, 0, access(52, 0, native::no_id));
    const native::Variables result =
        native::memories_to_variables(routine, {{bytes.data() + 36, 4}});
    CHECK(result.is_fit);
    CHECK(c_of(routine) == "const u32 r = _word;\n_word_2 = r;\n"
                           "const u32 r_2 = MEMORY;\nMEMORY = r_2;\n"
                           "const u32 r_3 = MEMORY;\nMEMORY = r_3;\n"
                           "const u32 r_4 = MEMORY;\nMEMORY = r_4;\n"
                           "const u32 r_5 = MEMORY;\nMEMORY = r_5;\n");
    CHECK(result.before == "    u32 _word = *(const u32 *)(m0 + 0);\n"
                           "    u32 _word_2 = *(const u32 *)(m0 + 4);\n");
    CHECK(result.after == "    *(u32 *)(m0 + 4) = _word_2;\n");
}

TEST_CASE("lasting effects by one condition share a branch, which takes values but no loads") {
    Routine routine;
    const Id condition = load(routine, 0), x = load(routine, 4), late = load(routine, 8);
    const Id doubled = operation(routine, expr::Op::add, {x, x});
    for (const auto& [at, value] : {std::pair{12u, doubled}, {16u, late}}) {
        const Id result = store(routine, at, value);
        routine[result].condition = condition;
        routine[result].lasts = true;
    }
    native::sink_lasting_effects(routine);
    native::selects_to_branches(routine);
    CHECK(c_of(routine) == "const u32 x = SLOT;\n"
                           "const u32 x_2 = SLOT;\n"
                           "const u32 x_3 = SLOT;\n"
                           "if (x) {\n"
                           "    const u32 v = (u32)((u32)x_2 + (u32)x_2);\n"
                           "    SLOT = v;\n"
                           "    SLOT = x_3;\n"
                           "}\n");
}

TEST_CASE("a quotient has a bound where neither operand is negative") {
    Routine routine;
    constexpr expr::Scalar number{8, true};
    const auto quotient = [&](Id by) {
        return routine.operation(expr::Op::divide, number, {routine.constant(number, 6), by}, "q");
    };
    CHECK(native::largest(routine, quotient(routine.constant(number, 2))) == 6);
    CHECK(!native::largest(routine, quotient(routine.constant(number, ~std::uint64_t{0}))));
    CHECK(!native::largest(routine, quotient(routine.load(number, "SLOT", {}, {}, "x"))));
}

TEST_CASE("what one arm of a select needs is computed in a branch where it is much") {
    Routine routine;
    const Id condition = load(routine, 0), x = load(routine, 4);
    Id much = x;
    for (unsigned k = 0; k < 2; ++k)
        much = operation(routine, expr::Op::divide, {much, routine.constant(word, 3)});
    const Id little = operation(routine, expr::Op::negate, {x});
    const Id chosen = operation(routine, expr::Op::select, {condition, much, little});
    store(routine, 0, chosen);
    native::selects_to_branches(routine);
    CHECK(c_of(routine) == "const u32 x = SLOT;\n"
                           "const u32 x_2 = SLOT;\n"
                           "u32 v;\n"
                           "if (x) {\n"
                           "    const u32 v_2 = (u32)(x_2 / 3u);\n"
                           "    const u32 v_3 = (u32)(v_2 / 3u);\n"
                           "    v = v_3;\n"
                           "} else {\n"
                           "    const u32 v_4 = (u32)(0 - (u32)x_2);\n"
                           "    v = v_4;\n"
                           "}\n"
                           "SLOT = v;\n");
}
