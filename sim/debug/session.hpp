// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debug/machine.hpp"
#include "debug/names.hpp"
#include "network/find.hpp"

namespace sme::debug {

/// A condition that stops the run.
struct Breakpoint {
    enum class Kind : std::uint8_t {
        condition, ///< an expression holds
        line,      ///< a line of a process ran, and its condition, if any, holds
        change,    ///< a value differs from that of the previous cycle
    };
    unsigned number = 0;
    Kind kind = Kind::condition;
    std::string text;            // as listed
    yaml::ProbeText condition{}; // empty text: no condition; for a line, it has no process
    TextLine line{};
    std::vector<ProcessPlace> places{}; // for a line: the instances that have it
    std::optional<ProcessPlace> met{};  // the instance that stopped the run
    NamedValue watched{};
    std::vector<std::byte> before{}; // the value of `watched`; empty before the first look
    std::uint64_t stops = 0;
};

/// Why a run has stopped: it is over, at a breakpoint, or after the requested cycles.
struct Stop {
    /// `stopped` by the user: it can continue; `completed`: the limit of cycles is reached.
    std::optional<RunEnd> end = {};
    unsigned breakpoint = 0; ///< its number; 0 if it is not at one
    std::string text;        // for users; several lines for several faults
};

/// A position in a network file, and the process at it.
struct TextPlace {
    Location where;
    std::optional<ProcessPlace> process;
};

/// A run that a user controls: its breakpoints and evaluated expressions. Prints nothing.
class Session {
public:
    /// `most`: the limit of cycles; `nullopt`: unlimited. `path`: that of the network file.
    Session(Machine& machine, std::string path, std::optional<std::uint64_t> most)
        : machine_{machine}, path_{std::move(path)}, most_{most} {}

    Machine& machine() { return machine_; }
    const Graph& graph() const { return machine_.graph(); }
    const std::string& path() const { return path_; } ///< of the network file
    /// The shown cycle; `nullopt` before the first cycle.
    std::optional<std::uint64_t> cycle() const {
        return machine_.ran() == 0 ? std::nullopt : std::optional{machine_.ran() - 1};
    }

    /// Runs this number of cycles, or without limit, at most to the next breakpoint.
    Stop run(std::optional<std::uint64_t> cycles, const std::atomic<bool>& interrupt);
    /// Runs until a condition holds, or stops as `run` does. `nullopt` if the condition is invalid,
    /// with the reason in `diagnostics`.
    std::optional<Stop> run_until(const yaml::ProbeText& condition,
                                  const std::atomic<bool>& interrupt, Diagnostics& diagnostics);
    /// Shows this cycle: runs forward, ignoring breakpoints, or goes back. `nullopt`: before the
    /// first cycle.
    Stop go_to(std::optional<std::uint64_t> cycle, const std::atomic<bool>& interrupt);

    /// Each returns the breakpoint's number, or 0 with the reason in `diagnostics` or `problem`.
    unsigned add_condition(const yaml::ProbeText& condition, Diagnostics& diagnostics);
    /// The condition, if not empty, can use the names of the process that runs the line.
    unsigned add_line(const std::string& file, std::uint32_t line, const std::string& condition,
                      Diagnostics& diagnostics, std::string& problem);
    unsigned add_change(const std::string& name, std::string& problem);
    bool remove(unsigned number);
    const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }

    /// The value of an expression in the shown cycle. Null on error, with the reason in
    /// `diagnostics`.
    const ProbeValue* evaluate(const yaml::ProbeText& text, Diagnostics& diagnostics);
    /// Sets a bus, a part of one, or a part of a word of a memory to the value of an expression.
    /// Returns the error message, or empty; `diagnostics` has errors in the expression.
    std::string set(const std::string& name, const std::string& expression,
                    Diagnostics& diagnostics);

    /// The line of the breakpoint, or of the fault; `nullopt` if the stop has no position.
    std::optional<TextPlace> place_of(const Stop& stop) const;

private:
    bool is_condition(const yaml::ProbeText& text, Diagnostics& diagnostics);
    bool add_line_condition(Breakpoint& breakpoint, Diagnostics& diagnostics);
    bool meets(Breakpoint& breakpoint);
    bool meets_line(Breakpoint& breakpoint) const;
    bool has_changed(Breakpoint& breakpoint) const;
    std::optional<unsigned> hit();
    void look_again();
    Stop ended() const;
    unsigned add(Breakpoint breakpoint);
    void forget_some();
    void follow_lines();
    std::string whole_name(const std::string& file) const;

    Machine& machine_;
    std::string path_;
    std::optional<std::uint64_t> most_;
    std::vector<Breakpoint> breakpoints_;
    std::vector<yaml::ProbeText> looked_at_; // recently used, the latest last
    unsigned last_number_ = 0;
};

} // namespace sme::debug
