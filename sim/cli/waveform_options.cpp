// SPDX-License-Identifier: Apache-2.0
#include "cli/waveform_options.hpp"

#include <fmt/format.h>

namespace sme::cli {

std::optional<std::string> check_waveform_options(const Options& options) {
    const bool nothing_drawn = options.show.empty() && options.wavedrom.empty();
    for (const auto& [name, given] :
         {std::pair{"from", options.from.has_value()}, std::pair{"to", options.to.has_value()}})
        if (given && nothing_drawn)
            return fmt::format("'--{}' says which cycles are drawn; give --show GLOB or "
                               "--wavedrom FILE as well",
                               name);
    if (options.ascii && options.show.empty())
        return "'--ascii' says how a waveform is drawn; give --show GLOB as well";
    if (options.to && *options.to <= options.from.value_or(0))
        return fmt::format("--to is the cycle after the last one that is drawn, but {} is not "
                           "after {}, with which it begins",
                           *options.to, options.from.value_or(0));
    for (const std::string& path : options.wavedrom)
        if (!path.ends_with(".json") && !path.ends_with(".svg"))
            return fmt::format("--wavedrom writes FILE.json (WaveJSON) or FILE.svg, but this "
                               "is '{}'",
                               path);
    return std::nullopt;
}

} // namespace sme::cli
