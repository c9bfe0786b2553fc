// SPDX-License-Identifier: Apache-2.0
//
// One process as one module: 1. its ports, states and lets (process_context.hpp); 2. an assign or
// an always @* for each wire that it drives, so that no block reads a signal that it writes; 3. one
// clocked block for states and registered buses.
#include "export/processes/process_module.hpp"

#include <algorithm>

#include "export/modules/module_text.hpp"
#include "export/processes/initial_values.hpp"
#include "export/processes/wire_pieces.hpp"

namespace sme::hdl {

using expr::Statement;

namespace {

class ProcessModule {
public:
    /// The `unseen` states need no reset.
    ProcessModule(const ProcessSource& source, const std::set<const expr::StateText*>& memories,
                  std::set<const expr::StateText*> unseen, Diagnostics& diagnostics)
        : s_{source}, bound_{source.bound}, family_{source.graph.processes[source.family]},
          module_{diagnostics}, delayed_{[this](const expr::PortText& port) {
              return delay_of(port) > 1;
          }},
          context_{source.text, bound_, module_, delayed_, memories, source.packed},
          initial_{source.graph, source.family, source.first, source.count}, reset_free_{std::move(
                                                                                 unseen)} {}

    rtl::Module write(WrittenModule& result) {
        add_parameters(module_, s_.parameters, s_.kept, s_.says_so);
        for (const expr::LetText& let : s_.text.lets)
            context_.find(let.name);
        rtl::Items wires = drive_wires();
        rtl::Items clocked = clock_registers();
        rtl::Items effects = mention_effects();
        rtl::Items lets = context_.wires();
        append(lets, std::move(wires));
        result.ports = context_.ports();
        for (const Variable& each : context_.variables())
            if (each.state && each.state->is_memory)
                result.states.push_back({each.name, each.state->type->width_bits(), 0,
                                         each.state->memory, each.is_memory,
                                         !each.is_memory || s_.text.reset != nullptr});
            else if (each.state)
                result.states.push_back({each.name, each.bits(), each.state->write_port});
        result.hints = block_ram_hints(s_.name, context_.variables(), family_, lets, clocked);
        rtl::Module written = head(result);
        append(written.items, module_.items());
        append(written.items, declarations());
        if (!lets.empty())
            written.items.emplace_back(rtl::Blank{});
        append(written.items, std::move(lets));
        append(written.items, std::move(clocked));
        append(written.items, std::move(effects));
        return written;
    }

    /// Returns the arrays with an index that is not known before the run.
    const std::set<const expr::StateText*>& addressed() const { return module_.addressed(); }

private:
    std::uint32_t delay_of(const expr::PortText& port) const {
        const auto element =
            static_cast<std::uint64_t>(family_.ports[port.write_port].buses.at(s_.first));
        return s_.graph.family_of(element).delay;
    }

    rtl::Module head(WrittenModule& result) {
        rtl::Module module;
        module.comments = comments_above(s_.declared);
        for (std::size_t d = 0; d < s_.text.shape.dimensions.size(); ++d)
            if (context_.uses_index(d) && s_.text.shape.dimensions[d].count > 1) {
                result.parameters.push_back({context_.index_name(d), static_cast<int>(d), 32, {}});
                module.parameters.push_back({{context_.index_name(d), 32, true, true},
                                             rtl::number(s_.text.shape.dimensions[d].low)});
            }
        for (const ModuleParameter& each : parameters_) {
            result.parameters.push_back(each);
            module.parameters.push_back(
                {{each.name, each.width, false, false}, rtl::literal(each.values[0], each.width)});
        }
        for (rtl::Parameter& declared : module_.parameter_declarations())
            module.parameters.push_back(std::move(declared));
        result.kept = module_.kept_parameters();
        module.ports = {{{"clk", 1, false, false}}, {{"rst", 1, false, false}}};
        for (const ModulePort& port : context_.ports())
            module.ports.push_back({{port.name, port.width * port.count, port.is_signed, false},
                                    port.output,
                                    registers_.count(port.name) > 0 && variable(port.name),
                                    port.notes});
        return module;
    }

    const Variable* variable(const std::string& name) const {
        for (const Variable& each : context_.variables())
            if (each.name == name)
                return &each;
        return nullptr;
    }

    rtl::Items declarations() const {
        rtl::Items result{rtl::Blank{}};
        for (const Variable& each : context_.variables()) {
            if (!each.state)
                continue;
            add_comments(result, comments_above(each.declared));
            if (each.type->kind() == TypeKind::structure)
                add_comments(result, {notes_of(each.name, {}, *each.type).back()});
            std::uint64_t words = 1;
            for (const std::uint64_t dimension : each.state->dimensions)
                words *= dimension;
            result.emplace_back(rtl::Net{declared(each.name, *each.type),
                                         true,
                                         each.is_memory ? words : 0,
                                         {},
                                         comment_behind(each.declared)});
        }
        if (result.size() == 1)
            return {};
        append(result, word_);
        append(result, memories_);
        return result;
    }

