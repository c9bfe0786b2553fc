// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "expr/program/program.hpp"

namespace sme::native {

/// The constant arrays of the network, each one once.
class Tables {
public:
    /// Returns the name of an array with these values.
    std::string name(const expr::Table& table);
    /// The C of the arrays that these functions name.
    std::string text(const std::vector<const std::string*>& functions) const;

    /// Longer tables are not written; kernels find them through `data`.
    static constexpr std::size_t max_values = 4096;

private:
    std::map<std::string, std::size_t> known_; // values → number
    std::vector<std::string> texts_;
};

} // namespace sme::native
