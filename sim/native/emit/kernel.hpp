// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "native/emit/instance_runs.hpp"
#include "native/emit/tables.hpp"
#include "native/ir/addressing.hpp"

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

/// `aliases`: slots that are read may also be written.
KernelText write_kernel(const Subject& subject, unsigned part, const InstanceRuns& runs,
                        const Pattern& pattern, bool aliases, Tables& tables);

} // namespace sme::native
