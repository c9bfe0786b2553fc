// SPDX-License-Identifier: Apache-2.0
#include "network/picture/diagram.hpp"

#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

namespace sme {

namespace {

using Role = Diagram::Role;

/// Returns whether the bytes are UTF-8, which Graphviz requires; overlong forms are accepted.
bool is_utf8(const std::string& text) {
    int waiting = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0) == 0x80) {
            if (--waiting < 0)
                return false;
            continue;
        }
        if (waiting > 0 || byte >= 0xf8)
            return false;
        waiting = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
    }
    return waiting == 0;
}

/// Replaces the characters that Graphviz does not accept.
std::string readable(std::string text) {
    const bool plain = is_utf8(text);
    for (char& c : text)
        if ((c >= 0 && c < ' ') || c == '\x7f' || (!plain && c < 0))
            c = '?';
    return text;
}

/// Quotes a text for Graphviz, which treats \ as the start of an escape.
std::string dot_text(const std::string& text) {
    std::string result = "\"";
    for (const char c : readable(text)) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + '"';
}

/// Escapes a text for an HTML-like label, which has only these escapes.
std::string in_markup(const std::string& text) {
    std::string result;
    for (const char c : readable(text))
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string{c};
    return result;
}

/// Joins lines vertically; several lines are left-aligned.
std::string quoted_lines(const std::vector<std::string>& lines) {
    std::string result;
    for (const std::string& line : lines) {
        const std::string one = dot_text(line);
        result += one.substr(1, one.size() - 2);
        if (lines.size() > 1)
            result += "\\l";
    }
    return '"' + result + '"';
}

/// A level of the hierarchy.
struct Cluster {
    std::vector<std::size_t> nodes;
    std::vector<std::pair<std::string, std::unique_ptr<Cluster>>> inner;
    std::map<std::string, Cluster*> known;

    Cluster& at(const std::string& name) {
        Cluster*& found = known[name];
        if (!found)
            found = inner.emplace_back(name, std::make_unique<Cluster>()).second.get();
        return *found;
    }
};

class DotWriter {
public:
    explicit DotWriter(const Diagram& diagram) : diagram_{diagram} {
        for (std::size_t n = 0; n < diagram.nodes.size(); ++n) {
            if (diagram.nodes[n].role == Diagram::Role::hidden)
                continue;
            Cluster* cluster = &top_;
            for (std::size_t k = 0; k + 1 < diagram.nodes[n].path.size(); ++k)
                cluster = &cluster->at(diagram.nodes[n].path[k]);
            cluster->nodes.push_back(n);
        }
        for (const Diagram::Edge& edge : diagram.edges)
            if (is_loop(edge))
                loops_.emplace(edge.from, &edge);
    }

    std::string write() {
        text_ = fmt::format(R"(digraph {} {{
  graph [label={}, labelloc=t, fontname="Helvetica,sans-Serif", fontsize=16, rankdir=LR,
         nodesep=0.35, ranksep=0.7];
  node [shape=box, style="rounded,filled", fillcolor="#e8f0fa", color="#41699c", margin="0.16,0.08",
        fontname="Helvetica,sans-Serif", fontsize=13];
  edge [color="#444444", fontcolor="#222222", fontname="Helvetica,sans-Serif", fontsize=10,
        arrowsize=0.7];
)",
                            dot_text(diagram_.name), title());
        write_cluster(top_, 1);
        write_edges();
        return std::move(text_) + "}\n";
    }

