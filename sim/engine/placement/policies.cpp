// SPDX-License-Identifier: Apache-2.0
//
// The named policies. Each works level by level: threads meet between levels, so each level has to
// be balanced by itself.
#include "engine/placement/policies.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

namespace sme {

namespace engine {

void for_each_level(std::span<const Chunk> chunks,
                    const std::function<void(std::uint32_t, std::uint32_t)>& visit) {
    for (std::uint32_t begin = 0; begin < chunks.size();) {
        std::uint32_t end = begin;
        while (end < chunks.size() && chunks[end].level == chunks[begin].level)
            ++end;
        visit(begin, end);
        begin = end;
    }
}

} // namespace engine

namespace {

using engine::for_each_level;

/// Deals chunks in source order, in rotation.
class RoundRobin final : public Policy {
public:
    Placement place(const Workload& work) override {
        Placement result(work.threads);
        for_each_level(work.chunks, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t k = begin; k < end; ++k)
                result[(k - begin) % work.threads].push_back(k);
        });
        return result;
    }
};

/// Gives each thread one contiguous run of each kind, all of about the same number of instances:
/// instances of one kind cost about the same, those of two kinds need not. Kinds with fewer chunks
/// than threads are distributed over the threads.
class Blocks final : public Policy {
public:
    Placement place(const Workload& work) override {
        Placement result(work.threads);
        for_each_level(work.chunks, [&](std::uint32_t begin, std::uint32_t end) {
            std::vector<std::uint32_t> small;
            for (std::uint32_t first = begin; first < end;) {
                std::vector<std::uint32_t> kind;
                const Chunk& chunk = work.chunks[first];
                for (; first < end && work.chunks[first].group == chunk.group &&
                       work.chunks[first].part == chunk.part;
                     ++first)
                    kind.push_back(first);
                if (kind.size() >= work.threads)
                    deal(work, kind, result);
                else
                    small.insert(small.end(), kind.begin(), kind.end());
            }
            deal(work, small, result);
        });
        for (std::vector<std::uint32_t>& list : result)
            std::sort(list.begin(), list.end());
        return result;
    }

private:
    static void deal(const Workload& work, const std::vector<std::uint32_t>& chunks,
                     Placement& result) {
        std::uint64_t total = 0, before = 0;
        for (const std::uint32_t k : chunks)
            total += work.chunks[k].count;
        for (const std::uint32_t k : chunks) {
            const std::uint64_t middle = before + work.chunks[k].count / 2;
            result[std::min<std::uint64_t>(middle * work.threads / total, work.threads - 1)]
                .push_back(k);
            before += work.chunks[k].count;
        }
    }
};

/// Times random placements and keeps the best. Each deals shuffled chunks.
class MonteCarlo final : public Policy {
public:
    Placement place(const Workload& work) override {
        constexpr unsigned tries = 8;
        std::mt19937_64 random{work.seed};
        Placement best;
        double best_ns = std::numeric_limits<double>::infinity();
        for (unsigned t = 0; t < tries; ++t) {
            Placement result = shuffled(work, random);
            const double ns = work.time(result);
            if (best.empty() || ns < best_ns) {
                best_ns = ns;
                best = std::move(result);
            }
        }
        return best;
    }

private:
    static Placement shuffled(const Workload& work, std::mt19937_64& random) {
        Placement result(work.threads);
        for_each_level(work.chunks, [&](std::uint32_t begin, std::uint32_t end) {
            std::vector<std::uint32_t> order(end - begin);
            std::iota(order.begin(), order.end(), begin);
            // not std::shuffle: its result depends on the standard library
            for (std::size_t k = order.size(); k > 1; --k)
                std::swap(order[k - 1], order[random() % k]);
            for (std::size_t k = 0; k < order.size(); ++k)
                result[k % work.threads].push_back(order[k]);
        });
        for (std::vector<std::uint32_t>& list : result)
            std::sort(list.begin(), list.end());
        return result;
    }
};

} // namespace

std::unique_ptr<Policy> make_policy(const std::string& name) {
    if (name == "round-robin")
        return std::make_unique<RoundRobin>();
    if (name == "blocks")
        return std::make_unique<Blocks>();
    if (name == "monte-carlo")
        return std::make_unique<MonteCarlo>();
    if (name == "optimize")
        return engine::optimizer();
    return nullptr;
}

} // namespace sme

// Treats each level in three steps: 1. fills threads in source order, so that neighbours stay
// together; 2. where that is out of balance, deals the chunks that are a large part of a thread's
// share longest first, each to the thread with the least work, and fills up with the rest only; 3.
// moves chunks to the thread with which they communicate most, unless that makes the longest thread
// longer.

