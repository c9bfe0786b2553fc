// SPDX-License-Identifier: Apache-2.0
#include "sizing/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

namespace sme::sizing {

namespace {

constexpr std::uint64_t any_cycles = ~std::uint64_t{0};
constexpr std::uint64_t endless = std::uint64_t{1} << 40; // places
/// The number of sets of depths that a proof examines; this many take some hundred megabytes.
constexpr std::size_t max_sets = 1'000'000;

} // namespace

std::uint64_t Search::bits(const Depths& depths) const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < depths.size(); ++k)
        sum += depths[k] * price_[k];
    return sum;
}

bool Search::does(const Depths& depths, std::uint64_t most) {
    const Outcome outcome = evaluate(depths);
    return outcome.complete && outcome.cycles <= most;
}

Depths Search::reduced(Depths depths, std::uint64_t most, const std::vector<std::size_t>& order) {
    for (const std::size_t k : order) {
        std::uint64_t low = 1;
        while (low < depths[k] && go_on_()) {
            Depths tried = depths;
            // most are as small as possible, or nearly as large as before
            tried[k] = low == 1 && depths[k] > 2 ? 1 : low + (depths[k] - low) / 2;
            if (does(tried, most))
                depths = std::move(tried);
            else
                low = tried[k] + 1;
        }
    }
    return depths;
}

Depths Search::reduced(const Depths& enough, std::uint64_t most) {
    std::vector<std::size_t> order(enough.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto saving = [&](std::size_t k) { return price_[k] * enough[k]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return saving(a) > saving(b); });
    Depths best = reduced(enough, most, order);
    // the order of reduction matters; this one is reversed
    std::reverse(order.begin(), order.end());
    Depths other = reduced(enough, most, order);
    return bits(other) < bits(best) ? other : best;
}

Search::Least Search::least(const Depths& enough, std::uint64_t most) {
    Least result{reduced(enough, most), false};
    const std::uint64_t known = bits(result.depths);
    Depths lowest(enough.size(), 1); // with unbounded others
    for (std::size_t k = 0; k < enough.size(); ++k) {
        Depths others(enough.size(), endless);
        others[k] = enough[k];
        lowest[k] = reduced(others, most, {k})[k];
    }
    using Entry = std::pair<std::uint64_t, Depths>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    std::set<Depths> seen{lowest};
    open.emplace(bits(lowest), lowest);
    while (!open.empty() && seen.size() < max_sets && go_on_()) {
        const auto [price, depths] = open.top();
        open.pop();
        if (price >= known)
            return {result.depths, true};
        const Outcome outcome = evaluate(depths);
        if (outcome.complete && outcome.cycles <= most)
            return {depths, true};
        for (const std::uint32_t k : outcome.critical) {
            Depths deeper = depths;
            ++deeper[k];
            if (const std::uint64_t deeper_price = bits(deeper);
                deeper_price < known && seen.insert(deeper).second)
                open.emplace(deeper_price, std::move(deeper));
        }
    }
    result.proven = open.empty();
    return result;
}

std::vector<Search::Point> Search::front(const Depths& enough, std::size_t points) {
    const Outcome fastest = evaluate(enough);
    Depths depths = reduced(enough, fastest.cycles);
    const Depths smallest = reduced(enough, any_cycles);
    const std::uint64_t slowest = evaluate(smallest).cycles;
    std::vector<Point> result;
    const auto add = [&](const Depths& found) {
        const Point point{evaluate(found).cycles, bits(found), found};
        while (!result.empty() && result.back().bits >= point.bits &&
               result.back().cycles >= point.cycles)
            result.pop_back();
        if (result.empty() || result.back().bits > point.bits)
            result.push_back(point);
    };
    add(depths);
    const auto range = static_cast<double>(slowest) / static_cast<double>(fastest.cycles);
    for (std::size_t k = 1; k + 1 < points && go_on_(); ++k) {
        // in equal ratios
        const double share = static_cast<double>(k) / static_cast<double>(points - 1);
        const auto most = static_cast<std::uint64_t>(static_cast<double>(fastest.cycles) *
                                                     std::pow(range, share));
        depths = reduced(depths, most);
        add(depths);
    }
    add(smallest);
    return result;
}

std::size_t knee(const std::vector<Search::Point>& front) {
    if (front.size() < 3)
        return 0;
    const auto cycles = [&](std::size_t k) { return static_cast<double>(front[k].cycles); };
    const auto bits = [&](std::size_t k) { return static_cast<double>(front[k].bits); };
    const std::size_t last = front.size() - 1;
    const double width = std::max(1.0, cycles(last) - cycles(0));
    const double height = std::max(1.0, bits(0) - bits(last));
    std::size_t found = 0;
    double farthest = 0;
    for (std::size_t k = 0; k <= last; ++k) {
        // both ends are on x + y = 1
        const double below = 1 - (cycles(k) - cycles(0)) / width - (bits(k) - bits(last)) / height;
        if (below > farthest) {
            farthest = below;
            found = k;
        }
    }
    return found;
}

} // namespace sme::sizing
