// SPDX-License-Identifier: Apache-2.0
#include "bits/packed.hpp"

#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace sme {

namespace {

/// The problem, and the path of the scalar that has it.
struct Wrong {
    std::string path;
    std::string what;
};

std::optional<Wrong> wrong_scalar(const Type& type, const std::byte* slot) {
    constexpr unsigned word_bits = 64;
    const std::size_t size = type.is_wide() ? sizeof(std::uint64_t) : type.size();
    std::uint64_t word = 0; // the highest word of a wide integer: the others use all bits
    std::memcpy(&word, slot + type.size() - size, size);
    const auto used = static_cast<unsigned>((type.width_bits() - 1) % word_bits) + 1;
    const std::uint64_t mask = ~std::uint64_t{0} >> (word_bits - used);
    std::uint64_t fits = word & mask;
    if (type.extends_sign() && (word >> (used - 1) & 1) != 0) {
        const std::uint64_t stored = ~std::uint64_t{0} >> (word_bits - 8 * size);
        fits |= ~mask & stored;
    }
    if (word != fits)
        return Wrong{{}, fmt::format("has bits beyond {}", type.name())};
    return std::nullopt;
}

/// Returns whether every bit pattern is a value.
bool takes_all(const Type& type) {
    return type.is_numeric() && type.width_bits() == 8 * type.size();
}

std::optional<Wrong> wrong_part(const Type& type, const std::byte* slot) {
    if (type.is_scalar())
        return wrong_scalar(type, slot);
    for (const Field& field : type.fields())
        if (auto wrong = wrong_part(*field.type, slot + field.offset)) {
            wrong->path = fmt::format(".{}{}", field.name, wrong->path);
            return wrong;
        }
    if (type.kind() != TypeKind::array || takes_all(*type.element()))
        return std::nullopt;
    for (std::uint64_t k = 0; k < type.count(); ++k)
        if (auto wrong = wrong_part(*type.element(), slot + k * type.element()->size())) {
            wrong->path = fmt::format("[{}]{}", k, wrong->path);
            return wrong;
        }
    return std::nullopt;
}

} // namespace

std::optional<std::string> wrong_value(const Type& type, const std::byte* slot) {
    const std::optional<Wrong> wrong = wrong_part(type, slot);
    if (!wrong)
        return std::nullopt;
    return wrong->path.empty() ? "a value " + wrong->what
                               : fmt::format("'{}' {}", wrong->path, wrong->what);
}

} // namespace sme
