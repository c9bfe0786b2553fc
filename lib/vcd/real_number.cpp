// SPDX-License-Identifier: Apache-2.0
#include "vcd/real_number.hpp"

#include <cstdlib>
#include <string>

#include <locale.h> // newlocale, of POSIX

namespace sme::vcd {

// Not std::from_chars, which clang's library lacks for reals. The locale is that of C at any time.
std::optional<double> real_number(std::string_view text) {
    static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
    std::string_view digits = text;
    if (digits.starts_with('-'))
        digits.remove_prefix(1);
    constexpr std::string_view firsts = "0123456789.iInN";
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    if (digits.empty() || firsts.find(digits.front()) == firsts.npos || hexadecimal)
        return std::nullopt;
    const std::string whole{text};
    char* end = nullptr;
    const double value = ::strtod_l(whole.c_str(), &end, plain);
    if (end != whole.c_str() + whole.size())
        return std::nullopt;
    return value;
}

} // namespace sme::vcd
