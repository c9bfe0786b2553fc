// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "verilator/inspect/element.hpp"

namespace sme::verilator {

namespace {

class XmlReader final : public pugi::xml_tree_walker {
public:
    explicit XmlReader(const pugi::xml_node& files) {
        for (const pugi::xml_node& file : files.children())
            tree_.add_file(file.attribute("id").value(), file.attribute("filename").value());
    }

    bool for_each(pugi::xml_node& node) override {
        around_.resize(static_cast<std::size_t>(depth()) + 1);
        if (node.type() != pugi::node_element)
            return true;
        add(node, around_.back());
        return true;
    }

    ElementTree run(pugi::xml_node netlist) {
        around_.push_back(&tree_.add(nullptr, netlist.name()));
        netlist.traverse(*this);
        return std::move(tree_);
    }

private:
    void add(const pugi::xml_node& node, Element::Data* parent) {
        Element::Data& result = tree_.add(parent, node.name());
        for (const pugi::xml_attribute& attribute : node.attributes()) {
            const std::string_view key = attribute.name(), value = attribute.value();
            if (key == "name")
                result.name = tree_.keep(value);
            else if (key == "loc")
                tree_.set_place(result, value);
            else
                result.attributes.emplace_back(tree_.keep(key),
                                               tree_.keep(key != "direction" ? value
                                                          : value == "in"    ? "input"
                                                          : value == "out"   ? "output"
                                                                             : value));
        }
        around_.push_back(&result);
    }

    ElementTree tree_;
    std::vector<Element::Data*> around_; // by depth
};

} // namespace

std::optional<ElementTree> read_xml(const std::string& text) {
    pugi::xml_document document;
    if (!document.load_buffer(text.data(), text.size()))
        return std::nullopt;
    const pugi::xml_node root = document.child("verilator_xml");
    ElementTree result = XmlReader{root.child("files")}.run(root.child("netlist"));
    return result.top() ? std::optional{std::move(result)} : std::nullopt;
}

// A netlist in JSON is Verilator's own tree: each node is an object with lists of nodes, addresses
// replace names, and each kind of child has its own list. The reader converts it to the structure
// of the older XML format. It is event-driven: a document object would take many times the memory
// of the text.

namespace {

using Json = nlohmann::ordered_json;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char sign) { return static_cast<char>(std::tolower(sign)); });
    return text;
}

/// Removes the second escape: Verilator escapes special characters of a name twice.
std::string without_escapes(const std::string& text) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at)
        result += text[at] == '\\' && at + 1 < text.size() ? text[++at] : text[at];
    return result;
}

class JsonReader final : public nlohmann::json_sax<Json> {
public:
    explicit JsonReader(const Json& files) {
        for (const auto& [letters, file] : files.items())
            tree_.add_file(letters, file.at("filename").get<std::string>());
    }

    ElementTree finish() {
        if (top_)
            set(*top_, "topModule", "1");
        for (const auto& [cell, module] : cells_)
            set(*cell, "defName", names_[module]);
        return std::move(tree_);
    }

    bool start_object(std::size_t) override {
        around_.push_back(&tree_.add(around_.empty() ? nullptr : around_.back(), ""));
        return true;
    }
    bool end_object() override {
        Element::Data& result = *around_.back();
        around_.pop_back();
        if (result.kind == "structdtype" && !Element{&result}.has("packed"))
            set(result, "unpacked", "true");
        if (result.kind == "always" && result.first && result.first == result.last &&
            Element{&result}.attribute("keyword") == "cont_assign")
            unwrap(result);
        return true;
    }
    /// Gives each of the two blocks of an "if" a node of its own.
    bool start_array(std::size_t) override {
        if (around_.empty())
            return false;
        Element::Data* const owner = around_.back();
        const bool is_block = owner->kind == "if" && (key_ == "thensp" || key_ == "elsesp");
        around_.push_back(is_block ? &tree_.add(owner, "begin") : owner);
        return true;
    }
    bool end_array() override {
        around_.pop_back();
        return true;
    }
    bool key(std::string& text) override {
        key_ = text;
        return true;
    }
    bool string(std::string& text) override {
        if (!around_.empty())
            take(*around_.back(), text);
        return true;
    }
    bool boolean(bool value) override {
        if (value && !around_.empty())
            take(*around_.back(), "true");
        return true;
    }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool null() override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
        return false;
    }

