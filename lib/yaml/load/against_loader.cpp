// SPDX-License-Identifier: Apache-2.0
//
// While the second implementation is loaded, the names of the buses that the first one writes refer
// to copies of these buses.
#include "yaml/load/loaders.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/load/verilog_loader.hpp"

namespace sme::yaml {

namespace {

/// Returns the elements that a range of families writes.
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
    SecondLoader(Context& context, const ProcessSyntax& first, const Shape& shape,
                 std::size_t begin)
        : context_{context}, second_{*first.against}, shape_{shape} {
        if (!second_.in) {
            second_.in = first.in;
            if (second_.use && second_.in) // a component has no port for "a.closed" of a channel
                std::erase_if(second_.in->ports,
                              [](const BindingSyntax& binding) { return !binding.closes.empty(); });
        }
        if (!second_.out)
            second_.out = first.out;
        pair_.name = context.prefix + first.name.name;
        pair_.where = second_.where;
        pair_.first = {begin, context.design.graph.processes.size()};
    }

    Unit run() {
        written_ = written_by(context_.design.graph, pair_.first.begin, pair_.first.end);
        const std::map<std::string, BusView> before = context_.buses;
        for (auto& [name, view] : context_.buses)
            replace(view);
        Unit result = load();
        context_.buses = before;
        pair_.second = {pair_.first.end, context_.design.graph.processes.size()};
        if (pair_.second.end > pair_.second.begin)
            context_.design.pairs.push_back(std::move(pair_));
        return result;
    }

private:
    Unit load() {
        if (second_.use) {
            pair_.other = fmt::format("component '{}'", second_.use->names[0].text);
            return load_instance(shape_, second_, context_);
        }
        if (const Node* top = second_.verilog->find("top"))
            pair_.other = fmt::format("module '{}'", top->text.text);
        return load_verilog_process(context_, second_, context_.prefix + second_.name.name, shape_);
    }

    bool writes(const BusView& view) const {
        for (std::uint64_t k = 0; k < view.elements.size(); ++k)
            if (std::binary_search(written_.begin(), written_.end(),
                                   static_cast<std::uint64_t>(view.elements.at(k))))
                return true;
        return false;
    }

    /// Replaces each bus that the first implementation writes by a new bus with the same
    /// properties.
    void replace(BusView& view) {
        for (BusView& back : view.reverse_fields)
            replace(back);
        if (!writes(view))
            return;
        Graph& graph = context_.design.graph;
        const BusFamily& old = graph.family_of(static_cast<std::uint64_t>(view.elements.at(0)));
        BusFamily result = old;
        result.name = fmt::format("{}.against.{}", pair_.name, view.name);
        result.shape = context_.in_graph(view.shape);
        result.input = false;
        result.initial.clear();
        const std::size_t size = old.type->size();
        for (std::uint64_t k = 0; old.has_initial && k < view.elements.size(); ++k) {
            const auto element = static_cast<std::uint64_t>(view.elements.at(k));
            const std::size_t place = old.initial.size() == size ? 0 : (element - old.first) * size;
            const auto from = old.initial.begin() + static_cast<std::ptrdiff_t>(place);
            if (!old.initial.empty())
                result.initial.insert(result.initial.end(), from,
                                      from + static_cast<std::ptrdiff_t>(size));
        }
        const BusFamily& added = graph.add(std::move(result));
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
    ProcessSyntax second_; // takes the ports of the first, unless it has its own
    const Shape& shape_;
    Pair pair_;
    std::vector<std::uint64_t> written_;
};

} // namespace

void use_names_of(const ProcessSyntax& second, Context& context) {
    Diagnostics reported_when_it_is_loaded;
    for (const std::vector<GivenSyntax>* values : {&second.with, &second.given})
        for (const GivenSyntax& value : *values) {
            Constants constants{context.scope, reported_when_it_is_loaded};
            if (value.ast && !context.scope.find_file(value.text.text))
                constants.elaborator().evaluate(*value.ast);
        }
}

Unit load_against(Context& context, const ProcessSyntax& first, const Shape& shape,
                  std::size_t begin) {
    return SecondLoader{context, first, shape, begin}.run();
}

} // namespace sme::yaml