namespace sme::engine {

namespace {

/// The share of a thread's work above which a chunk is dealt by itself.
constexpr double large = 1.0 / 64;
/// How far above its share a move may load a thread.
constexpr double slack = 0.02;
constexpr std::size_t max_moves = 2000; // considered
constexpr unsigned rounds = 2;

class Optimizer final : public Policy {
public:
    Placement place(const Workload& work) override {
        std::vector<std::uint32_t> thread_of(work.chunks.size(), 0);
        for_each_level(work.chunks, [&](std::uint32_t begin, std::uint32_t end) {
            balance(work, begin, end, thread_of);
        });
        if (work.threads > 1 && work.chunks.size() <= max_moves)
            bring_together(work, thread_of);
        Placement result(work.threads);
        for (std::uint32_t k = 0; k < work.chunks.size(); ++k)
            result[thread_of[k]].push_back(k);
        return result;
    }

private:
    static void balance(const Workload& work, std::uint32_t begin, std::uint32_t end,
                        std::vector<std::uint32_t>& thread_of) {
        double total = 0;
        for (std::uint32_t k = begin; k < end; ++k)
            total += work.chunks[k].cost_ns;
        const double share = total / work.threads;
        std::vector<double> loads(work.threads, 0);
        std::vector<std::uint32_t> big, rest(end - begin);
        std::iota(rest.begin(), rest.end(), begin);
        fill_up(work, rest, share, loads, thread_of);
        if (*std::max_element(loads.begin(), loads.end()) <= share * (1 + slack))
            return;
        std::fill(loads.begin(), loads.end(), 0.0);
        rest.clear();
        for (std::uint32_t k = begin; k < end; ++k)
            (work.chunks[k].cost_ns > share * large ? big : rest).push_back(k);
        std::stable_sort(big.begin(), big.end(), [&](std::uint32_t a, std::uint32_t b) {
            return work.chunks[a].cost_ns > work.chunks[b].cost_ns;
        });
        for (const std::uint32_t k : big) {
            const auto least = std::min_element(loads.begin(), loads.end());
            thread_of[k] = static_cast<std::uint32_t>(least - loads.begin());
            *least += work.chunks[k].cost_ns;
        }
        fill_up(work, rest, share, loads, thread_of);
    }

    /// Each thread in turn gets neighbouring chunks until it has its share; a chunk goes to the
    /// thread in whose share its middle falls.
    static void fill_up(const Workload& work, const std::vector<std::uint32_t>& rest, double share,
                        std::vector<double>& loads, std::vector<std::uint32_t>& thread_of) {
        std::uint32_t thread = 0;
        for (const std::uint32_t k : rest) {
            const double ns = work.chunks[k].cost_ns;
            while (thread + 1 < work.threads && loads[thread] + ns / 2 > share)
                ++thread;
            thread_of[k] = thread;
            loads[thread] += ns;
        }
    }

    /// How many of a chunk's links lead to each thread.
    struct Neighbours {
        std::vector<std::vector<std::pair<std::uint32_t, double>>> links; // by chunk

        explicit Neighbours(const Workload& work) : links(work.chunks.size()) {
            for (const ChunkLink& link : work.links()) {
                links[link.a].emplace_back(link.b, link.weight);
                links[link.b].emplace_back(link.a, link.weight);
            }
        }
        double to(std::uint32_t chunk, std::uint32_t thread,
                  const std::vector<std::uint32_t>& thread_of) const {
            double sum = 0;
            for (const auto& [other, weight] : links[chunk])
                if (other != chunk && thread_of[other] == thread)
                    sum += weight;
            return sum;
        }
    };

    static void bring_together(const Workload& work, std::vector<std::uint32_t>& thread_of) {
        const Neighbours neighbours{work};
        for (unsigned round = 0; round < rounds; ++round)
            for_each_level(work.chunks, [&](std::uint32_t begin, std::uint32_t end) {
                improve_level(work, neighbours, begin, end, thread_of);
            });
    }

    static void improve_level(const Workload& work, const Neighbours& neighbours,
                              std::uint32_t begin, std::uint32_t end,
                              std::vector<std::uint32_t>& thread_of) {
        std::vector<double> loads(work.threads, 0);
        double total = 0;
        for (std::uint32_t k = begin; k < end; ++k) {
            loads[thread_of[k]] += work.chunks[k].cost_ns;
            total += work.chunks[k].cost_ns;
        }
        const double highest = std::max(*std::max_element(loads.begin(), loads.end()),
                                        total / work.threads * (1 + slack));
        for (std::uint32_t k = begin; k < end; ++k) {
            const std::uint32_t from = thread_of[k];
            const double here = neighbours.to(k, from, thread_of);
            std::uint32_t best = from;
            double best_gain = 0;
            for (std::uint32_t t = 0; t < work.threads; ++t) {
                const double gain = neighbours.to(k, t, thread_of) - here;
                const bool fits = loads[t] + work.chunks[k].cost_ns <= highest;
                if (t != from && fits && gain > best_gain) {
                    best = t;
                    best_gain = gain;
                }
            }
            if (best == from)
                continue;
            loads[from] -= work.chunks[k].cost_ns;
            loads[best] += work.chunks[k].cost_ns;
            thread_of[k] = best;
        }
    }
};

} // namespace

std::unique_ptr<Policy> optimizer() {
    return std::make_unique<Optimizer>();
}

} // namespace sme::engine
