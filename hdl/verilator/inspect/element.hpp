// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sme::verilator {

/// A position in the text of a module; line and column count from 1.
struct Place {
    std::string_view file;
    unsigned line = 0;
    unsigned column = 0;
    auto operator<=>(const Place&) const = default;
};

/// A node of Verilator's netlist of a module, in either format; null if absent. Kinds ("varref")
/// and attributes ("dtype_id") use the names of Verilator's XML. Texts and nodes live as long as
/// the `ElementTree`.
class Element {
public:
    struct Data;
    class Children;

    Element() = default;
    explicit Element(const Data* data) : data_{data} {}

    explicit operator bool() const { return data_ != nullptr; }
    bool operator==(const Element&) const = default;

    std::string_view kind() const;
    std::string_view name() const;
    const Place& place() const;
    /// Returns the attribute; empty if absent.
    std::string_view attribute(std::string_view key) const;
    bool has(std::string_view key) const { return !attribute(key).empty(); }

    Element parent() const;
    Element first_child() const;
    Element last_child() const;
    Element next_sibling() const;
    /// Returns all children, or those of one kind.
    Children children(std::string_view kind = {}) const;
    Element child(std::string_view kind) const;
    Element child(std::string_view kind, std::string_view key, std::string_view value) const;
    /// Returns all descendants of a kind, in source order.
    std::vector<Element> below(std::string_view kind) const;

private:
    const Data* data_ = nullptr;
};

/// The data that readers fill in.
struct Element::Data {
    std::string_view kind;
    std::string_view name;
    Place place;
    std::vector<std::pair<std::string_view, std::string_view>> attributes;
    Data* parent = nullptr;
    Data* first = nullptr;
    Data* last = nullptr;
    Data* next = nullptr;
};

class Element::Children {
public:
    class Iterator {
    public:
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        Iterator(Element at, std::string_view kind) : at_{at}, kind_{kind} { skip(); }
        Element operator*() const { return at_; }
        Iterator& operator++() {
            at_ = at_.next_sibling();
            skip();
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

    private:
        void skip() {
            while (at_ && !kind_.empty() && at_.kind() != kind_)
                at_ = at_.next_sibling();
        }
        Element at_;
        std::string_view kind_;
    };
    Children(Element first, std::string_view kind) : first_{first}, kind_{kind} {}
    Iterator begin() const { return {first_, kind_}; }
    Iterator end() const { return {}; }

private:
    Element first_;
    std::string_view kind_;
};

/// A netlist: its root has a child for each module, and a "typetable".
class ElementTree {
public:
    Element root() const { return Element{nodes_.empty() ? nullptr : &nodes_.front()}; }
    /// Returns the top-level module.
    Element top() const { return root().child("module", "topModule", "1"); }

    /// Tests whether the tree has a node of this kind.
    bool has(std::string_view kind) const { return kinds_.contains(kind); }

    /// Adds a last child, for readers; the first node, without a parent, is the root.
    Element::Data& add(Element::Data* parent, std::string_view kind);
    void set_kind(Element::Data& node, std::string_view kind);
    /// Adds the letters that denote a file in positions.
    void add_file(std::string_view letters, std::string_view name);
    /// Parses "c,6,8,6,9" or "c,6:8,6:9": a file, a line and column, and the end.
    void set_place(Element::Data& node, std::string_view text);
    /// Stores a text for the life of the tree.
    std::string_view keep(std::string_view text);

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };
    std::deque<Element::Data> nodes_;
    std::unordered_set<std::string, Hash, std::equal_to<>> texts_;
    std::set<std::string_view> kinds_;
    std::map<std::string_view, std::string_view> files_; // by their letters
};

/// Parses the output of `--xml-only`. `nullopt` if it is invalid.
std::optional<ElementTree> read_xml(const std::string& text);
/// Parses the output of `--json-only` and its table of file names. `nullopt` if one is invalid.
std::optional<ElementTree> read_json(const std::string& text, const std::string& meta);

// The classes of netlist elements, by kind.

bool is_assignment(std::string_view kind);
/// Returns true if the element has no effect on variables after time 0.
bool is_silent(std::string_view kind);
/// Returns true for an expression without effects that depends on its operands only, and for a
/// statement whose only effects are the assignments in it.
bool is_understood(std::string_view kind);

/// Returns the name for a key of Verilator: '_' after '_', and every character that only an escaped
/// name can have, is "__0" and two hexadecimal digits.
std::string name_of(const std::string& key);

/// Returns the key for a name that is not escaped.
std::string key_of(const std::string& name);

/// Tests whether a name has only letters, digits and '_', as names of the network language do.
bool is_word(std::string_view name);

} // namespace sme::verilator
