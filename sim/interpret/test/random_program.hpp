// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "expr/program/apply.hpp"
#include "interpret/block/evaluator.hpp"

namespace sme::test {

inline constexpr std::uint64_t instances = 8; // too many to run one by one
inline constexpr std::uint64_t memory_words = 5;
inline constexpr std::size_t loads = 6;
inline constexpr expr::Scalar word{64, false}, boolean{1, false};

/// Records the reports of a range.
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

/// A program of random nodes; each value is stored.
class RandomProgram {
public:
    RandomProgram(unsigned seed, bool may_fault) : random_{seed} {
        program.index_low = {3};
        program.index_count = {instances};
        program.tables.push_back({{16, true}, {1, ~std::uint64_t{0}, 7}});
        program.sites = {{Code::index_fault, {}, "one"}, {Code::divide_by_zero, {}, "two"}};
        for (std::size_t k = 0; k < loads; ++k)
            add({expr::Op::load, any_type(), 0, expr::no_node, expr::no_node, 8 * k});
        add({expr::Op::load, boolean, 0, expr::no_node, expr::no_node, 8 * loads});
        add({expr::Op::load, word, 0, expr::no_node, expr::no_node, 8 * loads + 8});
        add({expr::Op::index, {8, false}, expr::no_node, expr::no_node, expr::no_node, 0});
        add({expr::Op::cycle, {16, false}, expr::no_node, expr::no_node, expr::no_node, 0});
        add({expr::Op::constant, boolean, expr::no_node, expr::no_node, expr::no_node, 1});
        while (program.nodes.size() < 70)
            add_operation();
        finish(may_fault);
    }

    expr::Program program;
    expr::PartProgram part;

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    expr::Scalar any_type() {
        constexpr std::uint8_t widths[] = {1, 5, 8, 12, 16, 31, 32, 33, 63, 64};
        return {below(3) ? widths[below(10)] : static_cast<std::uint8_t>(1 + below(64)),
                below(3) == 0};
    }
    expr::NodeId add(const expr::Node& node) {
        program.nodes.push_back(node);
        return static_cast<expr::NodeId>(program.nodes.size() - 1);
    }
    expr::NodeId any() { return below(static_cast<unsigned>(program.nodes.size())); }
    expr::Scalar type_of(expr::NodeId id) const { return program.nodes[id].type; }
    expr::NodeId converted(expr::NodeId id, expr::Scalar type) {
        return type_of(id) == type ? id : add({expr::Op::convert, type, id});
    }
    expr::NodeId of_type(expr::Scalar type) { return converted(any(), type); }
    expr::NodeId constant(expr::Scalar type, std::uint64_t value) {
        return add({expr::Op::constant, type, expr::no_node, expr::no_node, expr::no_node,
                    canonical(value, type.width_bits, type.is_signed)});
    }

