// SPDX-License-Identifier: Apache-2.0
//
// Random programs of every operation: straight code for single instances against the blocks and
// against expr::evaluate; stores, memory writes, faults and halts included.
#include "interpret/scalar_code.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "bits/integer.hpp"
#include "expr/scalar_ops.hpp"

namespace {

using namespace sme;
using expr::no_node;
using expr::Node;
using expr::NodeId;
using expr::Op;
using expr::Scalar;
using interpret::Evaluator;
using interpret::Places;

constexpr std::uint64_t instances = 8; // more than run one by one
constexpr std::uint64_t memory_words = 5;
constexpr std::size_t loads = 6;
constexpr Scalar word{64, false}, boolean{1, false};

/// Hears what a range did.
class Heard final : public Control {
public:
    void halt() override { halted = true; }
    void fail() override {}
    void print(std::uint64_t, std::uint32_t, std::string) override {}
    void fault(std::uint64_t position, const Diagnostic& what) override {
        faults.push_back({position, what.message});
    }
    void sort() { std::sort(faults.begin(), faults.end()); }
    bool halted = false;
    std::vector<std::pair<std::uint64_t, std::string>> faults;
};

/// A program of random nodes, each of which is stored.
class RandomProgram {
public:
    RandomProgram(unsigned seed, bool may_fault) : random_{seed} {
        program.index_low = {3};
        program.index_count = {instances};
        program.tables.push_back({{16, true}, {1, ~std::uint64_t{0}, 7}});
        program.sites = {{Code::index_fault, {}, "one"}, {Code::divide_by_zero, {}, "two"}};
        for (std::size_t k = 0; k < loads; ++k)
            add({Op::load, any_type(), 0, no_node, no_node, 8 * k});
        add({Op::load, boolean, 0, no_node, no_node, 8 * loads});
        add({Op::load, word, 0, no_node, no_node, 8 * loads + 8});
        add({Op::index, {8, false}, no_node, no_node, no_node, 0});
        add({Op::cycle, {16, false}, no_node, no_node, no_node, 0});
        add({Op::constant, boolean, no_node, no_node, no_node, 1});
        while (program.nodes.size() < 70)
            add_operation();
        finish(may_fault);
    }

    expr::Program program;
    expr::PartProgram part;

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    Scalar any_type() {
        constexpr std::uint8_t widths[] = {1, 5, 8, 12, 16, 31, 32, 33, 63, 64};
        return {below(3) ? widths[below(10)] : static_cast<std::uint8_t>(1 + below(64)),
                below(3) == 0};
    }
    NodeId add(const Node& node) {
        program.nodes.push_back(node);
        return static_cast<NodeId>(program.nodes.size() - 1);
    }
    NodeId any() { return below(static_cast<unsigned>(program.nodes.size())); }
    Scalar type_of(NodeId id) const { return program.nodes[id].type; }
    NodeId converted(NodeId id, Scalar type) {
        return type_of(id) == type ? id : add({Op::convert, type, id});
    }
    NodeId of_type(Scalar type) { return converted(any(), type); }
    NodeId constant(Scalar type, std::uint64_t value) {
        return add({Op::constant, type, no_node, no_node, no_node,
                    canonical(value, type.width_bits, type.is_signed)});
    }

