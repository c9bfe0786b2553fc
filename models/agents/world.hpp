// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <sme/kahn_patterns.hpp>

#include "law.hpp"

namespace models {

using Sightings = std::shared_ptr<const std::vector<Sighting>>;

/// A request to a view for the agents visible in this cycle.
struct Look {
    std::uint32_t cycle;
};
using ViewService = sme::Service<Look, Sightings>;
using ViewClient = sme::Client<Look, Sightings>;
using ViewLink = sme::ClientLink<Look, Sightings>;

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
using LocationRequest = std::variant<Enter, Move, WhoIsHere>;
struct LocationReply;
using LocationService = sme::Service<LocationRequest, LocationReply>;
using LocationClient = sme::Client<LocationRequest, LocationReply>;
using LocationLink = sme::ClientLink<LocationRequest, LocationReply>;
/// The next location on the way, and all that an agent knows of it.
struct GoOn {
    std::uint32_t location;
    Vector at; ///< relative to that location
    LocationLink link;
    ViewLink view;
};
struct LocationReply {
    std::variant<Stay, GoOn, Sightings> is;
};

/// Knows the agents in its part of the world, and the locations around it.
class Location : public sme::KahnProcess {
public:
    /// `around`: row by row, with the location itself in the middle; `views`: theirs.
    Location(Torus torus, std::uint32_t number, sme::Server<LocationRequest, LocationReply> server,
             std::vector<sme::LinksTo<LocationRequest, LocationReply>> around,
             std::vector<sme::LinksTo<Look, Sightings>> views)
        : torus_{torus}, number_{number}, server_{server}, around_{std::move(around)},
          views_{std::move(views)} {}
    sme::KahnTask run() {
        while (auto request = co_await server_.receive()) {
            LocationReply reply = std::visit([&](auto& what) { return answer(what); }, *request);
            co_await server_.reply(std::move(reply));
        }
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
        return {std::make_shared<const std::vector<Sighting>>(here_)};
    }
    LocationReply settle(const Sighting& agent) {
        const std::int32_t column = step_of(agent.at.x);
        const std::int32_t row = step_of(agent.at.y);
        if (column != 0 || row != 0) {
            const std::int32_t number = 3 * (row + 1) + column + 1;
            const auto place = static_cast<std::size_t>(number);
            return {GoOn{torus_.beyond(number_, column, row),
                         {agent.at.x - column * location_size, agent.at.y - row * location_size},
                         around_[place].link(),
                         views_[place].link()}};
        }
        here_.push_back(agent);
        return {Stay{agent.at}};
    }

    Torus torus_;
    std::uint32_t number_;
    sme::Server<LocationRequest, LocationReply> server_;
    std::vector<sme::LinksTo<LocationRequest, LocationReply>> around_;
    std::vector<sme::LinksTo<Look, Sightings>> views_;
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
                all->reserve(seen_ ? seen_->size() + seen_->size() / 2 : 128);
                for (std::int32_t k = 0; k < 9; ++k) {
                    const Vector offset{(k % 3 - 1) * location_size, (k / 3 - 1) * location_size};
                    auto reply = co_await around_[static_cast<std::size_t>(k)].call(WhoIsHere{});
                    for (const Sighting& each : *std::get<Sightings>(reply->is))
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
          LocationClient start, ViewClient view, sme::BarrierEnd barrier)
        : place{location, self.at}, persona{self.id}, id_{self.id}, cycles_{cycles},
          remembers_{remembers}, start_{start}, view_{view}, barrier_{std::move(barrier)} {}
    sme::KahnTask run() {
        LocationLink here = start_.link(); // the only place that it knows
        ViewLink view = view_.link();
        co_await ask(Enter{{id_, place.at}}, here, view);
        co_await barrier_.wait(*this);
        for (std::uint32_t cycle = 0; cycle < cycles_; ++cycle) {
            auto seen = co_await view.call(*this, Look{cycle});
            persona.look(place.at, place.location, (*seen)->size());
            const Vector force = persona.force({id_, place.at}, **seen, cycle);
            co_await barrier_.wait(*this); // all have looked
            co_await ask(Move{id_, force}, here, view);
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
    sme::KahnTask ask(LocationRequest request, LocationLink& here, ViewLink& view) {
        for (;;) {
            auto reply = co_await here.call(*this, request);
            if (const Stay* const stay = std::get_if<Stay>(&reply->is)) {
                place.at = stay->at;
                co_return;
            }
            auto& on = std::get<GoOn>(reply->is);
            place = {on.location, on.at};
            here = std::move(on.link);
            view = std::move(on.view);
            request = Enter{{id_, place.at}};
        }
    }

    std::uint32_t id_;
    std::uint32_t cycles_;
    bool remembers_;
    LocationClient start_;
    ViewClient view_;
    sme::BarrierEnd barrier_;
};

} // namespace models
