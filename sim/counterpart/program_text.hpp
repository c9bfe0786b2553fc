// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "counterpart/pins.hpp"

namespace sme::counterpart {

/// Where the slots of ports lie in the blocks that go to a second implementation and come back.
struct Blocks {
    std::vector<std::size_t> offsets; // of each port, in the block of its direction
    std::size_t input_bytes = 0;
    std::size_t output_bytes = 0;
};
Blocks blocks_of(const Interface& interface);

/// The C++ of the program around a class (driver/class.hpp, driver/systemc.hpp). `file` is the path
/// of the file that defines it, whole.
std::string program_text(const std::string& file, const std::string& class_name, bool systemc,
                         const BoundPins& bound, const Interface& interface, const Graph& graph,
                         std::uint64_t clock_ps);

} // namespace sme::counterpart
