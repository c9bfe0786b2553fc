// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sme/kahn_patterns.hpp>

#include "words.hpp"

namespace models {

/// Sends each worker its part.
class Split : public sme::KahnProcess {
public:
    Split(std::vector<std::string_view> parts, std::vector<sme::ChannelOut<std::string_view>> y)
        : parts_{std::move(parts)}, y_{std::move(y)} {}
    sme::KahnTask run() {
        for (std::size_t k = 0; k < y_.size(); ++k)
            co_await y_[k].send(parts_[k]);
    }

private:
    std::vector<std::string_view> parts_;
    std::vector<sme::ChannelOut<std::string_view>> y_;
};

/// Merges sorted lists into one.
class Merge : public sme::KahnProcess {
public:
    explicit Merge(std::vector<sme::ChannelIn<Counts>> x) : x_{std::move(x)} {}
    sme::KahnTask run() {
        for (const auto& input : x_)
            if (auto counts = co_await input.receive()) {
                const auto middle = static_cast<std::ptrdiff_t>(all.size());
                all.insert(all.end(), std::make_move_iterator(counts->begin()),
                           std::make_move_iterator(counts->end()));
                std::inplace_merge(all.begin(), all.begin() + middle, all.end(), comes_first);
            }
    }
    Counts all;

private:
    std::vector<sme::ChannelIn<Counts>> x_;
};

// ---- as two consecutive MapReduces

/// From parts of a text to the counts of words.
struct CountWords {
    using Input = std::string_view;
    using Key = std::string;
    using Value = std::uint64_t;
    using Output = Count;

    template <class Emit> void map(const Input& text, const Emit& emit) const {
        for_each_word(text, [&](const std::string& word) { emit(word, 1); });
    }
    std::size_t part(const Key& word) const { return std::hash<std::string>{}(word); }
    template <class Emit>
    void reduce(const Key& word, std::span<const Value> times, const Emit& emit) const {
        emit({word, std::accumulate(times.begin(), times.end(), std::uint64_t{0})});
    }
};

/// From counts to sorted counts: the key defines the order.
struct OrderWords {
    struct Place {
        Count count;
        bool operator<(const Place& other) const { return comes_first(count, other.count); }
        bool operator==(const Place& other) const { return count.word == other.count.word; }
    };
    struct Nothing {};
    using Input = Counts;
    using Key = Place;
    using Value = Nothing;
    using Output = Count;

    template <class Emit> void map(const Input& counts, const Emit& emit) const {
        for (const Count& count : counts)
            emit(Place{count}, Nothing{});
    }
    std::size_t part(const Key& place) const { return std::hash<std::string>{}(place.count.word); }
    template <class Emit>
    void reduce(const Key& place, std::span<const Value>, const Emit& emit) const {
        emit(place.count);
    }
};

// ---- as a dedicated network

/// Counts the words of its part; the hash of a word selects the process that receives its count.
class CountPart : public sme::KahnProcess {
public:
    CountPart(sme::ChannelIn<std::string_view> x, std::vector<sme::ChannelOut<Counts>> y)
        : x_{x}, y_{std::move(y)} {}
    sme::KahnTask run() {
        while (auto text = co_await x_.receive()) {
            std::unordered_map<std::string, std::uint64_t> times;
            for_each_word(*text, [&](const std::string& word) { ++times[word]; });
            std::vector<Counts> lists(y_.size());
            for (const auto& [word, count] : times)
                lists[std::hash<std::string>{}(word) % lists.size()].push_back({word, count});
            for (std::size_t k = 0; k < y_.size(); ++k)
                co_await y_[k].send(std::move(lists[k]));
        }
    }

private:
    sme::ChannelIn<std::string_view> x_;
    std::vector<sme::ChannelOut<Counts>> y_;
};

/// The same with a message for each word, as in the paper: a reference to its table, which lasts as
/// long as the run.
class CountPairs : public sme::KahnProcess {
public:
    using Pair = std::reference_wrapper<const std::pair<const std::string, std::uint64_t>>;

    CountPairs(sme::ChannelIn<std::string_view> x, std::vector<sme::ChannelOut<Pair>> y)
        : x_{x}, y_{std::move(y)} {}
    sme::KahnTask run() {
        while (auto text = co_await x_.receive())
            for_each_word(*text, [&](const std::string& word) { ++times_[word]; });
        for (const auto& each : times_)
            co_await y_[std::hash<std::string>{}(each.first) % y_.size()].send(std::cref(each));
    }

private:
    sme::ChannelIn<std::string_view> x_;
    std::vector<sme::ChannelOut<Pair>> y_;
    std::unordered_map<std::string, std::uint64_t> times_;
};

using Times = std::unordered_map<std::string, std::uint64_t>;

inline Counts sorted(const Times& times) {
    Counts all;
    for (const auto& [word, count] : times)
        all.push_back({word, count});
    std::sort(all.begin(), all.end(), comes_first);
    return all;
}

class SumPairs : public sme::KahnProcess {
public:
    SumPairs(std::vector<sme::ChannelIn<CountPairs::Pair>> x, sme::ChannelOut<Counts> y)
        : x_{std::move(x)}, y_{y} {}
    sme::KahnTask run() {
        Times times;
        for (const auto& input : x_)
            while (auto pair = co_await input.receive())
                times[pair->get().first] += pair->get().second;
        Counts all = sorted(times);
        co_await y_.send(std::move(all));
    }

private:
    std::vector<sme::ChannelIn<CountPairs::Pair>> x_;
    sme::ChannelOut<Counts> y_;
};

/// Adds up the counts of its words, and sorts them.
class SumAndSort : public sme::KahnProcess {
public:
    SumAndSort(std::vector<sme::ChannelIn<Counts>> x, sme::ChannelOut<Counts> y)
        : x_{std::move(x)}, y_{y} {}
    sme::KahnTask run() {
        Times times;
        for (const auto& input : x_)
            if (auto counts = co_await input.receive())
                for (Count& count : *counts)
                    times[std::move(count.word)] += count.times;
        Counts all = sorted(times);
        co_await y_.send(std::move(all));
    }

private:
    std::vector<sme::ChannelIn<Counts>> x_;
    sme::ChannelOut<Counts> y_;
};

} // namespace models
