// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/readers.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

std::vector<DeclarationSyntax> read_declarations(const Node& section, std::string_view what,
                                                 std::string_view wanted, Diagnostics& diagnostics,
                                                 ReadDeclaration read) {
    std::vector<DeclarationSyntax> result;
    if (!is_map_or_empty(section, what, diagnostics))
        return result;
    for (const auto& [key, value] : section.entries) {
        auto name = expr::parse_family_name(key.text, diagnostics);
        std::optional<expr::Declaration> declaration;
        if (value.is_text())
            declaration = read(value.text, diagnostics);
        else
            wrong_shape(value, wanted, diagnostics);
        if (name)
            result.push_back({std::move(*name), std::move(declaration)});
    }
    return result;
}

namespace {

void read_state(const Node& key, const Node& value, std::vector<DeclarationSyntax>& into,
                Diagnostics& diagnostics) {
    if (!is_name(key, "a state", diagnostics))
        return;
    DeclarationSyntax result;
    result.name.name = key.text.text;
    result.name.where = key.where;
    if (value.is_text())
        result.declaration = expr::parse_declaration(value.text, diagnostics);
    else
        wrong_shape(value, "'type = initial value'", diagnostics);
    if (const auto& found = result.declaration;
        found && (found->wire || found->delay || found->hold || found->error)) {
        diagnostics.add(Code::expression_syntax, found->where,
                        "a state is written 'type = initial value'; it always holds");
        result.declaration.reset();
    }
    into.push_back(std::move(result));
}

} // namespace

namespace {

std::vector<ChannelConditionSyntax> read_channel_conditions(const Node& body, const char* section,
                                                            Diagnostics& diagnostics) {
    std::vector<ChannelConditionSyntax> result;
    each_entry(body, section, "a map of conditions, {channel: condition},", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (is_name(key, "a port", diagnostics))
                       result.push_back({{key.text.text, key.where},
                                         read_expression(value, "a condition", diagnostics)});
               });
    return result;
}

} // namespace

namespace {

std::vector<CrossingSyntax> read_crossings(const Node& body, Diagnostics& diagnostics) {
    std::vector<CrossingSyntax> result;
    each_entry(body, "crosses", "a map as in {x: sampled}", diagnostics,
               [&](const Node& key, const Node& value) {
                   const bool sampled = value.is_text() && value.text.text == "sampled";
                   if (!sampled && !(value.is_text() && value.text.text == "stable"))
                       wrong_shape(value, "'sampled' or 'stable'", diagnostics);
                   else if (is_name(key, "an input", diagnostics))
                       result.push_back({{key.text.text, key.where}, sampled});
               });
    return result;
}

} // namespace

namespace {

PipelineSyntax::Stage read_stage(const Node& node, Diagnostics& diagnostics) {
    PipelineSyntax::Stage stage;
    stage.where = node.where;
    if (!node.is_map() || node.entries.empty()) {
        wrong_shape(node, "a stage, a map of names and values,", diagnostics);
        return stage;
    }
    for (const auto& [key, value] : node.entries) {
        if (arm_key(key).kind != ArmKey::Kind::none) {
            diagnostics.add(
                Code::wrong_shape, key.where,
                "a stage has names and values alone; a value may be {if c: a, else: b}");
            continue;
        }
        if (expr::AstRef target = expr::parse_target(key.text, diagnostics))
            stage.lines.push_back({std::move(target), read_rhs(value, diagnostics), key.where});
    }
    return stage;
}

std::shared_ptr<const PipelineSyntax> read_pipeline(const Node& body, Diagnostics& diagnostics) {
    const Node* const section = body.find("pipeline");
    const Node* const stall = body.find("stall");
    const Node* const balance = body.find("balance");
    if (!section) {
        for (const auto& [key, node] : {std::pair{"stall", stall}, std::pair{"balance", balance}})
            if (node)
                diagnostics.add(
                    Code::bad_pipeline, node->where,
                    fmt::format("'{}' belongs to a pipeline, but there is none here", key));
        return nullptr;
    }
    auto result = std::make_shared<PipelineSyntax>();
    result->where = section->where;
    if (!section->is_list() || section->items.empty())
        wrong_shape(*section, "a list of stages, [{name: value}, {target: value}],", diagnostics);
    for (const Node& item : section->items)
        result->stages.push_back(read_stage(item, diagnostics));
    if (balance)
        result->balance = read_expression(*balance, "a number of stages", diagnostics);
    if (stall) {
        result->stall = stall->where;
        result->collapses = stall->is_text() && stall->text.text == "bubble";
        if (!stall->is_text() || (!result->collapses && stall->text.text != "whole"))
            wrong_shape(*stall, "'whole' or 'bubble'", diagnostics);
    }
    return result;
}

} // namespace

