// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/netlist.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "verilator/inspect/dataflow.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

namespace {

class Reader {
public:
    explicit Reader(Netlist& into) : into_{into} {}

    void run(const ElementTree& tree, const VerilogModule& used,
             const std::atomic<bool>* unwanted) {
        const Element netlist = tree.root();
        const NetlistTypes types{netlist.child("typetable")};
        for (Element variable : tree.top().children("var"))
            if (variable.has("dir"))
                port(variable, types);
        std::sort(into_.ports.begin(), into_.ports.end(),
                  [&](const ModulePort& a, const ModulePort& b) {
                      return std::pair{a.line, a.column} < std::pair{b.line, b.column};
                  });
        memory_files(netlist);
        find_seeds(netlist, types);
        find_unsaved(netlist, types);
        if (into_.problem.empty())
            follow(Dataflow{netlist, types, used, unwanted}, used);
    }

private:
    void port(Element variable, const NetlistTypes& types) {
        const NetlistTypes::Info& type = types.of(variable);
        const std::string_view direction = variable.attribute("dir");
        ModulePort result;
        result.port.name = name_of(std::string{variable.attribute("origName")});
        result.port.output = direction == "output";
        result.port.is_signed = type.is_signed;
        const std::uint64_t bits = type.elements > 0 ? type.elements * type.each : type.width;
        result.port.width = static_cast<unsigned>(std::min<std::uint64_t>(bits, ~std::uint32_t{0}));
        result.port.elements = type.elements;
        result.shape = types.shape_of(variable);
        result.dimensions = type.dimensions;
        result.file = variable.place().file;
        result.line = variable.place().line;
        result.column = variable.place().column;
        result.both = direction == "inout";
        if (direction != "output" && direction != "input")
            refuse(result, fmt::format("is {}", direction),
                   fmt::format("write a module around it whose ports are '{0}_in', '{0}_out' and "
                               "'{0}_enable'",
                               result.port.name));
        else if (!is_word(result.port.name))
            refuse(result, "has a name that no network can write",
                   "write a module around it whose ports have names of letters, digits and '_'");
        else if (bits == 0)
            refuse(result, fmt::format("is {}", type.other), ports_have_bits);
        else if (bits > Type::max_bits)
            refuse(result,
                   fmt::format("has {} bits, but a bus has at most {}", bits, Type::max_bits),
                   ports_have_bits);
        into_.ports.push_back(std::move(result));
    }

    static constexpr const char* ports_have_bits =
        "a port of a process is an input or an output of bits";

    void refuse(const ModulePort& port, const std::string& why, const std::string& advice) {
        refuse(Place{port.file, port.line, port.column},
               fmt::format("port '{}' {}; {}", port.port.name, why, advice));
    }
    void refuse(const Place& where, std::string problem) {
        if (!into_.problem.empty())
            return;
        into_.problem = std::move(problem);
        into_.problem_file = where.file;
        into_.problem_line = where.line;
        into_.problem_column = where.column;
    }

    /// Collects the files that initialize memories, in source order.
    void memory_files(Element netlist) {
        for (const Element call : netlist.below("readmem")) {
            MemoryFile result;
            if (call.first_child().kind() == "const")
                result.name = text_of(call.first_child().name());
            result.always = true;
            for (Element around = call.parent(); around; around = around.parent()) {
                const std::string_view kind = around.kind();
                if (kind == "initial")
                    break;
                result.always = result.always && kind == "begin";
            }
            result.file = call.place().file;
            result.line = call.place().line;
            result.column = call.place().column;
            into_.reads.push_back(std::move(result));
        }
    }

    /// Finds variables and classes that checkpoints cannot save.
    void find_unsaved(Element netlist, const NetlistTypes& types) {
        const auto add = [&](std::string_view what, std::string_view name) {
            if (!what.empty() && into_.unsavable.empty())
                into_.unsavable =
                    fmt::format("{} '{}'", what, name.substr(name.find_last_of(".:") + 1));
        };
        for (const Element variable : netlist.below("var"))
            if (variable.attribute("vartype") != "ifaceref")
                add(types.of(variable).unsaved, variable.name());
        for (const Element type : netlist.below("class"))
            add("the class", type.name());
    }

