// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <cstdlib>

namespace sme::verilator {

/// A folder for what is read once, removed at the end.
class Temporary {
public:
    Temporary() {
        std::error_code error;
        std::string made =
            (std::filesystem::temp_directory_path(error) / "sme-verilog-XXXXXX").string();
        if (::mkdtemp(made.data()))
            path_ = made;
    }
    ~Temporary() {
        std::error_code error;
        if (!path_.empty())
            std::filesystem::remove_all(path_, error);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace sme::verilator
