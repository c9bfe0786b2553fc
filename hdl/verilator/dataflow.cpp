// SPDX-License-Identifier: Apache-2.0
#include "verilator/dataflow.hpp"

#include <algorithm>
#include <cstring>

namespace sme::verilator {

namespace {

std::string_view kind_of(const pugi::xml_node& element) {
    return element.name();
}

bool is_any(std::string_view kind, std::initializer_list<std::string_view> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool is_assignment(std::string_view kind) {
    return is_any(kind, {"assign", "assigndly", "assignw", "contassign", "assignpre", "assignpost",
                         "assignforce"});
}

/// What writes nothing that matters here.
bool is_silent(std::string_view kind) {
    return is_any(kind,
                  {"var",       "varscope",       "comment",          "display",       "finish",
                   "stop",      "initial",        "initialautomatic", "initialstatic", "final",
                   "coverdecl", "coverinc",       "fflush",           "fclose",        "dumpctl",
                   "cstmt",     "ucstmt",         "assert",           "cover",         "assertctl",
                   "writemem",  "printtimescale", "timeformat",       "sentree"});
}

/// A memory is one node, whatever its elements.
std::size_t nodes_of(const XmlTypes::Info& type) {
    return type.width == 0 ? 1 : type.width;
}

} // namespace

Dataflow::Dataflow(const pugi::xml_node& module, const XmlTypes& types, std::string clock,
                   std::string reset)
    : types_{types}, clock_{std::move(clock)}, reset_{std::move(reset)} {
    declare(module);
    for (const pugi::xml_node& scope : module.child("topscope").children("scope"))
        for (const pugi::xml_node& element : scope.children())
            process(element);
    for (const Edges& edges : edges_)
        registers(edges.element, edges.events);
}

void Dataflow::declare(const pugi::xml_node& module) {
    for (const pugi::xml_node& element : module.children("var")) {
        Variable& variable = variables_[element.attribute("name").value()];
        variable.width = nodes_of(types_.of(element));
        variable.first = graph_.add(variable.width);
    }
}

std::vector<BitGraph::Node> Dataflow::bits_of(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? Bits{} : bits_at(found->second, {});
}

/// References inside what was inlined lack the names of the scopes around them: then all that end
/// in the name are meant.
const std::vector<Dataflow::Variable*>& Dataflow::find(const std::string& name) {
    const auto [place, made] = found_.try_emplace(name);
    if (!made)
        return place->second;
    if (const auto exact = variables_.find(name); exact != variables_.end())
        place->second.push_back(&exact->second);
    else
        for (auto& [full, variable] : variables_)
            if (full.size() > name.size() && full.ends_with(name) &&
                full[full.size() - name.size() - 1] == '.')
                place->second.push_back(&variable);
    return place->second;
}

void Dataflow::process(const pugi::xml_node& element) {
    const std::string_view kind = kind_of(element);
    if (is_silent(kind))
        return;
    if (kind == "assignalias") { // two names of one net
        const Bits one = value(element.first_child(), {});
        const Bits other = value(element.last_child(), {});
        for (std::size_t k = 0; k < std::min(one.size(), other.size()); ++k) {
            if (one[k] != BitGraph::none)
                graph_.depend(one[k], other[k]);
            if (other[k] != BitGraph::none)
                graph_.depend(other[k], one[k]);
        }
        return;
    }
    const pugi::xml_node events = element.child("sentree");
    if (events && events.first_child())
        edges_.push_back({element, events});
    else
        combinational(element);
}

void Dataflow::combinational(const pugi::xml_node& element) {
    State state;
    if (is_assignment(kind_of(element)))
        statement(element, state, BitGraph::none);
    else if (kind_of(element) == "always")
        statements(element, state, BitGraph::none);
    else
        return mix(element, BitGraph::none, true);
    commit(state);
}

/// Whether the rising clock, or logic with the clock in it (a gate), is among the events.
bool Dataflow::is_clocked(const pugi::xml_node& events) {
    const auto clock = variables_.find(clock_);
    if (clock == variables_.end())
        return false;
    for (const pugi::xml_node& event : events.children("senitem")) {
        if (std::strcmp(event.attribute("edgeType").value(), "POS") != 0)
            continue;
        const auto reached = graph_.reach(value(event.first_child(), {}));
        if (reached[clock->second.first] != BitGraph::Reach::no)
            return true;
    }
    return false;
}

void Dataflow::registers(const pugi::xml_node& element, const pugi::xml_node& events) {
    const bool clocked = is_clocked(events);
    for (const pugi::xml_node& event : events.children("senitem")) {
        const Bits bits = value(event.first_child(), {});
        const auto reached = graph_.reach(bits);
        const auto has = [&](const std::string& port) {
            const auto found = variables_.find(port);
            return found != variables_.end() && reached[found->second.first] != BitGraph::Reach::no;
        };
        if (has(reset_) || (clocked && has(clock_)))
            continue;
        // an asynchronous set or reset, or no clock of ours: what it writes may change at any time
        Bits all;
        if (!clocked)
            gather(element, {}, all);
        all.insert(all.end(), bits.begin(), bits.end());
        const Node cause = graph_.meet(all);
        std::vector<Variable*> targets;
        written(element, targets);
        for (const Variable* target : targets)
            for (const Node bit : bits_at(*target, {}))
                graph_.depend(bit, cause, clocked);
    }
}

void Dataflow::mix(const pugi::xml_node& element, Node also, bool soft) {
    Bits all{also};
    gather(element, {}, all);
    const Node cause = graph_.meet(all);
    std::vector<Variable*> targets;
    written(element, targets);
    for (const Variable* target : targets)
        for (const Node bit : bits_at(*target, {}))
            graph_.depend(bit, cause, soft);
}

void Dataflow::written(const pugi::xml_node& element, std::vector<Variable*>& into) {
    if (is_assignment(kind_of(element))) {
        pugi::xml_node target = element.last_child();
        std::vector<pugi::xml_node> open{target};
        while (!open.empty()) {
            target = open.back();
            open.pop_back();
            const std::string_view kind = kind_of(target);
            if (kind == "varref")
                for (Variable* variable : find(target.attribute("name").value()))
                    into.push_back(variable);
            else if (kind == "concat")
                open.insert(open.end(), {target.first_child(), target.last_child()});
            else
                open.push_back(target.first_child());
        }
        return;
    }
    for (const pugi::xml_node& child : element.children())
        written(child, into);
}

void Dataflow::commit(const State& state) {
    for (const auto& [variable, bits] : state)
        for (std::size_t k = 0; k < bits.size(); ++k)
            graph_.depend(variable->first + static_cast<Node>(k), bits[k]);
}

} // namespace sme::verilator
