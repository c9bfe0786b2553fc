// SPDX-License-Identifier: Apache-2.0
#include "native/ir/c_names.hpp"

#include <cctype>

namespace sme::native {

std::string CType::name() const {
    return (is_signed ? 'i' : 'u') + std::to_string(bytes * 8);
}

std::string c_name(const std::string& name) {
    std::string made = "n";
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
            if (made.back() != '_')
                made += '_';
        } else
            made += made == "n" ? std::string{"_"} + c : std::string{c};
    while (made.back() == '_')
        made.pop_back();
    return made;
}

} // namespace sme::native
