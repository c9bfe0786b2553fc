// SPDX-License-Identifier: Apache-2.0
#include "vpi/values.hpp"

#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "vpi/simulation.hpp"

namespace sme::vpi {

namespace {

std::uint64_t low_word(const std::string& bits) {
    std::uint64_t word = 0;
    for (const char bit : bits)
        word = word << 1 | (bit == '1' ? 1 : 0);
    return word;
}

/// The number of 4-bit digits, the highest first.
std::string hexadecimal(const std::string& bits) {
    std::string result;
    const std::string padded = std::string((4 - bits.size() % 4) % 4, '0') + bits;
    for (std::size_t k = 0; k < padded.size(); k += 4)
        result += "0123456789abcdef"[low_word(padded.substr(k, 4))];
    return result;
}

std::string characters(const std::string& bits) {
    std::string result;
    const std::string padded = std::string((8 - bits.size() % 8) % 8, '0') + bits;
    for (std::size_t k = 0; k < padded.size(); k += 8)
        if (const auto c = static_cast<char>(low_word(padded.substr(k, 8))); c != 0)
            result += c;
    return result;
}

void fill_vector(const std::string& bits, s_vpi_value& value) {
    static std::vector<s_vpi_vecval> words;
    words.assign((bits.size() + 31) / 32, {0, 0});
    for (std::size_t k = 0; k < bits.size(); ++k)
        if (bits[bits.size() - 1 - k] == '1')
            words[k / 32].aval |= decltype(words[0].aval){1}
                                  << k % 32; // headers differ in its type
    value.value.vector = words.data();
}

} // namespace

char* kept(std::string text) {
    static std::array<std::string, 16> last;
    static std::size_t next = 0;
    std::string& place = last.at(next++ % last.size());
    place = std::move(text);
    return place.data();
}

std::string bits_of(const s_vpi_value& value, const Object& object) {
    std::string bits(object.width, '0');
    const auto set = [&](std::uint64_t place, bool one) {
        if (place < bits.size())
            bits[bits.size() - 1 - place] = one ? '1' : '0';
    };
    switch (value.format) {
    case vpiBinStrVal: {
        const std::size_t length = std::strlen(value.value.str);
        for (std::size_t k = 0; k < length; ++k)
            set(length - 1 - k, value.value.str[k] == '1');
        break;
    }
    case vpiScalarVal: set(0, value.value.scalar == vpi1); break;
    case vpiIntVal:
        for (std::uint64_t k = 0; k < bits.size(); ++k)
            set(k, k < 32 ? (value.value.integer >> k & 1) != 0 : value.value.integer < 0);
        break;
    case vpiVectorVal:
        for (std::uint64_t k = 0; k < bits.size(); ++k) {
            const s_vpi_vecval& word = value.value.vector[k / 32];
            set(k, (word.aval >> k % 32 & 1) != 0 && (word.bval >> k % 32 & 1) == 0);
        }
        break;
    case vpiStringVal: {
        const std::size_t length = std::strlen(value.value.str);
        for (std::uint64_t k = 0; k < 8 * length; ++k)
            set(k, (value.value.str[length - 1 - k / 8] >> k % 8 & 1) != 0);
        break;
    }
    default: problem() = fmt::format("values of format {} cannot be written", value.format);
    }
    return bits;
}

void show_value(const Object& object, const std::string& bits, s_vpi_value& value) {
    if (value.format == vpiObjTypeVal)
        value.format = object.width == 1 ? vpiScalarVal : vpiVectorVal;
    switch (value.format) {
    case vpiBinStrVal: value.value.str = kept(bits); break;
    case vpiHexStrVal: value.value.str = kept(hexadecimal(bits)); break;
    case vpiStringVal: value.value.str = kept(characters(bits)); break;
    case vpiScalarVal: value.value.scalar = bits.back() == '1' ? vpi1 : vpi0; break;
    case vpiIntVal: {
        std::string low = bits.size() > 32 ? bits.substr(bits.size() - 32) : bits;
        if (object.is_signed)
            low.insert(0, 32 - low.size(), low.front());
        value.value.integer = static_cast<PLI_INT32>(low_word(low));
        break;
    }
    case vpiRealVal: value.value.real = static_cast<double>(low_word(bits)); break;
    case vpiVectorVal: fill_vector(bits, value); break;
    default: problem() = fmt::format("values have no format {}", value.format);
    }
}

} // namespace sme::vpi
