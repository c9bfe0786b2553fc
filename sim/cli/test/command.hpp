// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace sme::test {

inline std::string text_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A folder of one's own, removed at the end.
class Scratch {
public:
    Scratch() {
        std::string made = (std::filesystem::temp_directory_path() / "sme-test-XXXXXX").string();
        if (!::mkdtemp(made.data()))
            std::abort();
        folder_ = made;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void copy(const std::string& folder) const {
        std::filesystem::copy(folder, folder_, std::filesystem::copy_options::recursive);
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream{folder_ / name, std::ios::binary} << text;
    }
    /// The names of all files in it.
    std::vector<std::string> files() const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator{folder_})
            found.push_back(entry.path().filename().string());
        return found;
    }

private:
    std::filesystem::path folder_;
};

/// A finished run of the command (or of any program, with its path), by a shell.
struct Command {
    enum Program { sme, any_program };
    int exit_code = -1;
    std::string out;
    std::string err;

    explicit Command(const std::string& line, Program program = sme) {
        const Scratch scratch;
        const std::string command = (program == sme ? SME_COMMAND " " : "") + line;
        const std::string whole = "( " + command + " ) >" + scratch.path("out") + " 2>" +
                                  scratch.path("err") + " </dev/null";
        const int status = std::system(whole.c_str());
        exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        out = text_of(scratch.path("out"));
        err = text_of(scratch.path("err"));
    }
};

} // namespace sme::test
