// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// How runs, checks and recorded outputs ended.
namespace sme {

/// The reason why a run ended. If several apply, it is the last of them in this list.
enum class RunEnd : std::uint8_t {
    completed,    ///< all requested cycles ran; without a clock: all actors are done
    stopped,      ///< by the user or the caller; the simulator can continue
    halted,       ///< ended by a process, or by a completed input or output
    check_failed, ///< a check or a recorded output failed, or a judge found a violation
    deadlocked,   ///< actors wait for each other; only without a clock
    faulted,      ///< a process had a fault
};

/// The result of a check of a network file.
struct CheckResult {
    enum class Kind : std::uint8_t {
        not_reached, ///< never evaluated; a sequence (`a then b`) never began
        passed,
        failed,
        pending, ///< some started sequences have neither passed nor failed
        faulted, ///< its evaluation faulted, so it has neither passed nor failed
    };
    Kind kind = Kind::not_reached;
    std::string text;  ///< as written: "always: total.valid == (cycle >= 2)"
    std::string owner; ///< the component instance that contains it; empty: the network
    std::string place; ///< "network.yaml:31:5"
    /// Of the failure or the fault; of the first hit for `eventually` and `cover`.
    std::uint64_t cycle = 0;
    /// The number of cycles in which it was evaluated; for a sequence, how often it began.
    std::uint64_t evaluated = 0;
    /// For a failure or a fault: the operands and their values in that cycle.
    std::vector<std::pair<std::string, std::string>> values;

    /// Returns whether it counts as failed. With `strict`, as for `sme run --strict`, also if it
    /// was not reached or is pending.
    bool has_failed(bool strict = false) const {
        return kind == Kind::failed || (strict && kind != Kind::passed);
    }
};

/// The result of a recorded output of a network file.
struct OutputResult {
    std::string path;
    std::uint64_t rows = 0;                     ///< so far
    std::optional<std::uint64_t> expected_rows; ///< `nullopt`: no expected rows
    /// First difference from the expected rows; empty: no difference so far.
    std::string difference;
    std::string problem; ///< why the file cannot be written; empty: no problem
    /// The cycle in which the evaluation of a row faulted; that row is neither recorded nor
    /// compared.
    std::optional<std::uint64_t> faulted;

    /// Returns whether it counts as failed. With `strict`, also if expected rows are missing.
    bool has_failed(bool strict = false) const {
        return !difference.empty() || !problem.empty() ||
               (strict && expected_rows && rows < *expected_rows);
    }
};

} // namespace sme
