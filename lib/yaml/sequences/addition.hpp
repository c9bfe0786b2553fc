// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "expr/process/process.hpp"
#include "network/picture/diagram.hpp"

namespace sme::yaml {

/// What a sequence or a pipeline adds to its process: states, lets and a block of its step.
struct ProcessAddition {
    struct State {
        std::string name;
        TypeRef type;
        std::uint64_t initial = 0;
        Location where;
    };
    std::map<std::string, TypeRef> enumerations; // by the prefix of their members, "at:"
    std::vector<State> states;
    std::vector<expr::LetText> lets;
    expr::Block block;
    std::optional<Diagram> picture; // of the state machine, if it is wanted
};

} // namespace sme::yaml
