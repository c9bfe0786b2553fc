// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/names.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sme::verilator {

std::string name_of(const std::string& key) {
    std::string made;
    for (std::size_t at = 0; at < key.size();) {
        unsigned sign = 0;
        const char* const digits = key.data() + at + 3;
        const bool spelt = key.compare(at, 3, "__0") == 0 && at + 5 <= key.size() &&
                           std::from_chars(digits, digits + 2, sign, 16).ptr == digits + 2;
        made += spelt ? static_cast<char>(sign) : key[at];
        at += spelt ? 5 : 1;
    }
    return made;
}

std::string key_of(const std::string& name) {
    std::string made;
    for (std::size_t at = 0; at < name.size(); ++at) {
        made += name[at];
        if (name.compare(at, 2, "__") == 0) {
            made += "__05F";
            ++at;
        }
    }
    return made;
}

bool is_word(std::string_view name) {
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
           std::all_of(name.begin(), name.end(),
                       [](unsigned char sign) { return std::isalnum(sign) != 0 || sign == '_'; });
}

} // namespace sme::verilator
