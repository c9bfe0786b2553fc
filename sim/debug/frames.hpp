// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sme::debug {

/// Extracts messages of the Debug Adapter Protocol from a byte stream: a header with
/// Content-Length, an empty line, and the content. The other side may send anything.
class Frames {
public:
    static constexpr std::size_t max_header = 4096;
    static constexpr std::size_t max_message = std::size_t{1} << 24;

    void feed(std::string_view bytes) { waiting_ += bytes; }
    /// Returns the next complete message. `nullopt` if more bytes are needed, or after a problem.
    std::optional<std::string> next();
    /// Why the stream is invalid, so that no further message can be found; or empty.
    const std::string& problem() const { return problem_; }

    static std::string framed(const std::string& message);

private:
    bool read_header();

    std::string waiting_;
    std::optional<std::size_t> length_; // of the message at the start of `waiting_`
    std::string problem_;
};

} // namespace sme::debug