    void add_operation() {
        const NodeId a = any();
        const Scalar type = type_of(a);
        constexpr Op binary[] = {Op::add,    Op::subtract,  Op::multiply, Op::divide,
                                 Op::bit_or, Op::remainder, Op::bit_and,  Op::bit_xor};
        constexpr Op compare[] = {Op::equal, Op::not_equal, Op::less, Op::less_equal};
        switch (below(13)) {
        case 0:
        case 1: add({binary[below(8)], type, a, of_type(type)}); return;
        case 2: add({compare[below(4)], boolean, a, of_type(type)}); return;
        case 3: add({below(2) ? Op::negate : Op::complement, type, a}); return;
        case 4:
            add({below(2) ? Op::both : Op::either, boolean, of_type(boolean), of_type(boolean)});
            return;
        case 5: add({Op::select, type, of_type(boolean), a, of_type(type)}); return;
        case 6: add({Op::convert, any_type(), a}); return;
        case 7: add({Op::population, {8, false}, a}); return;
        case 8: add_reversed(type); return;
        case 9: add_shift(a); return;
        case 10: add_rotation({static_cast<std::uint8_t>(2 + below(63)), false}); return;
        case 11: add({Op::memory_read, {16, true}, of_type(word), 0}); return;
        default: add({Op::table_read, {16, true}, of_type(word), 0}); return;
        }
    }
    void add_reversed(Scalar type) {
        type.is_signed = false;
        add({Op::reversed, type, of_type(type)});
    }
    void add_shift(NodeId a) {
        const NodeId count =
            below(2) ? constant(word, below(2) ? below(70) : std::uint64_t{64} << below(50))
                     : converted(of_type({6, false}), word);
        add({below(2) ? Op::shift_left : Op::shift_right, type_of(a), a, count});
        if (below(2))
            add({Op::convert, any_type(), static_cast<NodeId>(program.nodes.size() - 1)});
    }
    /// One that is a rotation, or nearly one.
    void add_rotation(Scalar type) {
        const NodeId a = of_type(type);
        const unsigned by = below(type.width_bits);
        const unsigned rest = type.width_bits - by + (below(3) ? 0 : below(2));
        const NodeId up = add({Op::shift_left, type, a, constant(word, by)});
        const NodeId down =
            add({Op::shift_right, type, below(5) ? a : of_type(type), constant(word, rest)});
        if (below(2))
            add({Op::bit_or, type, up, down});
        else
            add({Op::bit_or, type, down, up});
    }

    void finish(bool may_fault) {
        const NodeId written = of_type({16, true});
        const NodeId enable = of_type(boolean);
        const NodeId place =
            add({Op::remainder, word, of_type(word), constant(word, memory_words)});
        part.memory_writes.push_back({0, enable, place, 0, written});
        part.halts.push_back(of_type(boolean));
        const NodeId zero = constant(word, 0);
        if (may_fault)
            for (std::uint32_t site = 0; site < 2; ++site)
                part.faults.push_back({of_type(boolean), of_type(boolean), site});
        for (NodeId id = 0; id < program.nodes.size(); ++id) {
            part.nodes.push_back(id);
            const NodeId fallback = type_of(id).bytes() == 8 ? zero : id;
            part.stores.push_back({1, 8 * id, id, fallback});
        }
    }

    std::mt19937 random_;
};

/// The slots and memories of one run.
class World {
public:
    World(const RandomProgram& random, unsigned seed)
        : out_bytes_{8 * random.program.nodes.size()}, read(instances * in_bytes),
          write(instances * out_bytes_), memory(instances * memory_words * 2) {
        std::mt19937 bytes{seed};
        for (std::byte& byte : memory)
            byte = static_cast<std::byte>(bytes());
        for (std::uint64_t p = 0; p < instances; ++p)
            for (std::size_t k = 0; k < loads + 2; ++k) {
                const Scalar type = random.program.nodes[k].type;
                const std::uint64_t bits = std::uint64_t{bytes()} << 32 | bytes();
                const std::uint64_t value =
                    canonical(bytes() % 3 ? bits : bits >> 60, type.width_bits, type.is_signed);
                std::memcpy(read.data() + p * in_bytes + 8 * k, &value, type.bytes());
            }
        places.ports = {Segments::affine(instances, 0, in_bytes),
                        Segments::affine(instances, 0, static_cast<std::int64_t>(out_bytes_))};
        places.slot_bytes = {static_cast<std::uint32_t>(in_bytes),
                             static_cast<std::uint32_t>(out_bytes_)};
        places.memories = {{memory.data(), memory_words, Type::signed_integer(16)}};
        places.own_memories = 1;
        places.order = Segments::identity(instances);
    }
    Frame frame() { return {read.data(), write.data(), 0x12345, &heard}; }
    std::uint64_t loaded(const std::vector<std::byte>& arena, std::size_t at, Scalar type) const {
        std::uint64_t bits = 0;
        std::memcpy(&bits, arena.data() + at, type.bytes());
        return canonical(bits, type.width_bits, type.is_signed);
    }
    std::uint64_t output(std::uint64_t position, NodeId id, Scalar type) const {
        return loaded(write, position * out_bytes_ + 8 * id, type);
    }

