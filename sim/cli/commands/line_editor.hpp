// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sme::cli {

/// Lines that a user types at a terminal, with history and completion. One at a time, as its
/// library keeps all in globals.
class LineEditor {
public:
    using Complete = std::function<std::vector<std::string>(const std::string& line)>;

    /// `history`: the file that holds the lines of earlier sessions; empty: there is none.
    /// `complete` says how the last word of a line may go on.
    LineEditor(std::string history, Complete complete);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    /// Nothing at the end of the input.
    std::optional<std::string> read(const std::string& prompt);

private:
    std::string history_;
};

} // namespace sme::cli
