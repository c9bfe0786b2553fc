// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sme::verilator {

/// Returns the name for a key of Verilator: '_' after '_', and every character that only an escaped
/// name can have, is "__0" and two hexadecimal digits.
std::string name_of(const std::string& key);

/// Returns the key for a name that is not escaped.
std::string key_of(const std::string& name);

/// Tests whether a name has only letters, digits and '_', as names of the network language do.
bool is_word(std::string_view name);

} // namespace sme::verilator
