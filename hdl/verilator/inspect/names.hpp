// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sme::verilator {

/// The name that Verilator spells as the key: '_' behind '_', and every sign of an escaped name
/// that stands in no other, is "__0" and two hexadecimal digits.
std::string name_of(const std::string& key);

/// The other way, of a name that is no escaped one.
std::string key_of(const std::string& name);

/// Whether it is letters, digits and '_', as the names of the network language are.
bool is_word(std::string_view name);

} // namespace sme::verilator
