// SPDX-License-Identifier: Apache-2.0
//
// One walk over the items of a module collects the declarations and statements of an architecture:
// 1. the declaration of each name, and the initial values of memories; 2. the items; 3. the entity
// around them.
#include "export/vhdl/vhdl_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "export/modules/hdl_value.hpp"

namespace sme::hdl::vhdl {

using rtl::ExprRef;
using rtl::Module;
using rtl::Place;
using rtl::Process;
using rtl::Statement;
using rtl::Statements;

std::string inside_name(const std::string& module) {
    return "\\inside " + module + "\\";
}

namespace {

class ModuleText {
public:
    ModuleText(const Module& module, const Library& library, Names& names, const Shown* shown)
        : module_{module}, library_{library}, names_{names}, shown_{shown}, scope_{names_} {
        for (const rtl::Parameter& parameter : module.parameters)
            scope_.declared[parameter.what.name] = parameter.what;
        for (const rtl::Port& port : module.ports)
            scope_.declared[port.what.name] = port.what;
        for (const rtl::Item& item : module.items)
            declare(item);
    }

    std::string write() {
        for (const rtl::Item& item : module_.items)
            std::visit(*this, item);
        for (const std::string& note : notes_)
            body_ += comment_line("    ", note);
        if (shown_)
            show();
        std::string text;
        for (const std::string& comment : module_.comments)
            text += comment_line("", comment);
        const std::string name = shown_ ? inside_name(module_.name) : names_.of(module_.name);
        return text + fmt::format("library ieee; -- written by sme vhdl\n"
                                  "use ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n"
                                  "use work.sme_bits.all;\n\n"
                                  "entity {0} is\n{1}    port (\n{2}\n    );\nend entity;\n\n"
                                  "architecture rtl of {0} is\n{3}begin\n{4}end architecture;\n",
                                  name, generics(), ports(), declarations_, body_);
    }

    void operator()(const rtl::Blank&) { blank_ = true; }
    void operator()(const rtl::Comment& comment) { notes_.push_back(comment.text); }
    void operator()(const rtl::Constant& constant) {
        const Shape shape = shape_of(constant.what.width, constant.what.is_signed);
        const ExprText expr{scope_};
        declaration(fmt::format("    constant {} : {} := {};\n", names_.of(constant.what.name),
                                type_text(constant.what),
                                constant.what.is_integer ? expr.integer(constant.value)
                                                         : expr.value(constant.value, shape)));
    }
    void operator()(const rtl::Net& net) {
        const std::string& name = names_.of(net.what.name);
        if (net.what.is_integer || is_variable_[net.what.name]) {
            notes_.clear();
            return;
        }
        const std::string behind = net.behind.empty() ? "" : " -- " + net.behind;
        if (net.words > 0) {
            const std::string type = names_.fresh(name + "_words");
            declaration(fmt::format("    type {} is array (0 to {}) of {};\n"
                                    "    signal {} : {}{};{}\n",
                                    type, net.words - 1, type_text(net.what), name, type,
                                    begins_[net.what.name], behind));
        } else if (!net.value)
            declaration(fmt::format("    signal {} : {};{}\n", name, type_text(net.what), behind));
        else {
            std::vector<std::string> notes;
            notes.swap(notes_);
            declaration(fmt::format("    signal {} : {};\n", name, type_text(net.what)));
            notes.swap(notes_);
            statement(fmt::format(
                "    {} <= {};{}\n", name,
                ExprText{scope_}.assigned(net.value, shape_of(net.what.width, net.what.is_signed)),
                behind));
        }
    }
    void operator()(const rtl::Function& function) {
        declaration("");
        declarations_ += function_text(function, scope_, names_);
        is_behind_function_ = true;
    }
    void operator()(const rtl::Assign& assign) {
        const ExprText expr{scope_};
        statement(fmt::format("    {} <= {};{}\n", expr.target(assign.target),
                              expr.assigned(assign.value, scope_.target_shape(assign.target)),
                              assign.behind.empty() ? "" : " -- " + assign.behind));
    }
    void operator()(const Process& process);
    void operator()(const rtl::Instance& instance) {
        const std::string shown = signal_shown(instance.name);
        InstanceText result{instance, library_, scope_, names_, shown};
        declarations_ += result.declarations("    ");
        statement(result.text("    "));
    }
    void operator()(const rtl::Generate& generate);
    void operator()(const rtl::Elements& elements);

private:
    /// Returns the signal for the `shown` port of an instance or a family, if it has that port.
    std::string signal_shown(const std::string& instance) {
        const auto found = shown_ ? shown_->bits.find(instance) : decltype(shown_->bits.end()){};
        if (!shown_ || found == shown_->bits.end())
            return {};
        shown_parts_.push_back(names_.fresh(instance + "_shown"));
        declarations_ += fmt::format("    signal {} : {};\n", shown_parts_.back(),
                                     fmt::format("unsigned({} downto 0)", found->second - 1));
        return shown_parts_.back();
    }

