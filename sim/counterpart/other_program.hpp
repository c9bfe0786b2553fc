// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace sme::counterpart {

/// A program of driver/link.hpp that runs, and our end of the line to it. Ends it when it goes.
class OtherProgram {
public:
    /// `unwanted`: it is not waited for any longer soon after this becomes true.
    OtherProgram(const std::string& path, std::size_t input_bytes, std::size_t output_bytes,
                 const std::atomic<bool>* unwanted);
    ~OtherProgram();
    OtherProgram(const OtherProgram&) = delete;
    OtherProgram& operator=(const OtherProgram&) = delete;

    enum class Said { outputs, halted, fault, unfitting, gone };
    /// Its next answer; `text` says what went wrong, of a program that is gone: how it ended.
    Said listen();
    /// Runs a cycle with what is in `inputs`; the answer is to be listened to.
    void send(std::uint64_t cycle);

    std::vector<std::byte> inputs, outputs;
    std::string text;

private:
    bool take(void* into, std::size_t bytes);
    Said gone();

    int line_ = -1;
    pid_t process_ = -1;
    const std::atomic<bool>* unwanted_;
};

} // namespace sme::counterpart
