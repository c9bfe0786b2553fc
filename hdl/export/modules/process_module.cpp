// SPDX-License-Identifier: Apache-2.0
//
// One process as one module: 1. its ports, states and lets (process_site.hpp); 2. an assign or an
// always @* for each wire that it drives, so that no block reads what it writes; 3. one clocked
// block for states and for buses that are registers.
#include "export/modules/process_module.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "export/modules/block_ram.hpp"
#include "export/modules/initial_values.hpp"
#include "export/modules/names.hpp"
#include "export/modules/step_writer.hpp"
#include "export/modules/unseen_states.hpp"
#include "export/modules/wire_pieces.hpp"

namespace sme::hdl {

using expr::Statement;

namespace {

class ProcessModule {
public:
    /// The `unseen` states need no reset.
    ProcessModule(const ProcessSource& source, const std::set<const expr::StateText*>& memories,
                  std::set<const expr::StateText*> unseen, Diagnostics& diagnostics)
        : s_{source}, family_{source.graph.processes[source.family]}, module_{diagnostics},
          delayed_{[this](const expr::PortText& port) { return delay_of(port) > 1; }},
          site_{source.text, source.scope, module_, delayed_, memories, source.packed},
          initial_{source.graph, source.family, source.first, source.count}, unseen_{std::move(
                                                                                 unseen)} {}

    std::string write(Written& made) {
        add_parameters(module_, s_.parameters, s_.kept, s_.says_so);
        for (const expr::LetText& let : s_.text.lets)
            site_.find(let.name);
        const std::string wires = drive_wires();
        const std::string clocked = clock_registers();
        const std::string effects = mention_effects();
        made.ports = site_.ports();
        made.hints =
            block_ram_hints(s_.name, site_.variables(), family_, site_.wires() + wires + clocked);
        return head(made) + module_.text() + declarations() + lets(wires) + clocked + effects +
               "endmodule\n";
    }

    /// The arrays of which some word is chosen by an index that is not known before the run.
    const std::set<const expr::StateText*>& addressed() const { return module_.addressed(); }

private:
    std::uint32_t delay_of(const expr::PortText& port) const {
        const auto element =
            static_cast<std::uint64_t>(family_.ports[port.write_port].buses.at(s_.first));
        return s_.graph.family_of(element).delay;
    }

    std::string head(Written& made) {
        std::string text = comment_lines(comments_above(s_.declared), "");
        text += fmt::format("`default_nettype none // written by sme verilog\n\nmodule {}",
                            Modules::placeholder);
        std::string parameters;
        const auto add = [&](const std::string& type, const std::string& name,
                             const std::string& value) {
            parameters += fmt::format("{}    parameter {}{} = {}", parameters.empty() ? "" : ",\n",
                                      type, name, value);
        };
        for (std::size_t d = 0; d < s_.text.indices.size(); ++d)
            if (site_.uses_index(d) && s_.text.index_count[d] > 1) {
                made.parameters.push_back({site_.index_name(d), static_cast<int>(d), 32, {}});
                add("integer ", site_.index_name(d), std::to_string(s_.text.index_low[d]));
            }
        for (const ModuleParameter& each : parameters_) {
            made.parameters.push_back(each);
            add(range_of(each.width), each.name, literal(each.values[0], each.width));
        }
        for (const std::string& declared : module_.parameter_declarations())
            parameters += (parameters.empty() ? "" : ",\n") + declared;
        made.kept = module_.kept_parameters();
        if (!parameters.empty())
            text += fmt::format(" #(\n{}\n)", parameters);
        text += " (\n    input wire clk,\n    input wire rst";
        for (const ModulePort& port : site_.ports()) {
            const bool is_reg = registers_.count(port.name) > 0;
            std::string range = range_of(port.width * port.count);
            const Variable* own = variable(port.name);
            if (port.is_signed)
                range.insert(0, "signed ");
            text += fmt::format(",\n{}    {} {} {}{}", comment_lines(port.notes, "    "),
                                port.output ? "output" : "input", is_reg && own ? "reg" : "wire",
                                range, port.name);
        }
        return text + "\n);\n";
    }

    const Variable* variable(const std::string& name) const {
        for (const Variable& each : site_.variables())
            if (each.name == name)
                return &each;
        return nullptr;
    }

    std::string declarations() const {
        std::string text;
        for (const Variable& each : site_.variables()) {
            if (!each.state)
                continue;
            text += comment_lines(comments_above(each.declared), "    ");
            std::string behind = comment_behind(each.declared);
            if (each.type->kind() == TypeKind::structure)
                text += "    // " + notes_of(each.name, {}, *each.type).back() + "\n";
            std::uint64_t words = 1;
            for (const std::uint64_t dimension : each.state->dimensions)
                words *= dimension;
            text += fmt::format("    reg {}{}{};{}\n", range_of(*each.type), each.name,
                                each.is_memory ? fmt::format(" [0:{}]", words - 1) : "",
                                behind.empty() ? "" : " // " + behind);
        }
        return (text.empty() ? "" : "\n") + text + memories_;
    }

