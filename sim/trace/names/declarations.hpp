// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "runtime/observer.hpp"
#include "sme/type.hpp"
#include "trace/collect/change_finder.hpp"

namespace sme::trace {

/// Declares scopes, variables and comments, in a file of any format; omits scopes and comments
/// without a variable.
class Declarations {
public:
    enum class ScopeKind : std::uint8_t { part, structure };

    virtual ~Declarations() = default;

    void open_scope(std::string_view name, ScopeKind kind = ScopeKind::part) {
        scopes_.push_back({std::string{name}, kind});
    }
    void close_scope();
    /// Sets the comment before the next declaration in the open scope. Empty: no comment.
    void comment(std::string text);
    /// Drops the comments in the open scope that no declaration follows.
    void drop_comments();
    /// Returns the number of the new signal.
    std::uint32_t variable(std::string_view name, const Type& type);

    /// Declares another name of the first signal, the clock.
    void clock(std::string_view name);

    std::uint32_t signals() const { return signals_; }

protected:
    virtual void write_scope(const std::string& name, ScopeKind kind) = 0;
    virtual void write_scope_end() = 0;
    virtual void write_comment(const std::string& text) = 0;
    virtual void write_variable(std::uint32_t signal, std::string_view name, const Type& type) = 0;
    virtual void write_clock(std::string_view name) = 0;

private:
    void write_comments(std::size_t depth);
    void write_what_waits();

    struct OpenScope {
        std::string name;
        ScopeKind kind;
    };
    std::vector<OpenScope> scopes_; // the first `written_` scopes are in the file
    std::size_t written_ = 0;
    struct Comment {
        std::size_t depth; // number of scopes that were open
        std::string text;
    };
    std::vector<Comment> comments_;
    std::uint32_t signals_ = 0;
};

/// Appends "name [7:0]", or only the name for one bit.
void append_reference(std::string& text, std::string_view name, std::uint64_t width_bits);

/// Declares all traced parts of a network, with a scope per level, and gives the finder the
/// positions of the values. Signal 0 is the clock. Returns the number of signals, including the
/// clock.
std::uint32_t declare(const Observed& observed, const Traced& traced, Declarations& declarations,
                      ChangeFinder& finder);

/// The declarations of a VCD file.
class VcdDeclarations final : public Declarations {
public:
    explicit VcdDeclarations(OutputFile& file) : file_{file} {}

private:
    void write_scope(const std::string& name, ScopeKind kind) override;
    void write_scope_end() override;
    void write_comment(const std::string& text) override;
    void write_variable(std::uint32_t signal, std::string_view name, const Type& type) override;
    void write_clock(std::string_view name) override;

    OutputFile& file_;
    std::string line_;
};

} // namespace sme::trace
