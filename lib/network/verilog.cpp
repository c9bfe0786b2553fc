// SPDX-License-Identifier: Apache-2.0
#include "network/verilog.hpp"

#include <cctype>

namespace sme {

const char* usual_role(const std::string& port) {
    std::string lower = port;
    for (char& letter : lower)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const auto has = [&](const char* part) { return lower.find(part) != std::string::npos; };
    return has("clk") || has("clock") ? "clock" : has("rst") || has("reset") ? "reset" : nullptr;
}

} // namespace sme
