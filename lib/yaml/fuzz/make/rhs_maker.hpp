// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "yaml/fuzz/make/term_maker.hpp"

namespace sme::fuzz {

/// The arms of a match: their patterns, disjoint and, with the last one, complete.
struct Arms {
    Term subject;
    struct Arm {
        std::string patterns; // "1, 2", "0b1??", "else"
        std::function<bool(const Bits&)> holds;
    };
    std::vector<Arm> arms;
};

/// Generates right-hand sides in all forms, and the parts they share with steps: unique conditions,
/// and matches.
class RhsMaker {
public:
    RhsMaker(Maker& maker, Names& names)
        : m_{maker}, c_{maker.choices}, names_{names}, terms_{maker, names} {}

    /// Returns a right-hand side; with `always`, it has a value in every case, as lets and
    /// functions require.
    RhsText rhs(const TypeOf& type, int depth, bool always);
    /// Returns a condition for a key: short enough for YAML, and unique in this map.
    Term key_condition(std::set<std::string>& taken);
    Arms arms();
    /// Returns one expression after a colon, in one of its notations.
    RhsText line(const Term& term);
    TermMaker& terms() { return terms_; }

private:
    RhsText expression(const TypeOf& type, int depth, bool always);
    RhsText list(const TypeOf& type, int depth, bool always);
    RhsText fields(const TypeOf& type, int depth, bool always);
    RhsText choice(const TypeOf& type, int depth, bool always);
    RhsText matched(const TypeOf& type, int depth, bool always);
    Arms number_arms(const TypeOf& type);
    Arms bit_arms(const TypeOf& type);
    Arms member_arms(const TypeOf& type);
    void spread(RhsText& result, const std::string& text);

    Maker& m_;
    Choices& c_;
    Names& names_;
    TermMaker terms_;
};

} // namespace sme::fuzz
