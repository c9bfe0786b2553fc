// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "vcd/code_table.hpp"
#include "vcd/cursor.hpp"
#include "vcd/declarations.hpp"
#include "vcd/signal_store.hpp"

namespace sme::vcd {

/// Parses everything before the values (IEEE 1364-2005, 18.2.3), up to and including
/// $enddefinitions. Returns the error, or `nullopt`.
std::optional<Diagnostic> parse_header(Cursor& cursor, Declarations& declarations,
                                       CodeTable& codes);

/// Reads value changes, one time after the other.
class Scanner {
public:
    Scanner(Cursor& cursor, const CodeTable& codes, SignalStore& signals)
        : cursor_{cursor}, codes_{codes}, signals_{signals} {}

    /// Moves to the next time followed by a change; false if there is no such time.
    bool find();
    /// Reads all changes up to the next time.
    void take();

    std::uint64_t time() const { return time_; }
    std::uint64_t first_time() const { return first_time_; }
    bool off() const { return off_; }
    bool cut() const { return cut_; }
    const std::optional<Diagnostic>& problem() const { return problem_; }

private:
    /// Each of these parses an item at a byte and returns the position after it; null if the item
    /// is missing or wrong.
    const char* digit(const char* at);
    const char* digits(const char* at);
    const char* real(const char* at);
    const char* text(const char* at);
    const char* no_digits(const char* at, const char* word_end);
    const char* end_of_text(const char* at, std::uint32_t& signal) const;
    bool set_text(std::uint32_t signal, const char* begin, const char* end);
    const char* code(const char* at, std::uint32_t& signal);
    const char* far_code(const char* at, std::uint32_t& signal);
    const char* one_change(const char* at);

    /// Digits that are read but not stored yet. Their destination is prefetched meanwhile: in files
    /// with many signals, waiting for it takes most of the time.
    struct Waiting {
        const char* begin;
        std::uint32_t length; // of a vector after its 'b'; 0: a single digit
        std::uint32_t signal;
    };
    bool wait(std::uint32_t signal, const char* begin, std::size_t length);
    /// Stores the waiting digits; false if some do not fit.
    bool store();

    bool read_time();
    void keyword();
    /// Returns null, for the caller to return.
    const char* fail(const char* begin, const char* end, std::string message);
    const char* not_whole();
    bool read_on();

    Cursor& cursor_;
    const CodeTable& codes_;
    SignalStore& signals_;
    std::uint64_t time_ = 0;
    std::uint64_t first_time_ = 0;
    bool timed_ = false;
    bool begun_ = false; // a time or a change was seen
    bool off_ = false;
    bool cut_ = false;
    bool incomplete_ = false; // the current item continues after the window
    std::optional<Diagnostic> problem_;
    std::array<Waiting, 32> waiting_;
    std::size_t waits_ = 0;
};

} // namespace sme::vcd
