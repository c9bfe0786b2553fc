// SPDX-License-Identifier: Apache-2.0
//
// While the second implementation is loaded, the names of the buses that the first one writes stand
// for others that are like them.
#include "yaml/load/against_loader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "yaml/load/component_loader.hpp"
#include "yaml/load/verilog_loader.hpp"
#include "yaml/read/keys.hpp"

namespace sme::yaml {

namespace {

/// Which elements a range of families writes.
std::vector<std::uint64_t> written_by(const Graph& graph, std::size_t begin, std::size_t end) {
    std::vector<std::uint64_t> elements;
    for (std::size_t f = begin; f < end; ++f)
        for (const Port& port : graph.processes[f].ports)
            if (port.output)
                for (std::uint64_t k = 0; k < port.buses.size(); ++k)
                    elements.push_back(static_cast<std::uint64_t>(port.buses.at(k)));
    std::sort(elements.begin(), elements.end());
    return elements;
}

class SecondLoader {
public:
    SecondLoader(Context& context, const Node& body, std::string name, const Shape& shape,
                 std::size_t begin)
        : context_{context}, body_{body}, against_{*body.find("against")}, name_{std::move(name)},
          shape_{shape} {
        pair_.name = context.prefix + name_;
        pair_.where = against_.where;
        pair_.begin = begin;
        pair_.middle = context.design.graph.processes.size();
    }

    Unit run() {
        const Node second = second_body();
        written_ = written_by(context_.design.graph, pair_.begin, pair_.middle);
        const std::map<std::string, BusView> before = context_.buses;
        for (auto& [name, view] : context_.buses)
            replace(view);
        Unit made = load(second);
        context_.buses = before;
        pair_.end = context_.design.graph.processes.size();
        if (pair_.end > pair_.middle)
            context_.design.pairs.push_back(std::move(pair_));
        return made;
    }

private:
    /// The ports of the first, unless others are given, and what the second is.
    Node second_body() const {
        Node made = against_;
        for (const char* key : {"in", "out"})
            if (const Node* ports = body_.find(key); ports && !against_.find(key)) {
                Node name;
                name.kind = Node::Kind::text;
                name.where = ports->where;
                name.text.text = key;
                made.entries.push_back({std::move(name), *ports});
            }
        return made;
    }

    Unit load(const Node& second) {
        const std::string name = name_ + ".against";
        if (const Node* use = second.find("use")) {
            pair_.other = fmt::format("component '{}'", use->text.text);
            return load_instance(name, shape_, second, against_.where, context_);
        }
        if (const Node* top = second.find("verilog")->find("top"))
            pair_.other = fmt::format("module '{}'", top->text.text);
        return load_verilog_process(context_, second, context_.prefix + name, shape_,
                                    against_.where);
    }

    bool writes(const BusView& view) const {
        for (std::uint64_t k = 0; k < view.elements.size(); ++k)
            if (std::binary_search(written_.begin(), written_.end(),
                                   static_cast<std::uint64_t>(view.elements.at(k))))
                return true;
        return false;
    }

    /// Where the first writes, the view is of new buses that are like the old ones.
    void replace(BusView& view) {
        for (BusView& back : view.backs)
            replace(back);
        if (!writes(view))
            return;
        Graph& graph = context_.design.graph;
        const BusFamily& old = graph.family_of(static_cast<std::uint64_t>(view.elements.at(0)));
        BusFamily made = old;
        made.name =
            fmt::format("{}.against.{}", pair_.name, old.name.substr(old.name.rfind('.') + 1));
        made.shape = context_.in_graph(view.shape);
        made.input = false;
        made.initial.clear();
        const std::size_t size = old.type->size();
        for (std::uint64_t k = 0; old.has_initial && k < view.elements.size(); ++k) {
            const auto element = static_cast<std::uint64_t>(view.elements.at(k));
            const std::size_t place = old.initial.size() == size ? 0 : (element - old.first) * size;
            const auto from = old.initial.begin() + static_cast<std::ptrdiff_t>(place);
            if (!old.initial.empty())
                made.initial.insert(made.initial.end(), from,
                                    from + static_cast<std::ptrdiff_t>(size));
        }
        const BusFamily& added = graph.add(std::move(made));
        for (std::uint64_t k = 0; k < view.elements.size(); ++k) {
            const auto element = static_cast<std::uint64_t>(view.elements.at(k));
            if (std::binary_search(written_.begin(), written_.end(), element))
                pair_.outputs.push_back({element, added.first + k});
        }
        view.elements =
            Segments::affine(view.elements.size(), static_cast<std::int64_t>(added.first), 1);
        view.use = BusView::Use::own;
    }

    Context& context_;
    const Node& body_;
    const Node& against_;
    const std::string name_;
    const Shape& shape_;
    Pair pair_;
    std::vector<std::uint64_t> written_;
};

} // namespace

namespace {

/// Names that stand in values for parameters count as used, whether the second implementation is
/// loaded or not.
void use_names(const Node* values, Context& context) {
    Diagnostics quiet;
    if (!values)
        return;
    for (const auto& [key, value] : values->entries) {
        const expr::AstRef ast =
            value.is_text() ? expr::parse_expression(value.text, quiet) : nullptr;
        Constants constants{context.scope, quiet};
        if (ast && !context.scope.find_file(value.text.text))
            constants.elaborator().evaluate(*ast);
    }
}

} // namespace

void check_against(const Node& against, Context& context) {
    if (!against.is_map())
        return wrong_shape(against, "a map with 'use' or 'verilog'", context.diagnostics);
    check_keys(against, format::against, "'against'", context.diagnostics);
    if ((against.find("use") != nullptr) == (against.find("verilog") != nullptr))
        context.diagnostics.add(Code::missing_key, against.where,
                                "'against' has 'use' or 'verilog', one of them");
    use_names(against.find("with"), context);
    if (const Node* verilog = against.find("verilog"))
        use_names(verilog->find("parameters"), context);
}

Unit load_against(Context& context, const Node& body, const std::string& name, const Shape& shape,
                  std::size_t begin) {
    return SecondLoader{context, body, name, shape, begin}.run();
}

} // namespace sme::yaml
