// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sme/kahn_choice.hpp"

// Lets a run create channels and processes whose types only the network's author knows.

namespace sme {
class Name;
struct Depth;
} // namespace sme

namespace sme::internal {

enum class Side : std::uint8_t { in, out };
class Ends;
struct Hosted;

/// The operations of a run on channels of one message type.
class ChannelKind {
public:
    virtual std::size_t message_bytes() const = 0;
    virtual std::size_t message_alignment() const = 0;
    virtual ChannelCore* make(void* place) const = 0;
    /// Destroys the messages not received, and the channel.
    virtual void destroy(ChannelCore& channel) const = 0;
    /// Moves the messages, and at depth 0 an offer, to a larger ring. Both sides must sleep, or
    /// only the caller may run.
    virtual void enlarge(ChannelCore& channel, const SlotRing& ring) const = 0;
    virtual ~ChannelKind() = default;
};

template <class T> class ChannelKindOf final : public ChannelKind {
public:
    std::size_t message_bytes() const override { return sizeof(T); }
    std::size_t message_alignment() const override { return alignof(T); }
    ChannelCore* make(void* place) const override { return new (place) ChannelOf<T>; }
    void destroy(ChannelCore& core) const override {
        auto& channel = static_cast<ChannelOf<T>&>(core);
        if (channel.depth() != 0)
            for_each(channel, [](T* message, std::uint64_t) { std::destroy_at(message); });
        std::destroy_at(&channel);
    }
    void enlarge(ChannelCore& core, const SlotRing& ring) const override {
        auto& channel = static_cast<ChannelOf<T>&>(core);
        const auto move = [&](T* message, std::uint64_t count) {
            std::construct_at(channel.slot(ring, count), std::move(*message));
        };
        if (channel.depth() == 0) {
            if (channel.fill() != 0)
                move(static_cast<T*>(channel.offer), Position<>::count(channel.received.load()));
        } else if (ring.slots != channel.to.slots)
            for_each(channel, [&](T* message, std::uint64_t count) {
                move(message, count);
                std::destroy_at(message);
            });
        channel.to = channel.from = ring;
    }

private:
    template <class F> static void for_each(const ChannelOf<T>& channel, const F& what) {
        const std::uint64_t end = Position<>::count(channel.sent.load());
        for (std::uint64_t k = Position<>::count(channel.received.load()); k != end; ++k)
            what(channel.slot(channel.to, k), k);
    }
};

template <class T> const ChannelKind& channel_kind() {
    static_assert(std::is_nothrow_move_constructible_v<T>,
                  "a message must be movable without an exception");
    static const ChannelKindOf<T> kind;
    return kind;
}

/// The processes and channels that are made in a run.
class Nursery {
public:
    virtual ~Nursery() = default;
    /// For the construction of a process that is made.
    virtual Ends& ends() = 0;
    virtual ChannelCore& make(const Name& name, Depth depth, const ChannelKind& kind) = 0;
    /// Starts a process. Throws a KahnFault if too many run.
    virtual void add(std::unique_ptr<Hosted> process, const Name& name,
                     const ProcessDescriptor& maker) = 0;
    /// Throws a KahnFault if no process of this run may choose.
    virtual void check_choice(const ChannelCore& channel) const = 0;
    /// One side of a channel is over: its process has ended, or its end is gone.
    virtual void drop(ChannelCore& channel, Side side) = 0;
};

/// Passes the channel ends to a process under construction.
class Ends {
public:
    virtual ChannelCore& channel(std::uint64_t id, Side side) = 0;
    virtual SharedEnd& shared(std::uint64_t id, Side side) = 0;
    virtual BarrierCore& barrier(std::uint64_t id) = 0;
    /// Null: no process can be made in this run.
    virtual Nursery* nursery() { return nullptr; }
    /// Null: this run has no real time.
    virtual TimeSource* time() { return nullptr; }
    virtual ~Ends() = default;
};

/// The additional data of a process that does more than receive and send.
struct HostedMore : Choice {
    std::vector<SharedEnd*> shared; ///< ends that it uses in turns
    std::vector<std::shared_ptr<Enrolment>> enrolments;
    Nursery* nursery = nullptr; ///< of these ends
    std::vector<std::pair<ChannelCore*, Side>> taken;
};

/// A process object, its descriptor, and its coroutine once it has started.
struct Hosted : ProcessDescriptor {
    Hosted() = default;
    Hosted(const Hosted&) = delete;
    Hosted& operator=(const Hosted&) = delete;
    virtual ~Hosted() {
        drop_taken();
        delete found_more();
    }
    virtual void start() = 0;
    KahnTask task;
    ChannelCore* outs = nullptr; ///< its output channels, linked by next_out

