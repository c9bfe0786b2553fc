// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/element.hpp"

#include <charconv>

namespace sme::verilator {

namespace {

const Element::Data nothing{};

} // namespace

std::string_view Element::kind() const {
    return data_ ? data_->kind : nothing.kind;
}

std::string_view Element::name() const {
    return data_ ? data_->name : nothing.name;
}

const Place& Element::place() const {
    return data_ ? data_->place : nothing.place;
}

std::string_view Element::attribute(std::string_view key) const {
    if (data_)
        for (const auto& [name, value] : data_->attributes)
            if (name == key)
                return value;
    return {};
}

Element Element::parent() const {
    return Element{data_ ? data_->parent : nullptr};
}

Element Element::first_child() const {
    return Element{data_ ? data_->first : nullptr};
}

Element Element::last_child() const {
    return Element{data_ ? data_->last : nullptr};
}

Element Element::next_sibling() const {
    return Element{data_ ? data_->next : nullptr};
}

Element::Children Element::children(std::string_view kind) const {
    return {first_child(), kind};
}

Element Element::child(std::string_view kind) const {
    return *children(kind).begin();
}

Element Element::child(std::string_view kind, std::string_view key, std::string_view value) const {
    for (const Element one : children(kind))
        if ((key == "name" ? one.name() : one.attribute(key)) == value)
            return one;
    return {};
}

std::vector<Element> Element::below(std::string_view kind) const {
    std::vector<Element> found;
    for (Element at = first_child(); at && at != *this;) {
        if (at.kind() == kind)
            found.push_back(at);
        Element next = at.first_child();
        for (; !next && at != *this; at = at.parent())
            next = at.next_sibling();
        at = next;
    }
    return found;
}

Element::Data& ElementTree::add(Element::Data* parent, std::string_view kind) {
    Element::Data& made = nodes_.emplace_back();
    set_kind(made, kind);
    made.parent = parent;
    if (parent) {
        (parent->last ? parent->last->next : parent->first) = &made;
        parent->last = &made;
    }
    return made;
}

void ElementTree::set_kind(Element::Data& node, std::string_view kind) {
    node.kind = keep(kind);
    kinds_.insert(node.kind);
}

void ElementTree::add_file(std::string_view letters, std::string_view name) {
    files_[keep(letters)] = keep(name);
}

void ElementTree::set_place(Element::Data& node, std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos)
        return;
    if (const auto file = files_.find(text.substr(0, comma)); file != files_.end())
        node.place.file = file->second;
    const char* const end = text.data() + text.size();
    const auto line = std::from_chars(text.data() + comma + 1, end, node.place.line);
    if (line.ptr != end)
        std::from_chars(line.ptr + 1, end, node.place.column);
}

std::string_view ElementTree::keep(std::string_view text) {
    const auto found = texts_.find(text);
    return found != texts_.end() ? *found : *texts_.emplace(text).first;
}

} // namespace sme::verilator
