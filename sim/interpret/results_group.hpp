// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interpret/evaluator.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// An observer that looks at the results of a program in each cycle: checks, a recording.
class ResultsGroup : public Group {
public:
    virtual const expr::Program& program() const = 0;
    virtual const Places& places() const = 0;
    /// Of the program's only part.
    virtual Evaluator& evaluator() = 0;
};

} // namespace sme::interpret
