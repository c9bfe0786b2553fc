// SPDX-License-Identifier: Apache-2.0
#include "report/wave_bytes.hpp"

#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include <zlib.h>

namespace sme::report {

namespace {

/// Appends 7 bits per byte, the lowest first; all but the last byte have their highest bit set
/// (LEB128).
void append_number(std::uint64_t number, std::string& bytes) {
    for (; number >= 0x80; number >>= 7)
        bytes += static_cast<char>(number | 0x80);
    bytes += static_cast<char>(number);
}

/// The same for a number of several words, the lowest first.
void append_number(std::vector<std::uint64_t> words, std::string& bytes) {
    const auto is_zero_behind = [&](std::size_t k) {
        for (; k < words.size(); ++k)
            if (words[k] != 0)
                return false;
        return true;
    };
    while (words[0] >= 0x80 || !is_zero_behind(1)) {
        bytes += static_cast<char>(words[0] | 0x80);
        for (std::size_t k = 0; k < words.size(); ++k)
            words[k] = words[k] >> 7 | (k + 1 < words.size() ? words[k + 1] << 57 : 0);
    }
    bytes += static_cast<char>(words[0]);
}

/// Appends the bits of a value, without sign extension.
void append_value(std::span<const std::uint64_t> value, const Type& type, std::string& bytes) {
    if (value.size() > 1)
        return append_number(std::vector<std::uint64_t>(value.begin(), value.end()), bytes);
    const std::uint64_t width = type.width_bits();
    append_number(width < 64 ? value[0] & ((std::uint64_t{1} << width) - 1) : value[0], bytes);
}

} // namespace

std::size_t append_changes(const trace::Changes& changes, const Type& type, std::string& bytes) {
    const std::size_t before = bytes.size();
    std::uint64_t last = 0;
    for (std::size_t k = 0; k < changes.size(); ++k) {
        const std::uint64_t step = changes.cycle(k) - last;
        last = changes.cycle(k);
        append_number(step * 2 + (changes.is_known(k) ? 0 : 1), bytes);
        if (changes.is_known(k))
            append_value(changes.value(k), type, bytes);
    }
    return bytes.size() - before;
}

std::string deflated_base64(std::string_view bytes) {
    uLongf size = ::compressBound(static_cast<uLong>(bytes.size()));
    std::vector<Bytef> packed(size);
    if (::compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                    static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
        throw std::bad_alloc{}; // only fails without memory, as the buffer is large enough
    static constexpr char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((size + 2) / 3 * 4);
    for (std::size_t k = 0; k < size; k += 3) {
        std::uint32_t group = 0;
        for (std::size_t n = 0; n < 3; ++n)
            group = group << 8 | (k + n < size ? packed[k + n] : 0u);
        for (std::size_t n = 0; n < 4; ++n)
            text += k + n <= size ? digits[group >> (18 - 6 * n) & 63u] : '=';
    }
    return text;
}

} // namespace sme::report
