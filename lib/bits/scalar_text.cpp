// SPDX-License-Identifier: Apache-2.0
#include "bits/scalar_text.hpp"

#include <fmt/format.h>

#include "bits/words.hpp"

namespace sme {

std::string scalar_text(const Type& type, const std::uint64_t* words) {
    if (type.is_wide())
        return hexadecimal({words, type.leaf_count()}, static_cast<unsigned>(type.width_bits()));
    if (type.is_signed())
        return fmt::format("{}", static_cast<std::int64_t>(*words));
    const Member* member =
        type.kind() == TypeKind::enumeration ? type.find_member(*words) : nullptr;
    return member ? member->name : fmt::format("{}", *words);
}

} // namespace sme
