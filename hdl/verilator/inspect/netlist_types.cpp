// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/netlist_types.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace sme::verilator {

namespace {

constexpr int deepest = 100;

long number_of(std::string_view text) {
    long value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// The declared bounds of an array.
struct Bounds {
    std::int64_t left = 0;
    std::int64_t right = 0;

    VerilogRange range() const {
        return {std::min(left, right), static_cast<std::uint64_t>(std::abs(left - right)) + 1};
    }
};

/// Returns bounds, which are 32-bit integers: "32'hffffffff" is -1.
std::optional<Bounds> bounds_of(Element type) {
    const Element range = type.child("range");
    std::uint64_t left = 0, right = 0;
    if (!constant_of(range.first_child(), left) || !constant_of(range.last_child(), right))
        return std::nullopt;
    return Bounds{static_cast<std::int32_t>(left), static_cast<std::int32_t>(right)};
}

/// Returns the name of a type that Verilator's --savable omits, or writes as an address; else "".
const char* unsaved_kind(std::string_view kind) {
    using namespace std::string_view_literals;
    static constexpr std::array all{std::pair{"assocarraydtype"sv, "the associative array"},
                                    std::pair{"chandle"sv, "the handle"},
                                    std::pair{"classrefdtype"sv, "the object"},
                                    std::pair{"dynarraydtype"sv, "the dynamic array"},
                                    std::pair{"event"sv, "the event"},
                                    std::pair{"ifacerefdtype"sv, "the virtual interface"},
                                    std::pair{"queuedtype"sv, "the queue"},
                                    std::pair{"wildcardarraydtype"sv, "the associative array"}};
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == kind; });
    return found == all.end() ? "" : found->second;
}

/// Returns "flit_t" for "flit_t__struct__0", as the XML of some versions names it.
std::string written_name(std::string_view name) {
    return std::string{name.substr(0, name.find("__struct__"))};
}

} // namespace

bool constant_of(Element element, std::uint64_t& value) {
    if (element.kind() != "const")
        return false;
    const std::string_view text = element.name();
    const std::size_t digits = text.rfind('h');
    if (digits == std::string_view::npos)
        return false;
    const char* const begin = text.data() + digits + 1;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(begin, end, value, 16);
    return error == std::errc{} && stopped == end && value < (std::uint64_t{1} << 32);
}

NetlistTypes::NetlistTypes(Element table) {
    for (Element type : table.children())
        nodes_[type.attribute("id")] = type;
    for (Element select : table.parent().below("structsel"))
        selected_.insert(select.first_child().attribute("dtype_id"));
    for (const auto& [id, type] : nodes_)
        by_id(id, 0);
}

/// Tests a structure. Verilator 5.006 names packed ones as the source does; the XML of later
/// versions does not tell, but there fields of packed ones have become bit ranges.
bool NetlistTypes::is_unpacked(Element type) const {
    const std::string_view name = type.name();
    const std::size_t end = name.find_last_not_of("0123456789") + 1;
    return type.has("unpacked") || selected_.contains(type.attribute("id")) ||
           (end < name.size() && name.substr(0, end).ends_with("__struct"));
}

const NetlistTypes::Info& NetlistTypes::of(Element element) const {
    const auto found = known_.find(element.attribute("dtype_id"));
    return found == known_.end() ? unknown_ : found->second;
}

NetlistTypes::Info NetlistTypes::by_id(std::string_view id, int depth) {
    if (const auto found = known_.find(id); found != known_.end())
        return found->second;
    const auto node = nodes_.find(id);
    if (node == nodes_.end() || depth > deepest)
        return unknown_;
    return known_[id] = read(node->second, depth);
}

