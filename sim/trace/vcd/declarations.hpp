// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"

namespace sme::trace {

/// Writes scopes, variables and comments; a scope or comment without a variable is left out.
class Declarations {
public:
    explicit Declarations(OutputFile& file) : file_{file} {}

    void open_scope(std::string_view name) { scopes_.emplace_back(name); }
    void close_scope();
    /// Stands before what comes next in the open scope. Empty: no comment.
    void comment(std::string text);
    /// Forgets comments in the open scope that nothing came after.
    void drop_comments();
    /// Returns the number of the new signal.
    std::uint32_t variable(std::string_view name, std::uint64_t width_bits);

    /// Another name of the first signal, which is the clock.
    void clock(std::string_view name);

    std::uint32_t signals() const { return signals_; }

private:
    void write_comments(std::size_t depth);
    void write_what_waits();

    OutputFile& file_;
    std::vector<std::string> scopes_; // that are open; the first `written_` of them in the file
    std::size_t written_ = 0;
    struct Comment {
        std::size_t depth; // how many scopes were open
        std::string text;
    };
    std::vector<Comment> comments_;
    std::uint32_t signals_ = 0;
    std::string line_;
};

} // namespace sme::trace
