// SPDX-License-Identifier: Apache-2.0
//
// What the tests of SystemC modules in networks share.
#pragma once

#include <string>

#include <sme/sme.hpp>

namespace sme::test {

/// What a simulator throws when it is made or run.
template <class Error, class Act> std::string error_of(Act act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

/// Counts from a number on.
class Count : public Process {
public:
    Count(int first, Out<int> y) : next_{first}, y_{y} {}
    void step() { y_.write(next_++); }

private:
    int next_;
    Out<int> y_;
};

} // namespace sme::test
