// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sme {

class Auditor;

/// Checks in every cycle of a run that what the model promises holds: every process runs exactly
/// once; what is read does not change meanwhile, and is what was written last, or follows the rule
/// for unwritten, field by field; each bus has its one writer; delays take exactly their cycles;
/// wires settle once, before they are read. Each process is stepped by itself, so a run takes a
/// few times as long.
///
///     sme::Validator validator;
///     sme::Simulator simulator{network, {.auditor = validator.auditor()}};
///     simulator.run(sme::Cycles{1000});
///     if (!validator.violations().empty()) ...
///
/// A run ends after the cycle in which something does not hold (`Simulator::halted`). For one
/// simulator at a time.
class Validator {
public:
    struct Violation {
        std::string invariant; ///< "ran-once", "one-writer", ...
        std::uint64_t cycle;
        std::string process; ///< empty: not known
        std::string bus;     ///< empty: none
        std::string text;    ///< "in cycle 3, process 'node[2]': it runs twice"
    };

    Validator();
    ~Validator();
    Validator(const Validator&) = delete;
    Validator& operator=(const Validator&) = delete;

    /// For SimulatorOptions. May outlive this.
    std::shared_ptr<Auditor> auditor() const;
    /// Of the first cycle that has some, at most 20.
    std::vector<Violation> violations() const;
    /// How many cycles were judged.
    std::uint64_t cycles() const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme
