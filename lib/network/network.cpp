// SPDX-License-Identifier: Apache-2.0
#include "sme/network.hpp"

#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "network/access.hpp"
#include "network/find.hpp"
#include "sme/internal/archive.hpp"

namespace sme {

struct Network::Data {
    Graph graph;
    std::unordered_map<std::type_index, internal::PoolEntry> pools;
    std::map<std::string, std::uint32_t> families; // those added by other parts
    std::map<std::pair<std::type_index, std::vector<std::byte>>, internal::BusKey> constants;
};

Network::Network(std::string name) : data_{std::make_unique<Data>()} {
    data_->graph.name = std::move(name);
}
Network::~Network() = default;
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;

const Graph& Network::graph() const {
    return data_->graph;
}

std::uint64_t Network::number() const {
    return data_->graph.network_number;
}

internal::BusKey Network::find_bus(const std::string& name, const Type& type) const {
    const NamedValue found = value_named(data_->graph, name);
    const BusFamily& bus = data_->graph.family_of(found.element);
    if (found.type != bus.type)
        throw NetworkError{fmt::format("'{}' is a part of bus '{}', not a bus", name,
                                       bus.element_name(found.element))};
    if (!(*bus.type == type))
        throw NetworkError{fmt::format("bus '{}' is {}, not {}", name, bus.type->written_out(),
                                       type.written_out())};
    return {found.element, number()};
}

Graph& NetworkAccess::graph(Network& network) {
    return network.data_->graph;
}
std::map<std::string, std::uint32_t>& NetworkAccess::families(Network& network) {
    return network.data_->families;
}
std::uint64_t NetworkAccess::add_instance(Network& network, std::uint32_t family, const Name& name,
                                          const std::vector<std::uint64_t>& buses) {
    std::vector<internal::BusKey> keys;
    for (const std::uint64_t bus : buses)
        keys.push_back({bus, network.number()});
    return network.add_instance(family, name, keys.data());
}
std::uint64_t NetworkAccess::add_constant(Network& network, const Name& name, std::type_index key,
                                          TypeRef type, std::vector<std::byte> value) {
    return network.add_constant(name, key, std::move(type), std::move(value)).id;
}

Location location_of(const Name& name) {
    Location location;
    location.file = name.file();
    location.line = name.line();
    return location;
}

namespace {

[[noreturn]] void fail(const Name& name, const std::string& what) {
    throw NetworkError{fmt::format("{}:{}: '{}' {}", name.file(), name.line(), name.text(), what)};
}

} // namespace

internal::BusKey Network::add_buses(const Name& name, std::uint64_t count, bool family, bool input,
                                    TypeRef type, std::uint32_t delay, Unwritten unwritten,
                                    std::vector<std::byte> initial) {
    constexpr std::uint64_t max_buses = std::uint64_t{1} << 31; // one byte each fills the arenas
    constexpr std::uint32_t longest_delay = BusFamily::longest_delay;
    if (count == 0)
        fail(name, "is a family of 0 buses, but a family has at least one");
    if (count > max_buses)
        fail(name, fmt::format("is a family of {} buses, but the most are {}", count, max_buses));
    if (delay > longest_delay)
        fail(name,
             fmt::format("has a delay of {} cycles, but the longest is {}", delay, longest_delay));
    if (delay == 0 && (unwritten == Unwritten::hold || !initial.empty()))
        fail(name, "is a wire, but a wire has no register: neither hold nor an initial value");
    BusFamily bus;
    bus.name = name.index() ? fmt::format("{}[{}]", name.text(), *name.index()) : name.text();
    if (family)
        bus.shape.dimensions.push_back({0, count, {}});
    bus.type = std::move(type);
    bus.delay = delay;
    bus.unwritten = unwritten;
    bus.has_initial = !initial.empty();
    bus.initial = std::move(initial);
    bus.input = input;
    bus.declared = location_of(name);
    return {data_->graph.add(std::move(bus)).first, number()};
}

/// Adds an input that no process writes and that holds; equal constants share one bus.
internal::BusKey Network::add_constant(const Name& name, std::type_index key, TypeRef type,
                                       std::vector<std::byte> value) {
    const auto [found, is_new] = data_->constants.try_emplace({key, value});
    if (!is_new)
        return found->second;
    const Name own{fmt::format("constant_{}", data_->constants.size() - 1), name.file(),
                   name.line()};
    found->second =
        add_buses(own, 1, false, true, std::move(type), 1, Unwritten::hold, std::move(value));
    return found->second;
}

internal::PoolEntry* Network::find_pool(std::type_index key) {
    const auto found = data_->pools.find(key);
    return found == data_->pools.end() ? nullptr : &found->second;
}

namespace {

std::vector<PortUse> uses(const std::vector<std::uint32_t>& ports) {
    std::vector<PortUse> result;
    for (const std::uint32_t port : ports)
        result.push_back({port});
    return result;
}

/// A class is one part, or two with `comb`: the outputs that comb writes, and everything else.
std::vector<Part> parts_of(const internal::PoolShape& shape) {
    Part step;
    std::vector<bool> by_comb(shape.ports.size(), false);
    for (const std::uint32_t port : shape.comb.writes())
        by_comb[port] = true;
    for (std::uint32_t k = 0; k < shape.ports.size(); ++k)
        if (!shape.ports[k].is_output)
            step.reads.push_back({k});
        else if (!by_comb[k])
            step.writes.push_back({k});
    if (!shape.has_comb)
        return {step};
    step.shares_state = true; // the object
    Part comb;
    comb.reads = uses(shape.comb.reads());
    comb.writes = uses(shape.comb.writes());
    return {comb, step};
}

} // namespace

internal::PoolEntry* Network::add_pool(std::type_index key,
                                       std::shared_ptr<internal::PoolFactoryBase> kind,
                                       internal::PoolShape shape) {
    ProcessFamily family;
    family.name = fmt::format("pool {}", data_->graph.processes.size());
    family.count = 0;
    family.kind = std::make_shared<const GroupFactory>(
        [kind](const Build& build) { return kind->build(build); });
    family.parts = parts_of(shape);
    for (std::uint32_t k = 0; k < shape.ports.size(); ++k) {
        Port& port = family.ports.emplace_back();
        port.name = fmt::format("port {}", k);
        port.output = shape.ports[k].is_output;
        port.type = shape.ports[k].type;
    }
    const auto index = static_cast<std::uint32_t>(data_->graph.processes.size());
    data_->graph.processes.push_back(std::move(family));
    return &data_->pools.emplace(key, internal::PoolEntry{index, std::move(kind)}).first->second;
}

std::uint64_t Network::add_instance(std::uint32_t number, const Name& name,
                                    const internal::BusKey* bus_keys) {
    ProcessFamily& family = data_->graph.processes[number];
    for (std::size_t k = 0; k < family.ports.size(); ++k)
        if (!data_->graph.has(bus_keys[k]))
            fail(name, "is bound to a bus of another network");
    const std::uint64_t instance = family.count++;
    family.shape.dimensions = {{0, family.count, {}}};
    for (std::size_t k = 0; k < family.ports.size(); ++k) {
        family.ports[k].buses.append(static_cast<std::int64_t>(bus_keys[k].id));
        if (!family.ports[k].declared.known())
            family.ports[k].declared = location_of(name);
    }
    const std::uint64_t index = name.index().value_or(0);
    if (!family.names.empty()) {
        const ProcessFamily::NameRun& last = family.names.back();
        if (last.indexed && name.index() && last.text == name.text() &&
            last.index + (instance - last.first) == index)
            return instance;
    }
    family.names.push_back(
        {instance, name.text(), name.index().has_value(), index, location_of(name)});
    return instance;
}

Archive::~Archive() = default;

std::uint64_t Archive::count(std::uint64_t own) {
    bytes(&own, sizeof own);
    if (!saves() && own > left())
        throw CheckpointError{
            fmt::format("it says {} elements, but only {} bytes follow", own, left())};
    return own;
}

} // namespace sme
