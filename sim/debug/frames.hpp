// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sme::debug {

/// Messages of the Debug Adapter Protocol in a stream of bytes: a header with Content-Length, an
/// empty line, and so many bytes. The other side may send anything.
class Frames {
public:
    static constexpr std::size_t max_header = 4096;
    static constexpr std::size_t max_message = std::size_t{1} << 24;

    void feed(std::string_view bytes) { waiting_ += bytes; }
    /// The next message that is whole. Nothing when more bytes are needed, or after a problem.
    std::optional<std::string> next();
    /// What is wrong with the stream, in which no message can be found any more; or empty.
    const std::string& problem() const { return problem_; }

    static std::string framed(const std::string& message);

private:
    bool read_header();

    std::string waiting_;
    std::optional<std::size_t> length_; // of the message that begins `waiting_`
    std::string problem_;
};

} // namespace sme::debug
