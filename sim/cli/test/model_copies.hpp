// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "base/test/scratch.hpp"

namespace sme::test {

/// Returns the network file of a model in a folder of this process: a run writes files beside its
/// network, and tests run at the same time.
inline std::string model(const std::string& name) {
    static std::map<std::string, Scratch> copies;
    const auto [copy, fresh] = copies.try_emplace(name);
    if (fresh)
        copy->second.copy(std::string{SME_SOURCE_DIR} + "/models/" + name);
    return copy->second.path("network.yaml");
}

} // namespace sme::test
