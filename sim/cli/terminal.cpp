// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

#include "bits/integer.hpp"

namespace sme::cli {

std::size_t output_columns() {
    constexpr std::size_t least = 20, usual = 80, most = 100'000;
    if (const char* const given = std::getenv("COLUMNS"))
        if (const auto columns = parse_integer(given); columns && *columns > 0)
            return static_cast<std::size_t>(std::clamp<Integer>(*columns, least, most));
    struct winsize window {};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return std::max<std::size_t>(window.ws_col, least);
    return usual;
}

std::size_t output_lines() {
    constexpr std::size_t usual = 24;
    struct winsize window {};
    const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 0;
    return known ? window.ws_row : usual;
}

bool output_takes_unicode() {
    if (::isatty(STDOUT_FILENO) == 0)
        return true;
    for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) // in the order of POSIX
        if (const char* const value = std::getenv(name); value && *value != '\0') {
            std::string locale{value};
            std::transform(locale.begin(), locale.end(), locale.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            return locale.find("utf-8") != std::string::npos ||
                   locale.find("utf8") != std::string::npos;
        }
    return false;
}

} // namespace sme::cli
