// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "export/modules/hdl_value.hpp"

namespace sme::hdl {

/// The loops around the expressions being written: variables that each step assigns.
class LoopText {
public:
    /// Opens a loop around all text that follows.
    void open() { loops_.push_back({}); }
    /// The same for steps side by side: they cannot assign variables.
    void open_elements() {
        open();
        loops_.back().are_elements = true;
    }
    bool in_elements() const { return is_open() && loops_.back().are_elements; }
    /// Closes the loop and returns the nets of each step; `nullopt` if a step would need an
    /// assignment.
    std::optional<std::vector<rtl::Net>> close_elements();
    bool is_open() const { return !loops_.empty(); }
    /// Closes the innermost loop and returns its kept statements in order.
    rtl::Statements close();
    /// Returns the variable that holds a value of the innermost loop, or `nullopt`.
    std::optional<std::string> kept(const ExprRef& value) const;
    /// Sets a variable of the given type in each step.
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
/// Writes loops around statements, one for each range, the last one innermost.
rtl::Statements for_loops(const std::vector<LoopRange>& ranges, rtl::Statements statements);

} // namespace sme::hdl
