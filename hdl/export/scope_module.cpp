// SPDX-License-Identifier: Apache-2.0
//
// A network or a component as one module: 1. a vector for each family of buses; 2. an instance, or
// a generate loop, for each name under `processes`; 3. delay lines, and what nobody drives.
#include "export/scope_module.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "export/connection.hpp"
#include "export/process_module.hpp"

namespace sme::hdl {

std::vector<std::int64_t> member_indices(const expr::UnitText& unit, std::uint64_t member) {
    std::uint64_t flat = unit.kept.empty() ? member : unit.kept[member];
    std::vector<std::int64_t> at(unit.counts.size());
    for (std::size_t d = unit.counts.size(); d-- > 0;) {
        at[d] = unit.lows[d] + static_cast<std::int64_t>(flat % unit.counts[d]);
        flat /= unit.counts[d];
    }
    return at;
}

namespace {

std::string number_in_name(std::int64_t value) {
    return value < 0 ? fmt::format("m{}", -value) : std::to_string(value);
}

} // namespace

std::string instance_path(const expr::UnitText& unit, std::uint64_t member, bool looped,
                          const std::string& name) {
    std::string made = name;
    const std::vector<std::int64_t> at = member_indices(unit, member);
    for (std::size_t d = 0; d < at.size(); ++d)
        if (!looped)
            made += "_" + number_in_name(at[d]);
        else
            made += fmt::format("{}[{}]", d == 0 ? "" : fmt::format(".at_{}", d), at[d]);
    return looped ? made + ".unit" : made;
}

namespace {

class ScopeModule {
public:
    ScopeModule(const expr::ScopeText& scope, std::uint64_t instance, bool is_network, Export& all)
        : scope_{scope}, instance_{instance},
          is_network_{is_network}, all_{all}, graph_{all.graph}, module_{all.diagnostics} {}

    std::string write(Written& made, ScopeLayout& layout) {
        for (const expr::ViewText& view : scope_.views)
            add_view(view);
        for (std::size_t k = 0; k < signals_.size(); ++k)
            for (std::uint64_t place = 0; place < signals_[k].count; ++place)
                carriers_[{signals_[k].element(instance_, place), signals_[k].field}].emplace_back(
                    k, place);
        for (const auto& [name, value] : scope_.parameters)
            if (value >= -(Integer{1} << 31) && value < (Integer{1} << 31))
                module_.number(name, value);
        std::string units;
        for (const expr::UnitText& unit : scope_.units)
            units += write_unit(unit);
        std::string tied = tie_off();
        std::string delays;
        for (Signal& signal : signals_)
            delays += delay_line(signal);
        std::string text = comment_lines(comments_above(scope_.declared), "") + head(made) +
                           module_.text() + declarations() + constants_ + units + delays + tied +
                           "endmodule\n";
        layout.signals = signals_;
        layout.looped = looped_;
        layout.names = names_;
        return text;
    }

private:
    // --- buses

    void add_view(const expr::ViewText& view) {
        const Signal::Role role = view.use == expr::ViewText::Use::own     ? Signal::Role::own
                                  : view.use == expr::ViewText::Use::input ? Signal::Role::input
                                                                           : Signal::Role::output;
        const std::uint64_t family = graph_.family_of(view.element(instance_, 0)).first;
        const bool fed = is_network_ && all_.fed.count(family) > 0;
        const bool shown = is_network_ && all_.shown.count(family) > 0;
        const auto add = [&](const std::string& name, const TypeRef& type, int field, int back) {
            Signal made;
            made.name = made.written = module_.names().take(name);
            made.width = type->width_bits();
            made.count = view.count();
            made.is_signed = type->is_signed() && view.counts.empty();
            made.role = role;
            if (back >= 0 && role != Signal::Role::own)
                made.role =
                    role == Signal::Role::input ? Signal::Role::output : Signal::Role::input;
            if (fed)
                made.role = back >= 0 ? Signal::Role::own : Signal::Role::input;
            made.is_port = made.role != Signal::Role::own || fed || shown;
            made.field = field;
            made.back = back;
            made.view = &view;
            if (made.role == Signal::Role::own && delay_of(made) > 1)
                made.written = module_.names().take(made.name + "_written");
            signals_.push_back(std::move(made));
        };
        if (!view.type->is_bundle())
            return add(view.name, view.type, -1, -1);
        int forward = 0, back = 0;
        for (const Field& field : view.type->fields())
            add(fmt::format("{}.{}", view.name, field.name), field.type,
                field.back ? -1 : forward++, field.back ? back++ : -1);
    }

