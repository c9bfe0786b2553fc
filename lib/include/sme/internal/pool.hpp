// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sme/internal/archive.hpp"
#include "sme/internal/group.hpp"
#include "sme/process.hpp"

namespace sme::internal {

/// The content of a handle of a bus.
struct BusKey {
    std::uint64_t id;      // in its network
    std::uint64_t network; // the number of that network
};

template <class T> struct InArgument { BusKey bus; };
template <class T> struct OutArgument { BusKey bus; };
template <class T> struct ConstantArgument { T value; };

template <class A> inline constexpr bool is_constant = false;
template <class T> inline constexpr bool is_constant<ConstantArgument<T>> = true;

/// The port, if any, that an argument type of `Network::add` becomes.
template <class A> struct ArgumentTraits { static constexpr bool is_port = false; };
template <class T> struct ArgumentTraits<InArgument<T>> {
    static constexpr bool is_port = true;
    static constexpr bool is_output = false;
    using Port = In<T>;
    static TypeRef type() { return type_of<T>(); }
};
template <class T> struct ArgumentTraits<OutArgument<T>> {
    static constexpr bool is_port = true;
    static constexpr bool is_output = true;
    using Port = Out<T>;
    static TypeRef type() { return type_of<T>(); }
};

/// Converts to a T and to no other type.
template <class T> struct Exactly { template <std::same_as<T> U> operator U() const; };

/// Names, in a compiler message, the argument of `Network::add` whose type differs from the
/// constructor's parameter: number `Argument`, counted from 0 after the name, of type `Given`.
template <class P, std::size_t Argument, class Given, bool Fits> struct ArgumentOf {
    static_assert(Fits, "a port of this process class has another type than the bus in its place: "
                        "'Argument' is its number, from 0, and 'Given' the argument");
    static constexpr bool is_checked = true;
};

/// Tests whether P can be constructed from these arguments without converting the one at `At`.
template <class P, std::size_t At, class Given, class... Arguments, std::size_t... K>
constexpr bool fits_exactly(std::index_sequence<K...>) {
    return std::is_constructible_v<P, std::conditional_t<K == At, Exactly<Given>, Arguments>...>;
}

template <class T> inline constexpr bool is_port = false;
template <class T> inline constexpr bool is_port<In<T>> = true;
template <class T> inline constexpr bool is_port<Out<T>> = true;

/// Checks the ports among P's constructor arguments one by one. If P cannot be constructed at all,
/// the compiler reports more.
template <class P, class... Constructed, std::size_t... K>
constexpr bool check_ports([[maybe_unused]] std::index_sequence<K...> all) {
    return (true && ... &&
            ArgumentOf<P, K, Constructed,
                       (!is_port<Constructed> || !std::is_constructible_v<P, Constructed...> ||
                        fits_exactly<P, K, Constructed, Constructed...>(all))>::is_checked);
}

/// The type that the constructor receives for an argument of `Network::add`.
template <class A, bool = ArgumentTraits<A>::is_port> struct ConstructedFrom { using Type = A; };
template <class A> struct ConstructedFrom<A, true> {
    using Type = typename ArgumentTraits<A>::Port;
};

/// The ports of a process class in constructor order, and those that `comb` uses.
struct PoolShape {
    struct Port {
        bool is_output;
        TypeRef type;
    };
    std::vector<Port> ports;
    bool has_comb = false;
    CombinationalPorts comb;
};

/// The description of all processes of one class with one list of argument types.
class PoolFactoryBase {
public:
    virtual ~PoolFactoryBase() = default;
    virtual std::unique_ptr<Group> build(const Build& build) const = 0;
};

struct PoolEntry {
    std::uint32_t family;
    std::shared_ptr<PoolFactoryBase> kind;
};

/// The part of a pool that does not depend on the class: slots and the thread's bases.
class PoolGroupBase : public Group {
public:
    explicit PoolGroupBase(const Build& build);
    ~PoolGroupBase() override;

protected:
    /// Sets this thread's bases for a step and restores them afterwards, so a process may run a
    /// simulator of its own.
    class Scope {
    public:
        Scope(const Frame& frame, bool checked) : saved_{bases} {
            bases = {frame.read, frame.write, frame.cycle, frame.control, checked};
        }
        ~Scope() { bases = saved_; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Bases saved_;
    };