    /// $random and $dist_... update their seed; $urandom does not.
    void find_seeds(Element netlist, const NetlistTypes& types) {
        for (const char* const kind : {"rand", "distchisquare", "disterlang", "distexponential",
                                       "distnormal", "distpoisson", "distt", "distuniform"})
            for (const Element call : netlist.below(kind))
                if (call.first_child() && (call.kind() != "rand" || types.of(call).is_signed))
                    add_seed(call.first_child(), types.of(call.first_child()).width, call.place());
    }

    void add_seed(Element variable, std::uint64_t width, const Place& call) {
        while (variable.kind() == "arraysel" || variable.kind() == "structsel")
            variable = variable.first_child();
        if (variable.kind() != "varref" || width != 32)
            return refuse(
                call, "what is drawn here has a seed that is no variable of 32 bits, which each "
                      "draw changes; declare an 'integer' for it");
        const std::string name{variable.name()};
        const std::string key = key_of(name.substr(name.rfind('.') + 1));
        if (std::find(into_.seeds.begin(), into_.seeds.end(), key) == into_.seeds.end())
            into_.seeds.push_back(key);
    }

    /// Converts "24'h616263" or "\"abc\"" to "abc".
    static std::string text_of(std::string_view constant) {
        if (constant.size() > 1 && constant.front() == '"')
            return std::string{constant.substr(1, constant.size() - 2)};
        const std::size_t digits = constant.rfind('h');
        std::string text;
        if (digits == std::string_view::npos)
            return text;
        std::string hex{constant.substr(digits + 1)};
        if (hex.size() % 2 != 0)
            hex.insert(hex.begin(), '0');
        for (std::size_t at = 0; at < hex.size(); at += 2) {
            unsigned value = 0;
            const char* const end = hex.data() + at + 2;
            if (std::from_chars(hex.data() + at, end, value, 16).ptr != end)
                return {};
            if (value != 0)
                text += static_cast<char>(value);
        }
        return text;
    }

    /// Traces from the inputs, because modules with many ports have fewer inputs than outputs.
    void follow(const Dataflow& flow, const VerilogModule& used) {
        const BitGraph onward = flow.graph().reversed();
        const std::vector<VerilogClock> clocks = used.known_clocks();
        const auto is_clock = [&](const std::string& name) {
            return std::any_of(clocks.begin(), clocks.end(),
                               [&](const VerilogClock& clock) { return clock.port.text == name; });
        };
        for (ModulePort& input : into_.ports) {
            const std::string& name = input.port.name;
            input.edges = flow.edge_inputs().count(name) != 0;
            if (input.port.output || (used.is_control(name) && !is_clock(name)))
                continue;
            flow.look();
            const auto reached = onward.reach(flow.bits_of(name), !used.is_control(name));
            for (ModulePort& output : into_.ports)
                if (output.port.output)
                    for (const BitGraph::Node bit : flow.bits_of(output.port.name))
                        add(output, name, reached[bit]);
        }
        into_.falls = flow.falls();
        const auto fallen = onward.reach({flow.falling()}, false);
        for (ModulePort& output : into_.ports)
            output.falling = is_met(fallen, flow, output);
        for (std::size_t k = 0; k < clocks.size(); ++k) {
            const auto shown = onward.reach({flow.registers_of(k)}, false);
            for (ModulePort& output : into_.ports) {
                if (output.port.output && is_met(shown, flow, output))
                    output.port.clocks.push_back(clocks[k].port.text);
                const auto clock = output.follows.find(clocks[k].port.text);
                if (clock != output.follows.end()) // an output that shows the clock: it has no
                                                   // value in a cycle
                    clock->second = Follows::yes;
            }
        }
    }

    static bool is_met(const std::vector<BitGraph::Reach>& reached, const Dataflow& flow,
                       const ModulePort& port) {
        const std::vector<BitGraph::Node> bits = flow.bits_of(port.port.name);
        return std::any_of(bits.begin(), bits.end(),
                           [&](BitGraph::Node bit) { return reached[bit] != BitGraph::Reach::no; });
    }

    static void add(ModulePort& output, const std::string& input, BitGraph::Reach reach) {
        if (reach == BitGraph::Reach::no)
            return;
        const auto [place, result] = output.follows.try_emplace(input, Follows::perhaps);
        if (reach == BitGraph::Reach::hard)
            place->second = Follows::yes;
    }

    Netlist& into_;
};

} // namespace

const ModulePort* Netlist::find(const std::string& name) const {
    for (const ModulePort& port : ports)
        if (port.port.name == name)
            return &port;
    return nullptr;
}

