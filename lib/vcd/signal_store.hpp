// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vcd/value.hpp"

namespace sme::vcd {

/// The current value of every signal, and the signals written since `forget_changes`. Digits are
/// stored as in the file: up to 16 in the signal's entry; more of them in a shared array for
/// signals of up to 256 bits, otherwise in a string whose size depends on the digits written, not
/// on the declared width.
class SignalStore {
public:
    void add(const Signal& signal);

    /// Prefetches the entry of a signal that is about to be set.
    void fetch(std::uint32_t signal) const { __builtin_prefetch(&entries_[signal], 1); }

    /// Sets one digit; for an event, it happens. Returns false if the signal has another kind of
    /// value.
    bool set_digit(std::uint32_t signal, char digit) {
        Entry& entry = entries_[signal];
        if (entry.kind != Kind::bits)
            return set_event(signal);
        entry.text[0] = digit;
        entry.length = 1;
        note_change(entry, signal);
        return true;
    }

    /// Sets digits; 16 bytes must be readable there. Returns false if the signal is not a vector or
    /// there are too many digits.
    bool set_bits(std::uint32_t signal, const char* digits, std::size_t length) {
        Entry& entry = entries_[signal];
        if (length > entry.inside)
            return set_long(signal, {digits, length});
        std::memcpy(entry.text.data(), digits, sizeof entry.text);
        entry.length = static_cast<std::uint32_t>(length);
        note_change(entry, signal);
        return true;
    }

    bool set_real(std::uint32_t signal, double value);
    /// Sets a text, also for a real that is not a number.
    bool set_text(std::uint32_t signal, std::string_view text);
    bool is_real(std::uint32_t signal) const { return entries_[signal].kind == Kind::real; }
    bool takes_texts(std::uint32_t signal) const {
        return entries_[signal].kind == Kind::text || is_real(signal);
    }
    /// Returns whether it was declared with width 0: then only the lowest digit written is kept.
    bool has_no_width(std::uint32_t signal) const { return entries_[signal].no_width; }

    /// Events written from now on do not happen: the values of all signals are repeated.
    void repeat_values(bool repeat) { repeats_ = repeat; }

    Value value(std::uint32_t signal) const;
    /// Returns whether a signal here and one in `there` have the same width and the same text. May
    /// return false for equal values that need more work to compare.
    bool written_alike(std::uint32_t signal, const SignalStore& there, std::uint32_t other) const {
        const Entry &left = entries_[signal], &right = there.entries_[other];
        if (left.length != right.length || left.width_bits != right.width_bits ||
            left.length - 1 >= 16 || left.kind != Kind::bits)
            return false;
        const unsigned unused = 8 * (16 - left.length); // unused bits of the two words
        const std::uint64_t low = load_eight(left.text.data()) ^ load_eight(right.text.data());
        const std::uint64_t high =
            load_eight(left.text.data() + 8) ^ load_eight(right.text.data() + 8);
        return unused >= 64 ? low << (unused - 64) == 0 : (high << unused | low) == 0;
    }
    bool has_changed(std::uint32_t signal) const { return entries_[signal].changed; }
    /// Returns the written signals in the order of their first changes.
    std::span<const std::uint32_t> changed() const { return {changed_.data(), changes_}; }
    void forget_changes();

private:
    struct Entry {
        std::array<char, 16> text{};
        std::uint32_t length = 0;
        std::uint32_t width_bits = 0;
        std::uint32_t place = 0; // of the part that does not fit in `text`
        Kind kind = Kind::bits;
        std::uint8_t inside = 0; // number of digits in `text`
        bool apart = false;      // `place` is in `texts_`, otherwise in `shared_`
        bool changed = false;
        bool no_width = false;
    };

    void note_change(Entry& entry, std::uint32_t signal) {
        if (entry.changed)
            return;
        entry.changed = true;
        changed_[changes_++] = signal;
    }
    bool set_event(std::uint32_t signal);
    bool set_long(std::uint32_t signal, std::string_view digits);

    std::vector<Entry> entries_;
    // Same size as the entries; the first `changes_` are valid.
    std::vector<std::uint32_t> changed_;
    std::size_t changes_ = 0;
    std::vector<char> shared_;
    std::vector<std::string> texts_;
    bool repeats_ = false;
};

} // namespace sme::vcd