    std::string loop_head(const rtl::Generate::Loop& loop, const std::string& indent) const {
        return fmt::format("{}{} : for {} in {} to {} generate\n", indent, names_.of(loop.label),
                           names_.of(loop.variable), loop.low, loop.end - 1);
    }

    void declaration(const std::string& text) {
        if (is_behind_function_ && !text.empty()) {
            is_behind_function_ = false;
            declarations_ += "\n";
        }
        for (const std::string& note : notes_)
            declarations_ += comment_line("    ", note);
        notes_.clear();
        blank_ = false;
        declarations_ += text;
    }
    void statement(const std::string& text) {
        if (blank_ && !body_.empty())
            body_ += "\n";
        blank_ = false;
        for (const std::string& note : notes_)
            body_ += comment_line("    ", note);
        notes_.clear();
        body_ += text;
    }

    void declare(const rtl::Item& item);
    void begin_memory(const Statements& statements);
    void show();
    std::string generics() const;
    std::string ports() const;

    const Module& module_;
    const Library& library_;
    Names& names_;
    const Shown* shown_;
    Scope scope_;
    std::map<std::string, std::string> begins_; // " := …" of memories
    std::map<std::string, bool> is_variable_;   // local to one process
    std::string declarations_, body_;
    std::vector<std::string> notes_;
    std::vector<std::string> shown_parts_; // the values that instances show
    bool blank_ = false;
    bool is_behind_function_ = false;
};

void ModuleText::declare(const rtl::Item& item) {
    if (const auto* constant = std::get_if<rtl::Constant>(&item)) {
        scope_.declared[constant->what.name] = constant->what;
        scope_.constants[constant->what.name] = constant->value;
    } else if (const auto* net = std::get_if<rtl::Net>(&item)) {
        scope_.declared[net->what.name] = net->what;
        if (net->words > 0)
            scope_.words[net->what.name] = net->words;
    } else if (const auto* elements = std::get_if<rtl::Elements>(&item)) {
        scope_.declared[elements->whole.what.name] = elements->whole.what;
        for (const rtl::Elements::Run& run : elements->runs)
            for (const rtl::Net& net : run.nets)
                scope_.declared[net.what.name] = net.what;
    } else if (const auto* function = std::get_if<rtl::Function>(&item))
        scope_.functions[function->result.name] = function;
    else if (const auto* process = std::get_if<Process>(&item)) {
        if (process->kind == Process::Kind::start)
            begin_memory(process->body);
        else if (process->kind == Process::Kind::clocked)
            each_assignment(process->body, [&](const Statement& each) {
                if (!each.clocked)
                    is_variable_[each.target.name] = true;
            });
    }
}

/// All words are zero except those that statements set individually or in loops.
void ModuleText::begin_memory(const Statements& statements) {
    std::string words, line;
    const rtl::Declared& what = scope_.declared.at(statements[0].body[0].target.name);
    const Shape shape = shape_of(what.width, what.is_signed);
    constexpr std::size_t most = 88; // characters
    const auto end_line = [&] {
        words += line.empty() ? "" : "\n       " + line;
        line.clear();
    };
    for (const Statement& each : statements) {
        const bool is_loop = each.kind == Statement::Kind::loop;
        const ExprRef& value = is_loop ? each.body[0].value : each.value;
        if (is_loop && is_zero(value->words))
            continue;
        const std::string at =
            is_loop ? fmt::format("{} to {}", to_string(each.low), to_string(each.end - 1))
                    : to_string(each.target.word->value);
        const std::string word =
            fmt::format(" {} => {},", at, ExprText{scope_}.value(value, shape));
        if (line.size() + word.size() > most)
            end_line();
        line += word;
    }
    end_line();
    begins_[what.name] =
        fmt::format(" := ({}{}others => {})", words, words.empty() ? "" : "\n        ",
                    shape == Shape::bit ? "'0'" : "(others => '0')");
}

void ModuleText::operator()(const Process& process) {
    if (process.kind == Process::Kind::start) {
        notes_.clear();
        return;
    }
    const bool is_clocked = process.kind == Process::Kind::clocked;
    Scope inside = scope_;
    std::set<std::string> read;
    each_read(process.body, [&](const Place& place) { read.insert(place.name); });
    std::string variables, last;
    each_assignment(process.body, [&](const Statement& each) {
        const std::string& name = each.target.name;
        if (each.clocked || (!is_clocked && read.count(name) == 0) ||
            !inside.variables.emplace(name, "").second)
            return;
        const std::string own = is_clocked ? names_.of(name) : names_.fresh(name + "_now");
        inside.variables[name] = own;
        variables +=
            fmt::format("        variable {} : {};\n", own, type_text(scope_.declared.at(name)));
        if (!is_clocked)
            last += fmt::format("        {} <= {};\n", names_.of(name), own);
    });
    const std::string body =
        StatementText{inside, names_}.block(process.body, is_clocked ? "            " : "        ");
    statement(is_clocked ? fmt::format("    process ({0}) is\n{1}    begin\n"
                                       "        if rising_edge({0}) then\n{2}        end if;\n"
                                       "    end process;\n",
                                       names_.of(process.clock), variables, body)
                         : fmt::format("    process (all) is\n{}    begin\n{}{}    end process;\n",
                                       variables, body, last));
}

void ModuleText::operator()(const rtl::Generate& generate) {
    std::string indent = "    ", head, tail, member;
    std::uint64_t members = 1;
    for (const rtl::Generate::Loop& loop : generate.loops) {
        const auto count = static_cast<std::uint64_t>(loop.end - loop.low);
        const std::string& variable = names_.of(loop.variable);
        head += loop_head(loop, indent);
        tail.insert(0, indent + "end generate;\n");
        const std::string own =
            loop.low == 0 ? variable : fmt::format("({} - {})", variable, loop.low);
        member = member.empty() ? own : fmt::format("({} * {} + {})", member, count, own);
        members *= count;
        indent += "    ";
    }
    std::string shown = signal_shown(generate.loops[0].label);
    if (!shown.empty()) {
        const std::uint64_t width = shown_->bits.at(generate.loops[0].label) / members;
        shown =
            fmt::format("{0}({1} * {2} + {3} downto {1} * {2})", shown, member, width, width - 1);
    }
    InstanceText result{generate.instance, library_, scope_, names_, shown};
    const std::string own = result.declarations(indent);
    const std::string begin = own.empty() ? "" : own + indent.substr(4) + "begin\n";
    statement(head + begin + result.text(indent) + tail);
}

void ModuleText::operator()(const rtl::Elements& elements) {
    (*this)(elements.whole);
    const ExprText expr{scope_};
    for (const rtl::Elements::Run& run : elements.runs) {
        std::string indent = "    ", heads, ends, nets, values;
        for (const rtl::Generate::Loop& loop : run.loops) {
            heads += loop_head(loop, indent);
            ends.insert(0, indent + "end generate;\n");
            indent += "    ";
        }
        for (const rtl::Net& net : run.nets) {
            const std::string& name = names_.of(net.what.name);
            nets += fmt::format("{}signal {} : {};\n", indent, name, type_text(net.what));
            values +=
                fmt::format("{}{} <= {};\n", indent, name,
                            expr.assigned(net.value, shape_of(net.what.width, net.what.is_signed)));
        }
        const rtl::Assign& element = run.element;
        statement(fmt::format("{}{}{}{}{} <= {};\n{}", heads,
                              nets.empty() ? nets : nets + indent.substr(4) + "begin\n", values,
                              indent, expr.target(element.target),
                              expr.assigned(element.value, scope_.target_shape(element.target)),
                              ends));
    }
    for (const rtl::Assign& other : elements.others)
        (*this)(other);
}

void ModuleText::show() {
    std::string parts;
    const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : " & ") + part; };
    for (const std::string& name : shown_->signals) {
        const rtl::Declared& what = scope_.declared.at(name);
        const bool is_number = shape_of(what.width, what.is_signed) == Shape::number;
        add(is_number ? fmt::format("unsigned({})", names_.of(name)) : names_.of(name));
    }
    for (const std::string& part : shown_parts_)
        add(part);
    body_ += fmt::format("\n    shown <= unsigned'({}{});\n", shown_->width == 1 ? "\"\" & " : "",
                         parts);
}

