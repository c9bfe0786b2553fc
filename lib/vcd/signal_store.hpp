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
#include "vcd/words.hpp"

namespace sme::vcd {

/// The present value of every signal, and which were given one since `forget_changes`. Digits are
/// kept as the file writes them: up to 16 in the entry of the signal; more of a signal of up to 256
/// bits in one array for all, of others in a string that grows with what is written, not with what
/// is declared.
class SignalStore {
public:
    void add(const Signal& signal);

    /// The signal is going to be set.
    void fetch(std::uint32_t signal) const { __builtin_prefetch(&entries_[signal], 1); }

    /// One digit; an event happens. False when the signal has other values.
    bool set_digit(std::uint32_t signal, char digit) {
        Entry& entry = entries_[signal];
        if (entry.kind != Kind::bits)
            return set_event(signal);
        entry.text[0] = digit;
        entry.length = 1;
        note_change(entry, signal);
        return true;
    }

    /// Digits; 16 bytes may be loaded there. False when the signal is no vector or they are too
    /// many.
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
    /// Of a text, or of a real that is no number.
    bool set_text(std::uint32_t signal, std::string_view text);
    bool is_real(std::uint32_t signal) const { return entries_[signal].kind == Kind::real; }
    bool takes_texts(std::uint32_t signal) const {
        return entries_[signal].kind == Kind::text || is_real(signal);
    }
    /// It was declared with width 0: of what is written the lowest digit is kept.
    bool has_no_width(std::uint32_t signal) const { return entries_[signal].no_width; }

    /// Events that are written from now on are no events: values of all signals are given again.
    void repeat_values(bool repeat) { repeats_ = repeat; }

    Value value(std::uint32_t signal) const;
    /// Whether a signal here and one there are of one width and written alike; false also when it
    /// takes more to know whether they are the same.
    bool written_alike(std::uint32_t signal, const SignalStore& there, std::uint32_t other) const {
        const Entry &left = entries_[signal], &right = there.entries_[other];
        if (left.length != right.length || left.width_bits != right.width_bits ||
            left.length - 1 >= 16 || left.kind != Kind::bits)
            return false;
        const unsigned unused = 8 * (16 - left.length); // bits of the two words
        const std::uint64_t low = load_eight(left.text.data()) ^ load_eight(right.text.data());
        const std::uint64_t high =
            load_eight(left.text.data() + 8) ^ load_eight(right.text.data() + 8);
        return unused >= 64 ? low << (unused - 64) == 0 : (high << unused | low) == 0;
    }
    bool has_changed(std::uint32_t signal) const { return entries_[signal].changed; }
    /// In the order of their first changes.
    std::span<const std::uint32_t> changed() const { return {changed_.data(), changes_}; }
    void forget_changes();

private:
    struct Entry {
        std::array<char, 16> text{};
        std::uint32_t length = 0;
        std::uint32_t width_bits = 0;
        std::uint32_t place = 0; // of what `text` does not take
        Kind kind = Kind::bits;
        std::uint8_t inside = 0; // digits that `text` takes
        bool apart = false;      // the place is in `texts_`, else in `shared_`
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
    std::vector<std::uint32_t> changed_; // as many places as entries; the first `changes_` count
    std::size_t changes_ = 0;
    std::vector<char> shared_;
    std::vector<std::string> texts_;
    bool repeats_ = false;
};

} // namespace sme::vcd
