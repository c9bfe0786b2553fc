// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace models {

/// A word, in capitals, and its number of occurrences.
struct Count {
    std::string word;
    std::uint64_t times;
};

using Counts = std::vector<Count>;

/// The order of a finished list: the most frequent first, then alphabetical.
inline bool comes_first(const Count& a, const Count& b) {
    return a.times != b.times ? a.times > b.times : a.word < b.word;
}

/// Returns a line with count and word for each.
inline std::string listing_of(const Counts& counts) {
    std::string lines;
    for (const Count& count : counts)
        lines += std::to_string(count.times) + " " + count.word + "\n";
    return lines;
}

/// Returns the number of words counted.
inline std::uint64_t words_of(const Counts& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Count& count) { return sum + count.times; });
}

inline bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Calls `what` with each word, a sequence of ASCII letters, in capitals.
template <class F> void for_each_word(std::string_view text, const F& what) {
    std::string word;
    for (const char c : text) {
        if (is_letter(c)) {
            word += static_cast<char>(c & ~0x20);
        } else if (!word.empty()) {
            what(word);
            word.clear();
        }
    }
    if (!word.empty())
        what(word);
}

/// Splits a text into parts of about the same size, between words.
inline std::vector<std::string_view> parts_of(std::string_view text, std::size_t count) {
    std::vector<std::string_view> parts;
    std::size_t from = 0;
    for (std::size_t k = 1; k <= count; ++k) {
        std::size_t to = std::max(from, text.size() * k / count);
        while (to < text.size() && is_letter(text[to]))
            ++to;
        parts.push_back(text.substr(from, to - from));
        from = to;
    }
    return parts;
}

} // namespace models
