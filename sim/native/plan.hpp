// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/kernel_writer.hpp"
#include "native/pieces.hpp"

namespace sme::native {

/// One part of a family, and the functions that step it.
struct PartPlan {
    bool written = false; // else the interpreter steps it
    PartShape shape;
    Pieces pieces;
    struct Function {
        std::string name;
        std::vector<Datum> data;
    };
    std::vector<Function> functions; // of each pattern
};

/// A family of processes that becomes C.
struct FamilyPlan {
    std::uint32_t family;
    interpret::ProgramGroup* group;
    std::vector<PartPlan> parts;
};

} // namespace sme::native
