// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>

#include "engine/engine.hpp"

namespace sme::cli {

/// Prints the lines of processes to standard output.
class StandardOutput final : public engine::PrintSink {
public:
    void print(const std::string& line) override {
        if (before_print)
            before_print();
        write(line + '\n');
    }
    void write(const std::string& text) {
        if (error_ == 0 && std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
            error_ = errno;
    }
    void flush() {
        if (error_ == 0 && std::fflush(stdout) != 0)
            error_ = errno;
    }
    /// An errno; 0 if all writes succeeded.
    int error() const { return error_; }

    /// Called before each line that a process prints, to clear the terminal line. May be empty.
    std::function<void()> before_print{};

private:
    int error_ = 0;
};

} // namespace sme::cli
