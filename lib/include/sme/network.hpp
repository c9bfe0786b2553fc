// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <typeindex>
#include <utility>
#include <vector>

#include "sme/bus.hpp"
#include "sme/pool.hpp"
#include "sme/process.hpp"
#include "sme/struct.hpp"

namespace sme {

struct Graph;

/// An argument of `add` that becomes an In<T> or Out<T> of the process.
template <class T> detail::InArgument<T> in(Bus<T> bus) {
    return {bus.key()};
}
template <class T> detail::OutArgument<T> out(Bus<T> bus) {
    return {bus.key()};
}

/// An argument of `add` in place of an In<T>: the port reads this value in every cycle:
/// `sme::constant(5)`, `sme::constant<std::uint8_t>(5)`.
template <class T> detail::ConstantArgument<T> constant(const T& value) {
    return {value};
}

/// A process of a network, for `Simulator::process`.
template <class P> struct Handle {
    std::uint32_t pool;
    std::uint64_t index;
    std::uint64_t network; // the number of the network
};

/// Marks process classes that are not written in C++ and tell the network what to add.
struct SelfDescribed {};

/// The description of a network: buses and processes, in any order. It does not run itself; any
/// number of simulators can be made from it, and each builds its own process objects. Not
/// thread-safe during description.
class Network {
public:
    explicit Network(std::string name);
    ~Network();
    Network(Network&&) noexcept;
    Network& operator=(Network&&) noexcept;

    /// Adds a bus. Throws NetworkError for a wire with an initial value or `hold`.
    template <class T> Bus<T> bus(const Name& name, const BusOptions<T>& options = {}) {
        return Bus<T>{add_buses(name, 1, false, false, type_of<T>(), options.delay,
                                options.unwritten, bytes_of(options.initial))};
    }
    /// Adds `count` buses, named name[0] to name[count − 1].
    template <class T>
    Buses<T> buses(const Name& name, std::uint64_t count, const BusOptions<T>& options = {}) {
        return {add_buses(name, count, true, false, type_of<T>(), options.delay, options.unwritten,
                          bytes_of(options.initial)),
                count};
    }
    /// Adds a bus that `Simulator::poke` writes in place of a process.
    template <class T> Bus<T> input(const Name& name, Unwritten unwritten = Unwritten::zero) {
        return Bus<T>{add_buses(name, 1, false, true, type_of<T>(), 1, unwritten, {})};
    }

    /// Adds a process whose class describes itself, such as those of <sme/verilog.hpp>, with its
    /// ports by name.
    template <std::derived_from<SelfDescribed> P>
    void add(const Name& name, const typename P::Ports& ports,
             const typename P::Options& options = {}) {
        P::add_to(*this, name, ports, options);
    }

    /// Adds a process of class P. `arguments` are those of its constructor, with `sme::in(bus)`,
    /// `sme::constant(value)` and `sme::out(bus)` in place of its ports; they are copied.
    template <class P, class... Arguments>
    requires(!std::derived_from<P, SelfDescribed>) Handle<P> add(const Name& name,
                                                                 Arguments... arguments) {
        if constexpr ((false || ... || detail::is_constant<Arguments>)) {
            // Braces: constants become buses from left to right.
            std::tuple<decltype(bound(name, std::move(arguments)))...> result{
                bound(name, std::move(arguments))...};
            return std::apply([&](auto&... each) { return add<P>(name, std::move(each)...); },
                              result);
        } else
            return add_bound<P>(name, std::move(arguments)...);
    }

    /// Returns the bus of this name: "total", "token[3]", "stage[1].level". Throws NetworkError,
    /// with similar names, if the bus does not exist or its type is not T.
    template <class T> Bus<T> find(const std::string& name) const {
        return Bus<T>{find_bus(name, *type_of<T>())};
    }

    /// Returns the network as plain data (lib/network/graph.hpp): complete, but not yet checked.
    const Graph& graph() const;

private:
    friend class NetworkAccess;
    template <class A> A bound(const Name&, A argument) { return argument; }
    template <class T>
    detail::InArgument<T> bound(const Name& name, detail::ConstantArgument<T> constant) {
        return {add_constant(name, typeid(T), type_of<T>(),
                             bytes_of(std::optional<T>{constant.value}))};
    }
    template <class P, class... Arguments>
    Handle<P> add_bound(const Name& name, Arguments... arguments) {
        static_assert(
            requires(P & process) { process.step(); },
            "a process needs a public member 'void step()'; write 'public:' above it "
            "where it is protected or private");
        using Pool = detail::PoolFactory<P, Arguments...>;
        const std::type_index key{typeid(Pool)};
        detail::PoolEntry* entry = find_pool(key);
        if (!entry) {
            auto kind = std::make_shared<Pool>();
            detail::PoolShape shape = Pool::shape(arguments...);
            entry = add_pool(key, std::move(kind), std::move(shape));
        }
        const std::uint64_t index =
            add_instance(entry->family, name, Pool::bus_keys(arguments...).data());
        static_cast<Pool&>(*entry->kind).append(std::move(arguments)...);
        return {entry->family, index, number()};
    }

    template <class T> static std::vector<std::byte> bytes_of(const std::optional<T>& value) {
        std::vector<std::byte> bytes;
        if (value) {
            bytes.resize(sizeof(T));
            detail::store(bytes.data(), *value);
        }
        return bytes;
    }
    std::uint64_t number() const;
    detail::BusKey add_buses(const Name& name, std::uint64_t count, bool family, bool input,
                             TypeRef type, std::uint32_t delay, Unwritten unwritten,
                             std::vector<std::byte> initial);
    detail::BusKey find_bus(const std::string& name, const Type& type) const;
    /// Adds a bus that always reads as these bytes.
    detail::BusKey add_constant(const Name& name, std::type_index key, TypeRef type,
                                std::vector<std::byte> value);
    detail::PoolEntry* find_pool(std::type_index key);
    detail::PoolEntry* add_pool(std::type_index key, std::shared_ptr<detail::PoolFactoryBase> kind,
                                detail::PoolShape shape);
    std::uint64_t add_instance(std::uint32_t family, const Name& name,
                               const detail::BusKey* bus_keys);

    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme
