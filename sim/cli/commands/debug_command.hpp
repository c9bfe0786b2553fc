// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "debug/session.hpp"

namespace sme::cli {

/// Reads lines that a user types at a terminal, with history and completion. Only one may exist at
/// a time, because the library keeps its state in globals.
class LineEditor {
public:
    using Complete = std::function<std::vector<std::string>(const std::string& line)>;

    /// `history`: the file with the lines of earlier sessions; empty: no history. `complete`
    /// returns the completions of the last word of a line.
    LineEditor(std::string history, Complete complete);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    /// Reads a line; `nullopt` at the end of the input.
    std::optional<std::string> read(const std::string& prompt);

private:
    std::string history_;
};

/// Speaks the Debug Adapter Protocol on standard input and output until the client disconnects or
/// its pipe closes. `interrupt` ends a run. Returns the exit code.
int serve_dap(debug::Session& session, std::atomic<bool>& interrupt);

} // namespace sme::cli
