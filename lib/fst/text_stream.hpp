// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <sys/types.h>

namespace sme::fst {

/// The text of an FST file, as a VCD file has it, through a pipe.
///
/// The library trusts what it reads: a wrong length in a file lets it read and write anywhere, or
/// for ever. So the file is looked through first (structure.hpp), and the library reads it in a
/// process of its own, which has no other files, no more memory than a file of that size needs, and
/// ends when it computes for long without writing anything. That such a process ended in another
/// way than it should is a problem of the file.
class TextStream {
public:
    /// `descriptor` is an open regular file of that name, which stays the caller's.
    TextStream(int descriptor, const std::string& path);
    ~TextStream();
    TextStream(const TextStream&) = delete;
    TextStream& operator=(const TextStream&) = delete;

    /// Why there is nothing to read; empty when there is.
    const std::string& problem() const { return problem_; }
    /// Where the text is read.
    int descriptor() const { return pipe_; }
    /// After the last byte: why there should be more; empty when that was all.
    std::string end();

private:
    std::string problem_;
    int pipe_ = -1;
    pid_t process_ = -1;
};

} // namespace sme::fst
