// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <sme/kahn_patterns.hpp>

#include "points.hpp"

namespace models {

using Means = std::shared_ptr<const std::vector<Point>>;

/// Returns the group with the nearest mean; the first one of a tie.
inline std::uint32_t nearest(const Point& point, const std::vector<Point>& means) {
    std::uint32_t best = 0;
    std::int64_t least = INT64_MAX;
    for (std::uint32_t k = 0; k < means.size(); ++k) {
        std::int64_t distance = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::int64_t d = std::int64_t{point[axis]} - means[k][axis];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    return best;
}

/// The sum and number of one group's points.
struct Group {
    std::array<std::int64_t, 3> sum{};
    std::int64_t size = 0;

    void add(const Point& point) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            sum[axis] += point[axis];
        ++size;
    }
    void add(const Group& other) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            sum[axis] += other.sum[axis];
        size += other.size;
    }
    /// Returns the mean; `before` if the group is empty.
    Point mean(const Point& before) const {
        Point mean = before;
        for (std::size_t axis = 0; size != 0 && axis < 3; ++axis)
            mean[axis] = static_cast<std::int32_t>(sum[axis] / size);
        return mean;
    }
};

/// Returns the points of each group for these means.
inline std::vector<Group> groups_of(Points points, const std::vector<Point>& means) {
    std::vector<Group> groups(means.size());
    for (const Point& point : points)
        groups[nearest(point, means)].add(point);
    return groups;
}

/// The final means.
struct Settled {
    /// Uses the first points as the first means.
    Settled(Points points, std::uint64_t groups)
        : means(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(groups)),
          sizes(groups, 0) {}

    std::vector<Point> means;
    std::vector<std::int64_t> sizes;
    std::uint64_t rounds = 0;

    /// Computes the means of another round; returns true if they changed.
    bool take(const std::vector<Group>& groups) {
        ++rounds;
        bool changed = false;
        for (std::size_t k = 0; k < means.size(); ++k) {
            const Point mean = groups[k].mean(means[k]);
            changed = changed || mean != means[k];
            means[k] = mean;
            sizes[k] = groups[k].size;
        }
        return changed;
    }
};

/// Splits the points into parts of about the same size.
inline Points part_of(Points points, std::size_t k, std::size_t count) {
    const std::size_t from = points.size() * k / count;
    return points.subspan(from, points.size() * (k + 1) / count - from);
}

// ---- as a dedicated network

/// Sends each worker its points once, then means until they no longer change.
class Iterating : public sme::KahnProcess {
public:
    Iterating(Points points, std::uint64_t groups, std::vector<sme::ChannelOut<Points>> parts)
        : settled{points, groups}, points_{points}, parts_{std::move(parts)} {}
    Settled settled;

protected:
    sme::KahnTask send_points() {
        for (std::size_t k = 0; k < parts_.size(); ++k)
            co_await parts_[k].send(part_of(points_, k, parts_.size()));
    }

private:
    Points points_;
    std::vector<sme::ChannelOut<Points>> parts_;
};

class Iterate : public Iterating {
public:
    using Groups = std::vector<Group>;

    Iterate(Points points, std::uint64_t groups, std::vector<sme::ChannelOut<Points>> parts,
            std::vector<sme::ChannelOut<Means>> means,
            std::vector<sme::ChannelIn<Groups>> groups_of)
        : Iterating{points, groups, std::move(parts)}, means_{std::move(means)},
          groups_of_{std::move(groups_of)} {}
    sme::KahnTask run() {
        co_await send_points();
        for (bool changed = true; changed;) {
            const auto means = std::make_shared<const std::vector<Point>>(settled.means);
            for (const auto& worker : means_)
                co_await worker.send(means);
            Groups all(settled.means.size());
            for (const auto& worker : groups_of_)
                if (auto groups = co_await worker.receive())
                    for (std::size_t k = 0; k < all.size(); ++k)
                        all[k].add((*groups)[k]);
            changed = settled.take(all);
        }
    }

private:
    std::vector<sme::ChannelOut<Means>> means_;
    std::vector<sme::ChannelIn<Groups>> groups_of_;
};

