// SPDX-License-Identifier: Apache-2.0
#include "trace/vcd/declarations.hpp"

#include <fmt/format.h>

namespace sme::trace {

void Declarations::close_scope() {
    if (written_ == scopes_.size()) {
        write_scope_end();
        --written_;
    }
    scopes_.pop_back();
}

void Declarations::comment(std::string text) {
    if (!text.empty())
        comments_.push_back({scopes_.size(), std::move(text)});
}

void Declarations::drop_comments() {
    std::erase_if(comments_, [&](const Comment& one) { return one.depth >= scopes_.size(); });
}

std::uint32_t Declarations::variable(std::string_view name, const Type& type) {
    write_what_waits();
    write_variable(signals_, name, type);
    return signals_++;
}

void Declarations::clock(std::string_view name) {
    write_what_waits();
    write_clock(name);
}

void Declarations::write_comments(std::size_t depth) {
    for (const Comment& one : comments_)
        if (one.depth == depth)
            write_comment(one.text);
}

void Declarations::write_what_waits() {
    for (; written_ < scopes_.size(); ++written_) {
        write_comments(written_);
        write_scope(scopes_[written_].name, scopes_[written_].kind);
    }
    write_comments(written_);
    comments_.clear();
}

void append_reference(std::string& text, std::string_view name, std::uint64_t width_bits) {
    text += name;
    if (width_bits <= 1)
        return;
    text += " [";
    text += fmt::format_int{width_bits - 1}.c_str();
    text += ":0]";
}

} // namespace sme::trace
