// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/emit/emitter.hpp"
#include "native/emit/instance_runs.hpp"
#include "native/ir/routine.hpp"

namespace sme::native {

/// Properties of a part of a family's program that are the same for each run.
struct PartShape {
    bool stepwise = false; // instance by instance: it writes memories
    bool may_stop = false; // some operations need the interpreter
    bool loops = false;    // it has loops
    bool collects = false; // loops write memories, and those writes wait
};
PartShape shape_of(const expr::PartProgram& part);

/// The C of one part for one pattern.
struct KernelText {
    std::string body; // a function named '@'
    std::vector<Datum> data;
};

/// `aliases`: slots that are read may also be written. `some`: steps only the needed instances of a
/// block, and notes which of their outputs changed.
KernelText write_kernel(const Subject& subject, unsigned part, const InstanceRuns& runs,
                        const Pattern& pattern, bool aliases, bool some, Tables& tables);
/// True if idle instances of a part can be left out, and all instances need this many operations.
bool may_skip(const Subject& subject, unsigned part, std::uint64_t least_operations);

/// One part of a family, and the functions that step it.
struct PartPlan {
    bool counts = false; // coverage, and does nothing else
    PartShape shape;
    InstanceRuns runs;
    struct Function {
        std::uint32_t number; // in the module
        std::string name;
        std::vector<Datum> data;
        bool elsewhere = false; // in another file than fused steps and cycle kernels
    };
    std::vector<Function> functions; // by pattern
    std::vector<Function> some;      // the same, for some instances of a block; may be empty
};

/// A family of processes that becomes C.
struct FamilyPlan {
    std::uint32_t family;
    interpret::ProgramGroup* group;
    std::vector<PartPlan> parts;
    std::uint64_t operations = 0; // of all instances in a cycle
};

} // namespace sme::native