BodySyntax read_body(const Node& body, Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.errors();
    BodySyntax result;
    each_entry(body, "state", "a map of states", diagnostics,
               [&](const Node& key, const Node& value) {
                   read_state(key, value, result.states, diagnostics);
               });
    each_entry(body, "let", "a map of names", diagnostics, [&](const Node& key, const Node& value) {
        if (auto let = read_let(key, value, diagnostics))
            result.lets.push_back(std::move(*let));
    });
    if (const Node* section = body.find("reset"))
        result.reset = read_expression(*section, "a condition", diagnostics);
    result.crossings = read_crossings(body, diagnostics);
    result.receive = read_channel_conditions(body, "receive", diagnostics);
    result.take = read_channel_conditions(body, "take", diagnostics);
    if (const Node* section = body.find("done"))
        result.done = read_expression(*section, "a condition", diagnostics);
    for (const char* section : {"receive", "take", "done"})
        if (const Node* found = body.find(section); found && !result.actor.known())
            result.actor = found->where;
    if (const Node* section = body.find("step"))
        result.step = read_step(*section, diagnostics);
    if (const Node* section = body.find("sequence")) {
        result.sequence =
            std::make_shared<const SequenceItems>(read_sequence(*section, diagnostics));
        if (result.actor.known())
            diagnostics.add(Code::bad_sequence, std::exchange(result.actor, {}),
                            "'receive', 'take' and 'done' are for actors, but this process has a "
                            "sequence; receive with '- receive: {target: port}'");
    }
    result.pipeline = read_pipeline(body, diagnostics);
    if (result.pipeline && (result.actor.known() || result.sequence))
        diagnostics.add(Code::bad_pipeline, result.pipeline->where,
                        "a process with a pipeline has no sequence and is no actor; write them as "
                        "two processes");
    result.procedures = read_procedures(body, diagnostics);
    if (const Node* section = body.find("procedures"); section && !result.sequence)
        diagnostics.add(Code::bad_sequence, section->where,
                        "a sequence calls procedures, but there is none here");
    result.broken = diagnostics.errors() != errors;
    if (const Node* section = body.find("checks"))
        result.checks = read_checks(*section, diagnostics);
    return result;
}

namespace {

class ProcessReader {
public:
    explicit ProcessReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    std::optional<ProcessSyntax> read(const Node& key, const Node& body) {
        auto name = expr::parse_family_name(key.text, diagnostics_);
        if (!name)
            return std::nullopt;
        ProcessSyntax result;
        result.name = std::move(*name);
        result.where = key.where;
        if (!is_map_or_empty(body, "a map with in, out, state, let and step", diagnostics_)) {
            result.broken = true;
            return result;
        }
        if (const Node* where = body.find("where"))
            result.members = read_where(*where);
        const std::string what = fmt::format("process '{}'", result.name.name);
        const std::size_t errors = diagnostics_.errors();
        if (body.find("use")) {
            check_keys(body, format::instance, what, diagnostics_);
            read_instance(body, result);
        } else if (body.find("verilog")) {
            check_keys(body, format::verilog_process, what, diagnostics_);
            read_module(body, result);
            if (const Node* section = body.find("checks"))
                result.body.checks = read_checks(*section, diagnostics_);
        } else {
            check_keys(body, format::process, what, diagnostics_);
            result.in = bindings(body.find("in"), false, false);
            result.out = bindings(body.find("out"), true, false);
            result.body = read_body(body, diagnostics_);
            if (!result.body.acts())
                diagnostics_.add(Code::missing_key, key.where,
                                 what + " has no step, sequence or pipeline");
        }
        if (const Node* domain = body.find("domain"))
            if (is_name(*domain, "a clock domain", diagnostics_))
                result.domain = Word{domain->text.text, domain->where};
        if (result.domain && !result.domains.empty())
            diagnostics_.add(Code::bad_domain, result.domain->where,
                             "an instance has 'domain' or 'domains', not both");
        result.body.broken = result.body.broken || diagnostics_.errors() != errors;
        if (const Node* against = body.find("against"))
            result.against = read_against(*against, result);
        return result;
    }

private:
    WhereSyntax read_where(const Node& node) {
        return {node.is_text() ? expr::parse_expression(node.text, diagnostics_) : nullptr,
                node.where, node.is_text()};
    }

