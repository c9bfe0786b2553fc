// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <typeindex>
#include <utility>
#include <vector>

#include "sme/internal/pool.hpp"
#include "sme/process.hpp"
#include "sme/values.hpp"

namespace sme {

struct Graph;

/// The library is used wrongly, or the network is invalid. The message names the object, file and
/// line of the call, or contains every diagnostic.
class NetworkError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A checkpoint cannot be written or read. The message names the file and the reason.
class CheckpointError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The value that a bus shows after a cycle in which no process wrote it.
enum class Unwritten : std::uint8_t {
    zero,  ///< zero of the bus's type
    hold,  ///< its previous value
    error, ///< reading it is a model fault
};

/// The delay is the number of cycles from a write to its read: 0 is a wire, 1 a register, n a
/// pipeline of n stages.
template <class T> struct BusOptions {
    std::uint32_t delay = 1;
    Unwritten unwritten = Unwritten::zero;
    /// The value that readers see in cycles 0 to delay − 1. Not allowed for wires.
    std::optional<T> initial = {};
};

/// A name with the file and line where it was given. `sme::indexed("node", 3)` is "node[3]"; the
/// text is built only on demand.
class Name {
public:
    Name(const char* text, const char* file = __builtin_FILE(),
         std::uint32_t line = __builtin_LINE())
        : text_{text}, file_{file}, line_{line} {}
    Name(std::string text, const char* file = __builtin_FILE(),
         std::uint32_t line = __builtin_LINE())
        : text_{std::move(text)}, file_{file}, line_{line} {}
    Name(std::string text, std::uint64_t index, const char* file, std::uint32_t line)
        : text_{std::move(text)}, index_{index}, file_{file}, line_{line} {}

    const std::string& text() const { return text_; }
    const std::optional<std::uint64_t>& index() const { return index_; }
    const char* file() const { return file_; }
    std::uint32_t line() const { return line_; }

private:
    std::string text_;
    std::optional<std::uint64_t> index_;
    const char* file_;
    std::uint32_t line_;
};

inline Name indexed(std::string text, std::uint64_t index, const char* file = __builtin_FILE(),
                    std::uint32_t line = __builtin_LINE()) {
    return {std::move(text), index, file, line};
}

/// A handle of a bus, valid as long as its network.
template <class T> class Bus {
public:
    std::uint64_t id() const { return key_.id; }
    const internal::BusKey& key() const { return key_; }

private:
    friend class Network;
    template <class> friend class Buses;
    explicit Bus(const internal::BusKey& key) : key_{key} {}
    internal::BusKey key_;
};

/// A family of buses of one type.
template <class T> class Buses {
public:
    std::uint64_t size() const { return count_; }
    /// Throws NetworkError if k >= size().
    Bus<T> operator[](std::uint64_t k) const {
        if (k >= count_)
            throw NetworkError{"bus " + std::to_string(k) + " of a family of " +
                               std::to_string(count_)};
        return Bus<T>{{first_.id + k, first_.network}};
    }

private:
    friend class Network;
    Buses(const internal::BusKey& first, std::uint64_t count) : first_{first}, count_{count} {}
    internal::BusKey first_;
    std::uint64_t count_;
};

/// An argument of `add` that becomes an In<T> or Out<T> of the process.
template <class T> internal::InArgument<T> in(Bus<T> bus) {
    return {bus.key()};
}
template <class T> internal::OutArgument<T> out(Bus<T> bus) {
    return {bus.key()};
}

/// An argument of `add` in place of an In<T>: the port reads this value in every cycle:
/// `sme::constant(5)`, `sme::constant<std::uint8_t>(5)`.
template <class T> internal::ConstantArgument<T> constant(const T& value) {
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
        if constexpr ((false || ... || internal::is_constant<Arguments>)) {
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
    internal::InArgument<T> bound(const Name& name, internal::ConstantArgument<T> constant) {
        return {add_constant(name, typeid(T), type_of<T>(),
                             bytes_of(std::optional<T>{constant.value}))};
    }
    template <class P, class... Arguments>
    Handle<P> add_bound(const Name& name, Arguments... arguments) {
        static_assert(
            requires(P & process) { process.step(); },
            "a process needs a public member 'void step()'; write 'public:' above it "
            "where it is protected or private");
        using Pool = internal::PoolFactory<P, Arguments...>;
        const std::type_index key{typeid(Pool)};
        internal::PoolEntry* entry = find_pool(key);
        if (!entry) {
            auto kind = std::make_shared<Pool>();
            internal::PoolShape shape = Pool::shape(arguments...);
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
            internal::store(bytes.data(), *value);
        }
        return bytes;
    }
    std::uint64_t number() const;
    internal::BusKey add_buses(const Name& name, std::uint64_t count, bool family, bool input,
                               TypeRef type, std::uint32_t delay, Unwritten unwritten,
                               std::vector<std::byte> initial);
    internal::BusKey find_bus(const std::string& name, const Type& type) const;
    /// Adds a bus that always reads as these bytes.
    internal::BusKey add_constant(const Name& name, std::type_index key, TypeRef type,
                                  std::vector<std::byte> value);
    internal::PoolEntry* find_pool(std::type_index key);
    internal::PoolEntry* add_pool(std::type_index key,
                                  std::shared_ptr<internal::PoolFactoryBase> kind,
                                  internal::PoolShape shape);
    std::uint64_t add_instance(std::uint32_t family, const Name& name,
                               const internal::BusKey* bus_keys);

    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme
