// SPDX-License-Identifier: Apache-2.0
#include "export/modules/port_fields.hpp"

namespace sme::hdl {

std::vector<PortField> port_fields(const Type& type, bool packed) {
    std::vector<PortField> made;
    if (!type.is_bundle() && (packed || type.kind() != TypeKind::structure))
        return made;
    int forward = 0, back = 0;
    for (const Field& field : type.fields())
        made.push_back(
            {field.name, field.type, field.back ? -1 : forward++, field.back ? back++ : -1});
    return made;
}

std::uint64_t low_bit_of(const Type& type, int field) {
    std::uint64_t low = 0;
    for (std::size_t k = static_cast<std::size_t>(field) + 1; k < type.fields().size(); ++k)
        low += type.fields()[k].type->width_bits();
    return low;
}

} // namespace sme::hdl
