// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vcd/code_table.hpp"
#include "vcd/cursor.hpp"
#include "vcd/declarations.hpp"
#include "vcd/scanner.hpp"
#include "vcd/signal_store.hpp"

namespace sme::vcd {

/// Reads a file of value changes (IEEE 1364-2005, 18.2) of any length, forwards, one time after the
/// other. Needs memory for the declarations and one value per signal. Not thread-safe.
class Reader {
public:
    /// Opens a file or a pipe and reads its declarations.
    explicit Reader(const std::string& path);
    /// Reads from memory, which must outlive the reader; `name` is for diagnostics.
    Reader(const std::string& name, std::string_view text, std::size_t block = Window::block_bytes);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// Returns why reading stopped: the file cannot be read (file-unreadable) or is not valid
    /// (vcd-syntax).
    const std::optional<Diagnostic>& problem() const {
        return problem_ ? problem_ : scanner_.problem();
    }
    /// Returns the deviations from the standard found so far, one warning of each kind.
    const std::vector<Diagnostic>& warnings() const { return cursor_.warnings(); }
    const Declarations& declarations() const { return declarations_; }

    /// Returns whether there is another time with changes: `time()`, in ticks. If not, `time()` is
    /// the last time in the file.
    bool more() const { return more_; }
    std::uint64_t time() const { return scanner_.time(); }
    /// Returns the first time in the file, with or without changes; 0 if the file begins with
    /// values.
    std::uint64_t first_time() const { return scanner_.first_time(); }
    /// Takes the changes of that time; of several values at one time the last one counts.
    void take();

    /// Returns the value of a signal after the changes taken so far.
    Value value(std::uint32_t signal) const { return signals_.value(signal); }
    /// Returns whether a signal and one of another file have the same width and the same text. May
    /// return false for equal values that need more work to compare.
    bool written_alike(std::uint32_t signal, const Reader& there, std::uint32_t other) const {
        return signals_.written_alike(signal, there.signals_, other);
    }
    /// Returns the signals written by the last `take`; for events, those that happened.
    std::span<const std::uint32_t> changed() const { return signals_.changed(); }
    bool has_changed(std::uint32_t signal) const { return signals_.has_changed(signal); }
    void forget_changes() { signals_.forget_changes(); }
    /// Returns true between $dumpoff and $dumpon: the values are unknown.
    bool off() const { return scanner_.off(); }
    /// Returns whether the file ended within a line that cannot be read and was dropped.
    bool cut() const { return scanner_.cut(); }

private:
    void begin();

    Window window_;
    Cursor cursor_;
    Declarations declarations_;
    CodeTable codes_;
    SignalStore signals_;
    Scanner scanner_;
    std::optional<Diagnostic> problem_;
    bool more_ = false;
};

/// Returns the name of a variable with its scopes: "top.core.count", "top.x[3]", without ranges of
/// several bits.
std::string full_name(const Declarations& declarations, const Variable& variable);

} // namespace sme::vcd
