// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/checks/connections.hpp"
#include "network/graph.hpp"

namespace sme {

/// The level of one part for every instance of its family.
class PartLevels {
public:
    std::uint32_t at(std::uint64_t instance) const {
        return each_.empty() ? uniform_ : each_[instance];
    }
    bool is_uniform() const { return each_.empty(); }

    void set_uniform(std::uint32_t level) { uniform_ = level; }
    void set_each(std::vector<std::uint32_t> levels);

private:
    std::uint32_t uniform_ = 0;
    std::vector<std::uint32_t> each_;
};

/// The level of (instance, part): 0 if it reads no wire, otherwise one more than the highest level
/// among the writers of its wires. A family whose instances all have the same level costs nothing
/// per instance.
struct Levels {
    std::vector<std::vector<PartLevels>> parts; // [family][part]
    std::uint32_t count = 1;

    /// Reports each loop of wires once, completely. `writers` must be free of errors.
    static Levels of(const Graph& graph, const Writers& writers, Diagnostics& diagnostics);
};

} // namespace sme
