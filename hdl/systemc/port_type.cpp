// SPDX-License-Identifier: Apache-2.0
#include "systemc/port_type.hpp"

#include <fmt/format.h>

namespace sme::systemc::detail {

std::string templated(std::string_view name, int width) {
    return fmt::format("{}<{}>", name, width);
}

} // namespace sme::systemc::detail
