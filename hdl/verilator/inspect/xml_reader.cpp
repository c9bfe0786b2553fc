// SPDX-License-Identifier: Apache-2.0
#include <vector>

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
        Element::Data& made = tree_.add(parent, node.name());
        for (const pugi::xml_attribute& attribute : node.attributes()) {
            const std::string_view key = attribute.name(), value = attribute.value();
            if (key == "name")
                made.name = tree_.keep(value);
            else if (key == "loc")
                tree_.set_place(made, value);
            else
                made.attributes.emplace_back(tree_.keep(key), tree_.keep(key != "direction" ? value
                                                                         : value == "in"  ? "input"
                                                                         : value == "out" ? "output"
                                                                                          : value));
        }
        around_.push_back(&made);
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
    ElementTree made = XmlReader{root.child("files")}.run(root.child("netlist"));
    return made.top() ? std::optional{std::move(made)} : std::nullopt;
}

} // namespace sme::verilator
