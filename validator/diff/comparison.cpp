// SPDX-License-Identifier: Apache-2.0
#include "diff/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace sme::validator {

using vcd::Value;

namespace {

std::string_view without_zeros(std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

bool same_bits(const Value& first, const Value& second, AnyX any_x) {
    const std::string_view left = without_zeros(first.text), right = without_zeros(second.text);
    const bool zeros_in_front =
        !first.text.empty() && !second.text.empty() && (left.empty() || left.front() == '1');
    if (left == right && zeros_in_front)
        return true;
    const auto same_at = [&](std::uint64_t place) {
        return same_digit(vcd::digit_at(first, place), vcd::digit_at(second, place), any_x);
    };
    const std::uint64_t written = std::max(first.text.size(), second.text.size());
    for (std::uint64_t place = 0; place < written; ++place)
        if (!same_at(place))
            return false;
    // unwritten digits extend the value: one digit up to the narrower width, another above it
    const std::uint64_t narrower = std::min(first.width_bits, second.width_bits);
    return same_at(written) && same_at(std::max(narrower, written));
}

bool same_real(double first, double second, double tolerance) {
    if (std::isnan(first) || std::isnan(second))
        return std::isnan(first) == std::isnan(second);
    return first == second ||
           std::abs(first - second) <= tolerance * std::max(std::abs(first), std::abs(second));
}

} // namespace

bool same_digit(char first, char second, AnyX any_x) {
    return first == second || (first == 'x' && (any_x == AnyX::first || any_x == AnyX::both)) ||
           (second == 'x' && (any_x == AnyX::second || any_x == AnyX::both));
}

bool same_value(const Value& first, const Value& second, const Sameness& sameness) {
    if (first.kind != second.kind) // one of two reals is NaN
        return false;
    if (first.kind == vcd::Kind::real)
        return same_real(first.real(), second.real(), sameness.tolerance);
    return first.kind == vcd::Kind::bits ? same_bits(first, second, sameness.any_x)
                                         : first.text == second.text;
}

using vcd::Kind;
using vcd::Value;

namespace {

constexpr std::size_t max_shown = 80;            // characters of a value; longer values are cut
constexpr std::uint64_t before = 16, after = 47; // characters shown around a difference

bool is_number(const Value& bits) {
    return !bits.text.empty() && std::all_of(bits.text.begin(), bits.text.end(), [](char digit) {
        return vcd::plain_digit(digit) == '0' || vcd::plain_digit(digit) == '1';
    });
}

bool is_long(const Value& bits) {
    if (!is_number(bits))
        return bits.width_bits > max_shown;
    const std::size_t zeros = std::min(bits.text.find_first_not_of("0lL"), bits.text.size());
    return bits.text.size() - zeros > 4 * (max_shown - 2); // after "0x"
}

/// Returns 4-bit or 1-bit digits from a position downwards, with dots for omitted ones.
std::string digits_around(const Value& bits, std::uint64_t width, std::uint64_t place, bool hex) {
    const std::uint64_t size = hex ? 4 : 1, count = (width + size - 1) / size, here = place / size;
    const std::uint64_t high = std::min(here + before, count - 1);
    const std::uint64_t low = here - std::min(here, after);
    std::string text = hex ? "0x" : "0b";
    text += high + 1 < count ? "..." : "";
    for (std::uint64_t k = high + 1; k-- > low;) {
        unsigned number = 0;
        for (unsigned bit = 0; hex && bit < 4; ++bit)
            number |= vcd::digit_at(bits, 4 * k + bit) == '1' ? 1u << bit : 0u;
        text += hex ? "0123456789abcdef"[number] : vcd::digit_at(bits, k);
    }
    return text + (low > 0 ? "..." : "");
}

DifferenceText bits_text(const Value& first, const Value& second, AnyX any_x) {
    const std::uint64_t width = std::max(first.width_bits, second.width_bits);
    std::uint64_t place = width - 1;
    while (place > 0 &&
           same_digit(vcd::digit_at(first, place), vcd::digit_at(second, place), any_x))
        --place;
    const bool hex = is_number(first) && is_number(second);
    return {digits_around(first, width, place, hex), digits_around(second, width, place, hex),
            fmt::format("bit {} is the highest that differs", place)};
}

std::string characters_around(std::string_view text, std::uint64_t place) {
    const std::uint64_t begin = place - std::min(place, before);
    const std::uint64_t end = std::min<std::uint64_t>(place + after, text.size());
    return fmt::format("'{}{}{}'", begin > 0 ? "..." : "",
                       begin < end ? text.substr(begin, end - begin) : std::string_view{},
                       end < text.size() ? "..." : "");
}

DifferenceText characters_text(std::string_view first, std::string_view second) {
    const auto place = static_cast<std::uint64_t>(
        std::mismatch(first.begin(), first.end(), second.begin(), second.end()).first -
        first.begin());
    return {characters_around(first, place), characters_around(second, place),
            fmt::format("character {} is the first difference", place + 1)};
}

} // namespace

DifferenceText difference_text(const Value& first, const Value& second, const Sameness& sameness,
                               vcd::Radix radix) {
    if (first.kind == Kind::bits && second.kind == Kind::bits &&
        (is_long(first) || is_long(second)))
        return bits_text(first, second, sameness.any_x);
    if (first.kind == Kind::text && second.kind == Kind::text &&
        std::max(first.text.size(), second.text.size()) > max_shown - 2)
        return characters_text(first.text, second.text);
    return {vcd::value_text(first, radix), vcd::value_text(second, radix), {}};
}

// 1. Finds the next time at which either file changes.
// 2. Takes the changes.
// 3. Checks that the time is after the start of both files, before the end of the shorter one, and
// outside gaps.
// 4. Compares the written signals with their partners.

using vcd::Femtoseconds;
using vcd::Reader;
using vcd::Value;

namespace {

constexpr std::uint32_t no_pair = ~std::uint32_t{0};
constexpr std::uint32_t several = no_pair - 1;
constexpr Femtoseconds nanosecond = 1'000'000; // the tick if no file defines one

Femtoseconds tick_of(const Reader& file, const Reader& other) {
    return file.declarations().tick.value_or(other.declarations().tick.value_or(nanosecond));
}

std::string event_text(const Reader& reader, std::uint32_t signal) {
    return reader.has_changed(signal) ? "an event" : "no event";
}

} // namespace

Comparison::Comparison(Reader& first, Reader& second, const Pairing& pairing,
                       const Sameness& sameness, Femtoseconds shift)
    : pairing_{pairing}, sameness_{sameness}, first_{first, tick_of(first, second), 0},
      second_{second, tick_of(second, first), shift},
      differed_(pairing.pairs.size()), clock_{first.declarations().clock_of("")} {
    for (Side* side : {&first_, &second_}) {
        side->heads.resize(side->reader.declarations().signals.size(), no_pair);
        side->partner.resize(side->heads.size(), no_pair);
        side->next.resize(pairing.pairs.size(), no_pair);
    }
    const auto add = [](Side& side, std::uint32_t number, std::uint32_t signal,
                        std::uint32_t other) {
        std::uint32_t& head = side.heads[signal];
        side.partner[signal] = head == no_pair ? other : several;
        side.next[number] = head;
        head = number;
    };
    for (std::uint32_t k = 0; k < pairing.pairs.size(); ++k) {
        const Pair& pair = pairing.pairs[k];
        add(first_, k, pair.first, pair.second);
        add(second_, k, pair.second, pair.first);
    }
}

std::string_view Comparison::unit() const {
    return vcd::unit_of(std::max(first_.tick, second_.tick));
}

Outcome Comparison::run(const std::function<bool(const Difference&)>& found) {
    outcome_.from = outcome_.to = std::max(first_.begin(), second_.begin());
    while (first_.reader.more() || second_.reader.more()) {
        const bool first_next =
            first_.reader.more() && (!second_.reader.more() || first_.time() <= second_.time());
        const Femtoseconds now = first_next ? first_.time() : second_.time();
        first_.advance(now);
        second_.advance(now);
        if (first_.reader.problem() || second_.reader.problem())
            return outcome_;
        if (goes_beyond(now))
            return outcome_;
        measure_period(now);
        if (now < outcome_.from)
            continue;
        outcome_.any_time = true;
        outcome_.to = now;
        compare();
        if (!differing_.empty() && !report(now, found)) {
            outcome_.stopped = true;
            return outcome_;
        }
    }
    outcome_.to = std::max(outcome_.to, std::min(first_.time(), second_.time()));
    return outcome_;
}

/// Tests whether a file ended before `now`, or at `now` while the other continues, or within `now`.
bool Comparison::has_ended(const Side& side, const Side& other, Femtoseconds now) {
    if (side.reader.more() || side.time() > now)
        return false;
    return side.time() < now || other.reader.more() || side.reader.cut();
}

/// Tests whether `now`, whose changes are taken, is past the comparison.
bool Comparison::goes_beyond(Femtoseconds now) {
    const bool first_ended = has_ended(first_, second_, now);
    if (!first_ended && !has_ended(second_, first_, now))
        return false;
    const Side& ended = first_ended ? first_ : second_;
    const Side& other = first_ended ? second_ : first_;
    outcome_.to = ended.time();
    outcome_.whole_end = outcome_.to < now;
    (first_ended ? outcome_.second_goes_on : outcome_.first_goes_on) =
        outcome_.whole_end || other.reader.more();
    return true;
}

void Comparison::compare() {
    differing_.clear();
    if (first_.reader.off() || second_.reader.off()) {
        outcome_.gaps = true;
        all_ = true;
        return;
    }
    if (all_)
        compare_all();
    else
        compare_changes();
    all_ = false;
}

void Comparison::compare_all() {
    for (std::uint32_t pair = 0; pair < pairing_.pairs.size(); ++pair)
        check(pair);
}

/// Compares changed signals. Most belong to one pair and are written like their partners; they need
/// no further check.
void Comparison::compare_changes() {
    for (const std::uint32_t signal : first_.reader.changed()) {
        const std::uint32_t other = first_.partner[signal];
        if (other != no_pair &&
            (other == several || !first_.reader.written_alike(signal, second_.reader, other)))
            check_pairs_of(first_, signal);
    }
    for (const std::uint32_t signal : second_.reader.changed()) {
        const std::uint32_t other = second_.partner[signal];
        if (other != no_pair &&
            (other == several || !second_.reader.written_alike(signal, first_.reader, other)))
            check_pairs_of(second_, signal);
    }
}

void Comparison::check_pairs_of(const Side& side, std::uint32_t signal) {
    for (std::uint32_t pair = side.heads[signal]; pair != no_pair; pair = side.next[pair])
        if (&side == &first_ || !first_.reader.has_changed(pairing_.pairs[pair].first))
            check(pair);
}

void Comparison::check(std::uint32_t number) {
    const Pair& pair = pairing_.pairs[number];
    const Value left = first_.reader.value(pair.first), right = second_.reader.value(pair.second);
    if (left.kind == vcd::Kind::event) {
        if (first_.reader.has_changed(pair.first) != second_.reader.has_changed(pair.second))
            differing_.push_back(number);
        return;
    }
    if (!same_value(left, right, sameness_))
        differing_.push_back(number);
}

void Comparison::measure_period(Femtoseconds now) {
    if (period_ != 0 || !clock_ || !first_.reader.has_changed(clock_->signal) ||
        first_.reader.value(clock_->signal).text != "1")
        return;
    if (rise_)
        period_ = now - *rise_;
    rise_ = now;
}

/// Cycle 0 begins at time 0, whatever the first cycle of the file.
std::optional<std::uint64_t> Comparison::cycle_at(Femtoseconds now) const {
    if (clock_ && now == 0)
        return 0;
    return period_ > 0 ? std::optional{static_cast<std::uint64_t>(now / period_)} : std::nullopt;
}

vcd::Radix Comparison::radix_of(const Pair& pair) const {
    const auto is_signed = [](const Side& side, std::uint32_t signal) {
        return side.reader.declarations().signals[signal].is_signed;
    };
    if (is_signed(first_, pair.first) || is_signed(second_, pair.second))
        return vcd::Radix::signed_decimal;
    return clock_ || second_.reader.declarations().clock_of("") ? vcd::Radix::unsigned_decimal
                                                                : vcd::Radix::hexadecimal;
}

bool Comparison::report(Femtoseconds now, const std::function<bool(const Difference&)>& found) {
    std::sort(differing_.begin(), differing_.end());
    for (const std::uint32_t number : differing_) {
        const Pair& pair = pairing_.pairs[number];
        ++outcome_.differences;
        outcome_.pairs_that_differ += differed_[number] ? 0u : 1u;
        differed_[number] = true;
        DifferenceText text;
        if (first_.reader.value(pair.first).kind == vcd::Kind::event)
            text = {
                event_text(first_.reader, pair.first), event_text(second_.reader, pair.second), {}};
        else
            text = difference_text(first_.reader.value(pair.first),
                                   second_.reader.value(pair.second), sameness_, radix_of(pair));
        if (!found({now, cycle_at(now), number, std::move(text.first), std::move(text.second),
                    std::move(text.where)}))
            return false;
    }
    return true;
}

} // namespace sme::validator
