// SPDX-License-Identifier: Apache-2.0
#include "native/ir/c_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace sme::native {

std::string CType::name() const {
    return (is_signed ? 'i' : 'u') + std::to_string(bytes * 8);
}

std::string c_name(const std::string& name) {
    static constexpr std::array<std::string_view, 65> words{
        "auto",      "break",      "case",     "char",   "const",    "continue", "default",
        "do",        "double",     "else",     "enum",   "extern",   "float",    "for",
        "goto",      "if",         "inline",   "int",    "long",     "register", "restrict",
        "return",    "short",      "signed",   "sizeof", "static",   "struct",   "switch",
        "typedef",   "union",      "unsigned", "void",   "volatile", "while",    "asm",
        "typeof",    "block",      "b",        "k",      "rare",     "linux",    "unix",
        "reversed",  "mixed",      "main",     "cycle",  "t",        "stopped",  "read",
        "write",     "items",      "lanes",    "data",   "done",     "last",     "before",
        "cycles",    "memcpy",     "memmove",  "memset", "memcmp",   "abort",    "strlen",
        "rawmemchr", "random_bits"};
    std::string made;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            made += c;
        else if (!made.empty() && made.back() != '_')
            made += '_';
    while (!made.empty() && made.back() == '_')
        made.pop_back();
    const bool is_type = made.size() >= 2 && made.size() <= 3 &&
                         (made[0] == 'u' || made[0] == 'i') &&
                         std::isdigit(static_cast<unsigned char>(made[1])) != 0;
    if (made.empty() || is_type || std::isdigit(static_cast<unsigned char>(made[0])) != 0 ||
        std::find(words.begin(), words.end(), made) != words.end())
        made += "_";
    return std::isdigit(static_cast<unsigned char>(made[0])) != 0 ? "n" + made : made;
}

} // namespace sme::native
