// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace sme::cli {

/// A file of a new project, with `my_project` as a placeholder for its name.
struct ProjectFile {
    std::string_view name;
    std::string_view text;
};

/// The files below files/, by name; the build embeds them.
std::span<const ProjectFile> project_files();

} // namespace sme::cli
