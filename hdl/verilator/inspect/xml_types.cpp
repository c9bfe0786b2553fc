// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/xml_types.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

namespace sme::verilator {

namespace {

constexpr int deepest = 100;

} // namespace

bool constant_of(const pugi::xml_node& element, std::uint64_t& value) {
    if (std::strcmp(element.name(), "const") != 0)
        return false;
    const std::string_view text = element.attribute("name").value();
    const std::size_t digits = text.rfind('h');
    if (digits == std::string_view::npos)
        return false;
    const char* const begin = text.data() + digits + 1;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(begin, end, value, 16);
    return error == std::errc{} && stopped == end && value < (std::uint64_t{1} << 32);
}

XmlTypes::XmlTypes(const pugi::xml_node& table) {
    for (const pugi::xml_node& type : table.children())
        nodes_[type.attribute("id").value()] = type;
    for (const auto& [id, type] : nodes_)
        by_id(id, 0);
}

const XmlTypes::Info& XmlTypes::of(const pugi::xml_node& element) const {
    const auto found = known_.find(element.attribute("dtype_id").value());
    return found == known_.end() ? unknown_ : found->second;
}

XmlTypes::Info XmlTypes::by_id(const std::string& id, int depth) {
    if (const auto found = known_.find(id); found != known_.end())
        return found->second;
    const auto node = nodes_.find(id);
    if (node == nodes_.end() || depth > deepest)
        return unknown_;
    return known_[id] = read(node->second, depth);
}

XmlTypes::Info XmlTypes::read(const pugi::xml_node& type, int depth) {
    const std::string_view kind = type.name();
    const auto sub = [&] { return by_id(type.attribute("sub_dtype_id").value(), depth + 1); };
    if (kind == "basicdtype") {
        const std::string_view name = type.attribute("name").value();
        if (name == "real" || name == "realtime" || name == "string" || name == "event" ||
            name == "chandle")
            return {0, false, 0, 0, {}, std::string{name}};
        const long left = type.attribute("left").as_int(0);
        const long right = type.attribute("right").as_int(0);
        const auto width = static_cast<std::uint64_t>(left > right ? left - right : right - left);
        return {width + 1, type.attribute("signed").as_bool(), 0, 0, {}, {}};
    }
    if (kind == "refdtype" || kind == "enumdtype")
        return sub();
    if (kind == "packarraydtype") {
        Info info = sub();
        std::uint64_t left = 0, right = 0;
        const pugi::xml_node range = type.child("range");
        if (!constant_of(range.first_child(), left) || !constant_of(range.last_child(), right))
            return unknown_;
        info.width *= (left > right ? left - right : right - left) + 1;
        info.is_signed = false;
        return info;
    }
    if (kind == "structdtype") {
        Info info;
        for (const pugi::xml_node& member : type.children("memberdtype"))
            info.width += by_id(member.attribute("sub_dtype_id").value(), depth + 1).width;
        return info;
    }
    if (kind == "uniondtype") {
        Info info;
        for (const pugi::xml_node& member : type.children("memberdtype"))
            info.width = std::max(info.width,
                                  by_id(member.attribute("sub_dtype_id").value(), depth + 1).width);
        return info;
    }
    if (kind == "unpackarraydtype") {
        const Info of = sub();
        std::uint64_t left = 0, right = 0;
        const pugi::xml_node range = type.child("range");
        Info info{0, of.is_signed, 0, 0, {}, "an unpacked array"};
        if (constant_of(range.first_child(), left) && constant_of(range.last_child(), right)) {
            info.elements = (left > right ? left - right : right - left) + 1;
            info.ranges.push_back({std::min(left, right), info.elements});
            info.ranges.insert(info.ranges.end(), of.ranges.begin(), of.ranges.end());
            info.each = of.elements > 0 ? of.each : of.width;
            info.elements *= of.elements > 0 ? of.elements : info.each > 0 ? 1 : 0;
        }
        return info;
    }
    return {0, false, 0, 0, {}, "of a type that has no bits"};
}

/// An enumeration has lost its members where its type was resolved, but not the name of its type.
PortShape XmlTypes::shape_of(const pugi::xml_node& element) const {
    PortShape made = shape(element.attribute("dtype_id").value(), 0);
    const std::string name = element.attribute("vartype").value();
    if (!made.names.empty() || name.empty())
        return made;
    PortShape found;
    int count = 0;
    for (const auto& [id, type] : nodes_) {
        const std::string full = type.attribute("name").value();
        if (std::strcmp(type.name(), "enumdtype") != 0 ||
            (full != name && !full.ends_with("::" + name) && !full.ends_with("." + name)))
            continue;
        found = shape(id, 0);
        ++count;
    }
    return count == 1 && found.width == made.width ? found : made;
}

PortShape XmlTypes::shape(const std::string& id, int depth) const {
    PortShape made;
    const auto node = nodes_.find(id);
    if (node == nodes_.end() || depth > deepest)
        return made;
    const pugi::xml_node& type = node->second;
    const std::string_view kind = type.name();
    if (kind == "refdtype")
        return shape(type.attribute("sub_dtype_id").value(), depth + 1);
    if (const auto known = known_.find(id); known != known_.end())
        made.width = static_cast<unsigned>(std::min<std::uint64_t>(known->second.width, ~0U));
    if (kind == "structdtype")
        for (const pugi::xml_node& member : type.children("memberdtype")) {
            made.names.emplace_back(member.attribute("name").value());
            made.fields.push_back(shape(member.attribute("sub_dtype_id").value(), depth + 1));
        }
    if (kind == "enumdtype")
        for (const pugi::xml_node& item : type.children("enumitem")) {
            std::uint64_t value = 0;
            if (!constant_of(item.first_child(), value))
                return {{}, made.width, {}, {}, {}};
            made.names.emplace_back(item.attribute("name").value());
            made.values.push_back(value);
        }
    if (!made.names.empty())
        made.type = type.attribute("name").value();
    return made;
}

} // namespace sme::verilator
