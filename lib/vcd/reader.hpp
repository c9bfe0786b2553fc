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
#include "vcd/window.hpp"

namespace sme::vcd {

/// Reads a file of value changes (IEEE 1364-2005, 18.2) of any length, forwards, time after time.
/// Needs memory for the declarations and one value of each signal. Not thread-safe.
class Reader {
public:
    /// Opens a file or a pipe and reads its declarations.
    explicit Reader(const std::string& path);
    /// From memory, which must stay; `name` is for diagnostics.
    Reader(const std::string& name, std::string_view text, std::size_t block = Window::block_bytes);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// Why it goes no further: the file cannot be read (file-unreadable), or is none (vcd-syntax).
    const std::optional<Diagnostic>& problem() const {
        return problem_ ? problem_ : scanner_.problem();
    }
    /// What was read so far although the standard does not allow it, one warning of each kind.
    const std::vector<Diagnostic>& warnings() const { return cursor_.warnings(); }
    const Declarations& declarations() const { return declarations_; }

    /// Whether there is a time with changes ahead: `time()`, in ticks. When there is none, `time()`
    /// is the last time that the file names.
    bool more() const { return more_; }
    std::uint64_t time() const { return scanner_.time(); }
    /// The first time that the file names, whether anything changes then or not; 0 when it begins
    /// with values.
    std::uint64_t first_time() const { return scanner_.first_time(); }
    /// Takes the changes of that time; of several values at one time the last one stays.
    void take();

    /// The value of a signal after what was taken.
    Value value(std::uint32_t signal) const { return signals_.value(signal); }
    /// Whether a signal and one of another file are of one width and written alike; false also when
    /// it takes more to know whether they are the same.
    bool written_alike(std::uint32_t signal, const Reader& there, std::uint32_t other) const {
        return signals_.written_alike(signal, there.signals_, other);
    }
    /// The signals that were written by the last `take`; of events: that happened.
    std::span<const std::uint32_t> changed() const { return signals_.changed(); }
    bool has_changed(std::uint32_t signal) const { return signals_.has_changed(signal); }
    void forget_changes() { signals_.forget_changes(); }
    /// Between $dumpoff and $dumpon: the file does not know the values.
    bool off() const { return scanner_.off(); }
    /// The file ended within a line that cannot be read, which was left out.
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

/// The name of a variable with its scopes: "top.core.count", "top.x[3]". Ranges of several bits are
/// no part of it.
std::string full_name(const Declarations& declarations, const Variable& variable);

} // namespace sme::vcd
