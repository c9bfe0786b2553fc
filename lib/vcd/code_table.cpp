// SPDX-License-Identifier: Apache-2.0
#include "vcd/code_table.hpp"

#include <algorithm>
#include <array>

namespace sme::vcd {

std::uint32_t CodeTable::add(std::string_view code) {
    std::array<char, 24> padded{};
    if (code.size() <= 7) {
        std::copy(code.begin(), code.end(), padded.begin());
        const char* end = nullptr;
        if (const std::uint32_t known = find(padded.data(), end); known != none)
            return known;
        add_key(load_eight(padded.data()), static_cast<unsigned>(code.size()));
        return count_++;
    }
    const auto [found, is_new] = long_.try_emplace(std::string{code}, count_);
    count_ += is_new ? 1 : 0;
    return found->second;
}

/// Adds a key. The index grows as long as it is not much larger than the number of codes; entries
/// that fall within its new range are copied into it.
void CodeTable::add_key(std::uint64_t key, unsigned length) {
    const std::uint64_t count = length <= 4 ? count_of(key, length) : ~std::uint64_t{0};
    const std::uint64_t most = std::uint64_t{4} * count_ + 10'000;
    if (count >= counted_.size() && count < most) {
        counted_.resize(most, none);
        for (const Entry& entry : entries_)
            if (entry.key >> 32 == 0 && entry.key != 0) {
                const unsigned bytes = (static_cast<unsigned>(std::bit_width(entry.key)) + 7) / 8;
                if (const std::uint64_t place = count_of(entry.key, bytes); place < most)
                    counted_[place] = entry.number;
            }
    }
    if (count < counted_.size())
        counted_[count] = count_;
    else
        insert(key, count_);
}

/// Finds a code that is not a key or has more than four characters.
std::uint32_t CodeTable::find_other(const char* text, const char*& end) const {
    const auto length = static_cast<unsigned>(end - text);
    if (length < 8)
        return length == 0 ? none : find_key(load_eight(text) & ~(~std::uint64_t{0} << 8 * length));
    while (static_cast<unsigned char>(*end) > ' ')
        ++end;
    const auto found = long_.find(std::string{text, end});
    return found == long_.end() ? none : found->second;
}

void CodeTable::insert(std::uint64_t key, std::uint32_t number) {
    if (2 * (taken_ + 1) > entries_.size())
        grow();
    std::size_t at = place(key);
    while (entries_[at].key != 0)
        at = (at + 1) & (entries_.size() - 1);
    entries_[at] = {key, number};
    ++taken_;
}

void CodeTable::grow() {
    std::vector<Entry> old(std::max<std::size_t>(256, 2 * entries_.size()));
    old.swap(entries_);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(entries_.size()));
    taken_ = 0;
    for (const Entry& entry : old)
        if (entry.key != 0)
            insert(entry.key, entry.number);
}

} // namespace sme::vcd