    /// Writes all wires.
    rtl::Items drive_wires() {
        rtl::Items result;
        for (const Variable& each : context_.variables()) {
            if (!each.wire)
                continue;
            if (auto pieces = WirePieces{context_, each}.write(bound_.step)) {
                append(result, std::move(*pieces));
                continue;
            }
            registers_.insert(each.name);
            StepWriter writer{context_, false, {each.name}};
            rtl::Statements body = writer.block(bound_.step);
            const rtl::Statement clear =
                rtl::Statement::assign(all_of(each), rtl::zero(each.bits()), false);
            rtl::Process block{rtl::Process::Kind::settling, {}};
            if (!is_always_assigned(each, bound_.step, context_))
                block.body.push_back(clear);
            if (needs_wake(body))
                block.body.push_back(rtl::Statement::of(rtl::Statement::Kind::wake, {clear}));
            append(block.body, std::move(body));
            result.emplace_back(std::move(block));
        }
        return result;
    }

    static Place all_of(const Variable& each) {
        return Place::all_of(each.name, each.bits(), each.type->is_signed() && each.count == 1);
    }

    /// Tests whether a block must read `rst`. A block that reads no changing signal would never
    /// run. A block that uses its index must too: for some indices a simulator may drop everything
    /// that changes.
    bool needs_wake(const rtl::Statements& body) const {
        std::set<std::string> read;
        each_read(body, [&](const Place& place) { read.insert(place.name); });
        for (std::size_t d = 0; d < s_.text.shape.dimensions.size(); ++d)
            if (read.count(context_.index_name(d)) > 0)
                return true;
        return std::none_of(context_.variables().begin(), context_.variables().end(),
                            [&](const Variable& each) {
                                return !each.wire && !each.is_memory && read.count(each.name) > 0;
                            });
    }

    rtl::Items clock_registers() {
        std::set<std::string> variables;
        for (const Variable& each : context_.variables())
            if (!each.wire)
                variables.insert(each.name);
        if (variables.empty())
            return {};
        rtl::Statements begin, defaults;
        for (const Variable& each : context_.variables()) {
            if (each.wire)
                continue;
            if (each.output) {
                registers_.insert(each.name);
                begin.push_back(takes_initial(each));
                if (each.output->unwritten != Unwritten::hold &&
                    !is_always_assigned(each, bound_.step, context_))
                    defaults.push_back(rtl::Statement::assign(
                        all_of(each), each.constant(Words((each.bits() + 63) / 64), module_),
                        true));
            } else if (reset_free_.count(each.state) > 0)
                continue;
            else if (!each.is_memory)
                begin.push_back(takes_initial(each));
            else {
                begin_memory(each);
                if (s_.text.reset)
                    append(begin, fill(each, word_index(), true));
            }
        }
        const std::set<std::string> free = without_reset(variables);
        StepWriter writer{context_, true, std::move(variables)};
        rtl::Statements body = std::move(defaults);
        append(body, writer.block(bound_.step));
        if (bound_.reset)
            body.push_back(reset());
        rtl::Items result = clocked(std::move(begin), std::move(body));
        append(result, unseen(free));
        return result;
    }

    static rtl::Items clocked(rtl::Statements begin, rtl::Statements body) {
        if (begin.empty() && body.empty())
            return {};
        const ExprRef rst = rtl::at(Place::all_of("rst", 1));
        std::vector<rtl::Statement::Arm> arms;
        if (begin.empty())
            arms.push_back({rtl::unary("!", rst), {}, false, std::move(body)});
        else {
            arms.push_back({rst, {}, false, std::move(begin)});
            if (!body.empty())
                arms.push_back({nullptr, {}, false, std::move(body)});
        }
        return {rtl::Blank{}, rtl::Process{rtl::Process::Kind::clocked,
                                           {rtl::Statement::chain(std::move(arms))}}};
    }

    /// Removes the variables that need no reset from a set.
    std::set<std::string> without_reset(std::set<std::string>& variables) const {
        std::set<std::string> free;
        for (const Variable& each : context_.variables())
            if (each.state && reset_free_.count(each.state) > 0) {
                free.insert(each.name);
                variables.erase(each.name);
            }
        return free;
    }

    rtl::Items unseen(const std::set<std::string>& free) {
        if (free.empty())
            return {};
        StepWriter writer{context_, true, free};
        return {rtl::Blank{},
                rtl::Comment{"nothing sees what these begin with, so they need no reset"},
                rtl::Process{rtl::Process::Kind::clocked, writer.block(bound_.step)}};
    }

    /// Writes the reset: while it is active, states take their initial values, whatever was
    /// assigned above.
    rtl::Statement reset() {
        rtl::Statements body;
        for (const Variable& each : context_.variables())
            if (each.is_memory)
                append(body, fill(each, word_index(), true));
            else if (each.state)
                body.push_back(takes_initial(each));
        const HdlValue condition = context_.translator().value(*bound_.reset);
        return rtl::Statement::chain({{Translator::code(condition), {}, false, std::move(body)}});
    }