    HostedMore& more() {
        if (choice == nullptr)
            choice = new HostedMore; // one word here suffices for the many without it
        return *found_more();
    }
    HostedMore* found_more() const { return static_cast<HostedMore*>(choice); }

    /// Called when it has returned: other processes no longer wait for it.
    void leave() {
        for (ChannelCore* out = outs; out != nullptr; out = out->next_out)
            out->close();
        if (HostedMore* const found = found_more()) {
            for (SharedEnd* const end : found->shared)
                end->leave();
            for (const std::shared_ptr<Enrolment>& each : found->enrolments)
                each->resign();
        }
        drop_taken();
    }
    /// Releases the ends that belonged to no process before.
    void drop_taken() {
        if (HostedMore* const found = found_more())
            for (const auto& [channel, side] : std::exchange(found->taken, {}))
                found->nursery->drop(*channel, side);
    }
};

/// A channel end that a process uses.
struct WantedEnd {
    std::uint64_t channel;
    Side side;
    const ChannelKind* kind;
    bool shared = false; ///< with other processes
};

/// Constructs a process for any number of runs.
class Maker {
public:
    virtual ~Maker() = default;
    virtual std::unique_ptr<Hosted> make(Ends& ends) const = 0;
};

template <class T, Side S>
using EndOf = std::conditional_t<S == Side::in, ChannelIn<T>, ChannelOut<T>>;

template <class T, Side S> struct ChannelArgument {
    std::uint64_t channel;

    EndOf<T, S> bind(Ends& ends, ProcessDescriptor& process) const {
        auto& core = static_cast<ChannelOf<T>&>(ends.channel(channel, S));
        (S == Side::in ? core.reader : core.writer) = &process;
        return EndOf<T, S>{core};
    }
    template <class F> void for_each_end(const F& what) const {
        what(channel, S, channel_kind<T>());
    }
};

template <class T, Side S> struct ChannelsArgument {
    std::vector<std::uint64_t> channels;

    template <class Handles> static ChannelsArgument of(const Handles& handles) {
        ChannelsArgument argument;
        for (const auto& each : handles)
            argument.channels.push_back(each.id());
        return argument;
    }
    std::vector<EndOf<T, S>> bind(Ends& ends, ProcessDescriptor& process) const {
        std::vector<EndOf<T, S>> bound;
        for (const std::uint64_t channel : channels)
            bound.push_back(ChannelArgument<T, S>{channel}.bind(ends, process));
        return bound;
    }
    template <class F> void for_each_end(const F& what) const {
        for (const std::uint64_t channel : channels)
            what(channel, S, channel_kind<T>());
    }
};

/// One or several inputs at which the process may choose.
template <class T> struct ChoiceArgument {
    static constexpr const char* leaves_determinism = "chooses among channels";
    ChannelsArgument<T, Side::in> channels;

    std::vector<ChoiceIn<T>> bind(Ends& ends, ProcessDescriptor& process) const {
        static_cast<Hosted&>(process).more();
        std::vector<ChoiceIn<T>> bound;
        for (const std::uint64_t channel : channels.channels) {
            auto& core = static_cast<ChannelOf<T>&>(ends.channel(channel, Side::in));
            core.reader = &process;
            bound.emplace_back(core);
        }
        return bound;
    }
    template <class F> void for_each_end(const F& what) const { channels.for_each_end(what); }
};
template <class T> struct OneChoiceArgument {
    static constexpr const char* leaves_determinism = ChoiceArgument<T>::leaves_determinism;
    std::uint64_t channel;

    ChoiceIn<T> bind(Ends& ends, ProcessDescriptor& process) const {
        return ChoiceArgument<T>{{{channel}}}.bind(ends, process)[0];
    }
    template <class F> void for_each_end(const F& what) const {
        what(channel, Side::in, channel_kind<T>());
    }
};

/// An end that the process uses in turns with others.
template <class T, Side S> struct SharedArgument {
    static constexpr bool is_shared = true;
    static constexpr const char* leaves_determinism = "shares the end of a channel";
    std::uint64_t channel;

    auto bind(Ends& ends, ProcessDescriptor& process) const {
        SharedEnd& end = ends.shared(channel, S);
        end.join(process);
        static_cast<Hosted&>(process).more().shared.push_back(&end);
        return std::conditional_t<S == Side::in, SharedIn<T>, SharedOut<T>>{end, process};
    }
    template <class F> void for_each_end(const F& what) const {
        what(channel, S, channel_kind<T>());
    }
};

/// A place at a barrier, enrolled from the start.
struct MemberArgument {
    std::uint64_t barrier;

