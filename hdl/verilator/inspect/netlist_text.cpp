// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/netlist_text.hpp"

#include <nlohmann/json.hpp>

namespace sme::verilator {

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
    PortShape made;
    made.type = json.at("type").get<std::string>();
    made.width = json.at("width").get<unsigned>();
    made.names = json.at("names").get<std::vector<std::string>>();
    for (const Json& field : json.at("fields"))
        made.fields.push_back(shape_of(field));
    made.values = json.at("values").get<std::vector<std::uint64_t>>();
    return made;
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
    Netlist made;
    for (const Json& one : json.at("ports")) {
        ModulePort& port = made.ports.emplace_back();
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
        made.reads.push_back({one.at("name").get<std::string>(), one.at("always").get<bool>(),
                              one.at("file").get<std::string>(), one.at("line").get<unsigned>(),
                              one.at("column").get<unsigned>()});
    made.seeds = json.at("seeds").get<std::vector<std::string>>();
    made.wrapper = json.at("wrapper").get<std::string>();
    made.falls = json.at("falls").get<bool>();
    made.said = json.at("said").get<std::string>();
    made.uses_time = json.at("uses time").get<bool>();
    made.unsavable = json.at("unsavable").get<std::string>();
    return made;
}

} // namespace sme::verilator
