// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/fuzz/make/process_maker.hpp"

namespace sme::fuzz {

/// Adds a process with a pipeline, what it talks to, and checks of its values in each cycle, which
/// come from moving its items from stage to stage.
void add_pipeline(Maker& maker, Choices& choices, Home& home, unsigned cycles);

} // namespace sme::fuzz