    static constexpr std::size_t in_bytes = 8 * (loads + 2);

private:
    std::size_t out_bytes_;

public:
    std::vector<std::byte> read, write, memory;
    Places places;
    Heard heard;
};

/// The value of each node of an instance, one after another.
std::vector<std::uint64_t> walk(const RandomProgram& random, const World& world,
                                const std::vector<std::byte>& memory, std::uint64_t position) {
    std::vector<std::uint64_t> v;
    const auto at = [&](NodeId id) { return id == no_node ? 0 : v[id]; };
    for (const Node& node : random.program.nodes) {
        std::uint64_t value = 0;
        switch (node.op) {
        case Op::constant: value = node.immediate; break;
        case Op::load:
            value =
                world.loaded(world.read, position * World::in_bytes + node.immediate, node.type);
            break;
        case Op::index: value = 3 + position; break;
        case Op::cycle: value = 0x2345; break;
        case Op::memory_read: {
            const std::uint64_t place = v[node.a] < memory_words ? v[node.a] : 0;
            value = world.loaded(memory, (position * memory_words + place) * 2, node.type);
            break;
        }
        case Op::table_read:
            value = random.program.tables[0].values[v[node.a] < 3 ? v[node.a] : 0];
            break;
        default:
            value = expr::evaluate(node.op, node.type, random.program.nodes[node.a].type, v[node.a],
                                   at(node.b), at(node.c));
        }
        v.push_back(value);
    }
    return v;
}

struct Counts {
    unsigned faults = 0, halts = 0, writes = 0;
};

void compare(unsigned seed, bool may_fault, Counts& counts) {
    CAPTURE(seed);
    const RandomProgram random{seed, may_fault};
    World blocks{random, seed}, singles{random, seed};
    const std::vector<std::byte> before = blocks.memory;
    Evaluator whole{random.program, random.part, blocks.places};
    Evaluator apart{random.program, random.part, singles.places};
    whole.run({0, instances}, blocks.frame(), nullptr);
    for (std::uint64_t p = 0; p < instances; ++p)
        apart.run({p, 1}, singles.frame(), nullptr);
    blocks.heard.sort();
    singles.heard.sort();
    REQUIRE((blocks.heard.faults == singles.heard.faults));
    REQUIRE(blocks.heard.halted == singles.heard.halted);
    REQUIRE((blocks.write == singles.write));
    REQUIRE((blocks.memory == singles.memory));
    counts.faults += !singles.heard.faults.empty();
    counts.halts += singles.heard.halted;
    counts.writes += singles.memory != before;
    if (!singles.heard.faults.empty())
        return;
    for (std::uint64_t p = 0; p < instances; ++p) {
        const std::vector<std::uint64_t> values = walk(random, singles, before, p);
        for (NodeId id = 0; id < values.size(); ++id) {
            CAPTURE(id);
            CAPTURE(static_cast<int>(random.program.nodes[id].op));
            REQUIRE(singles.output(p, id, random.program.nodes[id].type) == values[id]);
        }
    }
}

} // namespace

TEST_CASE("straight code gives what blocks give and what evaluate says, for every operation") {
    Counts counts;
    for (unsigned seed = 1; seed <= 400; ++seed)
        compare(seed, false, counts);
    CHECK(counts.faults == 0);
    CHECK(counts.halts > 100);
    CHECK(counts.writes > 100);
}

TEST_CASE(
    "where straight code meets a fault, it changes what a block changes and reports the same") {
    Counts counts;
    for (unsigned seed = 1001; seed <= 1300; ++seed)
        compare(seed, true, counts);
    CHECK(counts.faults > 100);
    CHECK(counts.faults < 290);
}

TEST_CASE("writes that wait for their commit are collected, not made") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        const RandomProgram random{seed, false};
        World at_once{random, seed}, later{random, seed};
        const std::vector<std::byte> before = later.memory;
        Evaluator{random.program, random.part, at_once.places}.run({2, 1}, at_once.frame(),
                                                                   nullptr);
        std::vector<interpret::PendingWrite> pending;
        Evaluator{random.program, random.part, later.places}.run({2, 1}, later.frame(), &pending);
        CHECK((later.memory == before));
        for (const interpret::PendingWrite& write : pending)
            std::memcpy(write.at, &write.value, write.bytes);
        CHECK((later.memory == at_once.memory));
    }
}

TEST_CASE("results of straight code are those of the walk") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        RandomProgram random{seed, false};
        random.part.results = random.part.nodes;
        World world{random, seed};
        const std::vector<std::byte> before = world.memory;
        std::vector<std::uint64_t> values;
        Evaluator{random.program, random.part, world.places}.results(world.frame(), values);
        CHECK((values == walk(random, world, before, 0)));
    }
}
