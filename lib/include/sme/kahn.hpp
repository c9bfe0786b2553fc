// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sme/internal/kahn_host.hpp"
#include "sme/kahn_process.hpp"
#include "sme/network.hpp"

namespace sme {

class KahnNetwork;
struct KahnAccess;
struct KahnGraph;

/// The capacity of a channel in messages. 0 is a rendezvous, in which each side waits for the
/// other.
struct Depth {
    std::uint32_t messages = 1;
};

/// The number of a runner of an untimed run, taken modulo the number of runners.
struct Runner {
    std::uint32_t number;
    /// A runner (a thread) for a single process, which may block in the operating system.
    static constexpr Runner own() { return Runner{~std::uint32_t{0}}; }
};

/// A handle of a channel, valid as long as its network.
template <class T> class Channel {
public:
    std::uint64_t id() const { return id_; }

private:
    friend class KahnNetwork;
    template <class> friend class Channels;
    explicit Channel(std::uint64_t id) : id_{id} {}
    std::uint64_t id_;
};

/// A family of channels of one type.
template <class T> class Channels {
public:
    std::uint64_t size() const { return count_; }
    /// Throws NetworkError if k >= size().
    Channel<T> operator[](std::uint64_t k) const {
        if (k >= count_)
            throw NetworkError{"channel " + std::to_string(k) + " of a family of " +
                               std::to_string(count_)};
        return Channel<T>{first_ + k};
    }
    /// Returns all channels, in order.
    std::vector<Channel<T>> all() const {
        std::vector<Channel<T>> channels;
        for (std::uint64_t k = 0; k < count_; ++k)
            channels.push_back(Channel<T>{first_ + k});
        return channels;
    }

private:
    friend class KahnNetwork;
    Channels(std::uint64_t first, std::uint64_t count) : first_{first}, count_{count} {}
    std::uint64_t first_;
    std::uint64_t count_;
};

/// An argument of `add` that becomes a ChannelIn<T> or ChannelOut<T> of the process.
template <class T> internal::ChannelArgument<T, internal::Side::in> in(Channel<T> channel) {
    return {channel.id()};
}
template <class T> internal::ChannelArgument<T, internal::Side::out> out(Channel<T> channel) {
    return {channel.id()};
}
/// The same for several channels: a std::vector<ChannelIn<T>> or std::vector<ChannelOut<T>>.
template <class T>
internal::ChannelsArgument<T, internal::Side::in> in(const std::vector<Channel<T>>& channels) {
    return internal::ChannelsArgument<T, internal::Side::in>::of(channels);
}
template <class T>
internal::ChannelsArgument<T, internal::Side::out> out(const std::vector<Channel<T>>& channels) {
    return internal::ChannelsArgument<T, internal::Side::out>::of(channels);
}

/// An argument of `add` that becomes a ChoiceIn<T>: an input at which the process may choose. A
/// network with such a process is not deterministic.
template <class T> internal::OneChoiceArgument<T> choice_in(Channel<T> channel) {
    return {channel.id()};
}
/// The same for several channels: a std::vector<ChoiceIn<T>>.
template <class T> internal::ChoiceArgument<T> choice_in(const std::vector<Channel<T>>& channels) {
    return {internal::ChannelsArgument<T, internal::Side::in>::of(channels)};
}

/// An argument of `add` that becomes a SharedOut<T> or SharedIn<T>: an end that several processes
/// use in turns. A network with such an end is not deterministic.
template <class T> internal::SharedArgument<T, internal::Side::out> shared_out(Channel<T> channel) {
    return {channel.id()};
}
template <class T> internal::SharedArgument<T, internal::Side::in> shared_in(Channel<T> channel) {
    return {channel.id()};
}

/// A handle of a barrier, valid as long as its network.
class Barrier {
public:
    std::uint64_t id() const { return id_; }

private:
    friend class KahnNetwork;
    explicit Barrier(std::uint64_t id) : id_{id} {}
    std::uint64_t id_;
};

/// An argument of `add` that becomes a BarrierEnd. The process is enrolled from the start.
inline internal::MemberArgument member(Barrier barrier) {
    return {barrier.id()};
}

/// A process of a network, for `Untimed::process` and to set where the process runs.
template <class P> class KahnHandle {
public:
    std::uint32_t id() const { return id_; }
    bool is_of(const KahnGraph& graph) const { return graph_.get() == &graph; }
    /// Restricts the process to this runner.
    const KahnHandle& on(Runner runner) const;
    /// Runs the process before others of its runner whenever it is ready.
    const KahnHandle& high_priority() const;

private:
    friend class KahnNetwork;
    KahnHandle(std::shared_ptr<KahnGraph> graph, std::uint32_t id)
        : graph_{std::move(graph)}, id_{id} {}
    std::shared_ptr<KahnGraph> graph_; // of the network, which may have been moved
    std::uint32_t id_;
};

/// The description of a Kahn process network: channels, and processes that communicate only through
/// them. It does not run itself; any number of runs can be made from it, and each builds its own
/// processes. Not thread-safe during description.
class KahnNetwork {
public:
    explicit KahnNetwork(std::string name);
    ~KahnNetwork();
    KahnNetwork(KahnNetwork&&) noexcept;
    KahnNetwork& operator=(KahnNetwork&&) noexcept;

