// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sme::test {

/// The rows of a CSV text; cells with a comma are quoted.
inline std::vector<std::vector<std::string>> rows_of(const std::string& text) {
    std::vector<std::vector<std::string>> rows{{""}};
    bool quoted = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (c == '"' && quoted && k + 1 < text.size() && text[k + 1] == '"')
            rows.back().back() += text[++k];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            rows.back().emplace_back();
        else if (c == '\n' && !quoted)
            rows.push_back({""});
        else
            rows.back().back() += c;
    }
    return rows;
}

} // namespace sme::test
