// SPDX-License-Identifier: Apache-2.0
#include "vcd/signal_store.hpp"

#include <algorithm>
#include <limits>

namespace sme::vcd {

namespace {

constexpr std::uint32_t max_shared = 256;

/// Removes redundant leading digits until at most `most` digits are left.
std::string_view shortened(std::string_view digits, std::size_t most) {
    while (digits.size() > most) {
        const char first = plain_digit(digits[0]), second = plain_digit(digits[1]);
        if (first == '1' || (first != '0' && first != second))
            break;
        digits.remove_prefix(1);
    }
    return digits;
}

} // namespace

void SignalStore::add(const Signal& signal) {
    Entry entry;
    entry.kind = signal.kind;
    entry.width_bits = signal.width_bits;
    entry.no_width = signal.no_width;
    if (signal.kind == Kind::bits)
        entry.inside =
            static_cast<std::uint8_t>(std::min<std::size_t>(signal.width_bits, entry.text.size()));
    const bool digits_outside = signal.kind == Kind::bits && signal.width_bits > entry.inside;
    const std::size_t room = std::numeric_limits<std::uint32_t>::max() - shared_.size();
    entry.apart = signal.kind == Kind::text ||
                  (digits_outside && (signal.width_bits > max_shared || room < max_shared));
    if (entry.apart) {
        entry.place = static_cast<std::uint32_t>(texts_.size());
        texts_.emplace_back();
    } else if (digits_outside) {
        entry.place = static_cast<std::uint32_t>(shared_.size());
        shared_.resize(shared_.size() + entry.width_bits);
    }
    entries_.push_back(entry);
    changed_.push_back(0);
}

bool SignalStore::set_event(std::uint32_t signal) {
    Entry& entry = entries_[signal];
    if (entry.kind != Kind::event)
        return false;
    if (!repeats_)
        note_change(entry, signal);
    return true;
}

bool SignalStore::set_long(std::uint32_t signal, std::string_view digits) {
    Entry& entry = entries_[signal];
    if (entry.kind != Kind::bits)
        return entry.kind == Kind::event && set_event(signal);
    if (entry.no_width)
        digits.remove_prefix(digits.size() - 1);
    digits = shortened(digits, entry.width_bits);
    if (digits.size() > entry.width_bits)
        return false;
    if (digits.size() <= entry.inside)
        digits.copy(entry.text.data(), digits.size());
    else if (entry.apart)
        texts_[entry.place].assign(digits);
    else
        digits.copy(shared_.data() + entry.place, digits.size());
    entry.length = static_cast<std::uint32_t>(digits.size());
    note_change(entry, signal);
    return true;
}

bool SignalStore::set_real(std::uint32_t signal, double value) {
    Entry& entry = entries_[signal];
    if (entry.kind != Kind::real)
        return false;
    std::memcpy(entry.text.data(), &value, sizeof value);
    entry.length = sizeof value;
    entry.apart = false;
    note_change(entry, signal);
    return true;
}

bool SignalStore::set_text(std::uint32_t signal, std::string_view text) {
    Entry& entry = entries_[signal];
    if (entry.kind != Kind::text && entry.kind != Kind::real)
        return false;
    if (entry.kind == Kind::real && entry.place == 0) { // its first text
        if (texts_.empty())
            texts_.emplace_back(); // place 0 means no text
        entry.place = static_cast<std::uint32_t>(texts_.size());
        texts_.emplace_back();
    }
    entry.apart = true;
    texts_[entry.place].assign(text);
    note_change(entry, signal);
    return true;
}

Value SignalStore::value(std::uint32_t signal) const {
    const Entry& entry = entries_[signal];
    std::string_view text{entry.text.data(), std::min<std::size_t>(entry.length, 16)};
    if (entry.kind == Kind::text)
        text = texts_[entry.place];
    else if (entry.kind == Kind::real && entry.apart)
        return {Kind::text, entry.width_bits, texts_[entry.place]};
    else if (entry.length > entry.text.size())
        text = entry.apart ? std::string_view{texts_[entry.place]}
                           : std::string_view{shared_.data() + entry.place, entry.length};
    return {entry.kind, entry.width_bits, text};
}

void SignalStore::forget_changes() {
    for (const std::uint32_t signal : changed())
        entries_[signal].changed = false;
    changes_ = 0;
}

} // namespace sme::vcd
