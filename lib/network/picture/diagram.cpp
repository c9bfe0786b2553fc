// SPDX-License-Identifier: Apache-2.0
//
// 1. Make a node for each folded name of processes.
// 2. For each folded bus, make an edge for each pair of writer and reader, or edges through a
// junction if one writer has several readers. Buses between the same nodes share their edges.
// 3. Mark the edges of bundles that have back fields.
// 4. On request, list for each process the checks that observe it: edges to the checks would
// distort the layout.
// 5. After a run, give each edge the activity of its buses: the mean of a fold, the maximum of
// several.
#include "network/picture/diagram.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "network/checks/connections.hpp"
#include "network/picture/channels.hpp"

namespace sme {

namespace {

using Node = Diagram::Node;
using Role = Diagram::Role;

constexpr std::size_t longest_type = 48;

std::string declaration(const Graph& graph, const BusFamily& bus) {
    std::string text;
    if (bus.delay > 1)
        text += fmt::format("delay {} ", graph.cycles_of_delay(bus));
    if (bus.unwritten == Unwritten::hold)
        text += "hold ";
    if (bus.unwritten == Unwritten::error)
        text += "error ";
    const std::string type = bus.type->name();
    return text + (type.size() > longest_type ? type.substr(0, longest_type - 1) + "…" : type);
}

std::string step_text(std::int64_t step) {
    return fmt::format("  [k] → [k {} {}]", step < 0 ? "−" : "+", step < 0 ? -step : step);
}

class Drawer {
public:
    Drawer(const Graph& graph, const Writers& writers, const DiagramOptions& options)
        : graph_{graph}, options_{options}, folds_{graph}, connections_{Connections::of(
                                                               graph, writers, folds_)},
          family_of_bus_{families_of(graph, folds_)}, channels_{graph, folds_} {
        channels_.merge(connections_);
        if (!options.activity)
            return;
        made_.cycles = options.activity->cycles;
        activity_.resize(folds_.buses.size());
        for (std::size_t f = 0; f < graph.buses.size(); ++f)
            activity_[folds_.bus_of[f]].add(options.activity->buses[f]);
    }

    Diagram draw() {
        made_.name = graph_.name;
        add_nodes();
        find_bundles();
        for (std::size_t b = 0; b < folds_.buses.size(); ++b)
            draw_bus(b);
        name_wires();
        if (options_.checks)
            name_onlookers();
        hide_idle_onlookers();
        return std::move(made_);
    }

private:
    /// Returns the first family of each fold.
    static std::vector<std::size_t> families_of(const Graph& graph, const Folds& folds) {
        std::vector<std::size_t> result(folds.buses.size());
        for (std::size_t f = graph.buses.size(); f-- > 0;)
            result[folds.bus_of[f]] = f;
        return result;
    }

    void add_nodes() {
        std::vector<const ProcessFamily*> family_of(folds_.processes.size());
        for (std::size_t f = graph_.processes.size(); f-- > 0;)
            for (const FoldedSpan& span : folds_.spans[f])
                family_of[span.node] = &graph_.processes[f];
        for (std::size_t n = 0; n < folds_.processes.size(); ++n) {
            const ProcessFamily& family = *family_of[n];
            Node node{Role::process, folds_.processes[n].segments(), folds_.processes[n].count()};
            if (family.observer)
                node.role = family.file.empty() ? Role::checks : Role::output;
            else if (family.helper)
                node.role = family.file.empty() ? Role::hidden : Role::input;
            if (!family.file.empty())
                node.path = {family.file};
            if (channels_.merged.contains(n))
                node.role = Role::hidden;
            if (const auto channel = channels_.nodes.find(n); channel != channels_.nodes.end()) {
                node.role = Role::channel;
                node.path = channel->second;
            }
            made_.nodes.push_back(std::move(node));
        }
    }