    bool checked() const { return checked_; }
    /// Returns why objects of this class cannot be saved: they have no `state`.
    std::string without_state() const;
    void prepare(unsigned part, Range range, const Frame& frame) const;
    static void report(const Frame& frame, std::uint64_t position, std::exception_ptr exception);

private:
    struct Outputs;
    std::unique_ptr<Outputs> outputs_;
    bool checked_;
    std::string first_name_; // the name of an instance
};

std::uint64_t instance_count(const Build& build);
std::size_t port_count(const Build& build);
/// Returns the source-order index of the instance at a position.
std::uint64_t source_index(const Build& build, std::uint64_t position);
/// Returns the content of a port object of the instance at a position.
std::uint32_t encoded_offset(const Build& build, std::uint32_t port, std::uint64_t position);

/// The objects of one class, side by side.
template <class P> class PoolGroup : public PoolGroupBase {
public:
    explicit PoolGroup(const Build& build) : PoolGroupBase{build} {
        objects_.reserve(instance_count(build));
        positions_.resize(instance_count(build));
        nothing_kept_ = std::is_empty_v<P> || sizeof(P) == port_count(build) * sizeof(In<bool>);
    }

    template <class... A> void emplace(std::uint64_t source, A&&... arguments) {
        positions_[source] = objects_.size();
        objects_.emplace_back(std::forward<A>(arguments)...);
    }
    P& object(std::uint64_t source) { return objects_[positions_[source]]; }

    static constexpr bool has_state = requires(P & p, Archive& archive) { p.state(archive); };
    static constexpr bool has_comb = requires(const P& p) { p.comb(); };

    void state(Archive& archive) override { state_of(archive, {0, objects_.size()}); }
    void state_of(Archive& archive, Range instances) override {
        if constexpr (has_state)
            for (std::uint64_t k = 0; k < instances.count; ++k)
                objects_[positions_[instances.first + k]].state(archive);
    }
    std::string unsaved() const override {
        return has_state || nothing_kept_ ? std::string{} : without_state();
    }

    void step(unsigned part, Range range, const Frame& frame) override {
        prepare(part, range, frame);
        const Scope scope{frame, checked()}; // loop invariant: tested in a register
        P* next = objects_.data() + range.first;
        P* const end = next + range.count;
        while (next != end)
            try {
                if constexpr (has_comb)
                    if (part == 0) {
                        for (; next != end; ++next)
                            std::as_const(*next).comb();
                        return;
                    }
                    // Without unrolling, loop overhead is half the time of a short step: 1.4 times
                    // faster for a ring.
#if defined(__clang__)
#pragma unroll 4
#else
#pragma GCC unroll 4
#endif
                for (; next != end; ++next)
                    next->step();
            } catch (...) {
                report(frame, static_cast<std::uint64_t>(next - objects_.data()),
                       std::current_exception());
                ++next;
            }
    }

private:
    std::vector<P> objects_;
    std::vector<std::uint64_t> positions_; // in source order
    bool nothing_kept_ = false;            // objects consist of their ports only
};

template <class P, class... Arguments> class PoolFactory final : public PoolFactoryBase {
public:
    static constexpr std::size_t port_count =
        (std::size_t{0} + ... + (ArgumentTraits<Arguments>::is_port ? 1 : 0));

    /// Derives the shape of all instances from the first one.
    static PoolShape shape(const Arguments&... arguments) {
        PoolShape found;
        (add_port<Arguments>(found), ...);
        if constexpr (PoolGroup<P>::has_comb) {
            static_assert(
                requires(const P& p, CombinationalPorts& c) { p.comb_ports(c); },
                "a class with comb() names its ports in "
                "comb_ports(sme::CombinationalPorts&) const");
            std::uint32_t next = 0;
            const std::tuple<Constructed<Arguments>...> result{port_or_value(
                arguments, [&](std::uint32_t port) { return port; }, next)...};
            const P probe = std::make_from_tuple<P>(result);
            found.has_comb = true;
            probe.comb_ports(found.comb);
        }
        return found;
    }

    static std::array<BusKey, port_count> bus_keys(const Arguments&... arguments) {
        std::array<BusKey, port_count> keys{};
        std::size_t next = 0;
        [[maybe_unused]] const auto take = [&](const auto& argument) {
            if constexpr (ArgumentTraits<std::decay_t<decltype(argument)>>::is_port)
                keys[next++] = argument.bus;
        };
        (take(arguments), ...);
        return keys;
    }

    void append(Arguments&&... arguments) { stored_.emplace_back(std::move(arguments)...); }

    std::unique_ptr<Group> build(const Build& build) const override {
        auto group = std::make_unique<PoolGroup<P>>(build);
        for (std::uint64_t position = 0; position < stored_.size(); ++position) {
            const std::uint64_t source = source_index(build, position);
            const auto offset = [&](std::uint32_t port) {
                return encoded_offset(build, port, position);
            };
            std::apply(
                [&](const Arguments&... arguments) {
                    [[maybe_unused]] std::uint32_t next = 0;
                    // Braces: the ports are numbered from left to right.
                    std::tuple<Constructed<Arguments>...> result{
                        port_or_value(arguments, offset, next)...};
                    std::apply(
                        [&](auto&... values) { group->emplace(source, std::move(values)...); },
                        result);
                },
                stored_[source]);
        }
        return group;
    }

private:
    static_assert(check_ports<P, typename ConstructedFrom<Arguments>::Type...>(
        std::index_sequence_for<Arguments...>{}));

    template <class A> using Constructed = typename ConstructedFrom<A>::Type;

    template <class A> static void add_port(PoolShape& shape) {
        if constexpr (ArgumentTraits<A>::is_port)
            shape.ports.push_back({ArgumentTraits<A>::is_output, ArgumentTraits<A>::type()});
    }
    template <class A, class Offset>
    static Constructed<A> port_or_value(const A& argument, const Offset& offset,
                                        [[maybe_unused]] std::uint32_t& next) {
        if constexpr (ArgumentTraits<A>::is_port)
            return Constructed<A>::at(offset(next++));
        else
            return argument;
    }

    std::vector<std::tuple<Arguments...>> stored_;
};

} // namespace sme::internal