    std::string lets(const std::string& wires) const {
        const std::string all = site_.wires() + wires;
        return all.empty() ? all : "\n" + all;
    }

    /// Everything that is a wire.
    std::string drive_wires() {
        std::string text;
        for (const Variable& each : site_.variables()) {
            if (!each.wire)
                continue;
            if (const auto pieces = WirePieces{site_, each}.write(s_.text.step)) {
                text += *pieces;
                continue;
            }
            registers_.insert(each.name);
            StepWriter writer{site_, false, {each.name}};
            const std::string body = writer.block(s_.text.step, "        ");
            text += fmt::format("    always @* begin\n        {} = {};{}\n{}    end\n", each.name,
                                literal(Words{0}, each.bits()), wake(each, body), body);
        }
        return text;
    }

    /// A block that reads nothing which changes would never run: then it reads `rst`. So does one
    /// that knows its index: for some of them a simulator may leave out all that changes.
    std::string wake(const Variable& wire, const std::string& body) const {
        bool indexed = false;
        for (std::size_t d = 0; d < s_.text.indices.size(); ++d)
            indexed = indexed || mentions(body, site_.index_name(d));
        for (const Variable& each : site_.variables()) {
            const bool changes = !each.wire && !each.is_memory;
            if (!indexed && changes && mentions(body, each.name))
                return {};
        }
        return fmt::format("\n        if (rst) // so that a simulator runs this once in any case\n"
                           "            {} = {};",
                           wire.name, literal(Words{0}, wire.bits()));
    }

    std::string clock_registers() {
        std::set<std::string> variables;
        for (const Variable& each : site_.variables())
            if (!each.wire)
                variables.insert(each.name);
        if (variables.empty())
            return {};
        std::string begin, defaults;
        for (const Variable& each : site_.variables()) {
            if (each.wire)
                continue;
            if (each.output) {
                registers_.insert(each.name);
                begin += fmt::format("            {} <= {};\n", each.name, initial_of(each));
                if (each.output->rule != expr::Rule::hold && !is_always_assigned(each))
                    defaults += fmt::format("            {} <= {};\n", each.name,
                                            literal(Words{0}, each.bits()));
            } else if (unseen_.count(each.state) > 0)
                continue;
            else if (!each.is_memory)
                begin += fmt::format("            {} <= {};\n", each.name, initial_of(each));
            else {
                begin_memory(each);
                if (s_.text.reset)
                    begin += fill(each, word_index(), "<=", "            ");
            }
        }
        const std::set<std::string> free = without_reset(variables);
        StepWriter writer{site_, true, std::move(variables)};
        std::string body = defaults + writer.block(s_.text.step, "            ");
        if (s_.text.reset)
            body += reset();
        return clocked(begin, body) + unseen(free);
    }

    static std::string clocked(const std::string& begin, const std::string& body) {
        if (begin.empty() && body.empty())
            return {};
        std::string text = "\n    always @(posedge clk) begin\n";
        if (begin.empty())
            text += fmt::format("        if (!rst) begin\n{}", body);
        else
            text += fmt::format("        if (rst) begin\n{}", begin);
        if (!begin.empty() && !body.empty())
            text += fmt::format("        end else begin\n{}", body);
        return text + "        end\n    end\n";
    }

    /// Takes the variables that need no reset out of a set.
    std::set<std::string> without_reset(std::set<std::string>& variables) const {
        std::set<std::string> free;
        for (const Variable& each : site_.variables())
            if (each.state && unseen_.count(each.state) > 0) {
                free.insert(each.name);
                variables.erase(each.name);
            }
        return free;
    }

    std::string unseen(const std::set<std::string>& free) {
        if (free.empty())
            return {};
        StepWriter writer{site_, true, free};
        return fmt::format("\n    // nothing sees what these begin with, so they need no reset\n"
                           "    always @(posedge clk) begin\n{}    end\n",
                           writer.block(s_.text.step, "        "));
    }

    /// While the reset of the process holds, states take their initial values, whatever was
    /// assigned above.
    std::string reset() {
        std::string body;
        for (const Variable& each : site_.variables())
            if (each.is_memory)
                body += reset_memory(each);
            else if (each.state)
                body += fmt::format("                {} <= {};\n", each.name, initial_of(each));
        const Term condition = site_.translator().value(*s_.text.reset);
        return fmt::format("            if ({}) begin\n{}            end\n",
                           site_.translator().text(condition), body);
    }

    bool is_always_assigned(const Variable& each) const {
        if (!each.output->counts.empty())
            return false;
        return std::any_of(s_.text.step.statements.begin(), s_.text.step.statements.end(),
                           [&](const Statement& statement) {
                               return statement.kind == Statement::Kind::assign &&
                                      statement.target && is_target(*statement.target, each) &&
                                      statement.rhs.kind == expr::Rhs::Kind::expression &&
                                      !statement.rhs.when;
                           });
    }

