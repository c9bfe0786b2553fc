// SPDX-License-Identifier: Apache-2.0
// Finds groups of points, by an iterated MapReduce or by a dedicated network.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "networks.hpp"
#include "support/program.hpp"
#include "support/untimed.hpp"

namespace {

using namespace models;

struct Options {
    std::string input;
    std::string output;
    std::uint64_t points = 100'000;
    std::uint64_t groups = 100;
    std::uint64_t seed = 1;
    std::uint64_t workers = 8;
    Runners runners;
    bool map_reduce = false;
    bool pairs = false;
};

/// Parses "1,2,3" as a point. Returns false if it is invalid.
bool read_point(std::string_view line, Point& point) {
    const char* at = line.data();
    const char* const end = at + line.size();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [rest, error] = std::from_chars(at, end, point[axis]);
        if (error != std::errc{} || point[axis] < 0 || point[axis] >= range)
            return false;
        const bool last = axis == 2;
        if (last ? rest != end : rest == end || *rest != ',')
            return false;
        at = rest + 1;
    }
    return true;
}

std::vector<Point> points_of(const Options& options) {
    std::vector<Point> points;
    if (options.input.empty()) {
        points = random_points(options.points, options.seed);
    } else {
        std::istringstream lines{bytes_of(options.input)};
        for (std::string line; std::getline(lines, line);)
            if (!read_point(line, points.emplace_back()))
                throw BadInput{options.input + ":" + std::to_string(points.size()) +
                               ": give three whole numbers from 0 to 999, such as 12,3,456"};
    }
    if (options.groups > points.size())
        throw BadInput{std::to_string(options.groups) + " groups of " +
                       std::to_string(points.size()) + " points; give --groups less"};
    return points;
}

sme::KahnHandle<IterateMapReduce> add_map_reduce(sme::KahnNetwork& network, const Options& options,
                                                 Points points) {
    const auto to = network.channels<NewMeans::Input>("to", options.workers).all();
    const auto from = network.channels<IterateMapReduce::Outputs>("from", options.workers).all();
    sme::add_map_reduce<NewMeans>(network, "means", to, from);
    return network.add<IterateMapReduce>("iterate", points, options.groups, out(to), in(from));
}

sme::KahnHandle<Iterate> add_own(sme::KahnNetwork& network, const Options& options, Points points) {
    const auto parts = network.channels<Points>("points", options.workers).all();
    const auto means = network.channels<Means>("means", options.workers).all();
    const auto groups = network.channels<Iterate::Groups>("groups", options.workers).all();
    for (std::uint64_t k = 0; k < options.workers; ++k)
        network.add<Assign>(sme::indexed("assign", k), in(parts[k]), in(means[k]), out(groups[k]));
    return network.add<Iterate>("iterate", points, options.groups, out(parts), out(means),
                                in(groups));
}

sme::KahnHandle<IteratePairs> add_pairs(sme::KahnNetwork& network, const Options& options,
                                        Points points) {
    const auto parts = network.channels<Points>("points", options.workers).all();
    const auto means = network.channels<Point>("means", options.workers).all();
    const auto groups = network.channels<Group>("groups", options.workers).all();
    for (std::uint64_t k = 0; k < options.workers; ++k)
        network.add<AssignPairs>(sme::indexed("assign", k), options.groups, in(parts[k]),
                                 in(means[k]), out(groups[k]));
    return network.add<IteratePairs>("iterate", points, options.groups, out(parts), out(means),
                                     in(groups));
}

template <class P>
Settled settle(const sme::KahnNetwork& network, const sme::KahnHandle<P>& iterate,
               const Options& options) {
    sme::Untimed run{network, options.runners.options()};
    const double seconds = seconds_of(run);
    std::printf("%.3f s, ", seconds);
    return run.process(iterate).settled;
}

bool run(const Options& options) {
    if (options.pairs && options.map_reduce)
        throw BadInput{"--pairs is for the other network; leave out --map-reduce"};
    const std::vector<Point> points = points_of(options);
    sme::KahnNetwork network{"kmeans"};
    const Settled settled =
        options.map_reduce ? settle(network, add_map_reduce(network, options, points), options)
        : options.pairs    ? settle(network, add_pairs(network, options, points), options)
                           : settle(network, add_own(network, options, points), options);
    std::printf("%llu rounds\n", static_cast<unsigned long long>(settled.rounds));
    if (!options.output.empty()) {
        std::ostringstream lines;
        for (std::size_t k = 0; k < settled.means.size(); ++k) {
            const Point& mean = settled.means[k];
            lines << mean[0] << ',' << mean[1] << ',' << mean[2] << ',' << settled.sizes[k] << '\n';
        }
        write_file(options.output, lines.str());
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"kmeans", "Groups points in space around their means"};
    program.text("input", options.input, "the points, x,y,z a line, from 0 to 999")
        .number("points", options.points, 1, 10'000'000, "how many random ones, without --input")
        .number("seed", options.seed, 0, 0xffff'ffff, "of the random points")
        .number("groups", options.groups, 1, 100'000, "how many groups; first at the first points")
        .text("output", options.output, "where the groups are written: x,y,z of the mean, size")
        .number("workers", options.workers, 1, 1000, "of each kind")
        .flag("map-reduce", options.map_reduce, "by a MapReduce that is iterated")
        .flag("pairs", options.pairs, "with a message for each mean, instead of one for all");
    options.runners.add_to(program);
    return program.run(argc, argv, [&] { return run(options); });
}
