// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vcd/value.hpp"

namespace sme::vcd {

/// The short names (identifier codes) of a file's signals, numbered in the order of their first
/// declaration. Most simulators count with the 94 characters '!' to '~', lowest digit first: then
/// the count is an index. Other codes of up to seven characters are keys of a hash table; longer
/// ones are stored as texts.
class CodeTable {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Returns the number of a code, which is added if it is new.
    std::uint32_t add(std::string_view code);

    /// Returns the number of the code at `text`, and sets `end` to the blank after it; `none` if
    /// the code is not declared. A blank must follow the code, and 8 more bytes must be readable.
    std::uint32_t find(const char* text, const char*& end) const {
        const std::uint64_t word = load_eight(text);
        const unsigned length = bytes_before_blank(word);
        end = text + length;
        if (length > 4 || length == 0)
            return find_other(text, end);
        const std::uint64_t key = word & (~std::uint64_t{0} >> (64 - 8 * length));
        const std::uint64_t count = count_of(key, length);
        return count < counted_.size() ? counted_[count] : find_key(key);
    }

    std::uint32_t count() const { return count_; }

private:
    struct Entry {
        std::uint64_t key = 0; // 0: free
        std::uint32_t number = none;
    };

    /// Returns the count that a code of one to four characters encodes: '!' is 1, '~' 94, "!!" 95.
    /// A code with other characters has no count: the largest number.
    static std::uint64_t count_of(std::uint64_t key, unsigned length) {
        const std::uint64_t digits = key - (0x20202020u >> (32 - 8 * length));
        if ((((digits + 0x21212121) | key) & 0x80808080) != 0) // a digit is more than 94
            return ~std::uint64_t{0};
        return (digits & 0xff) + 94 * (digits >> 8 & 0xff) + 94 * 94 * (digits >> 16 & 0xff) +
               94 * 94 * 94 * (digits >> 24 & 0xff);
    }
    std::size_t place(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15) >> shift_);
    }
    std::uint32_t find_key(std::uint64_t key) const {
        if (entries_.empty())
            return none;
        for (std::size_t at = place(key);; at = (at + 1) & (entries_.size() - 1))
            if (entries_[at].key == key || entries_[at].key == 0)
                return entries_[at].number;
    }
    std::uint32_t find_other(const char* text, const char*& end) const;
    void add_key(std::uint64_t key, unsigned length);
    void insert(std::uint64_t key, std::uint32_t number);
    void grow();

    std::vector<std::uint32_t> counted_; // codes by their count; other codes are in `entries_`
    std::vector<Entry> entries_;         // the size is a power of two; at most half are used
    std::size_t taken_ = 0;
    unsigned shift_ = 64;
    std::unordered_map<std::string, std::uint32_t> long_;
    std::uint32_t count_ = 0;
};

} // namespace sme::vcd
