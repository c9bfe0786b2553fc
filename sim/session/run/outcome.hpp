// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "sme/results.hpp"

namespace sme::session {

/// How a run ended, in the words of all reports.
struct Ending {
    std::string_view word;   // for programs: "check-failed"
    std::string_view phrase; // for people, after the number of cycles: ", ended by a failed check"
    bool well;               // nothing failed, and no signal interrupted it
};

inline const Ending& ending_of(RunEnd end) {
    static constexpr std::array endings{Ending{"completed", "", true},
                                        Ending{"interrupted", ", interrupted", false},
                                        Ending{"halted", ", halted", true},
                                        Ending{"check-failed", ", ended by a failed check", false},
                                        Ending{"deadlocked", ", ended by a deadlock", false},
                                        Ending{"faulted", ", ended by a fault", false}};
    static_assert(endings.size() == static_cast<std::size_t>(RunEnd::faulted) + 1);
    return endings[static_cast<std::size_t>(end)];
}

/// The outcome of a run, apart from the results of its checks and recordings.
struct Outcome {
    RunEnd end = RunEnd::stopped;
    std::uint64_t cycles = 0;       // that began
    std::vector<Diagnostic> faults; // in source order

    const Ending& ending() const { return ending_of(end); }
    bool has_faulted() const { return end == RunEnd::faulted; }
    bool was_interrupted() const { return end == RunEnd::stopped; }
    /// True if actors wait for each other, which a run with a clock reports as a fault.
    bool is_deadlock() const { return !faults.empty() && faults[0].code == Code::deadlock; }
    /// Returns the faults as a user sees them.
    std::string fault_text() const {
        std::string text;
        for (const Diagnostic& fault : faults)
            text += render(fault);
        return text;
    }
};

} // namespace sme::session