    void read_instance(const Node& body, ProcessSyntax& result) {
        const std::size_t errors = diagnostics_.errors();
        result.use = read_use(*body.find("use"));
        result.broken = diagnostics_.errors() != errors;
        if (const Node* with = body.find("with"))
            result.with = read_given(*with, diagnostics_);
        each_entry(body, "domains", "a map as in {write: fast, read: slow}", diagnostics_,
                   [&](const Node& key, const Node& value) {
                       if (is_name(key, "a clock domain", diagnostics_) &&
                           is_name(value, "a clock domain", diagnostics_))
                           result.domains.push_back(
                               {{key.text.text, key.where}, {value.text.text, value.where}});
                   });
        result.in = bindings(body.find("in"), false, true);
        result.out = bindings(body.find("out"), true, true);
    }

    void read_module(const Node& body, ProcessSyntax& result) {
        result.verilog = std::make_shared<Node>(*body.find("verilog"));
        if (const Node* parameters = result.verilog->find("parameters"))
            for (const auto& [key, value] : parameters->entries)
                if (value.is_text())
                    result.given.push_back(read_given(key, value));
        result.in = bindings(body.find("in"), false, true);
        result.out = bindings(body.find("out"), true, true);
    }

    UseSyntax read_use(const Node& node) {
        UseSyntax result;
        result.where = node.where;
        result.list = node.is_list();
        const auto add = [&](const Node& name) {
            if (!name.is_text())
                wrong_shape(name, "the name of a component", diagnostics_);
            result.names.push_back({name.text.text, name.where});
        };
        for (const Node& item : node.items)
            add(item);
        if (!result.list)
            add(node);
        return result;
    }

    /// Returns the entries "port: bus" of a list in which other items are plain buses.
    static std::string as_map(const Node& list) {
        std::string result;
        const auto add = [&](const std::string& port, const std::string& bus) {
            const char* const quote = bus.find_first_of("[,") == std::string::npos ? "" : "\"";
            result +=
                fmt::format("{0}{1}: {2}{3}{2}", result.empty() ? "" : ", ", port, quote, bus);
        };
        for (const Node& item : list.items) {
            const std::string& bus = item.text.text;
            if (item.is_text())
                add(bus.substr(bus.rfind('.') + 1), bus);
            for (const auto& [key, value] : item.entries)
                add(key.text.text, value.text.text);
        }
        return result;
    }

    /// `values`: an input may be bound to a value instead of a bus.
    std::optional<BindingsSyntax> bindings(const Node* section, bool output, bool values) {
        if (!section)
            return std::nullopt;
        BindingsSyntax result;
        const auto plain = [&](const Node& node) {
            if (node.is_text())
                result.ports.push_back({std::nullopt, bus(node)});
            else if (node.is_map() && section->is_list())
                diagnostics_.add(Code::wrong_shape, node.where,
                                 fmt::format("a list names buses alone; with names for ports, "
                                             "write {{{}}}",
                                             as_map(*section)));
            else
                wrong_shape(node, "the name of a bus", diagnostics_);
        };
        result.form = section->is_text()   ? BindingsSyntax::Form::single
                      : section->is_list() ? BindingsSyntax::Form::list
                                           : BindingsSyntax::Form::map;
        if (section->is_text())
            plain(*section);
        for (const Node& item : section->items)
            plain(item);
        if (result.form != BindingsSyntax::Form::map)
            return result;
        if (!section->is_map() && !(values && section->kind == Node::Kind::null))
            wrong_shape(*section, "a bus, a list of buses, or {port: bus}", diagnostics_);
        for (const auto& [key, value] : section->entries) {
            auto port = expr::parse_family_name(key.text, diagnostics_);
            const bool any = values && !output;
            ValueSyntax found;
            if (any && value.kind != Node::Kind::null)
                found = read_value(value, diagnostics_);
            else if (value.is_text())
                found = bus(value);
            else
                wrong_shape(value,
                            fmt::format("{}{}", any ? "a bus or a value" : "the name of a bus",
                                        value.is_map()
                                            ? ""
                                            : fmt::format(", as in {{{0}: {0}}},", key.text.text)),
                            diagnostics_);
            if (port)
                result.ports.push_back({std::move(port), std::move(found)});
        }
        return result;
    }

    ValueSyntax bus(const Node& node) {
        return {expr::parse_expression(node.text, diagnostics_), node.where, true, {}};
    }

    /// Reads a second implementation; it has the ports of the first unless it declares its own.
    std::shared_ptr<const ProcessSyntax> read_against(const Node& body,
                                                      const ProcessSyntax& first) {
        if (!body.is_map()) {
            wrong_shape(body, "a map with 'use', 'verilog' or 'waveform'", diagnostics_);
            return nullptr;
        }
        check_keys(body, format::against, "'against'", diagnostics_);
        int kinds = 0;
        for (const char* const kind : {"use", "verilog", "waveform"})
            kinds += body.find(kind) ? 1 : 0;
        if (kinds != 1) {
            diagnostics_.add(Code::missing_key, body.where,
                             "'against' has 'use', 'verilog' or 'waveform', one of them");
            return nullptr;
        }
        if (!check_against_keys(body))
            return nullptr;
        auto result = std::make_shared<ProcessSyntax>();
        result->name.name = first.name.name + ".against";
        result->where = body.where;
        if (body.find("use"))
            read_instance(body, *result);
        else if (body.find("verilog"))
            read_module(body, *result);
        else
            result->outside = read_outside(body);
        return result;
    }

    /// Checks that the keys fit the kind of second implementation.
    bool check_against_keys(const Node& body) {
        const std::size_t errors = diagnostics_.errors();
        const auto only = [&](const char* key, std::initializer_list<const char*> kinds) {
            const Node* const found = body.find(key);
            if (found && std::none_of(kinds.begin(), kinds.end(),
                                      [&](const char* kind) { return body.find(kind); }))
                diagnostics_.add(Code::unknown_key, found->where,
                                 fmt::format("'{}' goes with '{}' of 'against'", key,
                                             fmt::join(kinds, "' or '")));
        };
        for (const char* const ports : {"in", "out"})
            only(ports, {"use", "verilog"});
        only("with", {"use"});
        only("scope", {"waveform"});
        only("clock", {"waveform"});
        only("reset", {"waveform"});
        return diagnostics_.errors() == errors;
    }

    OutsideSyntax read_outside(const Node& body) {
        OutsideSyntax result;
        for (const auto& [key, into] :
             {std::pair{"waveform", &result.waveform}, std::pair{"scope", &result.scope},
              std::pair{"clock", &result.clock}, std::pair{"reset", &result.reset}})
            if (const Node* const node = body.find(key)) {
                if (!node->is_text())
                    wrong_shape(*node, "a name", diagnostics_);
                *into = Word{node->text.text, node->where};
            }
        return result;
    }

    Diagnostics& diagnostics_;
};

} // namespace

std::vector<ProcessSyntax> read_processes(const Node& section, Diagnostics& diagnostics) {
    std::vector<ProcessSyntax> result;
    if (!is_map_or_empty(section, "a map of processes", diagnostics))
        return result;
    for (const auto& [key, value] : section.entries)
        if (auto process = ProcessReader{diagnostics}.read(key, value))
            result.push_back(std::move(*process));
    return result;
}

} // namespace sme::yaml
