// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <sme/kahn_service.hpp>

#include "law.hpp"

namespace models {

using Sightings = std::shared_ptr<const std::vector<Sighting>>;

// Requests to a location, and its replies.
struct Enter {
    Sighting agent;
};
struct Move {
    std::uint32_t id;
    Vector by;
};
struct WhoIsHere {};
struct Stay {
    Vector at;
};
struct GoOn {
    std::uint32_t location;
    Vector at; ///< relative to that location
};
using LocationRequest = std::variant<Enter, Move, WhoIsHere>;
using LocationReply = std::variant<Stay, GoOn, Sightings>;
using LocationService = sme::Service<LocationRequest, LocationReply>;
using LocationClient = sme::Client<LocationRequest, LocationReply>;

/// A request to a view for the agents visible in this cycle.
struct Look {
    std::uint32_t cycle;
};
using ViewService = sme::Service<Look, Sightings>;
using ViewClient = sme::Client<Look, Sightings>;

/// Knows the agents in its part of the world.
class Location : public sme::KahnProcess {
public:
    Location(Torus torus, std::uint32_t number, sme::Server<LocationRequest, LocationReply> server)
        : torus_{torus}, number_{number}, server_{server} {}
    sme::KahnTask run() {
        while (auto request = co_await server_.receive())
            co_await server_.reply(std::visit([&](auto& what) { return answer(what); }, *request));
    }

private:
    LocationReply answer(const Enter& request) { return settle(request.agent); }
    LocationReply answer(const Move& request) {
        const auto found = std::ranges::find(here_, request.id, &Sighting::id);
        Sighting agent = *found;
        *found = here_.back();
        here_.pop_back();
        agent.at.x += request.by.x;
        agent.at.y += request.by.y;
        return settle(agent);
    }
    LocationReply answer(const WhoIsHere&) const {
        return std::make_shared<const std::vector<Sighting>>(here_);
    }
    LocationReply settle(const Sighting& agent) {
        const std::int32_t column = step_of(agent.at.x);
        const std::int32_t row = step_of(agent.at.y);
        if (column != 0 || row != 0)
            return GoOn{torus_.beyond(number_, column, row),
                        {agent.at.x - column * location_size, agent.at.y - row * location_size}};
        here_.push_back(agent);
        return Stay{agent.at};
    }

    Torus torus_;
    std::uint32_t number_;
    sme::Server<LocationRequest, LocationReply> server_;
    std::vector<Sighting> here_;
};

/// Shows agents their surroundings: the agents in the location and in the eight around it. It asks
/// these locations once per cycle.
class View : public sme::KahnProcess {
public:
    View(sme::Server<Look, Sightings> server, std::vector<LocationClient> around)
        : server_{server}, around_{std::move(around)} {}
    sme::KahnTask run() {
        while (auto request = co_await server_.receive()) {
            if (seen_ == nullptr || request->cycle != cycle_) {
                cycle_ = request->cycle;
                auto all = std::make_shared<std::vector<Sighting>>();
                for (std::int32_t k = 0; k < 9; ++k) {
                    const Vector offset{(k % 3 - 1) * location_size, (k / 3 - 1) * location_size};
                    auto reply = co_await around_[static_cast<std::size_t>(k)].call(WhoIsHere{});
                    for (const Sighting& each : *std::get<Sightings>(*reply))
                        all->push_back({each.id, {each.at.x + offset.x, each.at.y + offset.y}});
                }
                seen_ = std::move(all);
            }
            co_await server_.reply(seen_);
        }
    }

private:
    sme::Server<Look, Sightings> server_;
    std::vector<LocationClient> around_; // row by row
    std::uint32_t cycle_ = 0;
    Sightings seen_;
};

/// Looks around, is pushed, and moves, in step with the others.
class Agent : public sme::KahnProcess {
public:
    struct Place {
        std::uint32_t location;
        Vector at;
    };

    Agent(Sighting self, std::uint32_t location, std::uint32_t cycles, bool remembers,
          std::vector<LocationClient> locations, std::vector<ViewClient> views,
          sme::BarrierEnd barrier)
        : place{location, self.at}, persona{self.id}, id_{self.id}, cycles_{cycles},
          remembers_{remembers},
          locations_{std::move(locations)}, views_{std::move(views)}, barrier_{std::move(barrier)} {
    }
    sme::KahnTask run() {
        co_await ask(Enter{{id_, place.at}});
        co_await barrier_.wait(*this);
        for (std::uint32_t cycle = 0; cycle < cycles_; ++cycle) {
            auto view = co_await views_[place.location].call(Look{cycle});
            persona.look(place.at, place.location, (*view)->size());
            const Vector force = persona.force({id_, place.at}, **view, cycle);
            co_await barrier_.wait(*this); // all have looked
            co_await ask(Move{id_, force});
            if (remembers_)
                path.push_back(place);
            co_await barrier_.wait(*this); // all have moved
        }
    }

    Place place;
    Persona persona;
    std::vector<Place> path; ///< position after each cycle

private:
    /// Asks its location, and each one to which that refers it, until one accepts it.
    sme::KahnTask ask(LocationRequest request) {
        for (;;) {
            auto reply = co_await locations_[place.location].call(request);
            if (const Stay* const stay = std::get_if<Stay>(&*reply)) {
                place.at = stay->at;
                co_return;
            }
            const GoOn& on = std::get<GoOn>(*reply);
            place = {on.location, on.at};
            request = Enter{{id_, place.at}};
        }
    }

    std::uint32_t id_;
    std::uint32_t cycles_;
    bool remembers_;
    std::vector<LocationClient> locations_;
    std::vector<ViewClient> views_;
    sme::BarrierEnd barrier_;
};

} // namespace models