    rtl::Statement takes_initial(const Variable& each) {
        return rtl::Statement::assign(all_of(each), initial_of(each), true);
    }

    /// Returns the initial value of a state or an output, a parameter if instances differ.
    ExprRef initial_of(const Variable& each) {
        std::vector<Words> values = initial_.of(each);
        if (std::all_of(values.begin(), values.end(),
                        [&](const Words& value) { return value == values[0]; }))
            return each.constant(values[0], module_);
        const auto parameter = [&](const std::string& name) {
            return rtl::at(Place::all_of(name, each.bits()));
        };
        for (const ModuleParameter& known : parameters_)
            if (known.values == values)
                return parameter(known.name);
        parameters_.push_back(
            {module_.names().take(each.name + "_initial"), -1, each.bits(), std::move(values)});
        return parameter(parameters_.back().name);
    }

    std::string word_index() {
        if (word_.empty())
            word_.emplace_back(
                rtl::Net{{module_.names().take("word"), 32, true, true}, true, 0, {}});
        return std::get<rtl::Net>(word_[0]).what.name;
    }

    rtl::Statements fill(const Variable& each, const std::string& word, bool clocked) const {
        return fill_memory(each, family_.memories[each.state->memory].words,
                           initial_.words_of(each), word, clocked);
    }

    /// Writes a memory. `rst` does not reach its words, so that they can lie in block RAM.
    void begin_memory(const Variable& each) {
        // a separate variable: Yosys takes its final value as the initial value
        const std::string word = module_.names().take("word");
        memories_.emplace_back(rtl::Net{{word, 32, true, true}, true, 0, {}});
        memories_.emplace_back(rtl::Process{rtl::Process::Kind::start, fill(each, word, false)});
    }

    /// Mentions prints, halts and asserts, which only a simulator can execute.
    rtl::Items mention_effects() const {
        bool any = false;
        const auto look = [&](const auto& self, const expr::BoundBlock& block) -> void {
            for (const expr::BoundStatement& statement : block) {
                any = any || statement.kind == Statement::Kind::assertion ||
                      statement.kind == Statement::Kind::halt ||
                      statement.kind == Statement::Kind::print;
                for (const expr::BoundStatement::Arm& arm : statement.arms)
                    self(self, arm.block);
            }
        };
        look(look, bound_.step);
        if (!any)
            return {};
        return {rtl::Blank{},
                rtl::Comment{"assert, halt and print are left to the simulation of the network"}};
    }

    const ProcessSource& s_;
    const expr::BoundProcess& bound_;
    const ProcessFamily& family_;
    ModuleText module_;
    std::function<bool(const expr::PortText&)> delayed_;
    ProcessContext context_;
    InitialValues initial_;
    std::set<const expr::StateText*> reset_free_; // they need no reset
    std::set<std::string> registers_;             // variables that are assigned in a block
    std::vector<ModuleParameter> parameters_;
    rtl::Items memories_; // their initial values
    rtl::Items word_;     // the index of a word in the reset of memories
};

} // namespace

/// Returns the arrays that are memories: arrays with a variable index, and arrays too large for a
/// vector. An array with only known indices becomes separate registers.
static std::set<const expr::StateText*> memories_of(const ProcessSource& source) {
    constexpr std::uint64_t longest_vector = 1u << 16;
    std::set<const expr::StateText*> arrays;
    std::set<const expr::StateText*> result;
    for (const expr::StateText& state : source.text.states) {
        std::uint64_t bits = state.type->width_bits();
        for (const std::uint64_t dimension : state.dimensions)
            bits *= dimension;
        if (state.is_memory)
            (bits > longest_vector ? result : arrays).insert(&state);
    }
    if (arrays.empty())
        return result;
    arrays.insert(result.begin(), result.end());
    Diagnostics quiet;
    WrittenModule tried;
    ProcessModule first{source, arrays, {}, quiet};
    first.write(tried);
    result.insert(first.addressed().begin(), first.addressed().end());
    return result;
}

WrittenModule write_process(const ProcessSource& source, Modules& modules,
                            Diagnostics& diagnostics) {
    WrittenModule result;
    const std::set<const expr::StateText*> memories = memories_of(source);
    const InitialValues initial{source.graph, source.family, source.first, source.count};
    result.name = modules.add(
        source.name,
        ProcessModule{source, memories,
                      reset_free_states(source.text, *source.bound.program, initial, memories),
                      diagnostics}
            .write(result));
    for (const std::string& hint : result.hints)
        modules.add_hint(hint);
    std::erase_if(result.states, [&](const WrittenState& state) {
        return !modules.declares(result.name, state.name);
    });
    return result;
}

} // namespace sme::hdl
