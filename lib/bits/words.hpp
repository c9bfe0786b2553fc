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

/// Parses what parse_integer accepts, up to `max_bits`; returns the fewest words that hold it, at
/// least one.
std::optional<Words> parse_words(std::string_view text, unsigned max_bits);

/// Returns the number of significant bits; 0 for 0.
unsigned width_of(const Words& words);

/// Returns "0x00ff": all digits of `width_bits`.
std::string hexadecimal(std::span<const std::uint64_t> words, unsigned width_bits);

} // namespace sme
