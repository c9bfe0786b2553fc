// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "export/expressions/term.hpp"

namespace sme::hdl {

/// The loops within which expressions are written: variables that are set in each step.
class LoopText {
public:
    /// A loop is around what is written from here on.
    void open() { loops_.push_back({}); }
    /// The same for steps that stand side by side, so that nothing is set in them.
    void open_elements() {
        open();
        loops_.back().are_elements = true;
    }
    bool in_elements() const { return is_open() && loops_.back().are_elements; }
    /// The nets of each step; nothing where something would have had to be set.
    std::optional<std::vector<rtl::Net>> close_elements();
    bool is_open() const { return !loops_.empty(); }
    /// What was kept in the innermost loop, statement by statement; it ends there.
    rtl::Statements close();
    /// The variable that has a value of the innermost loop, if there is one.
    std::optional<std::string> kept(const ExprRef& value) const;
    /// Sets a variable of a type in each step.
    void keep(const std::string& name, const Type& type, const ExprRef& value);
    /// Adds statements that set a variable.
    void add(rtl::Statement start, rtl::Statements statements);

private:
    struct Open {
        rtl::Statements lines;
        std::vector<rtl::Net> nets;
        bool are_elements = false;
        std::map<std::string, std::string> kept; // by text
    };
    std::vector<Open> loops_;
};

/// A loop over integers.
struct LoopRange {
    std::string variable;
    Integer low = 0;
    Integer end = 0;
};
/// Loops around statements, one for each range, the last one innermost.
rtl::Statements for_loops(const std::vector<LoopRange>& ranges, rtl::Statements statements);

} // namespace sme::hdl
