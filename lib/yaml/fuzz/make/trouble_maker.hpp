// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "yaml/fuzz/make/process_maker.hpp"

namespace sme::fuzz {

/// Generates a family of processes, and a reader of it, that end the run in one of its cycles: with
/// a fault of any kind, a halt, or a failing check.
class TroubleMaker {
public:
    TroubleMaker(Maker& maker, unsigned cycles) : m_{maker}, c_{maker.choices}, cycles_{cycles} {}

    void add(Home& home);

private:
    Lines fault(const std::string& zero) const;

    Maker& m_;
    Choices& c_;
    unsigned cycles_;
};

} // namespace sme::fuzz