    /// Whether a target is all of an output, or of the field of it that the variable is.
    static bool is_target(const expr::Ast& target, const Variable& each) {
        if (target.kind == expr::Ast::Kind::field && each.field >= 0)
            return target.text ==
                       each.output->type->fields()[static_cast<std::size_t>(each.field)].name &&
                   target.operands[0]->kind == expr::Ast::Kind::name &&
                   target.operands[0]->text == each.output->name;
        return target.kind == expr::Ast::Kind::name && target.text == each.output->name;
    }

    /// What a state or an output begins with: a literal, or a parameter where instances differ.
    std::string initial_of(const Variable& each) {
        std::vector<Words> values = initial_.of(each);
        if (std::all_of(values.begin(), values.end(),
                        [&](const Words& value) { return value == values[0]; }))
            return each.type->is_signed() && each.count == 1 && each.bits() <= 64
                       ? signed_literal(values[0], static_cast<unsigned>(each.bits()))
                       : literal(values[0], each.bits());
        for (const ModuleParameter& known : parameters_)
            if (known.values == values)
                return known.name;
        parameters_.push_back(
            {module_.names().take(each.name + "_initial"), -1, each.bits(), std::move(values)});
        return parameters_.back().name;
    }

    static std::string signed_literal(const Words& bits, unsigned width) {
        return literal(
            static_cast<Integer>(static_cast<std::int64_t>(canonical(bits[0], width, true))), width,
            true);
    }

    std::string word_index() {
        if (word_.empty()) {
            word_ = module_.names().take("word");
            memories_ = fmt::format("    integer {};\n", word_) + memories_;
        }
        return word_;
    }

    std::string fill(const Variable& each, const std::string& word, const char* op,
                     const std::string& indent) const {
        std::string text =
            fmt::format("{0}for ({1} = 0; {1} < {2}; {1} = {1} + 1)\n{0}    {3}[{1}] {4} {5};\n",
                        indent, word, family_.memories[each.state->memory].words, each.name, op,
                        literal(Words{0}, each.type->width_bits()));
        for (const auto& [at, value] : initial_.words_of(each))
            text += fmt::format("{}{}[{}] {} {};\n", indent, each.name, at, op,
                                literal(value, each.type->width_bits()));
        return text;
    }

    /// `rst` does not reach the words: so they can lie in block RAM.
    void begin_memory(const Variable& each) {
        // a variable of its own: Yosys takes what is left in it for its initial value
        const std::string word = module_.names().take("word");
        memories_ += fmt::format("    integer {};\n    initial begin\n{}    end\n", word,
                                 fill(each, word, "=", "        "));
    }

    std::string reset_memory(const Variable& each) {
        return fill(each, word_index(), "<=", "                ");
    }

    /// Only a simulator can print, halt or find an assert that does not hold.
    std::string mention_effects() const {
        bool any = false;
        const auto look = [&](const auto& self, const expr::Block& block) -> void {
            for (const Statement& statement : block.statements) {
                any = any || statement.kind == Statement::Kind::assertion ||
                      statement.kind == Statement::Kind::halt ||
                      statement.kind == Statement::Kind::print;
                for (const Statement::Arm& arm : statement.arms)
                    self(self, arm.block);
            }
        };
        look(look, s_.text.step);
        return any ? "\n    // assert, halt and print are left to the simulation of the network\n"
                   : "";
    }

    const ProcessSource& s_;
    const ProcessFamily& family_;
    ModuleText module_;
    std::function<bool(const expr::PortText&)> delayed_;
    ProcessSite site_;
    InitialValues initial_;
    std::set<const expr::StateText*> unseen_; // they need no reset
    std::set<std::string> registers_;         // variables that are assigned in a block
    std::vector<ModuleParameter> parameters_;
    std::string memories_; // what they begin with
    std::string word_;
};

} // namespace

/// Which arrays are memories: those with an address, and those too large for a vector. An array
/// whose indices are all known is as many registers.
static std::set<const expr::StateText*> memories_of(const ProcessSource& source) {
    constexpr std::uint64_t longest_vector = 1u << 16;
    std::set<const expr::StateText*> arrays;
    std::set<const expr::StateText*> made;
    for (const expr::StateText& state : source.text.states) {
        std::uint64_t bits = state.type->width_bits();
        for (const std::uint64_t dimension : state.dimensions)
            bits *= dimension;
        if (state.is_memory)
            (bits > longest_vector ? made : arrays).insert(&state);
    }
    if (arrays.empty())
        return made;
    arrays.insert(made.begin(), made.end());
    Diagnostics quiet;
    Written tried;
    ProcessModule first{source, arrays, {}, quiet};
    first.write(tried);
    made.insert(first.addressed().begin(), first.addressed().end());
    return made;
}

Written write_process(const ProcessSource& source, Modules& modules, Diagnostics& diagnostics) {
    Written made;
    const std::set<const expr::StateText*> memories = memories_of(source);
    const InitialValues initial{source.graph, source.family, source.first, source.count};
    const std::string text =
        ProcessModule{source, memories, unseen_states(source.text, source.scope, initial, memories),
                      diagnostics}
            .write(made);
    made.name = modules.add(source.name, source.title + text);
    for (const std::string& hint : made.hints)
        modules.add_hint(hint);
    return made;
}

} // namespace sme::hdl
