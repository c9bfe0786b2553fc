// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/files.hpp"

namespace sme {

/// A new folder below the system's temporary folder, removed by the destructor.
class TemporaryFolder {
public:
    /// Its name begins with `name`. The path is empty if the folder could not be created.
    explicit TemporaryFolder(const std::string& name) {
        std::error_code error;
        std::string made =
            (std::filesystem::temp_directory_path(error) / (name + "-XXXXXX")).string();
        if (::mkdtemp(made.data()))
            path_ = made;
        else
            problem_ = "no temporary folder can be made, '" + made + "': " + std::strerror(errno);
    }
    ~TemporaryFolder() {
        std::error_code error;
        if (!path_.empty())
            std::filesystem::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }
    /// Returns why the path is empty.
    const std::string& problem() const { return problem_; }

private:
    std::string path_;
    std::string problem_;
};

/// Returns why a program could not write to a folder: "cannot write ...: No space left on device";
/// empty if writing works. For programs that do not report the reason themselves.
inline std::string why_unwritable(const std::string& folder) {
    OutputFile probe{folder + "/probe"};
    probe.write(std::string(std::size_t{1} << 16, ' '));
    probe.flush();
    return probe.problem();
}

} // namespace sme
