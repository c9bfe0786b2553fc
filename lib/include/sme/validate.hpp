// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sme {

class Auditor;

/// Checks the invariants of the model in every cycle of a run: every process runs exactly once; a
/// value does not change while it is read, and is the last one written or follows the rule for
/// unwritten, field by field; each bus has one writer; delays take exactly their cycles; wires
/// settle once, before they are read. Each process is stepped separately, so a run takes a few
/// times as long.
/// few times as long.
///
///     sme::Validator validator;
///     sme::Simulator simulator{network, {.auditor = validator.auditor()}};
///     simulator.run(sme::Cycles{1000});
///     if (!validator.violations().empty()) ...
///
/// A run ends after the cycle of a violation (`Simulator::halted`). One validator serves one
/// simulator at a time.
class Validator {
public:
    struct Violation {
        std::string invariant; ///< "ran-once", "one-writer", ...
        std::uint64_t cycle;
        std::string process; ///< empty: unknown
        std::string bus;     ///< empty: no bus involved
        std::string text;    ///< "in cycle 3, process 'node[2]': it runs twice"
    };

    Validator();
    ~Validator();
    Validator(const Validator&) = delete;
    Validator& operator=(const Validator&) = delete;

    /// Returns the auditor for SimulatorOptions. It may outlive the validator.
    std::shared_ptr<Auditor> auditor() const;
    /// Returns the violations of the first cycle that has any, at most 20.
    std::vector<Violation> violations() const;
    /// Returns the number of cycles judged.
    std::uint64_t cycles() const;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme
