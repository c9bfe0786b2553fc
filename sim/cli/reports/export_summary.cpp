// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/export_summary.hpp"

#include <fmt/format.h>

#include "base/shown_text.hpp"
#include "cli/reports/counted.hpp"

namespace sme::cli {

std::string export_summary(const hdl::Exported& exported, const std::string& folder,
                           std::uint64_t cycles) {
    return fmt::format(
        "{}: {}{} in {}, a test bench of {}\n", exported.top,
        counted(exported.trees.size(), "module", "modules"),
        exported.sources.empty()
            ? ""
            : fmt::format(" and {} of others", counted(exported.sources.size(), "file", "files")),
        shown_text(folder), counted(cycles, "cycle", "cycles"));
}

std::string left_out_line(const hdl::Exported& exported) {
    if (exported.left_out.empty())
        return {};
    return fmt::format("  left out     {}\n",
                       shown_text(fmt::format("{}", fmt::join(exported.left_out, ", "))));
}

} // namespace sme::cli
