// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "expr/program/program.hpp"

namespace sme::native {

/// Constant arrays of the network, each once.
class Tables {
public:
    /// The name of an array with these values.
    std::string name(const expr::Table& table);
    /// The arrays that are named in any of these functions, which an array may stand before.
    std::string text(const std::vector<const std::string*>& functions) const;

    /// Longer ones are not written: kernels find them behind `data`.
    static constexpr std::size_t max_values = 4096;

private:
    std::map<std::string, std::size_t> known_; // values → number
    std::vector<std::string> texts_;
};

} // namespace sme::native