    /// Finds what is drawn with a bundle: its reverse fields, and the other buses of its channel.
    void find_bundles() {
        std::map<std::uint32_t, std::size_t> received; // by number of the channel
        const auto fold_of = [&](const BusFamily& bus) {
            return folds_.bus_of[static_cast<std::size_t>(&bus - graph_.buses.data())];
        };
        for (const BusFamily& bus : graph_.buses)
            if (bus.bundle && bus.channel.role == ChannelRole::received)
                received.emplace(bus.channel.channel, fold_of(bus));
        for (std::size_t b = 0; b < folds_.buses.size(); ++b) {
            const BusFamily& bus = graph_.buses[family_of_bus_[b]];
            const BusFamily* const of = graph_.bundle_of(bus);
            const auto channel = bus.channel ? received.find(bus.channel.channel) : received.end();
            if (!of && channel == received.end())
                continue;
            const std::size_t bundle = of ? fold_of(*of) : channel->second;
            if (bundle == b)
                continue;
            bundle_of_[b] = bundle;
            back_fields_[bundle].push_back(b);
        }
    }

    /// Returns whether a node writes or reads a folded bus.
    bool is_end(std::int64_t node, std::size_t b) const {
        return std::any_of(connections_.of_bus[b].begin(), connections_.of_bus[b].end(),
                           [&](const auto& each) {
                               return each.first.first == node ||
                                      static_cast<std::int64_t>(each.first.second) == node;
                           });
    }

    /// Returns whether the bus is drawn as part of the edge of its bundle.
    bool is_drawn_with_bundle(std::size_t b, std::int64_t writer, std::int64_t reader) const {
        const auto found = bundle_of_.find(b);
        if (found == bundle_of_.end())
            return false;
        const BusFamily& bus = graph_.buses[family_of_bus_[b]];
        // a sender has an edge of its own, even if it also receives from the channel
        if (bus.channel && bus.reverse_field.empty() &&
            !channels_.nodes.contains(static_cast<std::size_t>(writer)))
            return false;
        return is_end(writer, found->second) && (reader < 0 || is_end(reader, found->second));
    }

    /// Returns whether fields of a bundle run back from this reader, or from any reader.
    bool returns(std::size_t b, std::int64_t writer, std::optional<std::size_t> reader) const {
        const auto fields = back_fields_.find(b);
        if (fields == back_fields_.end())
            return false;
        for (const std::size_t field : fields->second)
            for (const auto& [pair, connection] : connections_.of_bus[field])
                if (static_cast<std::int64_t>(pair.second) == writer &&
                    (!reader || pair.first == static_cast<std::int64_t>(*reader)))
                    return true;
        return false;
    }

    bool only_looks_on(std::size_t node) const { return made_.nodes[node].role == Role::checks; }

    void draw_bus(std::size_t b) {
        const BusFamily& bus = graph_.buses[family_of_bus_[b]];
        if (channels_.hidden[b])
            return;
        std::vector<Connections::Pair> pairs;
        bool looked_at = false, with_bundle = false;
        for (const auto& [pair, connection] : connections_.of_bus[b]) {
            if (bus.state || only_looks_on(pair.second)) {
                looked_at = true;
                if (pair.first >= 0)
                    looks_.insert({static_cast<std::size_t>(pair.first), pair.second});
            } else if (is_drawn_with_bundle(b, pair.first, static_cast<std::int64_t>(pair.second)))
                with_bundle = true;
            else
                pairs.push_back(pair);
        }
        if (bus.state || (pairs.empty() && with_bundle))
            return;
        if (pairs.empty() && looked_at) { // a bus read only by checks is still drawn
            for (const auto& [pair, connection] : connections_.of_bus[b])
                if (!is_own(pair.second) && (pairs.empty() || pairs.back().first != pair.first))
                    pairs.push_back(pair);
        }
        if (pairs.empty())
            for (const std::size_t writer : connections_.writers[b])
                if (!is_drawn_with_bundle(b, static_cast<std::int64_t>(writer), -1))
                    pairs.emplace_back(static_cast<std::int64_t>(writer), nobody(writer));
        if (pairs.empty())
            return;
        draw_pairs(b, bus, pairs);
    }

    /// Returns the node at the end of an unread bus, near its writer.
    std::size_t nobody(std::size_t writer) {
        std::vector<std::string> path = made_.nodes[writer].path;
        path.back() = "";
        made_.nodes.push_back({Role::nobody, std::move(path)});
        return made_.nodes.size() - 1;
    }

