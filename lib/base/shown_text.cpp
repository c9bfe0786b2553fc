// SPDX-License-Identifier: Apache-2.0
#include "base/shown_text.hpp"

#include <fmt/format.h>

namespace sme {

namespace {

/// Returns the length in bytes of the first character; 0 if it is not UTF-8.
std::size_t bytes_of_character(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t bytes = first < 0x80   ? 1
                              : first < 0xc2 ? 0
                              : first < 0xe0 ? 2
                              : first < 0xf0 ? 3
                              : first < 0xf5 ? 4
                                             : 0;
    if (bytes > text.size())
        return 0;
    for (std::size_t k = 1; k < bytes; ++k)
        if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80)
            return 0;
    return bytes;
}

/// ASCII has 33 control characters; Unicode adds 32 from U+0080 on.
bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character.front());
    if (character.size() == 1)
        return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
    return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

} // namespace

std::string shown_text(std::string_view text) {
    std::string made;
    made.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = bytes_of_character(text);
        const std::string_view character = text.substr(0, bytes > 0 ? bytes : 1);
        if (bytes > 0 && !is_control(character))
            made += character;
        else
            for (const char byte : character)
                made += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        text.remove_prefix(character.size());
    }
    return made;
}

} // namespace sme
