// SPDX-License-Identifier: Apache-2.0
//
// Parts shared by the tests of SystemC modules in networks.
#pragma once

#include <string>

#include <sme/sme.hpp>

namespace sme::test {

/// Returns the error that a simulator throws when constructed or run.
template <class Error, class Act> std::string error_of(Act act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

/// Counts up from a start value.
class Count : public Process {
public:
    Count(int first, Out<int> y) : next_{first}, y_{y} {}
    void step() { y_.write(next_++); }

private:
    int next_;
    Out<int> y_;
};

} // namespace sme::test
