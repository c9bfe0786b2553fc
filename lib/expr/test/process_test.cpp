// SPDX-License-Identifier: Apache-2.0
//
// Programs of processes: their parts for wires, reads, writes and possible faults.
#include "expr/process/process.hpp"

#include <doctest/doctest.h>

#include "base/codes.hpp"
#include "expr/test/expression.hpp"

namespace {

using namespace sme;
using expr::Op;
using expr::PartProgram;
using expr::Program;
using test::text_of;

/// A process with two inputs (a is a wire, b a register), outputs, a state s and a memory m[4], all
/// u8. Ports: a 0, b 1, outputs x 2 (read back 3) and y 4 (5), s 6 (7).
class Made {
public:
    explicit Made(bool wires) {
        const TypeRef u8 = Type::unsigned_integer(8);
        text_.name = "p";
        text_.inputs = {port("a", 0, 0), port("b", 1, 1)};
        text_.inputs[0].wire = true;
        text_.outputs = {port("x", 2, 3), port("y", 4, 5)};
        text_.outputs[0].wire = text_.outputs[1].wire = wires;
        expr::StateText s;
        s.name = "s";
        s.type = u8;
        s.write_port = 6;
        s.read_port = 7;
        expr::StateText m;
        m.name = "m";
        m.type = u8;
        m.is_memory = true;
        m.dimensions = {4};
        text_.states = {s, m};
    }

    Made& assign(const std::string& target, const std::string& value,
                 const std::string& when = "") {
        expr::Statement line;
        line.target = parse(target);
        line.rhs.value = parse(value);
        if (!when.empty())
            line.rhs.when = parse(when);
        text_.step.statements.push_back(std::move(line));
        return *this;
    }
    Made& let(const std::string& name, const std::string& value) {
        expr::Rhs rhs;
        rhs.value = parse(value);
        text_.lets.push_back({name, std::move(rhs), {}, {}});
        return *this;
    }
    Made& wire_rule(Unwritten rule) {
        text_.outputs[1].unwritten = rule;
        return *this;
    }
    Program build() {
        test::SmallScope outer;
        return expr::build_process(text_, outer, diagnostics);
    }
    expr::BoundProcess bind() {
        test::SmallScope outer;
        expr::BoundProcess result;
        result.program = std::make_shared<const Program>(
            expr::build_process(text_, outer, diagnostics, false, &result));
        return result;
    }
    /// Adds `if condition: target: value` to the step.
    Made& assign_if(const std::string& condition, const std::string& target,
                    const std::string& value) {
        Made inside{false};
        inside.assign(target, value);
        expr::Statement& line = text_.step.statements.emplace_back();
        line.kind = expr::Statement::Kind::choice;
        line.arms.emplace_back();
        line.arms[0].condition = parse(condition);
        line.arms[0].block = std::move(inside.text_.step);
        return *this;
    }