std::string ModuleText::generics() const {
    std::string result;
    for (const rtl::Parameter& each : module_.parameters) {
        const Shape shape = shape_of(each.what.width, each.what.is_signed);
        const ExprText expr{scope_};
        result += fmt::format("{}{}        {} : {} := {}", result.empty() ? "" : ";\n",
                              each.note.empty() ? "" : comment_line("        ", each.note),
                              names_.of(each.what.name), type_text(each.what),
                              each.what.is_integer ? expr.integer(each.value)
                                                   : expr.value(each.value, shape));
    }
    return result.empty() ? result : fmt::format("    generic (\n{}\n    );\n", result);
}

std::string ModuleText::ports() const {
    std::string result;
    for (const rtl::Port& each : module_.ports) {
        result += result.empty() ? "" : ";\n";
        for (const std::string& note : each.notes)
            result += comment_line("        ", note);
        result += fmt::format("        {} : {} {}", names_.of(each.what.name),
                              each.output ? "out" : "in", type_text(each.what));
    }
    if (shown_)
        result += fmt::format(";\n        shown : out unsigned({} downto 0)", shown_->width - 1);
    return result;
}

} // namespace

Library::Library(const Exported& exported, Names& names) : components{exported, names} {
    for (const Module& module : exported.trees)
        modules[module.name] = &module;
}

std::string module_text(const Module& module, const Library& library, Names names,
                        const Shown* shown) {
    return ModuleText{module, library, names, shown}.write();
}

} // namespace sme::hdl::vhdl
