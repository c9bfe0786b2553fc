// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "yaml/fuzz/choices.hpp"
#include "yaml/fuzz/productions.hpp"

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

/// A well-typed network of every construct there is, by the choices. With `disk`, it may need files
/// beside it: without, all that it imports but the standard library stands in itself. With
/// `trouble`, something ends its run early: a fault, a halt, or a check that fails.
Generated generate(Choices& choices, bool disk, bool trouble = false);

} // namespace sme::fuzz
