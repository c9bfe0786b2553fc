// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "diff/same_value.hpp"

namespace sme::validator {

/// Two differing values, formatted for side-by-side reading.
struct DifferenceText {
    std::string first;
    std::string second;
    std::string where; // empty if both are shown whole
};

/// Returns the texts of two different values of one kind. Of long values it shows the digits around
/// the highest difference, at the same positions; of long texts, the characters around the first
/// one.
DifferenceText difference_text(const vcd::Value& first, const vcd::Value& second,
                               const Sameness& sameness);

} // namespace sme::validator