    Diagnostics diagnostics;

private:
    static expr::PortText port(const char* name, std::uint32_t write, std::uint32_t read) {
        expr::PortText result;
        result.name = name;
        result.type = Type::unsigned_integer(8);
        result.write_port = write;
        result.read_port = read;
        return result;
    }
    expr::AstRef parse(const std::string& text) {
        return expr::parse_expression(text_of(text), diagnostics);
    }
    expr::ProcessView text_;
};

std::vector<std::uint32_t> ports(const std::vector<expr::FieldUse>& uses) {
    std::vector<std::uint32_t> found;
    for (const expr::FieldUse& use : uses)
        found.push_back(use.port);
    return found;
}

std::size_t count(const Program& program, const PartProgram& part, Op op) {
    std::size_t found = 0;
    for (const expr::NodeId id : part.nodes)
        found += program.nodes[id].op == op;
    return found;
}

using Ports = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("without wire outputs a process is one part") {
    const Program program = Made{false}.assign("x", "a + b").assign("y", "s").build();
    REQUIRE(program.parts.size() == 1);
    const PartProgram& part = program.parts[0];
    CHECK(ports(part.reads) == Ports{0, 1, 7});
    CHECK(ports(part.writes) == Ports{2, 4, 6});
    CHECK(part.faults.empty());
    REQUIRE(part.stores.size() == 3);
    CHECK(program.nodes[part.stores[2].value].op == Op::load); // s keeps its value
}

TEST_CASE("wire outputs that need different wires are different parts, the update comes last") {
    const Program program =
        Made{true}.assign("x", "a").assign("y", "b").assign("s", "s + 1").build();
    REQUIRE(program.parts.size() == 3);
    CHECK(ports(program.parts[0].writes) == Ports{4}); // y needs no wire
    CHECK(ports(program.parts[0].reads) == Ports{1});
    CHECK(ports(program.parts[1].writes) == Ports{2});
    CHECK(ports(program.parts[1].reads) == Ports{0});
    CHECK(ports(program.parts[2].writes) == Ports{6});
    CHECK(ports(program.parts[2].reads) == Ports{7});
    const Program same = Made{true}.assign("x", "a").assign("y", "a + b").build();
    CHECK(same.parts.size() == 2); // both need a
}

TEST_CASE("a part has only the nodes it needs, and every node after its operands") {
    const Program program = Made{true}
                                .let("q", "b * b + 1")
                                .assign("x", "q")
                                .assign("y", "a ^ q")
                                .assign("s", "b / 3")
                                .build();
    for (const PartProgram& part : program.parts) {
        std::vector<bool> seen(program.nodes.size(), false);
        for (const expr::NodeId id : part.nodes) {
            const expr::Node& node = program.nodes[id];
            if (node.op != Op::constant && node.op != Op::load)
                for (const expr::NodeId operand : {node.a, node.b, node.c})
                    CHECK((operand == expr::no_node || seen[operand]));
            seen[id] = true;
        }
    }
    CHECK(count(program, program.parts[0], Op::multiply) == 1);
    CHECK(count(program, program.parts[0], Op::bit_xor) == 0);
    CHECK(count(program, program.parts.back(), Op::multiply) == 0);
}

TEST_CASE("equal expressions are one node and constants are folded") {
    const Program program = Made{false}.assign("x", "b * 3 + 0").assign("y", "b * (1 + 2)").build();
    const PartProgram& part = program.parts[0];
    CHECK(part.stores[0].value == part.stores[1].value);
    CHECK(count(program, part, Op::multiply) == 1);
    CHECK(count(program, part, Op::add) == 0);
}

TEST_CASE("each division that may divide by zero is one fault with its place") {
    const Program program = Made{false}
                                .let("q", "b / a")
                                .assign("x", "q")
                                .assign("y", "q + q")
                                .assign("s", "b / 2")
                                .build();
    const PartProgram& part = program.parts[0];
    REQUIRE(part.faults.size() == 1);
    const expr::FaultSite& site = program.sites[part.faults[0].site];
    CHECK(site.code == Code::divide_by_zero);
    CHECK(site.where.end - site.where.begin == 5);
    const Program guarded = Made{false}.assign("x", "if a != 0 then b / a else 0").build();
    REQUIRE(guarded.parts[0].faults.size() == 1);
    const expr::Node& selected = guarded.nodes[guarded.parts[0].faults[0].selected];
    CHECK(selected.op == Op::not_equal);
}

TEST_CASE("memories are written under their condition, with an index that is checked") {
    const Program program = Made{false}.assign("m[b]", "a", "s != 0").build();
    const PartProgram& part = program.parts[0];
    REQUIRE(part.memory_writes.size() == 1);
    CHECK(program.nodes[part.memory_writes[0].enable].op == Op::not_equal);
    REQUIRE(part.faults.size() == 1);
    CHECK(program.sites[part.faults[0].site].code == Code::index_fault);
    const Program two = Made{false}.assign("m[b]", "a").assign("m[3]", "b").build();
    std::size_t conflicts = 0;
    for (const expr::FaultCheck& fault : two.parts[0].faults)
        conflicts += two.sites[fault.site].code == Code::write_conflict;
    CHECK(conflicts == 1);
}

TEST_CASE("an output that is not assigned, and an input that is not read, are pointed out") {
    Made result{false};
    result.assign("x", "a").build();
    std::vector<std::string> found;
    for (const Diagnostic& diagnostic : result.diagnostics.all())
        found.push_back(diagnostic.message);
    CHECK(found == std::vector<std::string>{"state 's' is never read", "state 'm' is never read",
                                            "input 'b' is never read",
                                            "output 'y' is never written"});
    CHECK(!result.diagnostics.has_errors());
}

TEST_CASE("the written flag of an error bus follows the condition") {
    Made result{false};
    const Program program =
        result.wire_rule(Unwritten::error).assign("x", "a").assign("y", "b", "a == 3").build();
    const PartProgram& part = program.parts[0];
    REQUIRE(part.stores.size() == 4); // x, y, whether y was written, s
    CHECK(part.stores[2].port == 4);
    CHECK(part.stores[2].offset == 1);
    CHECK(program.nodes[part.stores[2].value].op == Op::equal);
}

TEST_CASE("a bound step and its program leave out the same arms") {
    Made process{false};
    process.assign("x", "a", "n == 4")
        .assign_if("n == 4", "s", "a / 0")
        .assign_if("n == 5", "s", "b")
        .assign_if("a == 1", "y", "b / a");
    const expr::BoundProcess bound = process.bind();
    REQUIRE(bound.step.size() == 4);
    CHECK(bound.step[0].lines.at(0).rhs.when.never_holds());
    CHECK(bound.step[1].arms.empty());
    CHECK(bound.step[2].arms.at(0).condition.always_holds());
    CHECK(!bound.step[3].arms.at(0).condition.known);
    const expr::BoundLine& line = bound.step[3].arms[0].block.at(0).lines.at(0);
    CHECK(line.target.tree->ast->text == "y");
    CHECK(line.rhs.value->kind == expr::BoundExpr::Kind::binary);
    const PartProgram& part = bound.program->parts.at(0);
    CHECK(part.faults.size() == 1); // of b / a
    CHECK(count(*bound.program, part, Op::divide) == 1);
}

TEST_CASE("a chain of many lets needs no deep stack") {
    Made process{false};
    constexpr int lets = 60'000;
    process.let("l0", "b");
    for (int k = 1; k < lets; ++k)
        process.let(fmt::format("l{}", k), fmt::format("l{} + b", k - 1));
    process.assign("x", fmt::format("l{}", lets - 1));
    const expr::BoundProcess bound = process.bind();
    CHECK(!process.diagnostics.has_errors());
    CHECK(count(*bound.program, bound.program->parts.at(0), Op::add) == lets - 1);
}

TEST_CASE("a bound target names the element or the bits that a line assigns") {
    Made process{false};
    process.assign("m[2]", "b").assign("m[3][7]", "b == 1").assign("x", "b");
    const expr::BoundProcess bound = process.bind();
    REQUIRE(bound.step.size() == 3);
    const auto target_of = [&](std::size_t line) {
        return bound.step[line].lines.at(0).target.tree;
    };
    const expr::BoundRef word = target_of(0);
    CHECK(word->kind == expr::BoundExpr::Kind::element);
    CHECK(word->operands.at(1)->low == 2);
    CHECK(target_of(1)->operands.at(0)->operands.at(0)->ast->text == "m");
    CHECK(target_of(2)->kind == expr::BoundExpr::Kind::leaf);
}

TEST_CASE("the lets of a bound process keep their names") {
    Made process{false};
    process.let("q", "a + 1").assign("x", "q");
    const expr::BoundProcess bound = process.bind();
    CHECK(bound.lets.at("q")->kind == expr::BoundExpr::Kind::binary);
    CHECK(bound.step.at(0).lines.at(0).rhs.value->ast->text == "q");
}
