// SPDX-License-Identifier: Apache-2.0
#include "trace/vcd/vcd_header.hpp"

#include <numeric>

#include <fmt/format.h>

#include "network/build.hpp"
#include "trace/vcd/declarations.hpp"
#include "trace/vcd/scope_tree.hpp"
#include "trace/vcd/type_names.hpp"

namespace sme::trace {

namespace {

/// Declares one family of buses.
class FamilyDeclarer {
public:
    FamilyDeclarer(const BusFamily& bus, const PlacedFamily& placed, const Segments& slots,
                   Declarations& declarations, ChangeFinder& finder)
        : bus_{bus}, placed_{placed}, slots_{slots}, type_{lines_of(*bus.type)},
          leaves_{bus.type->scalars()}, declarations_{declarations}, finder_{finder} {}

    void declare(const Selection& selection) {
        add_comments();
        std::vector<std::uint32_t> chosen(leaves_.size());
        std::iota(chosen.begin(), chosen.end(), 0u);
        for (std::uint64_t k = 0; k < placed_.shape.count(); ++k) {
            if (!selection.everything())
                chosen = chosen_of(k, selection);
            if (chosen != run_leaves_)
                end_run(k);
            if (chosen.empty())
                continue;
            if (run_leaves_.empty()) {
                run_leaves_ = chosen;
                run_first_ = k;
                run_signal_ = declarations_.signals();
            }
            declare_element(k);
        }
        end_run(placed_.shape.count());
        declarations_.drop_comments();
    }

private:
    void add_comments() {
        if (placed_.open)
            return;
        const Type& type = *bus_.type;
        const Shape& shape = placed_.shape;
        const std::uint64_t last = shape.count() - 1;
        declarations_.comment(renaming(shape.element_name(placed_.own, 0) + corner(type, false),
                                       shape.element_name(placed_.own, last) + corner(type, true),
                                       written_name(0) + written_corner(type, false),
                                       written_name(last) + written_corner(type, true)));
        for (const std::string& comment : type_.comments)
            declarations_.comment(comment);
    }

    std::vector<std::uint32_t> chosen_of(std::uint64_t element, const Selection& selection) const {
        const std::string name = bus_.shape.element_name(bus_.name, placed_.first + element);
        std::vector<std::uint32_t> chosen;
        for (std::uint32_t k = 0; k < leaves_.size(); ++k)
            if (selection.matches(name + leaves_[k].path))
                chosen.push_back(k);
        return chosen;
    }

    std::string written_name(std::uint64_t element) const {
        std::string name = placed_.name;
        for (const std::int64_t index : placed_.shape.indices(element))
            append_index(name, index);
        return name;
    }

    /// Declares what is chosen of an element: run_leaves_.
    void declare_element(std::uint64_t element) {
        const std::string bus_name = written_name(element);
        std::size_t next = 0;
        for (const TypeLine& line : type_.lines) {
            const std::string name = line.continues ? bus_name + line.name : line.name;
            if (line.kind != TypeLine::Kind::leaf && line.continues && placed_.open)
                continue; // the scope of the struct itself is open
            if (line.kind == TypeLine::Kind::scope)
                declarations_.open_scope(name);
            else if (line.kind == TypeLine::Kind::scope_ends)
                declarations_.close_scope();
            else if (next < run_leaves_.size() && run_leaves_[next] == line.leaf) {
                declarations_.variable(name, leaves_[line.leaf].type->width_bits());
                ++next;
            }
        }
    }

    /// Hands the elements since `run_first_`, all traced alike, to the finder.
    void end_run(std::uint64_t end) {
        if (run_leaves_.empty())
            return;
        const auto each = static_cast<std::uint32_t>(run_leaves_.size());
        const std::vector<TracedLeaf> leaves = traced_leaves();
        const std::uint64_t first = placed_.first + run_first_;
        for_each_run(slots_, first, end - run_first_, [&](const Segment& run) {
            const auto before = static_cast<std::uint32_t>(run.first - first);
            finder_.add(leaves, slot_size(bus_), run, bus_.wire(), run_signal_ + before * each);
        });
        run_leaves_.clear();
    }

    std::vector<TracedLeaf> traced_leaves() const {
        std::vector<TracedLeaf> traced;
        std::uint32_t scalar = 0;
        auto presence = static_cast<std::uint32_t>(bus_.type->size()); // of its first word
        for (const std::uint32_t k : run_leaves_) {
            for (; scalar < k; ++scalar)
                presence += static_cast<std::uint32_t>(leaves_[scalar].type->leaf_count());
            const Leaf& leaf = leaves_[k];
            TracedLeaf& made = traced.emplace_back();
            const std::uint64_t words = leaf.type->leaf_count();
            made.offset = leaf.offset;
            made.bytes = static_cast<std::uint8_t>(leaf.type->size() / words);
            made.width_bits = static_cast<std::uint8_t>(leaf.type->width_bits() - 64 * (words - 1));
            made.words = static_cast<std::uint8_t>(words);
            if (bus_.unwritten == Unwritten::error)
                made.presence = presence;
        }
        return traced;
    }

    const BusFamily& bus_;
    const PlacedFamily& placed_;
    const Segments& slots_;
    const TypeLines type_;
    const std::vector<Leaf> leaves_;
    Declarations& declarations_;
    ChangeFinder& finder_;
    std::vector<std::uint32_t> run_leaves_; // empty: no run is open
    std::uint64_t run_first_ = 0;
    std::uint32_t run_signal_ = 0;
};

class HeaderWriter {
public:
    HeaderWriter(const Observed& observed, const Selection& selection, Declarations& declarations,
                 ChangeFinder& finder)
        : observed_{observed}, selection_{selection}, declarations_{declarations}, finder_{finder} {
    }

    void declare(const Scope& scope) {
        for (const PlacedFamily& placed : scope.families) {
            const BusFamily& bus = observed_.graph().buses[placed.family];
            if (bus.count > 0)
                FamilyDeclarer{bus, placed, observed_.slots(placed.family), declarations_, finder_}
                    .declare(selection_);
        }
        for (const auto& inner : scope.scopes) {
            declarations_.comment(renaming(inner->own, inner->own, inner->name, inner->name));
            declarations_.open_scope(inner->name);
            declare(*inner);
            declarations_.close_scope();
            declarations_.drop_comments();
        }
    }

private:
    const Observed& observed_;
    const Selection& selection_;
    Declarations& declarations_;
    ChangeFinder& finder_;
};

} // namespace

std::uint32_t write_header(const Observed& observed, const Traced& traced, const std::string& tick,
                           OutputFile& file, ChangeFinder& finder) {
    Scope top = scope_tree(observed.graph(), traced.state);
    file.write(fmt::format("$version sme $end\n$timescale {} $end\n", tick));
    Declarations declarations{file};
    declarations.comment(renaming(top.own, top.own, top.name, top.name));
    declarations.open_scope(top.name);
    declarations.variable(top.names.place("clock"), 1);
    HeaderWriter{observed, traced.selection, declarations, finder}.declare(top);
    declarations.close_scope();
    file.write("$enddefinitions $end\n");
    finder.prepare();
    return declarations.signals();
}

} // namespace sme::trace
