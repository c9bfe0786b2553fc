// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <sys/types.h>

namespace sme::fst {

/// The text of an FST file in VCD format, through a pipe.
///
/// The library trusts its input: a wrong length in a file lets it access any memory or loop
/// forever. So the file is checked first (structure.hpp), and the library reads it in a separate
/// process that has no other files, has only as much memory as a file of this size needs, and is
/// ended if it computes for long without output. If this process ends abnormally, that is reported
/// as a problem of the file.
class TextStream {
public:
    /// `descriptor` is an open regular file of that name; the caller keeps ownership.
    TextStream(int descriptor, const std::string& path);
    ~TextStream();
    TextStream(const TextStream&) = delete;
    TextStream& operator=(const TextStream&) = delete;

    /// Returns why there is nothing to read; empty on success.
    const std::string& problem() const { return problem_; }
    /// Returns the descriptor from which to read the text.
    int descriptor() const { return pipe_; }
    /// Call it after the last byte: returns why the text is incomplete; empty if it is complete.
    std::string end();

private:
    std::string problem_;
    int pipe_ = -1;
    [[maybe_unused]] pid_t process_ = -1; // not where there are no processes
};

} // namespace sme::fst
