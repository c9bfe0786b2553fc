// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/type_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/syntax/statements.hpp"

namespace sme::yaml {

namespace {

/// Returns bytes [begin, end) of a text as a separate text, without surrounding spaces.
Node cut(const Node& node, std::size_t begin, std::size_t end) {
    const std::string& text = node.text.text;
    while (begin < end && text[begin] == ' ')
        ++begin;
    while (end > begin && text[end - 1] == ' ')
        --end;
    Node made;
    made.kind = Node::Kind::text;
    made.text.source = node.text.source;
    made.text.text = text.substr(begin, end - begin);
    made.text.offsets.assign(node.text.offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                             node.text.offsets.begin() + static_cast<std::ptrdiff_t>(end + 1));
    made.where = node.text.at(begin, end);
    return made;
}

class TypeReader {
public:
    explicit TypeReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    /// Reads "name", "name(T, U)" or, for an enumeration, "name u7".
    void read(const Node& key, const Node& value, std::vector<NamedTypeSyntax>& into) {
        NamedTypeSyntax made;
        made.key = key.where;
        if (!value.is_list() && key.text.text.find('(') != std::string::npos) {
            if (!read_generic(key, made))
                return;
        } else if (!read_name(key, value.is_list(), made))
            return;
        made.type = value.is_list() ? enumeration(value) : type(value);
        into.push_back(std::move(made));
    }

private:
    bool read_name(const Node& key, bool enumeration, NamedTypeSyntax& made) {
        const std::string& text = key.text.text;
        const std::size_t space = enumeration ? text.find(' ') : std::string::npos;
        const Node name = space == std::string::npos ? key : cut(key, 0, space);
        if (!is_name(name, "a type", diagnostics_))
            return false;
        made.name = {name.text.text, name.where};
        if (space == std::string::npos)
            return true;
        const Node width = cut(key, space, text.size());
        made.width_where = width.where;
        made.width = expr::parse_expression(width.text, diagnostics_);
        return made.width != nullptr;
    }

    bool read_generic(const Node& key, NamedTypeSyntax& made) {
        using Kind = expr::Ast::Kind;
        const expr::AstRef ast = expr::parse_expression(key.text, diagnostics_);
        if (!ast)
            return false;
        if (ast->kind != Kind::call || ast->operands.size() < 2 ||
            std::any_of(ast->operands.begin(), ast->operands.end(),
                        [](const expr::AstRef& operand) { return operand->kind != Kind::name; })) {
            diagnostics_.add(Code::bad_name, key.where,
                             "a type with parameters is written 'Name(T)' or 'Name(T, U)'");
            return false;
        }
        made.name = {ast->operands[0]->text, key.where};
        for (std::size_t k = 1; k < ast->operands.size(); ++k)
            made.parameters.push_back({ast->operands[k]->text, ast->operands[k]->where});
        return true;
    }

    /// Reads a text or a map of fields. The result is empty if unreadable.
    TypeSyntax type(const Node& node) {
        constexpr std::size_t max_fields = 4096;
        TypeSyntax made;
        made.where = node.where;
        if (node.is_text())
            made.ast = expr::parse_expression(node.text, diagnostics_);
        else if (node.is_list())
            diagnostics_.add(Code::bad_type, node.where,
                             "an enumeration has a name of its own; declare it under 'types'");
        else if (!node.is_map())
            wrong_shape(node, "a type, or a map of fields", diagnostics_);
        else if (node.entries.empty())
            diagnostics_.add(Code::bad_type, node.where, "a struct has at least one field");
        else if (node.entries.size() > max_fields)
            diagnostics_.add(Code::too_large, node.where,
                             fmt::format("a struct has at most {} fields, but this has {}",
                                         max_fields, node.entries.size()));
        else
            for (const auto& [key, value] : node.entries)
                read_field(key, value, made.fields);
        return made;
    }

    /// Reads "name: type" or "back name: type".
    void read_field(const Node& key, const Node& value, std::vector<FieldSyntax>& into) {
        Node name = key;
        const bool back = key.text.text.starts_with("back ");
        if (back)
            name.text = tail(key.text, key.text.text.find_first_not_of(' ', 4));
        if (is_name(name, "a field", diagnostics_))
            into.push_back({{name.text.text, name.where}, back, type(value)});
    }

    TypeSyntax enumeration(const Node& list) {
        constexpr std::size_t most = 4096;
        TypeSyntax made;
        made.where = list.where;
        if (list.items.empty() || list.items.size() > most)
            diagnostics_.add(Code::bad_type, list.where,
                             fmt::format("an enumeration has 1 to {} members, but this has {}",
                                         most, list.items.size()));
        else
            for (const Node& item : list.items)
                read_member(item, made.members);
        return made;
    }

    /// Reads "idle" or "idle = 3".
    void read_member(const Node& item, std::vector<MemberSyntax>& into) {
        if (!item.is_text())
            return wrong_shape(item, "a member, as in 'idle' or 'idle = 3'", diagnostics_);
        const std::string& text = item.text.text;
        const std::size_t equals = text.find('=');
        const Node name = cut(item, 0, std::min(equals, text.size()));
        if (!is_name(name, "a member", diagnostics_))
            return;
        expr::AstRef value;
        if (equals != std::string::npos)
            value = expr::parse_expression(cut(item, equals + 1, text.size()).text, diagnostics_);
        into.push_back({{name.text.text, name.where}, std::move(value), item.where});
    }

    Diagnostics& diagnostics_;
};

} // namespace

std::vector<NamedTypeSyntax> read_types(const Node& section, Diagnostics& diagnostics) {
    std::vector<NamedTypeSyntax> made;
    if (!is_map_or_empty(section, "a map of types", diagnostics))
        return made;
    for (const auto& [key, value] : section.entries)
        TypeReader{diagnostics}.read(key, value, made);
    return made;
}

} // namespace sme::yaml
