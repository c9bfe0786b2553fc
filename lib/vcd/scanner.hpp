// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "vcd/code_table.hpp"
#include "vcd/cursor.hpp"
#include "vcd/signal_store.hpp"

namespace sme::vcd {

/// Reads value changes, those of one time after another.
class Scanner {
public:
    Scanner(Cursor& cursor, const CodeTable& codes, SignalStore& signals)
        : cursor_{cursor}, codes_{codes}, signals_{signals} {}

    /// Goes to the next time that has something behind it; false when there is none.
    bool find();
    /// Reads all changes up to the next time.
    void take();

    std::uint64_t time() const { return time_; }
    std::uint64_t first_time() const { return first_time_; }
    bool off() const { return off_; }
    bool cut() const { return cut_; }
    const std::optional<Diagnostic>& problem() const { return problem_; }

private:
    /// Each reads what begins at a byte and returns what is behind it; null when that is not there,
    /// or wrong.
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

    /// Digits that were read and are not stored yet. What they are stored in is fetched meanwhile:
    /// in files of many signals most of the time is waiting for it.
    struct Waiting {
        const char* begin;
        std::uint32_t length; // of a vector behind its 'b'; 0: one digit
        std::uint32_t signal;
    };
    bool wait(std::uint32_t signal, const char* begin, std::size_t length);
    /// Stores what waits; false when some of it does not fit.
    bool store();

    bool read_time();
    void keyword();
    /// Null, for the caller to return.
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
    bool incomplete_ = false; // what was begun goes on behind the window
    std::optional<Diagnostic> problem_;
    std::array<Waiting, 32> waiting_;
    std::size_t waits_ = 0;
};

} // namespace sme::vcd