    std::uint32_t delay_of(const Signal& signal) const {
        return graph_.family_of(signal.element(instance_, 0)).delay;
    }

    /// Where a field of a bus is read or written in this module; nothing for what is constant.
    std::optional<Place> place_of(std::uint64_t element, int field, bool write) {
        const auto found = carriers_.find({element, field});
        if (found == carriers_.end())
            return std::nullopt;
        const auto rank = [&](const Signal& signal) {
            if (signal.role == Signal::Role::own)
                return 0;
            return (signal.role == Signal::Role::output) == write ? 1 : 2;
        };
        const auto best = *std::min_element(
            found->second.begin(), found->second.end(), [&](const auto& a, const auto& b) {
                return rank(signals_[a.first]) < rank(signals_[b.first]);
            });
        Signal& signal = signals_[best.first];
        std::string name = write ? signal.written : signal.name;
        if (!write && signal.role == Signal::Role::output && delay_of(signal) > 1) {
            if (signal.seen.empty())
                signal.seen = module_.names().take(signal.name + "_seen");
            name = signal.seen;
        }
        if (write)
            driven_.insert({element, field});
        return Place{name, signal.bits(), best.second * signal.width, signal.width, {}, false};
    }

    std::string declarations() const {
        std::string text;
        for (const Signal& signal : signals_) {
            if (signal.role != Signal::Role::own)
                continue;
            if (!signal.is_port || !is_network_) {
                if (signal.field <= 0 && signal.back < 0)
                    text += comment_lines(comments_above(signal.view->declared), "    ");
                const std::string behind = comment_behind(signal.view->declared);
                text += fmt::format("    {} {}{}{};{}\n", signal.is_reg ? "reg" : "wire",
                                    signal.is_signed ? "signed " : "", range_of(signal.bits()),
                                    signal.name, behind.empty() ? "" : " // " + behind);
            }
            if (signal.written != signal.name)
                text += fmt::format("    wire {}{};\n", range_of(signal.bits()), signal.written);
        }
        return text.empty() ? text : "\n" + text;
    }

    std::string head(Written& made) const {
        std::string text = fmt::format("`default_nettype none\n\nmodule {} (\n    input wire clk,\n"
                                       "    input wire rst",
                                       Modules::placeholder);
        const auto add = [&](const Signal& signal, bool output, bool seen) {
            ModulePort port;
            port.name = seen ? signal.seen : signal.name;
            port.output = output;
            port.seen = seen;
            port.width = signal.width;
            port.count = signal.count;
            port.lows = signal.view->lows;
            port.counts = signal.view->counts;
            port.field = signal.field;
            port.back = signal.back;
            port.port = signal.view->name;
            made.ports.push_back(port);
            text +=
                fmt::format(",\n    {} {} {}{}{}", output ? "output" : "input",
                            signal.is_reg && output ? "reg" : "wire",
                            signal.is_signed ? "signed " : "", range_of(signal.bits()), port.name);
        };
        for (const Signal& signal : signals_)
            if (signal.is_port)
                add(signal, signal.role != Signal::Role::input, false);
        for (const Signal& signal : signals_)
            if (!signal.seen.empty())
                add(signal, false, true);
        return text + "\n);\n";
    }

    /// A bus of delay n is a register where it is written; the other n − 1 are here.
    std::string delay_line(Signal& signal) {
        const std::uint32_t delay = signal.role == Signal::Role::own ? delay_of(signal) : 0;
        if (delay <= 1 || signal.written == signal.name)
            return {};
        Words begin((signal.bits() + 63) / 64);
        for (std::uint64_t place = 0; place < signal.count; ++place)
            put_bits(begin, place * signal.width,
                     initial_bits(graph_, signal.element(instance_, place)), signal.width);
        const std::string line = module_.names().take(signal.name + "_line");
        const std::uint64_t bits = signal.bits(), all = bits * (delay - 1);
        const std::string next =
            delay == 2 ? signal.written
                       : fmt::format("{{{}[{}:0], {}}}", line, all - bits - 1, signal.written);
        std::string text = fmt::format(
            "\n    // the delay of {} cycles: one in the register that is written, {} here\n"
            "    reg {}{};\n    always @(posedge clk)\n        if (rst)\n            {} <= "
            "{{{}{{{}}}}};\n        else\n            {} <= {};\n",
            delay, delay - 1, range_of(all), line, line, delay - 1, literal(begin, bits), line,
            next);
        return text +
               fmt::format("    assign {} = {};\n", signal.name,
                           all == 1 ? line : fmt::format("{}[{}:{}]", line, all - 1, all - bits));
    }

