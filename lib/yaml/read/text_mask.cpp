// SPDX-License-Identifier: Apache-2.0
#include "yaml/read/text_mask.hpp"

#include <algorithm>

#include "yaml/read/plain_maps.hpp"

namespace sme::yaml {

namespace {

constexpr std::string_view key = "print";

/// Returns true if only indentation and list dashes precede a key on its line.
bool begins_entry(std::string_view text, std::size_t key_begin) {
    const std::size_t line = text.rfind('\n', key_begin) + 1; // npos + 1 is 0
    for (std::size_t at = key_begin == 0 ? 0 : line; at < key_begin; ++at)
        if (text[at] != ' ' && text[at] != '-')
            return false;
    return true;
}

/// Returns the start of the quoted text after a key, or npos.
std::size_t quote_behind(std::string_view text, std::size_t at) {
    at = std::min(text.find_first_not_of(' ', at), text.size());
    if (at == text.size() || text[at] != ':')
        return std::string_view::npos;
    at = text.find_first_not_of(" \t\r\n", at + 1);
    return at != std::string_view::npos && text[at] == '"' ? at : std::string_view::npos;
}

} // namespace

TextMask::TextMask(const Source& source) : source_{source.text()} {
    constexpr char cover = 'q'; // any letter: neither a YAML indicator nor a blank
    for (std::size_t at = source_.find(key); at != std::string_view::npos;
         at = source_.find(key, at + 1)) {
        if (!begins_entry(source_, at))
            continue;
        const std::size_t open = quote_behind(source_, at + key.size());
        const std::size_t close =
            open == std::string_view::npos ? open : closing_quote(source_, open);
        if (close == std::string_view::npos)
            continue;
        if (covered_.empty())
            covered_ = source_;
        std::fill(covered_.begin() + static_cast<std::ptrdiff_t>(open),
                  covered_.begin() + static_cast<std::ptrdiff_t>(close) + 1, cover);
        at = close;
    }
    const std::vector<std::size_t> maps = bytes_of_plain_maps(source_);
    if (covered_.empty() && !maps.empty())
        covered_ = source_;
    for (const std::size_t at : maps)
        covered_[at] = cover;
}

void TextMask::restore(expr::Text& value) const {
    if (covered_.empty())
        return;
    for (std::size_t k = 0; k < value.text.size(); ++k)
        if (const std::uint32_t at = value.offsets[k];
            at < covered_.size() && covered_[at] == value.text[k])
            value.text[k] = source_[at];
}

} // namespace sme::yaml
