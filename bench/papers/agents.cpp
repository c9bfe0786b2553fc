// SPDX-License-Identifier: Apache-2.0
// The world of models/agents as loops over arrays, on threads: THREADS GRID AGENTS CYCLES. Each
// thread owns some agents; each location has a lock. It prints the output of the model.
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "agents/law.hpp"

namespace {

using namespace models;

struct alignas(64) Location {
    std::mutex lock;
    std::vector<Sighting> here;
};

struct Agent {
    Sighting self;
    std::uint32_t location;
    Persona persona;
    Vector force{0, 0};
};

class World {
public:
    explicit World(const Torus& torus) : torus_{torus}, locations_(torus.locations()) {
        for (std::uint32_t id = 1; id <= torus.agents(); ++id) {
            agents.push_back({torus.start(id), torus.start_location(id), Persona{id}});
            enter(agents.back());
        }
    }

    /// Applies the effect of all visible agents to an agent.
    void look(Agent& agent, std::uint32_t cycle) const {
        std::size_t seen = 0;
        for_each_near(agent,
                      [&](const Location& near, const Vector&) { seen += near.here.size(); });
        agent.persona.look(agent.self.at, agent.location, seen);
        agent.force = {0, 0};
        for_each_near(agent, [&](const Location& near, const Vector& offset) {
            const Sighting from_there{agent.self.id,
                                      {agent.self.at.x - offset.x, agent.self.at.y - offset.y}};
            const Vector force = agent.persona.force(from_there, near.here, cycle);
            agent.force.x += force.x;
            agent.force.y += force.y;
        });
    }
    void move(Agent& agent) {
        leave(agent);
        Vector& at = agent.self.at;
        at.x += agent.force.x;
        at.y += agent.force.y;
        for (;;) {
            const std::int32_t column = step_of(at.x);
            const std::int32_t row = step_of(at.y);
            if (column == 0 && row == 0)
                break;
            agent.location = torus_.beyond(agent.location, column, row);
            at = {at.x - column * location_size, at.y - row * location_size};
        }
        enter(agent);
    }

    std::vector<Agent> agents;

private:
    template <class F> void for_each_near(const Agent& agent, const F& what) const {
        for (std::int32_t row = -1; row <= 1; ++row)
            for (std::int32_t column = -1; column <= 1; ++column)
                what(locations_[torus_.beyond(agent.location, column, row)],
                     Vector{column * location_size, row * location_size});
    }
    void enter(const Agent& agent) {
        Location& location = locations_[agent.location];
        const std::lock_guard guard{location.lock};
        location.here.push_back(agent.self);
    }
    void leave(const Agent& agent) {
        Location& location = locations_[agent.location];
        const std::lock_guard guard{location.lock};
        const auto found = std::ranges::find(location.here, agent.self.id, &Sighting::id);
        *found = location.here.back();
        location.here.pop_back();
    }

    const Torus& torus_;
    std::vector<Location> locations_;
};

void run(World& world, std::size_t count, std::uint32_t cycles) {
    std::barrier phase{static_cast<std::ptrdiff_t>(count)};
    const auto work = [&](std::size_t thread) {
        const std::size_t first = world.agents.size() * thread / count;
        const std::size_t end = world.agents.size() * (thread + 1) / count;
        for (std::uint32_t cycle = 0; cycle < cycles; ++cycle) {
            for (std::size_t k = first; k < end; ++k)
                world.look(world.agents[k], cycle);
            phase.arrive_and_wait();
            for (std::size_t k = first; k < end; ++k)
                world.move(world.agents[k]);
            phase.arrive_and_wait();
        }
    };
    std::vector<std::thread> others;
    for (std::size_t thread = 1; thread < count; ++thread)
        others.emplace_back(work, thread);
    work(0);
    for (std::thread& other : others)
        other.join();
}

} // namespace

int main(int count, char** words) {
    if (count != 5) {
        std::fprintf(stderr, "usage: %s THREADS GRID AGENTS CYCLES\n", words[0]);
        return 2;
    }
    const auto number = [&](int k) {
        return static_cast<std::uint32_t>(std::strtoul(words[k], nullptr, 10));
    };
    const Torus torus{number(2), number(3)};
    World world{torus};
    const auto start = std::chrono::steady_clock::now();
    run(world, number(1), number(4));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const Agent& last = world.agents.back();
    std::printf("%u x %u locations, %u agents, %u cycles: %.3f s\n", torus.side(), torus.side(),
                torus.agents(), number(4), seconds.count());
    std::printf("agent %u: location %u (%d, %d), persona %u\n", last.self.id, last.location,
                last.self.at.x, last.self.at.y, last.persona.bias());
}
