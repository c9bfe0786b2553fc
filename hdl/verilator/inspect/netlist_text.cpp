// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/netlist_text.hpp"

#include <nlohmann/json.hpp>

namespace sme::verilator {

using Json = nlohmann::ordered_json;

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
                         {"file", port.file},
                         {"line", port.line},
                         {"column", port.column},
                         {"follows", follows}});
    }
    return {{"ports", ports},
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
        port.file = one.at("file").get<std::string>();
        port.line = one.at("line").get<unsigned>();
        port.column = one.at("column").get<unsigned>();
        for (const auto& [input, certain] : one.at("follows").items())
            port.follows[input] = certain.get<bool>() ? Follows::yes : Follows::perhaps;
    }
    made.said = json.at("said").get<std::string>();
    made.uses_time = json.at("uses time").get<bool>();
    made.unsavable = json.at("unsavable").get<std::string>();
    return made;
}

} // namespace sme::verilator
