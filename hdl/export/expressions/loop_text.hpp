// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bits/integer.hpp"

namespace sme::hdl {

/// The loops within which expressions are written, as for loops of Verilog: variables that are set
/// in each step.
class LoopText {
public:
    /// A loop is around what is written from here on.
    void open() { loops_.push_back({}); }
    bool is_open() const { return !loops_.empty(); }
    /// What was kept in the innermost loop, statement by statement; it ends there.
    std::string close();
    /// The variable that has a text of the innermost loop, if there is one.
    std::optional<std::string> kept(const std::string& text) const;
    /// Sets a variable in each step.
    void keep(const std::string& name, const std::string& text);
    /// Adds statements that set a variable.
    void add(const std::string& statements);

private:
    struct Open {
        std::string lines;
        std::map<std::string, std::string> kept; // by text
    };
    std::vector<Open> loops_;
};

/// "for (k = 0; k < n; k = k + 1) begin … end" around statements, one for each range, the last one
/// innermost.
struct LoopRange {
    std::string variable; // an integer
    Integer low = 0;
    Integer end = 0;
};
std::string for_loops(const std::vector<LoopRange>& ranges, const std::string& statements);
/// Each line behind an indentation.
std::string indented(const std::string& lines, const std::string& indent);

} // namespace sme::hdl