Netlist read_netlist(const ElementTree& tree, const VerilogModule& module,
                     const std::atomic<bool>* unwanted) {
    Netlist result;
    if (tree.has("fopen") || tree.has("fopenmcd"))
        result.unsavable = "an open file";
    for (const char* const kind : {"time", "timed", "timeimport"})
        result.uses_time = result.uses_time || tree.has(kind);
    Reader{result}.run(tree, module, unwanted);
    return result;
}

using Json = nlohmann::ordered_json;

namespace {

Json json_of_shape(const PortShape& shape) {
    Json fields = Json::array();
    for (const PortShape& field : shape.fields)
        fields.push_back(json_of_shape(field));
    return {{"type", shape.type},
            {"width", shape.width},
            {"names", shape.names},
            {"fields", fields},
            {"values", shape.values}};
}

PortShape shape_of(const Json& json) {
    PortShape result;
    result.type = json.at("type").get<std::string>();
    result.width = json.at("width").get<unsigned>();
    result.names = json.at("names").get<std::vector<std::string>>();
    for (const Json& field : json.at("fields"))
        result.fields.push_back(shape_of(field));
    result.values = json.at("values").get<std::vector<std::uint64_t>>();
    return result;
}

} // namespace

Json json_of(const Netlist& netlist) {
    Json ports = Json::array();
    for (const ModulePort& port : netlist.ports) {
        Json follows = Json::object();
        for (const auto& [input, how] : port.follows)
            follows[input] = how == Follows::yes;
        ports.push_back({{"name", port.port.name},
                         {"output", port.port.output},
                         {"signed", port.port.is_signed},
                         {"width", port.port.width},
                         {"elements", port.port.elements},
                         {"shape", json_of_shape(port.shape)},
                         {"in interface", port.port.in_interface},
                         {"of inout", port.port.of_inout},
                         {"falling", port.falling},
                         {"edges", port.edges},
                         {"clocks", port.port.clocks},
                         {"file", port.file},
                         {"line", port.line},
                         {"column", port.column},
                         {"follows", follows}});
    }
    Json reads = Json::array();
    for (const MemoryFile& read : netlist.reads)
        reads.push_back({{"name", read.name},
                         {"always", read.always},
                         {"file", read.file},
                         {"line", read.line},
                         {"column", read.column}});
    return {{"ports", ports},
            {"wrapper", netlist.wrapper},
            {"reads", reads},
            {"seeds", netlist.seeds},
            {"falls", netlist.falls},
            {"said", netlist.said},
            {"uses time", netlist.uses_time},
            {"unsavable", netlist.unsavable}};
}

Netlist netlist_of(const Json& json) {
    Netlist result;
    for (const Json& one : json.at("ports")) {
        ModulePort& port = result.ports.emplace_back();
        port.port.name = one.at("name").get<std::string>();
        port.port.output = one.at("output").get<bool>();
        port.port.is_signed = one.at("signed").get<bool>();
        port.port.width = one.at("width").get<unsigned>();
        port.port.elements = one.at("elements").get<std::uint64_t>();
        port.shape = shape_of(one.at("shape"));
        port.port.in_interface = one.at("in interface").get<bool>();
        port.port.of_inout = one.at("of inout").get<bool>();
        port.falling = one.at("falling").get<bool>();
        port.edges = one.at("edges").get<bool>();
        port.port.clocks = one.at("clocks").get<std::vector<std::string>>();
        port.file = one.at("file").get<std::string>();
        port.line = one.at("line").get<unsigned>();
        port.column = one.at("column").get<unsigned>();
        for (const auto& [input, certain] : one.at("follows").items())
            port.follows[input] = certain.get<bool>() ? Follows::yes : Follows::perhaps;
    }
    for (const Json& one : json.at("reads"))
        result.reads.push_back({one.at("name").get<std::string>(), one.at("always").get<bool>(),
                                one.at("file").get<std::string>(), one.at("line").get<unsigned>(),
                                one.at("column").get<unsigned>()});
    result.seeds = json.at("seeds").get<std::vector<std::string>>();
    result.wrapper = json.at("wrapper").get<std::string>();
    result.falls = json.at("falls").get<bool>();
    result.said = json.at("said").get<std::string>();
    result.uses_time = json.at("uses time").get<bool>();
    result.unsavable = json.at("unsavable").get<std::string>();
    return result;
}

} // namespace sme::verilator
