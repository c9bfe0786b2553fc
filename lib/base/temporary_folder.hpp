// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <cstdlib>

namespace sme {

/// A folder of its own below the system's temporary one, removed at the end.
class TemporaryFolder {
public:
    /// Its name begins with `name`. Without a path when it could not be made.
    explicit TemporaryFolder(const std::string& name) {
        std::error_code error;
        std::string made =
            (std::filesystem::temp_directory_path(error) / (name + "-XXXXXX")).string();
        if (::mkdtemp(made.data()))
            path_ = made;
    }
    ~TemporaryFolder() {
        std::error_code error;
        if (!path_.empty())
            std::filesystem::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace sme