private:
    /// Returns the name and, after a run, the meaning of the edge thickness in a small font.
    std::string title() const {
        if (!diagram_.cycles)
            return dot_text(diagram_.name);
        return fmt::format("<<table border=\"0\" cellspacing=\"0\"><tr><td>{}</td></tr><tr><td>"
                           "<font point-size=\"10\">thickness and %: in how many of {} "
                           "cycles<br/>a bus changed or a stream moved an item</font>"
                           "</td></tr></table>>",
                           in_markup(diagram_.name), *diagram_.cycles);
    }

    void write_cluster(const Cluster& cluster, std::size_t depth) {
        for (const std::size_t n : cluster.nodes)
            write_node(n, depth);
        const std::string indent(2 * depth, ' ');
        for (const std::size_t n : cluster.nodes)
            if (const auto loop = loops_.find(n); loop != loops_.end())
                write_loop_label(*loop->second, indent);
        for (const auto& [name, inner] : cluster.inner) {
            text_ += fmt::format("{}subgraph cluster_{} {{\n", indent, clusters_++);
            text_ += fmt::format("{}  label={}; labeljust=l; fontsize=13; style=rounded; "
                                 "color=\"#9aa7b5\"; bgcolor=\"#{}\";\n",
                                 indent, dot_text(name), depth % 2 == 1 ? "f7f8fa" : "eef1f4");
            write_cluster(*inner, depth + 1);
            text_ += indent + "}\n";
        }
    }

    void write_node(std::size_t n, std::size_t depth) {
        text_ += fmt::format("{}n{} [{}];\n", std::string(2 * depth, ' '), n,
                             attributes(diagram_.nodes[n]));
    }

    /// A colour for each rank, as wide as its share.
    static std::string stripes(const Diagram::Node& node) {
        std::string colors;
        double before = 0;
        for (std::size_t rank = 0; rank < node.shares.size(); ++rank) {
            if (node.shares[rank] == 0)
                continue;
            if (!colors.empty()) // the last one is as wide as what remains
                colors += fmt::format(";{:.4f}:", before);
            colors += color_of(rank);
            before = node.shares[rank];
        }
        const bool several = colors.find(':') != std::string::npos;
        return fmt::format(", style={}, fillcolor=\"{}\"{}", several ? "striped" : "filled", colors,
                           node.count > 1 ? ", peripheries=2" : "");
    }

    /// Neighbouring ranks have very different hues.
    static std::string color_of(std::size_t rank) {
        const double hue = static_cast<double>(rank) * 0.381966;
        return fmt::format("{:.3f} 0.3 1.0", hue - std::floor(hue));
    }

    static std::string ranks_of(const Diagram::Node& node) {
        std::vector<std::size_t> ranks;
        for (std::size_t rank = 0; rank < node.shares.size(); ++rank)
            if (node.shares[rank] > 0)
                ranks.push_back(rank);
        if (ranks.size() == 1)
            return fmt::format("rank {}", ranks[0]);
        const bool together = ranks.back() - ranks[0] + 1 == ranks.size();
        return together && ranks.size() > 2 ? fmt::format("ranks {} to {}", ranks[0], ranks.back())
                                            : fmt::format("ranks {}", fmt::join(ranks, ", "));
    }

    static std::string label_of(const Diagram::Node& node, const char* what) {
        std::string label = dot_text(node.path.back());
        label.pop_back();
        if (node.count > 1)
            label += fmt::format("\\n{} {}", node.count, what);
        if (!node.shares.empty())
            label += "\\n" + ranks_of(node);
        if (!node.seen_by.empty()) {
            const std::string names =
                dot_text(fmt::format("seen by {}", fmt::join(node.seen_by, ", ")));
            label += "\\n" + names.substr(1, names.size() - 2);
        }
        return label + '"';
    }

    static std::string attributes(const Diagram::Node& node) {
        const std::string& name = node.path.back();
        switch (node.role) {
        case Role::process:
            return "label=" + label_of(node, "processes") +
                   (!node.shares.empty() ? stripes(node)
                    : node.count > 1     ? ", shape=box3d, style=filled"
                                         : "");
        case Role::channel:
            return fmt::format("label={}, shape={}, style=filled, fillcolor=\"#eaf3e6\", "
                               "color=\"#6f8f62\", fontsize=11",
                               label_of(node, "channels"), node.count > 1 ? "box3d" : "box");
        case Role::input:
        case Role::output:
            return fmt::format("label={}, shape={}, style=filled, fillcolor=\"#f6f2e6\", "
                               "color=\"#a0926a\", fontsize=11",
                               dot_text(name), node.role == Role::input ? "cds" : "note");
        case Role::checks:
            return fmt::format("label={}, shape=ellipse, style=dashed, color=\"#9a9a9a\", "
                               "fontcolor=\"#7a7a7a\", fontsize=10, margin=\"0.04,0.02\"",
                               dot_text(name));
        case Role::junction:
            return "label=\"\", shape=point, width=0.06, color=\"#444444\", "
                   "fillcolor=\"#444444\"";
        case Role::nobody:
            return "label=\"\", shape=circle, style=solid, width=0.08, color=\"#9a9a9a\"";
        case Role::decision:
            return fmt::format("label={}, shape=diamond, style=filled, fillcolor=\"#f6f2e6\", "
                               "color=\"#a0926a\", fontsize=10, margin=\"0.02,0.02\"",
                               dot_text(name));
        case Role::hidden: break;
        }
        return {};
    }

    static bool is_loop(const Diagram::Edge& edge) {
        return edge.from == edge.to && !edge.labels.empty();
    }

    /// Writes a self-loop. Graphviz reserves no room for the label of such an edge, so the label is
    /// a node in the middle of the edge.
    void write_loop_label(const Diagram::Edge& edge, const std::string& indent) {
        text_ += fmt::format("{}l{} [label={}, shape=plaintext, style=\"\", fontcolor=\"#222222\", "
                             "fontsize=10, margin=\"0.02\"];\n",
                             indent, edge.from, quoted_lines(edge.labels));
        text_ += fmt::format("{0}{{rank=same; n{1}; l{1}}}\n", indent, edge.from);
    }

    void write_half_loop(const Diagram::Edge& edge, const char* direction) {
        std::vector<std::string> parts{fmt::format("dir={}", direction)};
        if (edge.wire)
            parts.emplace_back("style=dashed");
        add_activity(edge, parts);
        text_ += fmt::format("  n{0} -> l{0} [{1}];\n", edge.from, fmt::join(parts, ", "));
    }

    /// Writes edges in order, since Graphviz numbers them by order; second halves come last.
    void write_edges() {
        for (const Diagram::Edge& edge : diagram_.edges)
            if (is_loop(edge))
                write_half_loop(edge, "back");
            else
                write_edge(edge);
        for (const Diagram::Edge& edge : diagram_.edges)
            if (is_loop(edge))
                write_half_loop(edge, edge.returns ? "back, arrowtail=onormal" : "none");
    }

    void write_edge(const Diagram::Edge& edge) {
        std::vector<std::string> parts;
        if (!edge.labels.empty())
            parts.push_back("label=" + quoted_lines(edge.labels));
        if (edge.wire)
            parts.emplace_back("style=dashed");
        if (!edge.arrow)
            parts.emplace_back("arrowhead=none");
        if (edge.returns)
            parts.emplace_back("dir=both, arrowtail=onormal");
        add_activity(edge, parts);
        text_ += fmt::format("  n{} -> n{}", edge.from, edge.to);
        if (!parts.empty())
            text_ += fmt::format(" [{}]", fmt::join(parts, ", "));
        text_ += ";\n";
    }

    /// Draws inactive edges thin and pale.
    void add_activity(const Diagram::Edge& edge, std::vector<std::string>& parts) const {
        if (!diagram_.cycles)
            return;
        constexpr double thinnest = 0.6, thickest = 4;
        parts.push_back(
            fmt::format("penwidth={:.2f}", thinnest + (thickest - thinnest) * edge.activity));
        if (edge.activity == 0)
            parts.emplace_back("color=\"#a8a8a8\"");
        const std::string uses = dot_text(fmt::format("{}", fmt::join(edge.uses, "; ")));
        parts.push_back(fmt::format("tooltip={0}, labeltooltip={0}", uses));
    }

    const Diagram& diagram_;
    Cluster top_;
    std::map<std::size_t, const Diagram::Edge*> loops_; // by node
    std::string text_;
    std::size_t clusters_ = 0;
};

} // namespace

std::string to_dot(const Diagram& diagram) {
    return DotWriter{diagram}.write();
}

} // namespace sme
