// SPDX-License-Identifier: Apache-2.0
#include "trace/format.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace sme::trace {

extern const Format vcd_format, fst_format, csv_format;

namespace {

/// The first format also applies to unknown extensions.
constexpr std::array formats{&vcd_format, &fst_format, &csv_format};

} // namespace

const Format& format_of(std::string_view path) {
    const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format* format) {
        return path.ends_with(format->ending);
    });
    return found == formats.end() ? *formats[0] : **found;
}

std::string format_names() {
    std::string result;
    for (const Format* format : formats)
        result += fmt::format("{}FILE{}", result.empty() ? "" : "|", format->ending);
    return result;
}

std::string format_texts() {
    std::string result;
    for (const Format* format : formats)
        result += fmt::format("{}{}: {}", result.empty() ? "" : "; ", format->ending, format->text);
    return result;
}

} // namespace sme::trace