NetlistTypes::Info NetlistTypes::read(Element type, int depth) {
    const std::string_view kind = type.kind();
    const auto sub = [&] { return by_id(type.attribute("sub_dtype_id"), depth + 1); };
    if (kind == "basicdtype") {
        const std::string_view name = type.name();
        if (name == "real" || name == "realtime" || name == "string" || name == "event" ||
            name == "chandle")
            return {0, false, 0, 0, {}, std::string{name}, {}, false, unsaved_kind(name)};
        const long left = number_of(type.attribute("left"));
        const long right = number_of(type.attribute("right"));
        const auto width = static_cast<std::uint64_t>(left > right ? left - right : right - left);
        return {width + 1, type.has("signed"), 0, 0, {}, {}};
    }
    if (kind == "refdtype" || kind == "enumdtype")
        return sub();
    if (kind == "packarraydtype") {
        Info info = sub();
        const std::optional<Bounds> bounds = bounds_of(type);
        if (!bounds)
            return unknown_;
        info.width *= bounds->range().count;
        info.is_signed = false;
        info.packed = true;
        return info;
    }
    if (kind == "structdtype" && is_unpacked(type))
        return {0, false, 0, 0, {}, "an unpacked structure", {}, false, "the unpacked structure"};
    if (kind == "structdtype") {
        Info info;
        for (Element member : type.children("memberdtype"))
            info.width += by_id(member.attribute("sub_dtype_id"), depth + 1).width;
        return info;
    }
    if (kind == "uniondtype") {
        Info info;
        for (Element member : type.children("memberdtype"))
            info.width =
                std::max(info.width, by_id(member.attribute("sub_dtype_id"), depth + 1).width);
        return info;
    }
    if (kind == "unpackarraydtype") {
        const Info of = sub();
        Info info{0, of.is_signed, 0, 0, {}, "an unpacked array"};
        if (const std::optional<Bounds> bounds = bounds_of(type)) {
            info.ranges.push_back(bounds->range());
            info.ranges.insert(info.ranges.end(), of.ranges.begin(), of.ranges.end());
            info.dimensions = fmt::format("[{}:{}]{}", bounds->left, bounds->right, of.dimensions);
            info.packed = of.packed;
            info.unsaved = of.unsaved;
            info.elements = info.ranges.front().count;
            info.each = of.elements > 0 ? of.each : of.width;
            info.elements *= of.elements > 0 ? of.elements : info.each > 0 ? 1 : 0;
        }
        return info;
    }
    return {0, false, 0, 0, {}, "of a type that has no bits", {}, false, unsaved_kind(kind)};
}

/// Looks an enumeration up by name, because resolving its type loses the members.
PortShape NetlistTypes::shape_of(Element element) const {
    PortShape result = shape(element.attribute("dtype_id"), 0);
    const std::string name{element.attribute("vartype")};
    if (!result.names.empty() || name.empty())
        return result;
    PortShape found;
    int count = 0;
    for (const auto& [id, type] : nodes_) {
        const std::string_view full = type.name();
        if (type.kind() != "enumdtype" ||
            (full != name && !full.ends_with("::" + name) && !full.ends_with("." + name)))
            continue;
        found = shape(id, 0);
        ++count;
    }
    return count == 1 && found.width == result.width ? found : result;
}

PortShape NetlistTypes::shape(std::string_view id, int depth) const {
    PortShape result;
    const auto node = nodes_.find(id);
    if (node == nodes_.end() || depth > deepest)
        return result;
    Element type = node->second;
    const std::string_view kind = type.kind();
    if (kind == "refdtype")
        return shape(type.attribute("sub_dtype_id"), depth + 1);
    if (const auto known = known_.find(id); known != known_.end())
        result.width = static_cast<unsigned>(std::min<std::uint64_t>(known->second.width, ~0U));
    if (kind == "structdtype")
        for (Element member : type.children("memberdtype")) {
            result.names.emplace_back(member.name());
            result.fields.push_back(shape(member.attribute("sub_dtype_id"), depth + 1));
        }
    if (kind == "enumdtype")
        for (Element item : type.children("enumitem")) {
            std::uint64_t value = 0;
            if (!constant_of(item.first_child(), value))
                return {{}, result.width, {}, {}, {}};
            result.names.emplace_back(item.name());
            result.values.push_back(value);
        }
    if (!result.names.empty())
        result.type = written_name(type.name());
    return result;
}

} // namespace sme::verilator