    /// Buses that no process writes: a constant that is bound to a port, or one that nobody reads.
    std::string tie_off() {
        std::string text;
        for (Signal& signal : signals_) {
            if (signal.role == Signal::Role::input)
                continue;
            for (std::uint64_t place = 0; place < signal.count; ++place) {
                const std::uint64_t element = signal.element(instance_, place);
                if (driven_.count({element, signal.field}) > 0 ||
                    (signal.role == Signal::Role::output && is_inner_copy(element, signal)))
                    continue;
                const Place at =
                    Place{signal.written, signal.bits(), 0, signal.bits(), {}, false}.part(
                        place * signal.width, signal.width);
                text += fmt::format("    assign {} = {}; // nobody writes it\n", at.text(),
                                    literal(Words{0}, signal.width));
            }
        }
        return text.empty() ? text : "\n" + text;
    }

    /// An output that is bound to a bus which another output carries, too.
    bool is_inner_copy(std::uint64_t element, const Signal& signal) const {
        return carriers_.at({element, signal.field}).size() > 1;
    }

    // --- instances

    std::string write_unit(const expr::UnitText& unit) {
        const std::uint64_t members = unit.count();
        if (!unit.process && !unit.inside) {
            all_.diagnostics.add(Code::bad_call, unit.declared,
                                 fmt::format("process '{}' is not written in the language, so it "
                                             "cannot be written as Verilog",
                                             unit.name));
            return {};
        }
        std::vector<const Written*> modules;
        if (unit.process) {
            processes_.push_back(std::make_unique<Written>(process(unit)));
            modules.assign(members, processes_.back().get());
            if (!same_memories(unit)) {
                modules.clear();
                for (std::uint64_t m = 0; m < members; ++m) {
                    processes_.push_back(std::make_unique<Written>(process(unit, m, 1)));
                    modules.push_back(processes_.back().get());
                }
            }
        } else
            for (std::uint64_t m = 0; m < members; ++m)
                modules.push_back(&write_scope(*unit.inside, instance_ * members + m, false, all_));
        std::string text = "\n" + comment_lines(comments_above(unit.declared), "    ");
        const std::string behind = comment_behind(unit.declared);
        if (!behind.empty())
            text += "    // " + behind + "\n";
        names_[&unit] = module_.names().take(unit.name);
        if (!unit.counts.empty() && members > 1)
            if (const auto loop = loop_over(unit, modules)) {
                looped_[&unit] = true;
                return text + *loop;
            }
        for (std::uint64_t m = 0; m < members; ++m)
            text += single(unit, m, *modules[m]);
        return text;
    }

    Written process(const expr::UnitText& unit, std::uint64_t member = 0, std::uint64_t count = 0) {
        const std::uint64_t members = unit.count();
        ProcessSource source{graph_,
                             *unit.family,
                             *unit.process,
                             unit.inside ? *unit.inside->scope : *scope_.scope,
                             unit.inside ? unit.inside->parameters : scope_.parameters,
                             unit.inside ? unit.inside->name : unit.name,
                             "",
                             unit.inside ? unit.inside->declared : unit.declared,
                             instance_ * members + member,
                             count == 0 ? members : count};
        return write_process(source, all_.modules, all_.diagnostics);
    }

    /// Whether all members of a family have memories that begin alike.
    bool same_memories(const expr::UnitText& unit) const {
        const ProcessFamily& family = graph_.processes[*unit.family];
        return std::all_of(
            family.memories.begin(), family.memories.end(), [](const Memory& memory) {
                return memory.initial.size() <= memory.words * memory.element->size();
            });
    }

