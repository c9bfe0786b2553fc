// SPDX-License-Identifier: Apache-2.0
//
// The named policies. Each works level by level: threads meet between levels, so each level has to
// be balanced by itself.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "engine/placement/policies.hpp"

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
        Placement made(work.threads);
        for_each_level(work.chunks, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t k = begin; k < end; ++k)
                made[(k - begin) % work.threads].push_back(k);
        });
        return made;
    }
};

/// Gives each thread one contiguous run of each kind, all of about the same number of instances:
/// instances of one kind cost about the same, those of two kinds need not. Kinds with fewer chunks
/// than threads are distributed over the threads.
class Blocks final : public Policy {
public:
    Placement place(const Workload& work) override {
        Placement made(work.threads);
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
                    deal(work, kind, made);
                else
                    small.insert(small.end(), kind.begin(), kind.end());
            }
            deal(work, small, made);
        });
        for (std::vector<std::uint32_t>& list : made)
            std::sort(list.begin(), list.end());
        return made;
    }

private:
    static void deal(const Workload& work, const std::vector<std::uint32_t>& chunks,
                     Placement& made) {
        std::uint64_t total = 0, before = 0;
        for (const std::uint32_t k : chunks)
            total += work.chunks[k].count;
        for (const std::uint32_t k : chunks) {
            const std::uint64_t middle = before + work.chunks[k].count / 2;
            made[std::min<std::uint64_t>(middle * work.threads / total, work.threads - 1)]
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
            Placement made = shuffled(work, random);
            const double ns = work.time(made);
            if (best.empty() || ns < best_ns) {
                best_ns = ns;
                best = std::move(made);
            }
        }
        return best;
    }

private:
    static Placement shuffled(const Workload& work, std::mt19937_64& random) {
        Placement made(work.threads);
        for_each_level(work.chunks, [&](std::uint32_t begin, std::uint32_t end) {
            std::vector<std::uint32_t> order(end - begin);
            std::iota(order.begin(), order.end(), begin);
            // not std::shuffle: its result depends on the standard library
            for (std::size_t k = order.size(); k > 1; --k)
                std::swap(order[k - 1], order[random() % k]);
            for (std::size_t k = 0; k < order.size(); ++k)
                made[k % work.threads].push_back(order[k]);
        });
        for (std::vector<std::uint32_t>& list : made)
            std::sort(list.begin(), list.end());
        return made;
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
