// SPDX-License-Identifier: Apache-2.0
#include "trace/vcd/declarations.hpp"

#include <fmt/format.h>

#include "trace/vcd/vcd_names.hpp"

namespace sme::trace {

void Declarations::close_scope() {
    if (written_ == scopes_.size()) {
        file_.write("$upscope $end\n");
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

std::uint32_t Declarations::variable(std::string_view name, std::uint64_t width_bits) {
    write_what_waits();
    line_ = "$var wire ";
    line_ += fmt::format_int{width_bits}.c_str();
    line_ += ' ';
    line_ += identifier(signals_);
    line_ += ' ';
    line_ += name;
    if (width_bits > 1) {
        line_ += " [";
        line_ += fmt::format_int{width_bits - 1}.c_str();
        line_ += ":0]";
    }
    line_ += " $end\n";
    file_.write(line_);
    return signals_++;
}

void Declarations::clock(std::string_view name) {
    write_what_waits();
    file_.write(fmt::format("$var wire 1 {} {} $end\n", identifier(0), name));
}

void Declarations::write_comments(std::size_t depth) {
    for (const Comment& one : comments_)
        if (one.depth == depth)
            file_.write(fmt::format("$comment {} $end\n", one.text));
}

void Declarations::write_what_waits() {
    for (; written_ < scopes_.size(); ++written_) {
        write_comments(written_);
        file_.write(fmt::format("$scope module {} $end\n", scopes_[written_]));
    }
    write_comments(written_);
    comments_.clear();
}

} // namespace sme::trace