    std::uint64_t element_of(const expr::UnitText& unit, const ModulePort& port,
                             std::uint64_t member, std::uint64_t element) const {
        const std::uint64_t at = instance_ * unit.count() + member;
        if (unit.process)
            return static_cast<std::uint64_t>(
                graph_.processes[*unit.family].ports[port.graph_port + element].buses.at(at));
        for (const expr::ViewText& view : unit.inside->views)
            if (view.name == port.port)
                return port.back < 0
                           ? view.element(at, element)
                           : view.backs[static_cast<std::size_t>(port.back)].element(at, element);
        return 0;
    }

    Wiring wiring(const expr::UnitText& unit, const ModulePort& port, std::uint64_t element,
                  std::uint64_t first, std::uint64_t count) {
        Wiring made;
        for (std::uint64_t m = first; m < first + count; ++m) {
            const std::uint64_t bus = element_of(unit, port, m, element);
            if (auto place = place_of(bus, port.field, port.output)) {
                made.places.push_back(std::move(*place));
                continue;
            }
            made.values.push_back(initial_bits(graph_, bus));
            made.literals.push_back(literal(made.values.back(), port.width));
        }
        return made;
    }

    std::string single(const expr::UnitText& unit, std::uint64_t member, const Written& module) {
        std::string parameters;
        for (const ModuleParameter& each : module.parameters)
            parameters += fmt::format(
                "{}.{}({})", parameters.empty() ? "" : ", ", each.name,
                each.dimension >= 0 ? std::to_string(member_indices(
                                          unit, member)[static_cast<std::size_t>(each.dimension)])
                                    : literal(each.values[member], each.width));
        std::string text =
            fmt::format("    {}{} {} (\n        .clk(clk),\n        .rst(rst)", module.name,
                        parameters.empty() ? "" : " #(" + parameters + ")",
                        instance_path(unit, member, false, names_[&unit]));
        for (const ModulePort& port : module.ports) {
            std::vector<std::string> parts;
            Place run; // of elements that lie side by side; without a name: none
            const auto end_run = [&] {
                if (!run.name.empty())
                    parts.push_back(run.text());
                run = {};
            };
            for (std::uint64_t element = 0; element < port.count; ++element) {
                const Wiring wires = wiring(unit, port, element, member, 1);
                const bool constant = wires.places.empty();
                if (!constant && run.name == wires.places[0].name &&
                    run.low + run.width == wires.places[0].low) {
                    run.width += wires.places[0].width;
                    continue;
                }
                end_run();
                if (constant)
                    parts.push_back(wires.literals[0]);
                else
                    run = wires.places[0];
            }
            end_run();
            text += fmt::format(",\n        .{}({})", port.name, joined(parts));
        }
        return text + "\n    );\n";
    }

    /// The first element rightmost.
    static std::string joined(const std::vector<std::string>& parts) {
        if (parts.size() == 1)
            return parts[0];
        std::string all;
        for (std::size_t k = parts.size(); k-- > 0;)
            all += parts[k] + (k == 0 ? "" : ", ");
        return "{" + all + "}";
    }

