// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace sme::test {

/// Returns the content of a file; empty if it does not exist.
inline std::string text_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// A new temporary folder, removed by the destructor.
class Scratch {
public:
    Scratch() {
        std::string result = (std::filesystem::temp_directory_path() / "sme-test-XXXXXX").string();
        if (!::mkdtemp(result.data()))
            std::abort();
        folder_ = result;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::string path() const { return folder_.string(); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    /// Copies the contents of a folder; files that vanish meanwhile are left out.
    void copy(const std::string& folder) const {
        for (const auto& entry : std::filesystem::recursive_directory_iterator{folder}) {
            const auto to = folder_ / entry.path().lexically_relative(folder);
            std::error_code vanished;
            if (entry.is_directory(vanished))
                std::filesystem::create_directories(to);
            else
                std::filesystem::copy_file(entry.path(), to, vanished);
        }
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream{folder_ / name, std::ios::binary} << text;
    }
    /// Returns the names of all its files, in order.
    std::vector<std::string> files() const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator{folder_})
            found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    std::filesystem::path folder_;
};

} // namespace sme::test