class Assign : public sme::KahnProcess {
public:
    Assign(sme::ChannelIn<Points> points, sme::ChannelIn<Means> means,
           sme::ChannelOut<std::vector<Group>> groups)
        : points_{points}, means_{means}, groups_{groups} {}
    sme::KahnTask run() {
        const auto points = co_await points_.receive();
        while (auto means = co_await means_.receive())
            co_await groups_.send(groups_of(*points, **means));
    }

private:
    sme::ChannelIn<Points> points_;
    sme::ChannelIn<Means> means_;
    sme::ChannelOut<std::vector<Group>> groups_;
};

// ---- the same with a message for each mean and each group, as in the paper

class IteratePairs : public Iterating {
public:
    IteratePairs(Points points, std::uint64_t groups, std::vector<sme::ChannelOut<Points>> parts,
                 std::vector<sme::ChannelOut<Point>> means,
                 std::vector<sme::ChannelIn<Group>> groups_of)
        : Iterating{points, groups, std::move(parts)}, means_{std::move(means)},
          groups_of_{std::move(groups_of)} {}
    sme::KahnTask run() {
        co_await send_points();
        for (bool changed = true; changed;) {
            for (const auto& worker : means_)
                for (const Point& mean : settled.means)
                    co_await worker.send(mean);
            std::vector<Group> all(settled.means.size());
            for (const auto& worker : groups_of_)
                for (Group& group : all)
                    if (auto part = co_await worker.receive())
                        group.add(*part);
            changed = settled.take(all);
        }
    }

private:
    std::vector<sme::ChannelOut<Point>> means_;
    std::vector<sme::ChannelIn<Group>> groups_of_;
};

class AssignPairs : public sme::KahnProcess {
public:
    AssignPairs(std::uint64_t groups, sme::ChannelIn<Points> points, sme::ChannelIn<Point> means,
                sme::ChannelOut<Group> groups_out)
        : means_of_all_(groups), points_{points}, means_{means}, groups_{groups_out} {}
    sme::KahnTask run() {
        const auto points = co_await points_.receive();
        for (std::size_t k = 0; auto mean = co_await means_.receive();) {
            means_of_all_[k] = *mean;
            k = (k + 1) % means_of_all_.size();
            if (k != 0)
                continue;
            for (const Group& group : groups_of(*points, means_of_all_))
                co_await groups_.send(group);
        }
    }

private:
    std::vector<Point> means_of_all_;
    sme::ChannelIn<Points> points_;
    sme::ChannelIn<Point> means_;
    sme::ChannelOut<Group> groups_;
};

// ---- as an iterated MapReduce

struct NewMeans {
    struct Input {
        Points points;
        Means means;
    };
    struct Output {
        std::uint32_t number;
        Group group;
    };
    using Key = std::uint32_t;
    using Value = Point;

    template <class Emit> void map(const Input& input, const Emit& emit) const {
        for (const Point& point : input.points)
            emit(nearest(point, *input.means), point);
    }
    std::size_t part(Key group) const { return group; }
    template <class Emit>
    void reduce(Key number, std::span<const Point> points, const Emit& emit) const {
        Group group;
        for (const Point& point : points)
            group.add(point);
        emit({number, group});
    }
};

/// Starts rounds of the MapReduce until the means no longer change.
class IterateMapReduce : public sme::KahnProcess {
public:
    using Outputs = std::vector<NewMeans::Output>;

    IterateMapReduce(Points points, std::uint64_t groups,
                     std::vector<sme::ChannelOut<NewMeans::Input>> to,
                     std::vector<sme::ChannelIn<Outputs>> from)
        : settled{points, groups}, points_{points}, to_{std::move(to)}, from_{std::move(from)} {}
    sme::KahnTask run() {
        for (bool changed = true; changed;) {
            const auto means = std::make_shared<const std::vector<Point>>(settled.means);
            for (std::size_t k = 0; k < to_.size(); ++k) {
                NewMeans::Input input{part_of(points_, k, to_.size()), means};
                co_await to_[k].send(std::move(input)); // a name, see sim/kahn/README.md, GCC 12
            }
            std::vector<Group> all(settled.means.size());
            for (const auto& reducer : from_)
                if (auto outputs = co_await reducer.receive())
                    for (const auto& output : *outputs)
                        all[output.number] = output.group;
            changed = settled.take(all);
        }
    }
    Settled settled;

private:
    Points points_;
    std::vector<sme::ChannelOut<NewMeans::Input>> to_;
    std::vector<sme::ChannelIn<Outputs>> from_;
};

} // namespace models
