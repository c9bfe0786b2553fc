// SPDX-License-Identifier: Apache-2.0
#include "native/ir/routine.hpp"

#include <cctype>
#include <utility>

namespace sme::native {

std::string CType::name() const {
    return (is_signed ? 'i' : 'u') + std::to_string(bytes * 8);
}

std::string c_name(const std::string& name) {
    std::string result = "n";
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
            if (result.back() != '_')
                result += '_';
        } else
            result += result == "n" ? std::string{"_"} + c : std::string{c};
    while (result.back() == '_')
        result.pop_back();
    return result;
}

using expr::Op;

std::string Names::unique(const std::string& wanted) {
    std::string result = wanted;
    for (unsigned& next = taken_[wanted]; ++next > 1;) {
        result = wanted + "_" + std::to_string(next);
        if (taken_.try_emplace(result, 1).second)
            break;
    }
    return result;
}

Id Routine::add(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<Id>(nodes_.size() - 1);
}

Id Routine::constant(expr::Scalar type, std::uint64_t value) {
    return add(
        {.kind = Node::Kind::constant, .op = Op::constant, .type = type, .immediate = value});
}

Id Routine::operation(Op op, expr::Scalar type, std::vector<Id> operands, std::string name) {
    return add({.kind = Node::Kind::operation,
                .op = op,
                .type = type,
                .operands = std::move(operands),
                .name = std::move(name)});
}

Id Routine::load(expr::Scalar type, std::string text, std::vector<Id> operands, Place place,
                 std::string name) {
    return add({.kind = Node::Kind::load,
                .type = type,
                .operands = std::move(operands),
                .text = std::move(text),
                .place = std::move(place),
                .name = std::move(name)});
}

Id Routine::effect(std::string text, std::vector<Id> operands, Place place) {
    return add({.kind = Node::Kind::effect,
                .operands = std::move(operands),
                .text = std::move(text),
                .place = std::move(place)});
}

void Routine::set_body(std::vector<Id> kept) {
    std::string lost;
    auto next = kept.begin();
    for (const Id id : body) {
        Node& node = nodes_[id];
        if (next == kept.end() || *next != id) {
            if (!node.comment.empty())
                lost = std::move(node.comment);
            continue;
        }
        ++next;
        if (node.comment.empty())
            node.comment = std::move(lost);
        lost.clear();
    }
    body = std::move(kept);
}

Id Routine::add(Node node, Region region) {
    node.region = static_cast<std::uint32_t>(regions_.size());
    regions_.push_back(std::move(region));
    return add(std::move(node));
}

void Routine::replace_uses(Id id, const std::unordered_map<Id, Id>& instead) {
    const auto replace = [&](Id& used) {
        if (const auto found = instead.find(used); found != instead.end())
            used = found->second;
    };
    Node& node = nodes_[id];
    for (Id& operand : node.operands)
        replace(operand);
    replace(node.condition);
    if (node.kind != Node::Kind::loop)
        return;
    Region& inner = region(node);
    for (Region::Carried& carried : inner.carried) {
        replace(carried.start);
        replace(carried.next);
    }
    for (const Id each : inner.first)
        replace_uses(each, instead);
}

std::optional<std::uint64_t> largest(const Routine& routine, Id id, unsigned depth) {
    const Node& node = routine[id];
    const unsigned bits = node.type.width_bits - (node.type.is_signed ? 1u : 0u); // 0 for i1
    const std::uint64_t of_type = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
    const auto whole = node.type.is_signed ? std::optional<std::uint64_t>{} : of_type;
    if (node.kind == Node::Kind::constant)
        return node.immediate <= of_type ? std::optional{node.immediate} : whole;
    if (node.kind == Node::Kind::variable)
        return node.op == Op::step ? node.immediate : whole;
    if (depth == 0 || node.kind != Node::Kind::operation ||
        (node.op != Op::convert && node.op != Op::add && node.op != Op::divide))
        return whole;
    const auto a = largest(routine, node.operands[0], depth - 1);
    if (!a || *a > of_type)
        return whole;
    if (node.op == Op::convert)
        return a;
    const auto b = largest(routine, node.operands[1], depth - 1);
    if (node.op == Op::divide)
        return b ? a : whole; // a negative divisor gives a negative result
    return b && *b <= of_type - *a ? *a + *b : whole;
}

} // namespace sme::native
