// SPDX-License-Identifier: Apache-2.0
#include "systemc/packed.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "bits/integer.hpp"

namespace sme::systemc {

namespace {

/// The words of a scalar; unused high bits may be copies of the sign.
std::uint64_t load_word(const std::byte* from, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    return word;
}

constexpr unsigned word_bits = 64;

std::uint64_t low_bits(std::uint64_t word, unsigned count) {
    return canonical(word, count, false);
}

/// Goes over a row of bits from the right.
class Cursor {
public:
    explicit Cursor(Bits& bits) : bits_{bits} {}

    void put(std::uint64_t word, unsigned count) {
        const std::size_t at = place_ / word_bits;
        const unsigned shift = place_ % word_bits;
        word = low_bits(word, count);
        bits_[at] |= word << shift;
        if (shift + count > word_bits)
            bits_[at + 1] |= word >> (word_bits - shift);
        place_ += count;
    }

    std::uint64_t take(unsigned count) {
        const std::size_t at = place_ / word_bits;
        const unsigned shift = place_ % word_bits;
        std::uint64_t word = bits_[at] >> shift;
        if (shift + count > word_bits)
            word |= bits_[at + 1] << (word_bits - shift);
        place_ += count;
        return low_bits(word, count);
    }

private:
    Bits& bits_;
    std::uint64_t place_ = 0;
};

/// Calls scalar(type, offset) for every scalar, the rightmost first.
template <class Scalar> void from_the_right(const Type& type, std::size_t offset, Scalar& scalar) {
    if (type.is_scalar())
        return scalar(type, offset);
    if (type.kind() == TypeKind::array) {
        const Type& element = *type.element();
        for (std::uint64_t k = 0; k < type.count(); ++k)
            from_the_right(element, offset + k * element.size(), scalar);
        return;
    }
    for (auto field = type.fields().rbegin(); field != type.fields().rend(); ++field)
        from_the_right(*field->type, offset + field->offset, scalar);
}

/// Calls word(offset, bytes, bits) for the words of a scalar, the lowest first.
template <class Word> void each_word(const Type& scalar, std::size_t offset, Word word) {
    if (!scalar.is_wide())
        return word(offset, scalar.size(), static_cast<unsigned>(scalar.width_bits()));
    for (std::uint64_t low = 0; low < scalar.width_bits(); low += word_bits)
        word(offset + low / 8, std::size_t{8},
             static_cast<unsigned>(std::min<std::uint64_t>(word_bits, scalar.width_bits() - low)));
}

} // namespace

void pack(const Type& type, const std::byte* slot, Bits& bits) {
    bits.assign((type.width_bits() + word_bits - 1) / word_bits, 0);
    Cursor cursor{bits};
    auto scalar = [&](const Type& part, std::size_t offset) {
        each_word(part, offset, [&](std::size_t at, std::size_t bytes, unsigned count) {
            cursor.put(load_word(slot + at, bytes), count);
        });
    };
    from_the_right(type, 0, scalar);
}

void unpack(const Type& type, const Bits& bits, std::byte* slot) {
    Bits copy = bits;
    Cursor cursor{copy};
    auto scalar = [&](const Type& part, std::size_t offset) {
        each_word(part, offset, [&](std::size_t at, std::size_t bytes, unsigned count) {
            const std::uint64_t word = canonical(cursor.take(count), count, part.is_signed());
            std::memcpy(slot + at, &word, bytes);
        });
    };
    from_the_right(type, 0, scalar);
}

std::optional<std::string> stranger_in(const Type& type, const std::byte* slot) {
    std::optional<std::string> found;
    auto scalar = [&](const Type& part, std::size_t offset) {
        if (part.kind() != TypeKind::enumeration)
            return;
        const std::uint64_t value = load_word(slot + offset, part.size());
        if (!part.find_member(value))
            found = fmt::format("{} is no member of {}", value, part.name());
    };
    from_the_right(type, 0, scalar);
    return found;
}

} // namespace sme::systemc