    void add_operation() {
        const expr::NodeId a = any();
        const expr::Scalar type = type_of(a);
        constexpr expr::Op binary[] = {expr::Op::add,     expr::Op::subtract, expr::Op::multiply,
                                       expr::Op::divide,  expr::Op::bit_or,   expr::Op::remainder,
                                       expr::Op::bit_and, expr::Op::bit_xor};
        constexpr expr::Op compare[] = {expr::Op::equal, expr::Op::not_equal, expr::Op::less,
                                        expr::Op::less_equal};
        switch (below(13)) {
        case 0:
        case 1: add({binary[below(8)], type, a, of_type(type)}); return;
        case 2: add({compare[below(4)], boolean, a, of_type(type)}); return;
        case 3: add({below(2) ? expr::Op::negate : expr::Op::complement, type, a}); return;
        case 4:
            add({below(2) ? expr::Op::logical_and : expr::Op::logical_or, boolean, of_type(boolean),
                 of_type(boolean)});
            return;
        case 5: add({expr::Op::select, type, of_type(boolean), a, of_type(type)}); return;
        case 6: add({expr::Op::convert, any_type(), a}); return;
        case 7: add({expr::Op::popcount, {8, false}, a}); return;
        case 8: add_reversed(type); return;
        case 9: add_shift(a); return;
        case 10: add_rotation({static_cast<std::uint8_t>(2 + below(63)), false}); return;
        case 11: add({expr::Op::memory_read, {16, true}, of_type(word), 0}); return;
        default: add({expr::Op::table_read, {16, true}, of_type(word), 0}); return;
        }
    }
    void add_reversed(expr::Scalar type) {
        type.is_signed = false;
        add({expr::Op::bit_reverse, type, of_type(type)});
    }
    void add_shift(expr::NodeId a) {
        const expr::NodeId count =
            below(2) ? constant(word, below(2) ? below(70) : std::uint64_t{64} << below(50))
                     : converted(of_type({6, false}), word);
        add({below(2) ? expr::Op::shift_left : expr::Op::shift_right, type_of(a), a, count});
        if (below(2))
            add({expr::Op::convert, any_type(),
                 static_cast<expr::NodeId>(program.nodes.size() - 1)});
    }
    /// Adds a rotation, or an expression close to one.
    void add_rotation(expr::Scalar type) {
        const expr::NodeId a = of_type(type);
        const unsigned by = below(type.width_bits);
        const unsigned rest = type.width_bits - by + (below(3) ? 0 : below(2));
        const expr::NodeId up = add({expr::Op::shift_left, type, a, constant(word, by)});
        const expr::NodeId down =
            add({expr::Op::shift_right, type, below(5) ? a : of_type(type), constant(word, rest)});
        if (below(2))
            add({expr::Op::bit_or, type, up, down});
        else
            add({expr::Op::bit_or, type, down, up});
    }

    void finish(bool may_fault) {
        const expr::NodeId written = of_type({16, true});
        const expr::NodeId enable = of_type(boolean);
        const expr::NodeId place =
            add({expr::Op::remainder, word, of_type(word), constant(word, memory_words)});
        part.memory_writes.push_back({0, enable, place, 0, written});
        part.halts.push_back(of_type(boolean));
        const expr::NodeId zero = constant(word, 0);
        if (may_fault)
            for (std::uint32_t site = 0; site < 2; ++site)
                part.faults.push_back({of_type(boolean), of_type(boolean), site});
        for (expr::NodeId id = 0; id < program.nodes.size(); ++id) {
            part.nodes.push_back(id);
            const expr::NodeId fallback = type_of(id).bytes() == 8 ? zero : id;
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
                const expr::Scalar type = random.program.nodes[k].type;
                const std::uint64_t high = bytes();
                const std::uint64_t bits = high << 32 | bytes();
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
    std::uint64_t loaded(const std::vector<std::byte>& arena, std::size_t at,
                         expr::Scalar type) const {
        std::uint64_t bits = 0;
        std::memcpy(&bits, arena.data() + at, type.bytes());
        return canonical(bits, type.width_bits, type.is_signed);
    }
    std::uint64_t output(std::uint64_t position, expr::NodeId id, expr::Scalar type) const {
        return loaded(write, position * out_bytes_ + 8 * id, type);
    }

    static constexpr std::size_t in_bytes = 8 * (loads + 2);

private:
    std::size_t out_bytes_;

public:
    std::vector<std::byte> read, write, memory;
    interpret::SlotMap places;
    Heard heard;
};

/// The value of each node of an instance, computed in order.
inline std::vector<std::uint64_t> walk(const RandomProgram& random, const World& world,
                                       const std::vector<std::byte>& memory,
                                       std::uint64_t position) {
    std::vector<std::uint64_t> v;
    const auto at = [&](expr::NodeId id) { return id == expr::no_node ? 0 : v[id]; };
    for (const expr::Node& node : random.program.nodes) {
        std::uint64_t value = 0;
        switch (node.op) {
        case expr::Op::constant: value = node.immediate; break;
        case expr::Op::load:
            value =
                world.loaded(world.read, position * World::in_bytes + node.immediate, node.type);
            break;
        case expr::Op::index: value = 3 + position; break;
        case expr::Op::cycle: value = 0x2345; break;
        case expr::Op::memory_read: {
            const std::uint64_t place = v[node.a] < memory_words ? v[node.a] : 0;
            value = world.loaded(memory, (position * memory_words + place) * 2, node.type);
            break;
        }
        case expr::Op::table_read:
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

} // namespace sme::test
