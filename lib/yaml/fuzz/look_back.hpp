// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "yaml/fuzz/make/process_maker.hpp"
#include "yaml/fuzz/make/term_maker.hpp"

namespace sme::fuzz {

/// Generates checks of earlier cycles, and temporal conditions, for a bus with known values in
/// every cycle from cycle 0 to the one after the last.
class LookBack {
public:
    LookBack(Maker& maker, const std::string& place, const TypeOf& type,
             const std::vector<Bits>& values)
        : m_{maker}, place_{place}, type_{type}, values_{values} {}

    /// Returns a check that holds.
    std::string check();

private:
    std::string past(unsigned cycle);
    std::string edge(unsigned cycle);
    std::string temporal();
    Bits before(unsigned cycle, unsigned back) const;
    /// A condition "x == 3", and whether it holds in each cycle.
    struct Condition {
        std::string text;
        std::vector<bool> holds;
    };
    Condition condition();

    Maker& m_;
    const std::string& place_;
    const TypeOf& type_;
    const std::vector<Bits>& values_;
};

} // namespace sme::fuzz
