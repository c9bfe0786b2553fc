// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "yaml/fuzz/choices.hpp"
#include "yaml/fuzz/make/productions.hpp"

namespace sme::fuzz {

/// A network that loads without errors, with the files it needs. Its own checks hold the expected
/// results of its followed parts.
struct Generated {
    std::string text;                                       // contents of network.yaml
    std::vector<std::pair<std::string, std::string>> files; // name, contents
    Coverage coverage;
    unsigned cycles = 0;
    bool may_fault = false; // or halt before its last cycle
};

/// The purpose of a network.
enum class Want {
    all,     // every construct
    trouble, // a run that ends early: with a fault, a halt, or a failing check
    quiet,   // a run without observers: few checks, no recordings
};

/// Generates a well-typed network, with any construct of the language. With `disk`, it may need
/// further files; otherwise it contains all imported files except the standard library.
Generated generate(Choices& choices, bool disk, Want want = Want::all);

} // namespace sme::fuzz