private:
    void take(Element::Data& result, const std::string& text) {
        const bool is_type = result.kind.ends_with("dtype");
        if (key_ == "type" && result.kind.empty())
            tree_.set_kind(result, kind_of(text));
        else if (key_ == "name" && result.name.empty())
            result.name = tree_.keep(without_escapes(text));
        else if (key_ == "loc")
            tree_.set_place(result, text);
        else if (key_ == "addr" && is_type)
            set(result, "id", text);
        else if (key_ == "addr")
            names_by(result, text);
        else if (key_ == "dtypep" && !is_type)
            set(result, "dtype_id", text);
        else if (key_ == "refDTypep" && is_type)
            set(result, "sub_dtype_id", text);
        else if (key_ == "modp" && result.kind == "instance")
            cells_.emplace_back(&result, text);
        else if (key_ == "direction")
            take_direction(result, lower(text));
        else if (key_ == "varType" && text == "IFACEREF")
            set(result, "vartype", "ifaceref");
        else if (key_ == "range" && is_type)
            take_range(result, text);
        else if (const auto same = same_names.find(key_); same != same_names.end() && !text.empty())
            set(result, same->second, text);
    }

    static std::string kind_of(const std::string& type) {
        return type == "CELL" ? "instance" : lower(type);
    }

    /// Names a module. Instances refer to modules by address. The first module contains all others.
    void names_by(Element::Data& result, const std::string& address) {
        if (result.kind == "module" && !top_)
            top_ = &result;
        if (result.kind == "module" || result.kind == "iface" || result.kind == "package")
            names_.emplace(address, result.name);
    }

    void take_direction(Element::Data& result, const std::string& direction) {
        if (result.kind == "modportvarref")
            set(result, "direction", direction);
        else if (direction != "none")
            set(result, "dir", direction);
    }

    void take_range(Element::Data& result, const std::string& text) { // "7:0"
        const std::size_t colon = text.find(':');
        set(result, "left", text.substr(0, colon));
        set(result, "right", text.substr(std::min(colon, text.size() - 1) + 1));
    }

    void set(Element::Data& result, std::string_view key, std::string_view value) {
        for (auto& [name, known] : result.attributes)
            if (name == key) {
                known = tree_.keep(value);
                return;
            }
        result.attributes.emplace_back(tree_.keep(key), tree_.keep(value));
    }

    /// Replaces a block that holds only a continuous assignment by the assignment.
    static void unwrap(Element::Data& block) {
        const Element::Data inner = *block.first;
        block.kind = inner.kind;
        block.attributes = inner.attributes;
        block.first = inner.first;
        block.last = inner.last;
        for (Element::Data* child = block.first; child; child = child->next)
            child->parent = &block;
    }

    static inline const std::map<std::string, std::string_view, std::less<>> same_names{
        {"origName", "origName"}, {"dtypeName", "vartype"},
        {"isGParam", "param"},    {"isParam", "localparam"},
        {"edgeType", "edgeType"}, {"isSigUserRdPublic", "public_flat_rd"},
        {"signed", "signed"},     {"keyword", "keyword"},
        {"dotted", "dotted"},     {"packed", "packed"}};

    ElementTree tree_;
    std::map<std::string, std::string_view> names_; // of modules, by address
    std::vector<std::pair<Element::Data*, std::string>> cells_;
    Element::Data* top_ = nullptr;
    std::vector<Element::Data*> around_;
    std::string key_;
};

} // namespace

std::optional<ElementTree> read_json(const std::string& text, const std::string& meta) {
    const auto wanted = [](int depth, Json::parse_event_t event, const Json& value) {
        return depth != 1 || event != Json::parse_event_t::key || value == "files";
    };
    try {
        const Json files = Json::parse(meta, wanted).at("files");
        JsonReader reader{files};
        if (!Json::sax_parse(text, &reader))
            return std::nullopt;
        ElementTree result = reader.finish();
        return result.top() ? std::optional{std::move(result)} : std::nullopt;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

} // namespace sme::verilator