    /// A generate loop over a family whose members differ by what an expression can say.
    std::optional<std::string> loop_over(const expr::UnitText& unit,
                                         const std::vector<const Written*>& modules) {
        if (!unit.kept.empty())
            return std::nullopt;
        for (const Written* module : modules)
            if (module->name != modules[0]->name)
                return std::nullopt;
        std::vector<std::string> variables;
        for (std::size_t d = 0; d < unit.indices.size(); ++d)
            variables.push_back(module_.names().take(
                unit.indices[d].empty() ? fmt::format("{}_{}", unit.name, d) : unit.indices[d]));
        LoopIndex index{scope_, unit, module_, variables};
        std::string indent = "    ", text, end;
        for (std::size_t d = 0; d < variables.size(); ++d) {
            text = fmt::format("    genvar {};\n", variables[d]) + text +
                   fmt::format("{0}for ({1} = {2}; {1} < {3}; {1} = {1} + 1) begin : {4}\n",
                               indent + "    ", variables[d], unit.lows[d],
                               unit.lows[d] + static_cast<std::int64_t>(unit.counts[d]),
                               d == 0 ? names_[&unit] : fmt::format("at_{}", d));
            end = indent + "    end\n" + end;
            indent += "    ";
        }
        const std::size_t loops = text.find("        for (");
        text.insert(loops, "    generate\n");
        indent += "    ";
        const Written& module = *modules[0];
        const auto constants = [&](const std::string& wanted, const std::vector<Words>& values,
                                   std::uint64_t width) {
            return constant_slice(unit, wanted, values, width, index);
        };
        std::string parameters;
        for (const ModuleParameter& each : module.parameters)
            parameters += fmt::format("{}.{}({})", parameters.empty() ? "" : ", ", each.name,
                                      each.dimension >= 0
                                          ? variables[static_cast<std::size_t>(each.dimension)]
                                          : constants(each.name, each.values, each.width));
        text += fmt::format("{0}{1}{2} unit (\n{0}    .clk(clk),\n{0}    .rst(rst)", indent,
                            module.name, parameters.empty() ? "" : " #(" + parameters + ")");
        for (const ModulePort& port : module.ports) {
            std::vector<std::string> parts;
            for (std::uint64_t element = 0; element < port.count; ++element) {
                const Wiring wires = wiring(unit, port, element, 0, modules.size());
                if (!wires.places.empty() && !wires.literals.empty())
                    return std::nullopt;
                if (wires.places.empty()) {
                    parts.push_back(constants(port.name, wires.values, port.width));
                    continue;
                }
                for (const Place& place : wires.places)
                    if (place.name != wires.places[0].name)
                        return std::nullopt;
                const auto low = index.low_bit(port, element, wires.places);
                if (!low)
                    return std::nullopt;
                const Place& first = wires.places[0];
                parts.push_back(first.whole() ? first.name
                                : port.width == 1
                                    ? fmt::format("{}[{}]", first.name, *low)
                                    : fmt::format("{}[{} +: {}]", first.name, *low, port.width));
            }
            text += fmt::format(",\n{}    .{}({})", indent, port.name, joined(parts));
        }
        return text + fmt::format("\n{});\n", indent) + end + "    endgenerate\n";
    }

    /// What differs from member to member, out of one vector of constants.
    std::string constant_slice(const expr::UnitText& unit, const std::string& wanted,
                               const std::vector<Words>& values, std::uint64_t width,
                               const LoopIndex& index) {
        if (std::all_of(values.begin(), values.end(),
                        [&](const Words& each) { return each == values[0]; }))
            return literal(values[0], width);
        Words all;
        for (std::size_t m = 0; m < values.size(); ++m)
            put_bits(all, m * width, values[m], width);
        const std::uint64_t bits = width * values.size();
        const std::string name = module_.names().take(fmt::format("{}_{}", unit.name, wanted));
        constants_ +=
            fmt::format("    localparam {}{} = {};\n", range_of(bits), name, literal(all, bits));
        if (width == 1)
            return fmt::format("{}[{}]", name, index.member());
        return fmt::format("{}[{} * {} +: {}]", name, index.member(), width, width);
    }

    const expr::ScopeText& scope_;
    std::uint64_t instance_;
    bool is_network_;
    Export& all_;
    const Graph& graph_;
    ModuleText module_;
    std::vector<Signal> signals_;
    std::map<std::pair<std::uint64_t, int>, std::vector<std::pair<std::size_t, std::uint64_t>>>
        carriers_; // of a field of a bus: signals and places
    std::set<std::pair<std::uint64_t, int>> driven_;
    std::string constants_;
    std::vector<std::unique_ptr<Written>> processes_;
    std::map<const expr::UnitText*, bool> looped_;
    std::map<const expr::UnitText*, std::string> names_;
};

} // namespace

const Written& write_scope(const expr::ScopeText& scope, std::uint64_t instance, bool is_network,
                           Export& all) {
    const auto key = all.key(scope, instance);
    const auto [found, fresh] = all.written.try_emplace(key);
    if (!fresh)
        return found->second;
    Written made;
    ScopeLayout layout;
    const std::string text = ScopeModule{scope, instance, is_network, all}.write(made, layout);
    made.name = all.modules.add(scope.name, text);
    all.layouts[key] = std::move(layout);
    return all.written[key] = std::move(made);
}

} // namespace sme::hdl
