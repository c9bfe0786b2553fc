// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diff/pairing.hpp"
#include "vcd/reader.hpp"
#include "vcd/value.hpp"

namespace sme::validator {

/// The file in which a digit x matches every digit of the other.
enum class AnyX : std::uint8_t { neither, first, second, both };

/// The rules of equality.
struct Sameness {
    AnyX any_x = AnyX::neither;
    double tolerance = 0; // for reals, relative to the larger one
};

/// Tests two values of one kind for equality; bits as numbers: the narrower one is zero-extended.
bool same_value(const vcd::Value& first, const vcd::Value& second, const Sameness& sameness);

/// Tests two digits of '0', '1', 'x' and 'z' for equality.
bool same_digit(char first, char second, AnyX any_x);

/// Two differing values, formatted for side-by-side reading.
struct DifferenceText {
    std::string first;
    std::string second;
    std::string where; // empty if both are shown whole
};

/// Returns the texts of two different values of one kind, numbers in `radix`. Of long values it
/// shows the digits around the highest difference, at the same positions; of long texts, the
/// characters around the first one.
DifferenceText difference_text(const vcd::Value& first, const vcd::Value& second,
                               const Sameness& sameness,
                               vcd::Radix radix = vcd::Radix::hexadecimal);

/// A time at which a signal is written and the two files then disagree.
struct Difference {
    vcd::Femtoseconds time;             // of the first file
    std::optional<std::uint64_t> cycle; // if the first file is ours and its period is known there
    std::uint32_t pair;                 // in `Pairing::pairs`
    std::string first;                  // the values, or that an event did not happen
    std::string second;
    std::string
        where; // of values too long to be shown whole: "bit 300 is the highest that differs"
};

/// The compared range, and the result.
struct Outcome {
    std::uint64_t differences = 0;
    std::uint64_t pairs_that_differ = 0;
    bool any_time = false;      // false: the files have no time in common
    vcd::Femtoseconds from = 0; // the compared range, in times of the first file
    vcd::Femtoseconds to = 0;
    bool whole_end = true;      // `to` itself was compared, too
    bool stopped = false;       // by the caller, before the end
    bool first_goes_on = false; // past `to`, where the other has ended
    bool second_goes_on = false;
    bool gaps = false; // times omitted from a file ($dumpoff) were not compared
};

/// Compares two files in one pass, with memory only for their signals. The value at a time is the
/// last one written at it. The comparison starts at the later of the two starts; if one file
/// continues past the end of the other, it excludes that end, because the run may have stopped in
/// the middle of it.
class Comparison {
public:
    /// Both readers are at their start and outlive this object. `shift` is the delay of events in
    /// the second file.
    Comparison(vcd::Reader& first, vcd::Reader& second, const Pairing& pairing,
               const Sameness& sameness, vcd::Femtoseconds shift);

    /// Calls `found` for each difference, by time and then in the order of the pairs, until it
    /// returns false. Ends early if a file has a problem.
    Outcome run(const std::function<bool(const Difference&)>& found);

    /// Returns the time unit that suits both files.
    std::string_view unit() const;

private:
    /// A file, with its times converted to the axis of the first.
    struct Side {
        vcd::Reader& reader;
        vcd::Femtoseconds tick;
        vcd::Femtoseconds shift;
        std::vector<std::uint32_t> heads{}; // by signal: its first pair, and the next ones
        std::vector<std::uint32_t> next{};
        std::vector<std::uint32_t> partner{}; // by signal, if it has one pair: the other signal

        vcd::Femtoseconds time() const {
            return static_cast<vcd::Femtoseconds>(reader.time()) * tick - shift;
        }
        vcd::Femtoseconds begin() const {
            return static_cast<vcd::Femtoseconds>(reader.first_time()) * tick - shift;
        }
        void advance(vcd::Femtoseconds now) {
            if (reader.more() && time() == now)
                reader.take();
            else
                reader.forget_changes();
        }
    };

    static bool has_ended(const Side& side, const Side& other, vcd::Femtoseconds now);
    bool goes_beyond(vcd::Femtoseconds now);
    void compare();
    void compare_all();
    void compare_changes();
    void check_pairs_of(const Side& side, std::uint32_t signal);
    void check(std::uint32_t pair);
    void measure_period(vcd::Femtoseconds now);
    std::optional<std::uint64_t> cycle_at(vcd::Femtoseconds now) const;
    vcd::Radix radix_of(const Pair& pair) const;
    bool report(vcd::Femtoseconds now, const std::function<bool(const Difference&)>& found);

    const Pairing& pairing_;
    Sameness sameness_;
    Side first_, second_;
    Outcome outcome_;
    std::vector<std::uint32_t> differing_; // pairs that differ at this time
    std::vector<bool> differed_;
    bool all_ = true;                       // compare all pairs, not only the changed ones
    const vcd::Variable* clock_;            // of the first file, if that is ours
    std::optional<vcd::Femtoseconds> rise_; // the last rising edge of this clock
    vcd::Femtoseconds period_ = 0;          // 0: not known yet
};

} // namespace sme::validator
