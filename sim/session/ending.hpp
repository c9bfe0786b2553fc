// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

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

} // namespace sme::session
