// SPDX-License-Identifier: Apache-2.0
#include "export/modules/module_set.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "export/modules/hdl_value.hpp"
#include "export/modules/module_text.hpp"
#include "export/modules/scope_signals.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

std::string Modules::add(const std::string& wanted, rtl::Module module, bool is_reserved) {
    std::string& name = known_[rtl::verilog(module)]; // its text before it has a name
    if (!name.empty())
        return name;
    const std::string base = identifier(wanted);
    name = base;
    for (int k = 2; !is_reserved && !names_.insert(name).second; ++k)
        name = fmt::format("{}_{}", base, k);
    module.name = name;
    remove_unread(module);
    all_.push_back(std::move(module));
    return name;
}

bool Modules::declares(const std::string& module, const std::string& signal) const {
    // from the end, since callers ask for the last module
    const auto found = std::find_if(all_.rbegin(), all_.rend(),
                                    [&](const rtl::Module& each) { return each.name == module; });
    return found != all_.rend() &&
           std::any_of(found->items.begin(), found->items.end(), [&](const rtl::Item& item) {
               const auto* net = std::get_if<rtl::Net>(&item);
               return net && net->what.name == signal;
           });
}

void Modules::add_foreign(rtl::Module module) {
    const std::string text = rtl::verilog(module);
    if (std::none_of(foreign_.begin(), foreign_.end(),
                     [&](const rtl::Module& each) { return rtl::verilog(each) == text; }))
        foreign_.push_back(std::move(module));
}

Words initial_bits(const Graph& graph, std::uint64_t element, int field) {
    const BusFamily& family = graph.family_of(element);
    const Field* const part =
        field < 0 ? nullptr : &family.type->fields()[static_cast<std::size_t>(field)];
    const Type& type = part ? *part->type : *family.type;
    if (family.initial.empty())
        return Words((type.width_bits() + 63) / 64);
    const std::size_t each = family.type->size();
    const std::size_t at = family.initial.size() == each ? 0 : (element - family.first) * each;
    return packed_slot(type, family.initial.data() + at + (part ? part->offset : 0));
}

namespace {

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return std::string{text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1)};
}

/// Tests whether a line is only a comment.
bool is_comment(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin != std::string_view::npos && line[begin] == '#';
}

std::string comment_of(std::string_view line) {
    char quote = 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (quote != 0)
            quote = line[k] == quote ? 0 : quote;
        else if (line[k] == '"' || line[k] == '\'')
            quote = line[k];
        else if (line[k] == '#' && (k == 0 || line[k - 1] == ' ' || line[k - 1] == '\t'))
            return trimmed(line.substr(k + 1));
    }
    return {};
}

} // namespace

std::vector<std::string> comments_above(const Location& where) {
    std::vector<std::string> found;
    if (!where.source)
        return found;
    for (std::uint32_t line = where.source->position(where.begin).line - 1; line > 0; --line) {
        if (!is_comment(where.source->line(line)))
            break;
        found.push_back(comment_of(where.source->line(line)));
        if (found.back().starts_with("SPDX"))
            found.pop_back();
    }
    while (!found.empty() && found.back().empty()) // the first line
        found.pop_back();
    std::reverse(found.begin(), found.end());
    while (!found.empty() && found.back().empty())
        found.pop_back();
    return found;
}

std::string comment_behind(const Location& where) {
    if (!where.source)
        return {};
    const auto line = where.source->line(where.source->position(where.begin).line);
    return is_comment(line) ? std::string{} : comment_of(line);
}

std::vector<std::string> notes_of(const std::string& name, const Location& where,
                                  const Type& type) {
    std::vector<std::string> notes = comments_above(where);
    if (const std::string behind = comment_behind(where); !behind.empty())
        notes.push_back(behind);
    if (type.kind() != TypeKind::structure)
        return notes;
    std::string fields;
    for (const Field& field : type.fields()) {
        fields += (fields.empty() ? "" : ", ") + field.name;
        if (field.type->width_bits() > 1)
            fields += fmt::format("[{}:0]", field.type->width_bits() - 1);
    }
    notes.push_back(fmt::format("{} is {{{}}}", name, fields));
    return notes;
}

namespace {

/// Breaks one line at spaces and indents the continuation.
void wrap_line(std::string line, std::string_view mark, std::string& into) {
    constexpr std::size_t most = 100;
    const std::size_t indent = line.find_first_not_of(' ');
    const std::size_t comment = line.find(mark);
    if (line.size() > most && comment != std::string::npos && comment > indent + 1) {
        // a trailing comment goes above
        into.append(line, 0, indent).append(line, comment).append("\n");
        line.erase(line.find_last_not_of(' ', comment - 1) + 1);
    }
    const std::string deeper(
        std::min<std::size_t>(indent == std::string::npos ? 0 : indent, 60) + 4, ' ');
    while (line.size() > most && line.find(mark) == std::string::npos) {
        std::size_t at = line.rfind(' ', most);
        if (at == std::string::npos || at <= line.find_first_not_of(' ') + 8)
            at = line.find(' ', most);
        if (at == std::string::npos)
            break;
        into.append(line, 0, at).append("\n");
        line.replace(0, at + 1, deeper);
    }
    into += line + '\n';
}

/// Breaks one line at its marks, indented by the depth of parentheses, and then at spaces.
void wrap_marked(const std::string& line, std::string_view mark, std::string& into) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    std::string part;
    std::size_t depth = 0;
    const auto end = [&] {
        part.erase(part.find_last_not_of(' ') + 1);
        wrap_line(part, mark, into);
    };
    for (const char c : line)
        if (c == line_mark) {
            end();
            part.assign(indent + 4 + 4 * depth, ' ');
        } else {
            depth += c == '(' ? 1 : c == ')' && depth > 0 ? std::size_t(-1) : 0;
            part += c;
        }
    end();
}

} // namespace

std::string wrapped(const std::string& text, const char* comment) {
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        wrap_marked(text.substr(begin, end - begin), comment, result);
        begin = end + 1;
    }
    return result;
}

} // namespace sme::hdl
