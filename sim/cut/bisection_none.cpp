// SPDX-License-Identifier: Apache-2.0
#include "cut/bisection.hpp"
#include "cut/cut.hpp"

namespace sme {

bool Cut::has_metis() {
    return false;
}

std::vector<std::uint32_t> bisect(const std::vector<double>& costs, const std::vector<Link>&,
                                  std::size_t) {
    return std::vector<std::uint32_t>(costs.size());
}

} // namespace sme
