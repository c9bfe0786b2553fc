// SPDX-License-Identifier: Apache-2.0
// Agents that push each other across a grid of locations.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <sme/clocked.hpp>

#include "support/program.hpp"
#include "support/untimed.hpp"
#include "world.hpp"

namespace {

using namespace models;

struct Options {
    std::uint64_t grid = 10;
    std::uint64_t agents = 12;
    std::uint64_t cycles = 1024;
    Runners runners;
    bool clocked = false;
    std::string film;
};
constexpr std::size_t film_cycles = 60;

/// The processes and their connections.
class World {
public:
    explicit World(const Options& options)
        : torus{static_cast<std::uint32_t>(options.grid),
                static_cast<std::uint32_t>(options.agents)} {
        const auto locations =
            sme::add_services<LocationRequest, LocationReply>(net, "location", torus.locations());
        const auto views = sme::add_services<Look, Sightings>(net, "view", torus.locations());
        for (std::uint32_t k = 0; k < torus.locations(); ++k) {
            std::vector<LocationService> around;
            std::vector<ViewService> views_around;
            for (std::int32_t row = -1; row <= 1; ++row)
                for (std::int32_t column = -1; column <= 1; ++column) {
                    around.push_back(locations[torus.beyond(k, column, row)]);
                    views_around.push_back(views[torus.beyond(k, column, row)]);
                }
            net.add<Location>(sme::indexed("location", k), torus, k, sme::serve(locations[k]),
                              sme::links_to(around), sme::links_to(views_around));
            net.add<View>(sme::indexed("view", k), sme::serve(views[k]), sme::client(around));
        }
        const sme::Barrier barrier = net.barrier("phase");
        for (std::uint32_t id = 1; id <= torus.agents(); ++id) {
            const std::uint32_t start = torus.start_location(id);
            agents.push_back(net.add<Agent>(sme::indexed("agent", id), torus.start(id), start,
                                            static_cast<std::uint32_t>(options.cycles),
                                            !options.film.empty(), sme::client(locations[start]),
                                            sme::client(views[start]), sme::member(barrier)));
        }
    }

    Torus torus;
    sme::KahnNetwork net{"agents"};
    std::vector<sme::KahnHandle<Agent>> agents;
};

/// An animation of the world's first cycles: a point for each agent.
class Film {
public:
    explicit Film(const Torus& torus) : torus_{torus} {
        const std::uint32_t width = torus.side() * cell;
        svg_ = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\">"
                           "<rect width=\"{0}\" height=\"{0}\" fill=\"#fff\"/>\n",
                           width);
        for (std::uint32_t k = 1; k < torus.side(); ++k)
            svg_ += fmt::format("<path d=\"M0 {0}H{1}M{0} 0V{1}\" stroke=\"#ddd\"/>\n", k * cell,
                                width);
    }
    void add(std::uint32_t id, const std::vector<Agent::Place>& path) {
        const std::size_t frames = std::min(path.size(), film_cycles);
        std::string x;
        std::string y;
        for (std::size_t k = 0; k < frames; ++k) {
            x += fmt::format("{};", pixel(path[k].location % torus_.side(), path[k].at.x));
            y += fmt::format("{};", pixel(path[k].location / torus_.side(), path[k].at.y));
        }
        x.pop_back();
        y.pop_back();
        svg_ += fmt::format("<circle r=\"2\" cx=\"{}\" cy=\"{}\" fill=\"hsl({},70%,45%)\">",
                            x.substr(x.rfind(';') + 1), y.substr(y.rfind(';') + 1),
                            id * 360 / torus_.agents());
        for (const auto& [attribute, values] : {std::pair{"cx", &x}, std::pair{"cy", &y}})
            svg_ += fmt::format("<animate attributeName=\"{}\" calcMode=\"discrete\" dur=\"{}s\" "
                                "repeatCount=\"indefinite\" values=\"{}\"/>",
                                attribute, static_cast<double>(frames) / 5, *values);
        svg_ += "</circle>\n";
    }
    std::string svg() const { return svg_ + "</svg>\n"; }

private:
    static constexpr std::uint32_t cell = 64;
    static std::uint32_t pixel(std::uint32_t location, std::int32_t at) {
        return location * cell +
               static_cast<std::uint32_t>(at + location_size / 2) * cell / location_size;
    }
    const Torus& torus_;
    std::string svg_;
};

/// Reports the last agent's end position, and writes the film of all paths; `at` returns the
/// process of a handle.
template <class At> void report(const Options& options, const World& world, const At& at) {
    const Agent& last = at(world.agents.back());
    std::printf("agent %u: location %u (%d, %d), persona %u\n", world.torus.agents(),
                last.place.location, last.place.at.x, last.place.at.y, last.persona.bias());
    if (options.film.empty())
        return;
    Film film{world.torus};
    for (std::uint32_t k = 0; k < world.torus.agents(); ++k)
        film.add(k + 1, at(world.agents[k]).path);
    write_file(options.film, film.svg());
}

void run_untimed(const Options& options) {
    const World world{options};
    sme::Untimed run{world.net, options.runners.options()};
    const double seconds = seconds_of(run);
    std::printf("%llu x %llu locations, %u agents, %llu cycles: %.3f s\n",
                static_cast<unsigned long long>(options.grid),
                static_cast<unsigned long long>(options.grid), world.torus.agents(),
                static_cast<unsigned long long>(options.cycles), seconds);
    report(
        options, world, [&](const auto& handle) -> auto& { return run.process(handle); });
}

void run_clocked(const Options& options) {
    const World world{options};
    sme::Network network{"agents"};
    const sme::ClockedKahn clocked = sme::add_clocked(network, world.net);
    sme::Simulator simulator{network};
    simulator.run(sme::Cycles{std::uint64_t{100} * world.torus.agents() * (options.cycles + 1)});
    std::printf("%llu cycles of the clock\n", static_cast<unsigned long long>(simulator.cycle()));
    report(
        options,
        world, [&](const auto& handle) -> auto& { return clocked.process(simulator, handle); });
}

bool run(const Options& options) {
    if (!options.film.empty() && options.cycles == 0)
        throw BadInput{"--film shows what happens in the cycles; give --cycles 1 or more"};
    options.clocked ? run_clocked(options) : run_untimed(options);
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"agents", "Agents that push each other through a grid of locations"};
    program.number("grid", options.grid, 3, 100, "locations in a row, and rows")
        .number("agents", options.agents, 1, 1000, "of each location in the beginning")
        .number("cycles", options.cycles, 0, 1'000'000, "how often all look around and move")
        .flag("clocked", options.clocked, "with a clock")
        .text("film", options.film, "a .svg file that shows the first 60 cycles");
    options.runners.add_to(program);
    return program.run(argc, argv, [&] { return run(options); });
}
