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

/// Where a run is to stop by itself.
struct Breakpoint {
    enum class Kind : std::uint8_t {
        condition, ///< an expression holds
        line,      ///< a line of a process ran, and the condition holds if there is one
        change,    ///< a value is another one than in the cycle before
    };
    unsigned number = 0;
    Kind kind = Kind::condition;
    std::string text;            // as it is listed
    yaml::ProbeText condition{}; // its text is empty: none; of a line it has no process
    TextLine line{};
    std::vector<ProcessPlace> places{}; // of a line: the instances that have it
    std::optional<ProcessPlace> met{};  // the one of them for which the run was to stop
    NamedValue watched{};
    std::vector<std::byte> before{}; // of `watched`; empty: no cycle has been looked at
    std::uint64_t stops = 0;
};

/// Why a run stands still.
struct Stop {
    enum class Reason : std::uint8_t {
        step,        ///< as many cycles as were asked for have run
        breakpoint,  ///< `breakpoint` says which
        check,       ///< a check or an expected output failed; the run is over
        fault,       ///< a process faulted; the run is over
        halted,      ///< the network ended the run
        cycles,      ///< all cycles have run that there are to be
        interrupted, ///< by the user
    };
    Reason reason = Reason::step;
    unsigned breakpoint = 0;
    std::string text; // for people; several lines for several faults
};

/// A place in a network file, and the process that stands there.
struct TextPlace {
    Location where;
    std::optional<ProcessPlace> process;
};

/// A run under the eyes of a user: where it stops, and what was looked at. It prints nothing.
class Session {
public:
    /// `most`: the cycles that there are; nothing: any number. `path`: of the network file.
    Session(Machine& machine, std::string path, std::optional<std::uint64_t> most)
        : machine_{machine}, path_{std::move(path)}, most_{most} {}

    Machine& machine() { return machine_; }
    const Graph& graph() const { return machine_.graph(); }
    const std::string& path() const { return path_; } ///< of the network file
    /// The cycle that is shown; nothing before the first.
    std::optional<std::uint64_t> cycle() const {
        return machine_.ran() == 0 ? std::nullopt : std::optional{machine_.ran() - 1};
    }

    /// Runs so many cycles, or any number, but no further than to a breakpoint.
    Stop run(std::optional<std::uint64_t> cycles, const std::atomic<bool>& interrupt);
    /// Runs until a condition holds, or as `run`. Nothing, with the reason in `diagnostics`, when
    /// it is none.
    std::optional<Stop> run_until(const yaml::ProbeText& condition,
                                  const std::atomic<bool>& interrupt, Diagnostics& diagnostics);
    /// Shows this cycle, forward without stopping at breakpoints, or back; nothing: before the
    /// first.
    Stop go_to(std::optional<std::uint64_t> cycle, const std::atomic<bool>& interrupt);

    /// Each returns the number, or 0 with the reason in `diagnostics`, or in `problem`.
    unsigned add_condition(const yaml::ProbeText& condition, Diagnostics& diagnostics);
    /// The condition, if there is one, sees the names of the process that runs the line.
    unsigned add_line(const std::string& file, std::uint32_t line, const std::string& condition,
                      Diagnostics& diagnostics, std::string& problem);
    unsigned add_change(const std::string& name, std::string& problem);
    bool remove(unsigned number);
    const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }

    /// Of an expression in the shown cycle. Null, with the reason in `diagnostics`.
    const ProbeValue* evaluate(const yaml::ProbeText& text, Diagnostics& diagnostics);
    /// Gives a bus, a part of one, or of a word of a memory the value of an expression. Empty, or
    /// what is wrong; of the expression: `diagnostics` say it.
    std::string set(const std::string& name, const std::string& expression,
                    Diagnostics& diagnostics);

    /// The line that a breakpoint met, or what faulted; nothing where a stop has no place.
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
    std::vector<yaml::ProbeText> looked_at_; // lately, the last one at the end
    unsigned last_number_ = 0;
};

} // namespace sme::debug
