// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "diff/same_value.hpp"

namespace sme::validator {

/// Two values that differ, to be read side by side.
struct DifferenceText {
    std::string first;
    std::string second;
    std::string where; // empty when both are shown whole
};

/// Values of one kind that are not the same. Of long ones the digits around the highest that
/// differs are shown, the same places of both; of long texts the characters around the first.
DifferenceText difference_text(const vcd::Value& first, const vcd::Value& second,
                               const Sameness& sameness);

} // namespace sme::validator