    void draw_pairs(std::size_t b, const BusFamily& bus,
                    const std::vector<Connections::Pair>& pairs) {
        const bool one_writer = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
            return pair.first == pairs[0].first;
        });
        if (one_writer && pairs.size() > 1)
            return divide(b, bus, pairs);
        for (const Connections::Pair& pair : pairs) {
            const std::size_t from = writer_node(pair.first, b);
            const auto [at, fresh] = edges_.try_emplace({from, pair.second}, made_.edges.size());
            if (fresh)
                made_.edges.push_back({from, pair.second});
            std::string label = label_of(b, bus, from, pair.second) + each_text(b, pair.second);
            if (const auto step = step_of(b, pair))
                label += step_text(*step);
            made_.edges[at->second].returns |= returns(b, pair.first, pair.second);
            add_label(at->second, std::move(label), b);
        }
    }

    void divide(std::size_t b, const BusFamily& bus, const std::vector<Connections::Pair>& pairs) {
        const std::size_t from = writer_node(pairs[0].first, b);
        std::set<std::size_t> readers;
        for (const Connections::Pair& pair : pairs)
            readers.insert(pair.second);
        const auto [at, fresh] = junctions_.try_emplace({from, readers}, made_.edges.size());
        if (fresh) {
            std::vector<std::string> path = made_.nodes[from].path;
            path.back() = "";
            made_.nodes.push_back({Role::junction, path});
            const std::size_t junction = made_.nodes.size() - 1;
            made_.edges.push_back({from, junction, false, false});
            for (const Connections::Pair& pair : pairs) {
                made_.edges.push_back({junction, pair.second});
                std::string label = each_text(b, pair.second);
                if (const auto step = step_of(b, pair))
                    label += step_text(*step);
                if (!label.empty())
                    made_.edges.back().labels.push_back(label.substr(2));
            }
        }
        made_.edges[at->second].returns |= returns(b, pairs[0].first, std::nullopt);
        add_label(at->second, label_of(b, bus, from, from), b);
        for (std::size_t k = 0; k < pairs.size(); ++k) { // the edges after the junction
            Diagram::Edge& behind = made_.edges[at->second + 1 + k];
            behind.returns |= returns(b, pairs[0].first, pairs[k].second);
            add_bus(behind, b);
        }
    }

    void add_bus(Diagram::Edge& edge, std::size_t b) const {
        edge.buses.push_back(folds_.buses[b].text());
        if (made_.cycles) {
            edge.activity = std::max(edge.activity, activity_[b].share());
            edge.uses.push_back(activity_text(folds_.buses[b].text(), activity_[b]));
        }
        if (const auto fields = back_fields_.find(b); fields != back_fields_.end() && edge.returns)
            for (const std::size_t field : fields->second)
                edge.buses.push_back(folds_.buses[field].text());
    }

    void add_label(std::size_t edge, std::string label, std::size_t b) {
        if (made_.cycles)
            label += "  " + share_text(activity_[b].share());
        made_.edges[edge].labels.push_back(std::move(label));
        add_bus(made_.edges[edge], b);
        wires_[edge].push_back(graph_.buses[family_of_bus_[b]].wire());
    }

    /// An edge that consists only of wires is drawn as a wire, and so are its parts after a
    /// junction; if wires and other buses share an edge, labels distinguish them.
    void name_wires() {
        for (const auto& [at, wires] : wires_) {
            Diagram::Edge& edge = made_.edges[at];
            edge.wire = std::find(wires.begin(), wires.end(), false) == wires.end();
            for (std::size_t k = 0; k < wires.size() && !edge.wire; ++k)
                if (wires[k])
                    edge.labels[k] += "  (wire)";
            for (std::size_t k = at + 1; k < made_.edges.size() && !edge.arrow; ++k) {
                if (made_.edges[k].from != edge.to)
                    break;
                made_.edges[k].wire = edge.wire;
            }
        }
    }

