// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/emit/instance_runs.hpp"
#include "native/emit/kernel.hpp"

namespace sme::native {

/// One part of a family, and the functions that step it.
struct PartPlan {
    bool written = false; // otherwise the interpreter steps it
    PartShape shape;
    InstanceRuns runs;
    struct Function {
        std::uint32_t number; // in the module
        std::string name;
        std::vector<Datum> data;
        bool elsewhere = false; // in another file than fused steps and cycle kernels
    };
    std::vector<Function> functions; // by pattern
};

/// A family of processes that becomes C.
struct FamilyPlan {
    std::uint32_t family;
    interpret::ProgramGroup* group;
    std::vector<PartPlan> parts;
    std::uint64_t operations = 0; // of all instances in a cycle
};

} // namespace sme::native
