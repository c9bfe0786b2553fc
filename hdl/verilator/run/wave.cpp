// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/wave.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>

#include "sme/type.hpp"

namespace sme::verilator {

namespace {

/// Takes the next word of a text; empty at its end.
std::string_view take_word(std::string_view& text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return text = {};
    const std::size_t end = text.find_first_of(blanks, begin);
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end);
    return word;
}

} // namespace

Wave::Wave(std::string_view text, const std::function<bool(const std::string&)>& wanted) {
    std::vector<std::string> scopes;
    constexpr std::size_t outer = 2; // the model, and the module in it, which has the ports again
    for (std::string_view word = take_word(text); !word.empty() && word != "$enddefinitions";
         word = take_word(text)) {
        if (word == "$scope") {
            take_word(text);
            scopes.emplace_back(take_word(text));
        } else if (word == "$upscope" && !scopes.empty()) {
            scopes.pop_back();
        } else if (word == "$var") {
            take_word(text);
            const std::string_view width = take_word(text), code = take_word(text);
            InsideSignal signal;
            std::from_chars(width.data(), width.data() + width.size(), signal.width);
            const std::string_view name = take_word(text);
            if (scopes.size() < outer || signal.width == 0 || signal.width > Type::max_bits)
                continue;
            for (std::size_t k = outer; k < scopes.size(); ++k)
                signal.name += scopes[k] + ".";
            signal.name += name;
            if (wanted && !wanted(signal.name))
                continue;
            by_code_[std::string{code}].push_back(signals_.size());
            signals_.push_back(std::move(signal));
        }
    }
}

void Wave::read(std::string_view text,
                const std::function<void(std::size_t, std::string_view)>& visit) const {
    const std::size_t header = text.find("$enddefinitions");
    if (header != std::string_view::npos)
        text.remove_prefix(text.find("$end", header + 4) + 4);
    for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
        std::string_view digits = word.substr(0, 1), code = word.substr(1);
        if (word[0] == 'b') {
            digits = word.substr(1);
            code = take_word(text);
        } else if (word[0] != '0' && word[0] != '1')
            continue; // a time
        if (const auto found = by_code_.find(code); found != by_code_.end())
            for (const std::size_t signal : found->second)
                visit(signal, digits);
    }
}

void put_digits(std::string_view digits, std::byte* slot, std::size_t slot_bytes) {
    std::memset(slot, 0, slot_bytes);
    for (std::size_t k = 0; k < digits.size() && k < slot_bytes * 8; ++k)
        if (digits[digits.size() - 1 - k] == '1')
            slot[k / 8] |= static_cast<std::byte>(1U << k % 8);
}

} // namespace sme::verilator