    /// Returns the index step between neighbours, if it is constant.
    std::optional<std::int64_t> step_of(std::size_t b, const Connections::Pair& pair) const {
        const auto found = connections_.of_bus[b].find(pair);
        if (found == connections_.of_bus[b].end() || made_.nodes[pair.second].count == 1)
            return std::nullopt;
        const std::optional<std::int64_t> step = found->second.step();
        return step == 0 ? std::nullopt : step;
    }

    std::string each_text(std::size_t b, std::size_t reader) const {
        const auto found = connections_.each[b].find(reader);
        const bool many = found != connections_.each[b].end() && found->second > 1;
        return many && made_.nodes[reader].count > 1 ? fmt::format("  ({} each)", found->second)
                                                     : std::string{};
    }

    /// Returns the name without the part of the hierarchy common to both ends, and the declaration.
    std::string label_of(std::size_t b, const BusFamily& bus, std::size_t from,
                         std::size_t to) const {
        const std::vector<std::string>& a = made_.nodes[from].path;
        const std::vector<std::string>& z = made_.nodes[to].path;
        const std::vector<std::string> name =
            channels_.messages[b].empty() ? folds_.buses[b].segments() : channels_.messages[b];
        std::size_t k = 0;
        while (k + 1 < name.size() && k + 1 < a.size() && k + 1 < z.size() && a[k] == z[k] &&
               a[k] == name[k])
            ++k;
        return fmt::format(
            "{}: {}", fmt::join(name.begin() + static_cast<std::ptrdiff_t>(k), name.end(), "."),
            declaration(graph_, bus));
    }

    /// Returns the writer's node; a bus without a writing process gets a node for the user of the
    /// simulator.
    std::size_t writer_node(std::int64_t writer, std::size_t b) {
        if (writer >= 0)
            return static_cast<std::size_t>(writer);
        const auto [at, fresh] = users_.try_emplace(b, made_.nodes.size());
        if (fresh)
            made_.nodes.push_back({Role::input, folds_.buses[b].segments()});
        return at->second;
    }

    void name_onlookers() {
        for (std::size_t f = 0; f < graph_.processes.size(); ++f)
            for (const MemoryUse& use : graph_.processes[f].looks_at)
                looks_.insert(
                    {folds_.span(use.family, use.instance).node, folds_.spans[f][0].node});
        for (const auto& [from, to] : looks_)
            if (made_.nodes[from].role == Role::process && !is_own(to))
                made_.nodes[from].seen_by.push_back(
                    fmt::format("{}", fmt::join(made_.nodes[to].path, ".")));
    }

    /// Returns whether an observer was made by the loader: "the search for deadlocks".
    bool is_own(std::size_t node) const {
        return made_.nodes[node].path.back().find(' ') != std::string::npos;
    }

    /// Hides observers without edges.
    void hide_idle_onlookers() {
        std::set<std::size_t> joined;
        for (const Diagram::Edge& edge : made_.edges)
            joined.insert(edge.to);
        for (std::size_t n = 0; n < made_.nodes.size(); ++n)
            if (only_looks_on(n) && !joined.contains(n))
                made_.nodes[n].role = Role::hidden;
    }

    const Graph& graph_;
    const DiagramOptions options_;
    Folds folds_;
    Connections connections_;
    const std::vector<std::size_t> family_of_bus_; // the first family of each fold
    ChannelParts channels_;
    std::vector<BusActivity> activity_; // by fold; empty: no run
    Diagram made_;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> edges_;
    std::map<std::pair<std::size_t, std::set<std::size_t>>, std::size_t> junctions_;
    // By edge: for each label, whether it is a wire.
    std::map<std::size_t, std::vector<bool>> wires_;
    std::map<std::size_t, std::size_t> bundle_of_;                // for back fields
    std::map<std::size_t, std::vector<std::size_t>> back_fields_; // by bundle
    std::map<std::size_t, std::size_t> users_;
    std::set<std::pair<std::size_t, std::size_t>> looks_;
};

} // namespace

Diagram diagram_of(const Graph& graph, const Writers& writers, const DiagramOptions& options) {
    return Drawer{graph, writers, options}.draw();
}

} // namespace sme
