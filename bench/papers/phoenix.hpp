// SPDX-License-Identifier: Apache-2.0
//
// A MapReduce on threads, in the style of Phoenix (Ranger and others, 2007):
//   1. map: threads take parts from a counter. A thread puts each pair into one of 256 buckets, by
//      the hash of its key; a bucket is sorted by key, and a key has a list of its values
//   2. reduce: threads take bucket numbers from a counter, merge by key the buckets of all parts
//      with this number, and reduce each key with all its values
// Threads start and end in each stage. The jobs are those of sme/kahn_patterns.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace phoenix {

constexpr std::size_t buckets = 256;

/// Calls `what(k)` for each k < count, on threads that start and end here.
template <class F> void for_each_index(std::size_t count, std::size_t threads, const F& what) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k = next++; k < count; k = next++)
            what(k);
    };
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < threads; ++k)
        others.emplace_back(work);
    work();
    for (std::thread& other : others)
        other.join();
}

/// Keys in ascending order, each with all its values.
template <class Job> class Bucket {
public:
    using Key = typename Job::Key;
    using Values = std::vector<typename Job::Value>;

    void add(Key key, typename Job::Value value) {
        place_of(std::move(key)).push_back(std::move(value));
    }
    void merge(Bucket other) {
        if (entries_.empty())
            entries_ = std::move(other.entries_);
        else
            for (auto& [key, values] : other.entries_) {
                Values& all = place_of(std::move(key));
                all.insert(all.end(), values.begin(), values.end());
            }
    }
    template <class Emit> void reduce(const Job& job, const Emit& emit) const {
        for (const auto& [key, values] : entries_)
            job.reduce(key, std::span<const typename Job::Value>{values}, emit);
    }

private:
    Values& place_of(Key key) {
        auto at = std::lower_bound(entries_.begin(), entries_.end(), key,
                                   [](const auto& entry, const Key& k) { return entry.first < k; });
        if (at == entries_.end() || !(at->first == key))
            at = entries_.insert(at, {std::move(key), Values{}});
        return at->second;
    }
    std::vector<std::pair<Key, Values>> entries_;
};

/// The outputs of each bucket, by ascending key.
template <class Job>
std::vector<std::vector<typename Job::Output>>
map_reduce(const Job& job, const std::vector<typename Job::Input>& parts, std::size_t threads) {
    std::vector<std::vector<Bucket<Job>>> pairs(parts.size());
    for_each_index(parts.size(), threads, [&](std::size_t part) {
        pairs[part].resize(buckets);
        job.map(parts[part], [&](typename Job::Key key, typename Job::Value value) {
            const std::size_t bucket = job.part(key) % buckets;
            pairs[part][bucket].add(std::move(key), std::move(value));
        });
    });
    std::vector<std::vector<typename Job::Output>> outputs(buckets);
    for_each_index(buckets, threads, [&](std::size_t bucket) {
        Bucket<Job> all;
        for (auto& of_part : pairs)
            all.merge(std::move(of_part[bucket]));
        all.reduce(job, [&](typename Job::Output output) {
            outputs[bucket].push_back(std::move(output));
        });
    });
    return outputs;
}

} // namespace phoenix
