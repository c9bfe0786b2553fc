// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sme::fuzz {

/// The source of all choices of a generator: a seed, or the bytes of a fuzzer. After the last byte
/// it returns 0, the simplest choice everywhere.
class Choices {
public:
    explicit Choices(std::uint64_t seed) : state_{seed} {}
    Choices(const std::uint8_t* data, std::size_t size) : data_{data}, end_{data + size} {}

    /// Returns 0 to n - 1; n is at least 1.
    unsigned below(unsigned n) { return n < 2 ? 0 : static_cast<unsigned>(bits(n) % n); }
    /// Returns low to high, inclusive.
    unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
    bool chance(unsigned percent) { return below(100) >= 100 - percent; }
    std::uint64_t word() {
        std::uint64_t found = 0;
        for (int k = 0; k < 8; ++k)
            found = found << 8 | bits(256) % 256;
        return found;
    }

private:
    std::uint64_t bits(unsigned n) {
        if (!end_)
            return random();
        std::uint64_t found = 0; // as few bytes as the range needs
        for (unsigned most = n - 1; most != 0; most >>= 8)
            found = found << 8 | (data_ != end_ ? *data_++ : 0u);
        return found;
    }
    /// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
    std::uint64_t random() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return (z ^ z >> 31) >> 8;
    }

    std::uint64_t state_ = 0;
    const std::uint8_t* data_ = nullptr;
    const std::uint8_t* end_ = nullptr;
};

} // namespace sme::fuzz
