// SPDX-License-Identifier: Apache-2.0
//
// Statements and modules in Verilog.
#include "export/verilog/verilog_text.hpp"

#include <set>

#include <fmt/format.h>

namespace sme::hdl::rtl {

namespace {

std::string comment_line(const std::string& indent, const std::string& text) {
    return text.empty() ? indent + "//\n" : fmt::format("{}// {}\n", indent, text);
}

std::string comment_lines(const std::string& indent, const std::vector<std::string>& texts) {
    std::string result;
    for (const std::string& text : texts)
        result += comment_line(indent, text);
    return result;
}

std::string behind_text(const std::string& comment) {
    return comment.empty() ? comment : " // " + comment;
}

/// "signed [7:0] x", "integer x"
std::string declared(const Declared& what) {
    if (what.is_integer)
        return "integer " + what.name;
    return (what.is_signed ? "signed " : "") + range_of(what.width) + what.name;
}

std::string statements_text(const Statements& statements, const std::string& indent);

std::string deeper(const std::string& indent) {
    return indent + "    ";
}

std::string chain_text(const Statement& chain, const std::string& indent) {
    std::string result;
    for (const Statement::Arm& arm : chain.arms)
        result += fmt::format("{}{}{}begin\n{}", indent, result.empty() ? "" : "end else ",
                              arm.condition ? fmt::format("if ({}) ", verilog(arm.condition)) : "",
                              statements_text(arm.body, deeper(indent)));
    return result + indent + "end\n";
}

/// Writes a chain without begin and end around the bodies.
std::string bare_chain_text(const Statement& chain, const std::string& indent) {
    std::string result;
    for (const Statement::Arm& arm : chain.arms)
        result += fmt::format("{}{}{}\n{}", indent, result.empty() ? "" : "else",
                              arm.condition ? fmt::format("if ({})", verilog(arm.condition)) : "",
                              statements_text(arm.body, deeper(indent)));
    return result;
}

std::string cases_text(const Statement& cases, const std::string& indent) {
    std::string items;
    const std::string inner = deeper(indent);
    for (const Statement::Arm& arm : cases.arms) {
        std::string labels;
        for (const ExprRef& label : arm.labels)
            labels += (labels.empty() ? "" : ", ") + verilog(label);
        if (arm.is_last)
            labels = labels.empty() ? "default" : fmt::format("default /* {} */", labels);
        items += arm.body.empty() ? fmt::format("{}{}: ;\n", inner, labels)
                                  : fmt::format("{0}{1}: begin\n{2}{0}end\n", inner, labels,
                                                statements_text(arm.body, deeper(inner)));
    }
    return fmt::format("{0}{1} ({2})\n{3}{0}endcase\n", indent, cases.is_open ? "casez" : "case",
                       verilog(cases.value), items);
}

std::string statement_text(const Statement& each, const std::string& indent) {
    switch (each.kind) {
    case Statement::Kind::comment: return comment_line(indent, each.text);
    case Statement::Kind::assign:
        return fmt::format("{}{} {} {};\n", indent, verilog(each.target), each.clocked ? "<=" : "=",
                           verilog(each.value));
    case Statement::Kind::chain: return chain_text(each, indent);
    case Statement::Kind::cases: return cases_text(each, indent);
    case Statement::Kind::loop:
        return fmt::format("{0}for ({1} = {2}; {1} < {3}; {1} = {1} + 1){4}\n{5}{6}", indent,
                           each.variable, to_string(each.low), to_string(each.end),
                           each.bare ? "" : " begin", statements_text(each.body, deeper(indent)),
                           each.bare ? "" : indent + "end\n");
    case Statement::Kind::wake:
        return fmt::format("{}if (rst) // so that a simulator runs this once in any case\n{}",
                           indent, statements_text(each.body, deeper(indent)));
    }
    return {};
}

std::string statements_text(const Statements& statements, const std::string& indent) {
    std::string result;
    for (const Statement& each : statements)
        result += statement_text(each, indent);
    return result;
}

/// Returns the declarations of the inputs and variables of a function.
std::string locals_text(const Function& function) {
    std::string text;
    for (const Declared& input : function.inputs)
        text += fmt::format("        input {};\n", declared(input));
    for (const Declared& variable : function.variables)
        text +=
            fmt::format("        {}{};\n", variable.is_integer ? "" : "reg ", declared(variable));
    return text;
}

std::string own_text(const Function& function) {
    const std::string set =
        fmt::format("{} = {};\n", function.result.name, verilog(function.value));
    if (function.body.empty())
        return "        " + set;
    return fmt::format("        begin\n{}            {}        end\n",
                       statements_text(function.body, std::string(12, ' ')), set);
}

std::string table_text(const Function& table) {
    const auto& [name, width, is_signed, is_integer] = table.result;
    const auto& [index, bits, index_is_signed, index_is_integer] = table.inputs[0];
    std::string cases;
    for (std::size_t k = 0; k < table.words.size(); ++k)
        if (table.words[k]) // zero words are under default
            cases += fmt::format("            {}'d{}: {} = {};\n", bits, k, name,
                                 verilog(table.words[k]));
    return fmt::format("        case ({})\n{}            default: {} = {};\n        endcase\n",
                       index, cases, name, verilog(zero(width)));
}

std::string instance_text(const Instance& instance, const std::string& indent) {
    std::vector<std::string> connections;
    for (const Connection& each : instance.connections)
        connections.push_back(
            fmt::format(".{}({})", each.port, each.to ? verilog(each.to) : std::string{}));
    return fmt::format("{0}{1}{2} {3} (\n{0}    {4}\n{0});\n", indent, instance.module,
                       verilog(instance.parameters), instance.name,
                       fmt::join(connections, ",\n    " + indent));
}

std::string unused_text(const std::string& name, const std::vector<std::string>& bits) {
    return fmt::format("    wire {} = &{{1'b0, {}}};\n", name, fmt::join(bits, ", "));
}

std::string loop_head(const Generate::Loop& loop, const std::string& indent) {
    return fmt::format("{0}for ({1} = {2}; {1} < {3}; {1} = {1} + 1) begin : {4}\n", indent,
                       loop.variable, loop.low, loop.end, loop.label);
}

struct ItemText {
    std::set<std::string> variables = {}; // of declared loops

