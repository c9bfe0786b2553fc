// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "yaml/fuzz/choices.hpp"
#include "yaml/fuzz/make/productions.hpp"

namespace sme::fuzz {

/// A network that loads without an error, with what it needs beside it. Its own checks say what
/// must come out, as far as it could be followed.
struct Generated {
    std::string text;                                       // of network.yaml
    std::vector<std::pair<std::string, std::string>> files; // name, contents
    Coverage coverage;
    unsigned cycles = 0;
    bool may_fault = false; // or halt before its last cycle
};

/// What a network is wanted for.
enum class Want {
    all,     // every construct
    trouble, // a run that ends early: with a fault, a halt, or a check that fails
    quiet,   // a run that nobody looks at: few checks, nothing recorded
};

/// A well-typed network of every construct there is, by the choices. With `disk`, it may need files
/// beside it: without, all that it imports but the standard library stands in itself.
Generated generate(Choices& choices, bool disk, Want want = Want::all);

} // namespace sme::fuzz
