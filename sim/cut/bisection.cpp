// SPDX-License-Identifier: Apache-2.0
#include "cut/bisection.hpp"

#include "cut/cut.hpp"

#ifdef SME_HAVE_METIS

#include <algorithm>
#include <mutex>
#include <numeric>

#include <csignal>

#include <metis.h>

namespace sme {

namespace {

// METIS sums weights as 32-bit integers
constexpr double all_costs = 1e8;
constexpr double all_weights = 1e8;

idx_t scaled(double value, double sum, double to) {
    return static_cast<idx_t>(std::max(value * to / std::max(sum, 1.0), 1.0));
}

/// METIS handles SIGTERM and SIGABRT itself while it runs, for the whole program: one call at a
/// time, and a SIGTERM waits for its end.
class Alone {
public:
    Alone() : lock_{mutex()} {
        sigset_t term;
        sigemptyset(&term);
        sigaddset(&term, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &term, &before_);
    }
    ~Alone() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    std::lock_guard<std::mutex> lock_;
    sigset_t before_{};
};

} // namespace

bool Cut::has_metis() {
    return true;
}

std::vector<std::uint32_t> bisect(const std::vector<double>& costs, const std::vector<Link>& links,
                                  std::size_t parts) {
    std::vector<std::uint32_t> result(costs.size());
    if (parts < 2 || links.empty())
        return result;
    const double cost = std::accumulate(costs.begin(), costs.end(), 0.0);
    double weight = 0;
    std::vector<idx_t> begins(costs.size() + 1);
    for (const Link& link : links) {
        weight += link.weight;
        ++begins[link.a + 1];
        ++begins[link.b + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<idx_t> next{begins.begin(), begins.end() - 1};
    std::vector<idx_t> neighbours(links.size() * 2), weights(links.size() * 2), vertices;
    const auto add = [&](std::uint32_t from, std::uint32_t to, double its_weight) {
        const auto at = static_cast<std::size_t>(next[from]++);
        neighbours[at] = static_cast<idx_t>(to);
        weights[at] = scaled(its_weight, weight, all_weights);
    };
    for (const Link& link : links) {
        add(link.a, link.b, link.weight);
        add(link.b, link.a, link.weight);
    }
    for (const double each : costs)
        vertices.push_back(scaled(each, cost, all_costs));
    auto count = static_cast<idx_t>(costs.size()), balanced = idx_t{1},
         wanted = static_cast<idx_t>(parts), crossing = idx_t{0};
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    std::vector<idx_t> found(costs.size());
    const Alone alone;
    if (METIS_PartGraphRecursive(&count, &balanced, begins.data(), neighbours.data(),
                                 vertices.data(), nullptr, weights.data(), &wanted, nullptr,
                                 nullptr, options, &crossing, found.data()) == METIS_OK)
        std::copy(found.begin(), found.end(), result.begin());
    return result;
}

} // namespace sme

#else

namespace sme {

bool Cut::has_metis() {
    return false;
}

std::vector<std::uint32_t> bisect(const std::vector<double>& costs, const std::vector<Link>&,
                                  std::size_t) {
    return std::vector<std::uint32_t>(costs.size());
}

} // namespace sme

#endif
