// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// A natural number in 64-bit words, the lowest first.
using Words = std::vector<std::uint64_t>;

/// Reads what parse_integer reads, up to `max_bits`: as few words as hold it, at least one.
std::optional<Words> parse_words(std::string_view text, unsigned max_bits);

/// How many bits a number needs: 0 for 0.
unsigned width_of(const Words& words);

/// "0x00ff": all digits that `width_bits` may need.
std::string hexadecimal(std::span<const std::uint64_t> words, unsigned width_bits);

} // namespace sme