    std::string operator()(const Blank&) const { return "\n"; }
    std::string operator()(const Comment& comment) const {
        return comment_line("    ", comment.text);
    }
    std::string operator()(const Constant& constant) const {
        return fmt::format("    localparam {} = {};\n", declared(constant.what),
                           verilog(constant.value));
    }
    std::string operator()(const Net& net) const {
        if (net.what.is_integer)
            return fmt::format("    integer {};\n", net.what.name);
        return fmt::format("    {} {}{}{};{}\n", net.is_reg ? "reg" : "wire", declared(net.what),
                           net.words == 0 ? "" : fmt::format(" [0:{}]", net.words - 1),
                           net.value ? " = " + verilog(net.value) : "", behind_text(net.behind));
    }
    std::string operator()(const Function& function) const {
        const Declared& result = function.result;
        const char* excuse =
            function.is_partly_read ? "    // verilator lint_{} UNUSEDSIGNAL\n" : "";
        return fmt::format("\n{}{}    function automatic {}{}{};\n{}{}    endfunction\n{}",
                           comment_lines("    ", function.comments),
                           fmt::format(fmt::runtime(excuse), "off"),
                           result.is_signed ? "signed " : "", range_of(result.width), result.name,
                           locals_text(function),
                           function.words.empty() ? own_text(function) : table_text(function),
                           fmt::format(fmt::runtime(excuse), "on"));
    }
    std::string operator()(const Assign& assign) const {
        return fmt::format("    assign {} = {};{}\n", verilog(assign.target), verilog(assign.value),
                           behind_text(assign.behind));
    }
    std::string operator()(const Process& process) const {
        const std::string head = process.kind == Process::Kind::clocked
                                     ? fmt::format("always @(posedge {})", process.clock)
                                 : process.kind == Process::Kind::start ? "initial"
                                                                        : "always @*";
        const std::string inner(8, ' ');
        if (process.bare)
            return fmt::format("    {}\n{}", head, bare_chain_text(process.body[0], inner));
        return fmt::format("    {} begin\n{}    end\n", head, statements_text(process.body, inner));
    }
    std::string operator()(const Instance& instance) const {
        return instance_text(instance, "    ");
    }
    std::string operator()(const Elements& elements) {
        std::string text = (*this)(elements.whole), loops;
        for (const Elements::Run& run : elements.runs) {
            std::string indent(8, ' '), ends;
            for (const Generate::Loop& loop : run.loops) {
                if (variables.insert(loop.variable).second)
                    text += fmt::format("    genvar {};\n", loop.variable);
                loops += loop_head(loop, indent);
                ends.insert(0, indent + "end\n");
                indent += "    ";
            }
            indent.resize(indent.size() - 4); // items are indented
            for (const Net& net : run.nets)
                loops += indent + (*this)(net);
            if (!run.unused.empty())
                loops += indent + unused_text(run.unused, run.unread);
            loops += indent + (*this)(run.element);
            loops += ends;
        }
        text += fmt::format("    generate\n{}    endgenerate\n", loops);
        for (const Assign& other : elements.others)
            text += (*this)(other);
        return text;
    }
    std::string operator()(const Generate& generate) const {
        std::string variables, loops, ends, indent = "    ";
        for (const Generate::Loop& loop : generate.loops) {
            indent += "    ";
            variables.insert(0, fmt::format("    genvar {};\n", loop.variable));
            loops += loop_head(loop, indent);
            ends.insert(0, indent + "end\n");
        }
        return fmt::format("{}    generate\n{}{}{}    endgenerate\n", variables, loops,
                           instance_text(generate.instance, deeper(indent)), ends);
    }
};

std::string parameters_text(const Module& module) {
    std::string result;
    for (const Parameter& each : module.parameters)
        result += fmt::format("{}{}    parameter {} = {}", result.empty() ? "" : ",\n",
                              each.note.empty() ? "" : comment_line("    ", each.note),
                              declared(each.what), verilog(each.value));
    return result.empty() ? result : fmt::format(" #(\n{}\n)", result);
}

std::string ports_text(const Module& module) {
    std::string result;
    for (const Port& each : module.ports)
        result += fmt::format("{}{}    {} {} {}", result.empty() ? "" : ",\n",
                              comment_lines("    ", each.notes), each.output ? "output" : "input",
                              each.is_reg ? "reg" : "wire", declared(each.what));
    return result;
}

} // namespace

std::string verilog(const Module& module) {
    std::string text = comment_lines("", module.comments);
    text +=
        fmt::format("`default_nettype none // written by sme verilog\n\nmodule {}{} (\n{}\n);\n",
                    module.name, parameters_text(module), ports_text(module));
    ItemText items;
    for (const Item& item : module.items)
        text += std::visit(items, item);
    if (!module.unused.empty())
        text += "\n    // bits that nothing reads\n" + unused_text(module.unused, module.unread);
    return text + "endmodule\n";
}

} // namespace sme::hdl::rtl