    /// Adds a channel from one process to another, or to itself. Messages are moved, never copied.
    template <class T> Channel<T> channel(const Name& name, Depth depth = {}) {
        return Channel<T>{add_channels(name, 1, false, depth, internal::channel_kind<T>())};
    }
    /// Adds `count` channels, named name[0] to name[count − 1].
    template <class T>
    Channels<T> channels(const Name& name, std::uint64_t count, Depth depth = {}) {
        return {add_channels(name, count, true, depth, internal::channel_kind<T>()), count};
    }

    /// Adds a barrier, at which processes wait for each other.
    Barrier barrier(const Name& name) { return Barrier{add_barrier(name)}; }

    /// Adds a process of class P. `arguments` are those of its constructor, with `sme::in(channel)`
    /// and `sme::out(channel)` in place of its ends; each run gets copies. Throws NetworkError if a
    /// channel already has a reader or writer.
    template <std::derived_from<KahnProcess> P, class... Arguments>
    KahnHandle<P> add(const Name& name, Arguments... arguments) {
        std::vector<internal::WantedEnd> ends;
        (internal::for_each_end(
             arguments,
             [&](std::uint64_t channel, internal::Side side, const internal::ChannelKind& kind) {
                 ends.push_back({channel, side, &kind, internal::is_shared<Arguments>()});
             }),
         ...);
        auto maker = std::make_unique<internal::MakerOf<P, Arguments...>>(std::move(arguments)...);
        const char* why = nullptr;
        ((why = why ? why : internal::leaves_determinism<Arguments>()), ...);
        const std::uint32_t id = add_process(name, ends, std::move(maker), why);
        if ((internal::uses_time<Arguments>() || ...))
            set_timed(*graph_, id);
        return {graph_, id};
    }

    /// Returns true if all processes are Kahn processes. Then every run sends the same messages on
    /// each channel.
    bool deterministic() const { return why_not_deterministic().empty(); }
    /// Returns why the network is not deterministic, one line for each process responsible, such as
    /// "'merge' chooses among channels"; empty if it is deterministic.
    std::string why_not_deterministic() const;

    /// Returns the network as plain data (sim/kahn/graph.hpp), not yet checked.
    std::shared_ptr<const KahnGraph> graph() const { return graph_; }

private:
    template <class> friend class KahnHandle;
    friend struct KahnAccess;
    std::uint64_t add_channels(const Name& name, std::uint64_t count, bool family, Depth depth,
                               const internal::ChannelKind& kind);
    std::uint32_t add_process(const Name& name, const std::vector<internal::WantedEnd>& ends,
                              std::unique_ptr<internal::Maker> maker, const char* why);
    std::uint64_t add_barrier(const Name& name);
    static void set_runner(KahnGraph& graph, std::uint32_t process, Runner runner);
    static void set_timed(KahnGraph& graph, std::uint32_t process);
    static void set_high(KahnGraph& graph, std::uint32_t process);

    std::shared_ptr<KahnGraph> graph_;
};

template <class P> const KahnHandle<P>& KahnHandle<P>::on(Runner runner) const {
    KahnNetwork::set_runner(*graph_, id_, runner);
    return *this;
}
template <class P> const KahnHandle<P>& KahnHandle<P>::high_priority() const {
    KahnNetwork::set_high(*graph_, id_);
    return *this;
}

} // namespace sme
