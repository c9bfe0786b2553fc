// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "network/segments.hpp"
#include "network/shape.hpp"

using namespace sme;

namespace {

using Values = std::vector<std::int64_t>;

Values values_of(const Segments& map) {
    Values values;
    for (std::uint64_t k = 0; k < map.size(); ++k)
        values.push_back(map.at(k));
    return values;
}

/// Checks that runs are adjacent and not empty, and that lookup finds the run of each index.
void check_runs(const Segments& map) {
    std::uint64_t next = 0;
    for (const Segment& run : map.runs()) {
        CHECK(run.first == next);
        CHECK(run.count > 0);
        next = run.end();
    }
    CHECK(map.size() == next);
    for (std::uint64_t k = 0; k < map.size(); ++k) {
        const Segment& run = map.runs()[map.run_of(k)];
        CHECK((run.first <= k && k < run.end()));
    }
}

/// Returns a map of random runs, single values and constants into 0 … range − 1, and its values in
/// `plain`.
Segments random_map(std::mt19937& random, std::int64_t range, Values& plain) {
    const auto pick = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>{low, high}(random);
    };
    Segments map;
    for (std::int64_t pieces = pick(0, 8); pieces > 0; --pieces) {
        const std::int64_t offset = pick(0, range - 1);
        const std::int64_t stride = pick(-3, 3);
        std::int64_t count = 0; // sometimes zero: appends nothing
        for (const std::int64_t wanted = pick(0, 6); count < wanted; ++count) {
            const std::int64_t value = offset + count * stride;
            if (value < 0 || value >= range)
                break;
            plain.push_back(value);
        }
        map.append(static_cast<std::uint64_t>(count), offset, stride);
    }
    return map;
}

} // namespace

TEST_CASE("an affine map is one run, whatever its size") {
    const Segments map = Segments::affine(1'000'000'000'000, 5, -2);
    CHECK(map.runs().size() == 1);
    CHECK(map.size() == 1'000'000'000'000);
    CHECK(map.at(0) == 5);
    CHECK(map.at(999'999'999'999) == 5 - 2 * 999'999'999'999);
    CHECK(Segments::affine(0, 5, 1).empty());
    CHECK(Segments{}.size() == 0);
}

TEST_CASE("values that continue a run join it") {
    Segments map;
    for (const std::int64_t value : {4, 6, 8, 10})
        map.append(value);
    CHECK(map.runs() == std::vector<Segment>{{0, 4, 4, 2}});
    map.append(3, 12, 2); // 12 14 16
    CHECK(map.runs() == std::vector<Segment>{{0, 7, 4, 2}});
    map.append(2, 18, 1); // 18 19: the first would fit, the second would not
    CHECK(map.runs() == std::vector<Segment>{{0, 7, 4, 2}, {7, 2, 18, 1}});
    map.append(19);
    CHECK(map.runs().size() == 3);
    map.append(19);
    CHECK(map.runs().size() == 3);
    CHECK(values_of(map) == Values{4, 6, 8, 10, 12, 14, 16, 18, 19, 19, 19});
}

TEST_CASE("a million values of a rotation appended one by one are two runs") {
    Segments map;
    for (std::int64_t k = 0; k < 1'000'000; ++k)
        map.append((k + 999'999) % 1'000'000);
    CHECK(map.runs().size() == 2);
    bool same = true;
    for (std::int64_t k = 0; k < 1'000'000; ++k)
        same = same && map.at(static_cast<std::uint64_t>(k)) == (k + 999'999) % 1'000'000;
    CHECK(same);
}

TEST_CASE("random maps hold the values that were appended") {
    std::mt19937 random{1};
    for (int k = 0; k < 500; ++k) {
        CAPTURE(k);
        Values plain;
        const Segments map = random_map(random, 20, plain);
        check_runs(map);
        CHECK(values_of(map) == plain);
    }
}

TEST_CASE("random maps one after the other give what plain vectors give") {
    std::mt19937 random{2};
    for (int k = 0; k < 500; ++k) {
        CAPTURE(k);
        Values outer_plain, inner_plain, expected;
        const Segments outer = random_map(random, 1000, outer_plain);
        if (outer_plain.empty())
            continue;
        const Segments inner =
            random_map(random, static_cast<std::int64_t>(outer_plain.size()), inner_plain);
        for (const std::int64_t value : inner_plain)
            expected.push_back(outer_plain[static_cast<std::size_t>(value)]);
        const Segments composed = inner.then(outer);
        check_runs(composed);
        CHECK(values_of(composed) == expected);
    }
}

TEST_CASE("composing regular maps does not grow with their size") {
    const std::uint64_t n = 1'000'000'000;
    Segments rotated; // (k + n - 1) % n
    rotated.append(1, static_cast<std::int64_t>(n) - 1, 1);
    rotated.append(n - 1, 0, 1);
    const Segments slots = Segments::affine(n, 64, 8);
    const Segments offsets = rotated.then(slots);
    CHECK(offsets.runs().size() == 2);
    CHECK(offsets.at(0) == 64 + 8 * (static_cast<std::int64_t>(n) - 1));
    CHECK(offsets.at(n - 1) == 64 + 8 * (static_cast<std::int64_t>(n) - 2));
    CHECK(rotated.then(Segments::identity(n)).runs() == rotated.runs());
}

TEST_CASE("only the map of every index to itself is the identity") {
    CHECK(Segments::identity(7).is_identity());
    CHECK(Segments::identity(1).is_identity());
    CHECK(Segments{}.is_identity());
    CHECK_FALSE(Segments::affine(7, 1, 1).is_identity());
    CHECK_FALSE(Segments::affine(7, 0, 2).is_identity());
    CHECK_FALSE(Segments::affine(2, 0, 0).is_identity());
    CHECK(Segments::affine(1, 0, 5).is_identity());
    CHECK_FALSE(Segments::affine(1, 3, 1).is_identity());
    Segments swapped;
    for (const std::int64_t value : {0, 1, 3, 2})
        swapped.append(value);
    CHECK_FALSE(swapped.is_identity());
}

TEST_CASE("the runs inside a range are cut to it") {
    std::mt19937 random{3};
    for (int k = 0; k < 300; ++k) {
        CAPTURE(k);
        Values plain;
        const Segments map = random_map(random, 20, plain);
        const std::uint64_t first = random() % (plain.size() + 1);
        const std::uint64_t count = random() % (plain.size() - first + 1);
        Values seen;
        std::uint64_t next = first;
        for_each_run(map, first, count, [&](const Segment& run) {
            CHECK(run.first == next);
            CHECK(run.count > 0);
            next = run.end();
            for (std::uint64_t i = run.first; i < run.end(); ++i)
                seen.push_back(run.at(i));
        });
        CHECK(seen == Values(plain.begin() + static_cast<std::ptrdiff_t>(first),
                             plain.begin() + static_cast<std::ptrdiff_t>(first + count)));
    }
}

TEST_CASE("elements of a family are numbered with the last index running fastest") {
    const Shape shape{{{0, 2, "x"}, {5, 3, "y"}}};
    CHECK(shape.count() == 6);
    CHECK(shape.indices(0) == Values{0, 5});
    CHECK(shape.indices(4) == Values{1, 6});
    CHECK(shape.element_name("cell", 5) == "cell[1, 7]");
    CHECK(Shape{{{-2, 4, "k"}}}.element_name("tap", 1) == "tap[-1]");
    CHECK(Shape{}.element_name("node", 0) == "node");
    CHECK(Shape{}.count() == 1);
}