    BarrierEnd bind(Ends& ends, ProcessDescriptor& process) const {
        auto place = std::make_shared<Enrolment>(ends.barrier(barrier));
        static_cast<Hosted&>(process).more().enrolments.push_back(place);
        return BarrierEnd{std::move(place)};
    }
};

/// Returns why a process with this argument is not a Kahn process; null if the argument allows one.
template <class A> constexpr const char* leaves_determinism() {
    if constexpr (requires { A::leaves_determinism; })
        return A::leaves_determinism;
    else
        return nullptr;
}

/// Returns whether a process with this argument waits for real time.
template <class A> constexpr bool uses_time() {
    return requires {
        A::uses_time;
    };
}

/// Returns whether other processes may share the end bound with this argument.
template <class A> constexpr bool is_shared() {
    return requires {
        A::is_shared;
    };
}

template <class A>
concept Binds = requires(A&& argument, Ends& ends, ProcessDescriptor& process) {
    std::forward<A>(argument).bind(ends, process);
};

template <class A, class F> void for_each_end(const A& argument, const F& what) {
    if constexpr (requires { argument.for_each_end(what); })
        argument.for_each_end(what);
}

template <class A> decltype(auto) bound(A&& argument, Ends& ends, ProcessDescriptor& process) {
    if constexpr (Binds<A>)
        return std::forward<A>(argument).bind(ends, process);
    else
        return std::forward<A>(argument);
}

template <class P> struct HostedProcess final : Hosted {
    template <class... A>
    explicit HostedProcess(Ends& ends, A&&... arguments)
        : process(bound(std::forward<A>(arguments), ends, *this)...) {
        static_cast<KahnProcess&>(process).descriptor_ = this;
    }
    void start() override {
        task = process.run();
        task.handle().promise().belongs_to(*this);
        resume = task.handle();
    }
    P process;
};

template <class P, class... Arguments> class MakerOf final : public Maker {
public:
    explicit MakerOf(Arguments... arguments) : arguments_{std::move(arguments)...} {}
    std::unique_ptr<Hosted> make(Ends& ends) const override {
        return std::apply(
            [&](const Arguments&... each) {
                return std::unique_ptr<Hosted>{new HostedProcess<P>{ends, each...}};
            },
            arguments_);
    }

private:
    std::tuple<Arguments...> arguments_;
};

} // namespace sme::internal
