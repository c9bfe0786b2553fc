// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/fuzz/make/process_maker.hpp"

namespace sme::fuzz {

/// Adds processes that are idle in most cycles: single ones, several with the same condition, and a
/// family with memories.
void add_idle_processes(Maker& maker, Choices& choices, Home& home);

} // namespace sme::fuzz
