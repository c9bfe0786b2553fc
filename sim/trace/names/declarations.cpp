// SPDX-License-Identifier: Apache-2.0
#include "trace/names/declarations.hpp"

#include <fmt/format.h>

#include "trace/names/names.hpp"
#include "trace/names/vcd_time.hpp"

namespace sme::trace {

void Declarations::close_scope() {
    if (written_ == scopes_.size()) {
        write_scope_end();
        --written_;
    }
    scopes_.pop_back();
}

void Declarations::comment(std::string text) {
    if (!text.empty())
        comments_.push_back({scopes_.size(), std::move(text)});
}

void Declarations::drop_comments() {
    std::erase_if(comments_, [&](const Comment& one) { return one.depth >= scopes_.size(); });
}

std::uint32_t Declarations::variable(std::string_view name, const Type& type) {
    write_what_waits();
    if (type.is_signed())
        write_comment(std::string{signed_mark});
    write_variable(signals_, name, type);
    return signals_++;
}

void Declarations::clock(std::string_view name) {
    write_what_waits();
    write_clock(name);
}

void Declarations::write_comments(std::size_t depth) {
    for (const Comment& one : comments_)
        if (one.depth == depth)
            write_comment(one.text);
}

void Declarations::write_what_waits() {
    for (; written_ < scopes_.size(); ++written_) {
        write_comments(written_);
        write_scope(scopes_[written_].name, scopes_[written_].kind);
    }
    write_comments(written_);
    comments_.clear();
}

void append_reference(std::string& text, std::string_view name, std::uint64_t width_bits) {
    text += name;
    if (width_bits <= 1)
        return;
    text += " [";
    text += fmt::format_int{width_bits - 1}.c_str();
    text += ":0]";
}

namespace {

/// Declares one family of buses.
class FamilyDeclarer {
public:
    FamilyDeclarer(const Observed& observed, const Traced& traced, const PlacedFamily& placed,
                   Declarations& declarations, ChangeFinder& finder)
        : graph_{observed.graph()}, bus_{traced.family(graph_, placed.family)}, placed_{placed},
          signals_{traced, placed.family, observed, finder}, type_{lines_of(*bus_.type)},
          declarations_{declarations} {}

    void declare(const Selection& selection) {
        if (is_inside_clock(bus_))
            return declare_clocks(selection);
        add_comments();
        for (const ClockDomain& domain : graph_.domains)
            if (domain.signal == bus_.first)
                declarations_.comment(fmt::format("{} {}", clock_mark, for_comment(domain.name)));
        signals_.take(placed_.first, placed_.shape.count(), selection, declarations_.signals(),
                      [&](std::uint64_t element, const std::vector<std::uint32_t>& scalars) {
                          declare_element(element - placed_.first, scalars);
                      });
        declarations_.drop_comments();
    }

private:
    void declare_clocks(const Selection& selection) {
        for (std::uint64_t element = placed_.first; element < placed_.first + placed_.shape.count();
             ++element)
            if (selection.everything() || selection.matches(signals_.name(element)))
                declarations_.clock(written_name(element - placed_.first));
    }

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

    std::string written_name(std::uint64_t element) const {
        std::string name = placed_.name;
        for (const std::int64_t index : placed_.shape.indices(element))
            append_index(name, index);
        return name;
    }

    void declare_element(std::uint64_t element, const std::vector<std::uint32_t>& scalars) {
        const std::string bus_name = written_name(element);
        std::size_t next = 0;
        for (const TypeLine& line : type_.lines) {
            const std::string name = line.continues ? bus_name + line.name : line.name;
            if (line.kind != TypeLine::Kind::leaf && line.continues && placed_.open)
                continue; // the scope of the struct itself is already open
            if (line.kind == TypeLine::Kind::scope)
                declarations_.open_scope(name, Declarations::ScopeKind::structure);
            else if (line.kind == TypeLine::Kind::scope_ends)
                declarations_.close_scope();
            else if (next < scalars.size() && scalars[next] == line.leaf) {
                declarations_.variable(name, *signals_.scalars()[line.leaf].type);
                ++next;
            }
        }
    }

    const Graph& graph_;
    const BusFamily& bus_;
    const PlacedFamily& placed_;
    FamilySignals signals_;
    const TypeLines type_;
    Declarations& declarations_;
};

class HeaderWriter {
public:
    HeaderWriter(const Observed& observed, const Traced& traced, Declarations& declarations,
                 ChangeFinder& finder)
        : observed_{observed}, traced_{traced}, declarations_{declarations}, finder_{finder} {}

    void declare(const Scope& scope) {
        const Graph& graph = observed_.graph();
        for (const PlacedFamily& placed : scope.families)
            if (traced_.family(graph, placed.family).count > 0)
                FamilyDeclarer{observed_, traced_, placed, declarations_, finder_}.declare(
                    traced_.selection_of(graph, placed.family));
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
    const Traced& traced_;
    Declarations& declarations_;
    ChangeFinder& finder_;
};

} // namespace

std::uint32_t declare(const Observed& observed, const Traced& traced, Declarations& declarations,
                      ChangeFinder& finder) {
    Scope top = scope_tree(observed.graph(), traced);
    declarations.comment(renaming(top.own, top.own, top.name, top.name));
    declarations.open_scope(top.name);
    declarations.comment(std::string{clock_mark});
    declarations.variable(top.names.place("clock"), *Type::boolean());
    HeaderWriter{observed, traced, declarations, finder}.declare(top);
    declarations.close_scope();
    return declarations.signals();
}

void VcdDeclarations::write_scope(const std::string& name, ScopeKind) {
    file_.write(fmt::format("$scope module {} $end\n", name));
}

void VcdDeclarations::write_scope_end() {
    file_.write("$upscope $end\n");
}

void VcdDeclarations::write_comment(const std::string& text) {
    file_.write(fmt::format("$comment {} $end\n", text));
}

void VcdDeclarations::write_variable(std::uint32_t signal, std::string_view name,
                                     const Type& type) {
    line_ = "$var wire ";
    line_ += fmt::format_int{type.width_bits()}.c_str();
    line_ += ' ';
    line_ += identifier(signal);
    line_ += ' ';
    append_reference(line_, name, type.width_bits());
    line_ += " $end\n";
    file_.write(line_);
}

void VcdDeclarations::write_clock(std::string_view name) {
    file_.write(fmt::format("$var wire 1 {} {} $end\n", identifier(0), name));
}

} // namespace sme::trace
