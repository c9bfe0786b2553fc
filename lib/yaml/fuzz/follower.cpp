// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/follower.hpp"

namespace sme::fuzz {

void FollowedBus::start(const std::vector<Bits>& initial) {
    now = initial;
    last = initial;
    for (const Bits& value : initial)
        under_way.emplace_back(delay, value);
}

std::size_t Follower::add(FollowedBus bus) {
    buses_.push_back(std::move(bus));
    return buses_.size() - 1;
}

std::size_t Follower::add(FollowedProcess process) {
    processes_.push_back(std::move(process));
    return processes_.size() - 1;
}

void Follower::cycle(const Env& constants) {
    std::vector<Write> writes;
    std::vector<std::pair<std::map<std::string, Bits>*, std::map<std::string, Bits>>> states;
    for (FollowedProcess& process : processes_)
        for (std::size_t k = 0; k < process.instances.size(); ++k)
            step(process, k, constants, writes, states);
    for (auto& [place, values] : states)
        *place = std::move(values);
    for (Write& write : writes) {
        FollowedBus& bus = buses_[write.bus];
        std::vector<Bits>& values = bus.under_way[write.element];
        values.push_back(write.value);
        bus.last[write.element] = std::move(write.value);
        values.erase(values.begin());
        bus.now[write.element] = values.front();
    }
    ++cycle_;
}

void Follower::step(
    FollowedProcess& process, std::size_t instance, const Env& constants,
    std::vector<Write>& writes,
    std::vector<std::pair<std::map<std::string, Bits>*, std::map<std::string, Bits>>>& states) {
    FollowedProcess::Instance& own = process.instances[instance];
    Env env{&constants, own.indices};
    env.values.insert(own.states.begin(), own.states.end());
    const auto gathered = [&](const FollowedProcess::Output& port, auto value_of) {
        Bits all; // element 0 rightmost
        for (const unsigned element : port.elements[instance]) {
            const Bits value = value_of(buses_[port.bus], element);
            all.insert(all.end(), value.begin(), value.end());
        }
        return all;
    };
    const auto read = [](const FollowedBus& bus, unsigned element) { return bus.now[element]; };
    const auto rest = [](const FollowedBus& bus, unsigned element) {
        return bus.hold ? bus.last[element] : Bits(bus.type->width);
    };
    for (const auto& port : process.inputs)
        env.values[port.key] = gathered(port, read);
    Changes changes;
    for (const auto& port : process.outputs) {
        env.values[port.key] = gathered(port, read);
        changes[port.key] = gathered(port, rest);
    }
    for (const auto& [name, state] : own.states)
        changes[name] = state;
    for (const auto& [name, meaning] : process.lets)
        env.values[name] = meaning(env);
    process.step(env, changes);
    if (process.reset && process.reset(env)[0])
        for (const auto& [name, value] : own.initial)
            changes[name] = value;
    const bool at_edge = cycle_ % process.every == process.offset;
    for (const auto& port : process.outputs) {
        const unsigned width = buses_[port.bus].type->width;
        for (std::size_t k = 0; k < port.elements[instance].size(); ++k) {
            const unsigned element = port.elements[instance][k];
            const Bits value = cut(changes[port.key], static_cast<unsigned>(k) * width, width);
            if (buses_[port.bus].delay == 0)
                buses_[port.bus].now[element] = value;
            else if (at_edge)
                writes.push_back({port.bus, element, value});
        }
    }
    if (!at_edge)
        return;
    std::map<std::string, Bits> next;
    for (const auto& [name, state] : own.states)
        next[name] = changes[name];
    states.emplace_back(&own.states, std::move(next));
}

} // namespace sme::fuzz
