// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "yaml/fuzz/make/rhs_maker.hpp"

namespace sme::fuzz {

/// A state or an output that a step writes.
struct Unit {
    std::string text;
    TypeOf type;
    unsigned dimensions = 0; // for an array of ports: only its elements are targets
    std::string key = {};    // in `Changes`
    bool whole = false;      // written in every cycle, as for an error bus
};

/// The values that a step writes: the packed bits of each unit.
using Changes = std::map<std::string, Bits>;
using StepMeaning = std::function<void(const Env&, Changes&)>;

struct StepText {
    Lines lines;
    StepMeaning meaning; // empty: unknown
};

/// Generates steps: lines for each unit, in blocks that override each other. Two lines never
/// conflict.
class StepMaker {
public:
    StepMaker(Maker& maker, Names& names)
        : m_{maker}, c_{maker.choices}, names_{names}, rhs_{maker, names} {}

    StepText step(const std::vector<Unit>& units);
    RhsMaker& rhs() { return rhs_; }

private:
    StepText block(const std::vector<Unit>& units, int depth, bool outermost);
    StepText chain(const std::vector<Unit>& units, int depth, std::set<std::string>& taken);
    StepText match(const std::vector<Unit>& units, int depth, std::set<std::string>& taken);
    StepText lines_of(const Unit& unit, bool outermost);
    /// A place in a unit: its text, its type, and its lowest bit.
    struct Place {
        std::string text;
        TypeOf type;
        std::string key;
        std::function<unsigned(const Env&)> low; // empty: unknown
    };
    StepText assign(const Place& place, int depth);
    StepText parts(const Place& place, int depth, bool outermost);
    StepText struct_parts(const Place& place, int depth, bool outermost);
    StepText integer_parts(const Place& place, bool outermost);
    StepText elements(const Place& place, unsigned dimensions, int depth, bool outermost);
    StepText ranged(const Place& place, unsigned dimensions);
    Place element_of(const Place& place, const std::string& index, const Exact& at) const;
    static void add(StepText& to, const StepText& more);

    Maker& m_;
    Choices& c_;
    Names& names_;
    RhsMaker rhs_;
    std::size_t choices_at_ = 0;   // the first line of the outermost choices
    std::set<std::string> chosen_; // units with a computed index: one line each
};

} // namespace sme::fuzz
