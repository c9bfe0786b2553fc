// SPDX-License-Identifier: Apache-2.0
#include "base/find_program.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sme {

std::optional<std::string> find_program(const std::string& name) {
    const char* const path = std::getenv("PATH");
    std::string_view folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
    while (!folders.empty()) {
        const std::size_t colon = folders.find(':');
        const std::string_view folder = folders.substr(0, colon);
        folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
        const std::string file = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
        struct stat found {};
        if (::stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
            ::access(file.c_str(), X_OK) == 0)
            return file;
    }
    return std::nullopt;
}

std::string running_program() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

} // namespace sme
