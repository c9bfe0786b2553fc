// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sme/internal/kahn_choice.hpp"
#include "sme/internal/kahn_shared.hpp"
#include "sme/kahn_process.hpp"
#include "sme/network.hpp"

/// Ends at which the order of messages differs between runs, so that a network with them is not
/// deterministic. Choice waits for any of several channels; the process then acts on the message
/// that arrives first. An end that several processes share is used in turns, first come, first
/// served.
namespace sme {

/// An input at which a process may also choose. Bound with `sme::choice_in(channel)`.
template <class T> class ChoiceIn : public ChannelIn<T> {
public:
    explicit ChoiceIn(internal::ChannelOf<T>& channel) : ChannelIn<T>{channel}, core_{&channel} {}
    internal::ChannelCore& core() const { return *core_; }

private:
    internal::ChannelCore* core_;
};

/// A guard of `alt`: ready `cycles` cycles after the choice began.
inline Timeout timeout(std::uint64_t cycles) {
    return {cycles};
}

/// `co_await` it to wait until one of the inputs has a message or its end, which is reported once.
/// Returns the number of the first such input: the next receive there does not wait. `nullopt`
/// after the ends of all inputs have been reported. All inputs must belong to the calling process.
template <class... T> [[nodiscard]] auto alt(const ChoiceIn<T>&... inputs) {
    return internal::alt_from(0, inputs...);
}
template <class T> [[nodiscard]] auto alt(const std::vector<ChoiceIn<T>>& inputs) {
    return internal::alt_from(0, inputs);
}
/// The same with a time-out, whose number is the number of inputs.
template <class T> [[nodiscard]] auto alt(const std::vector<ChoiceIn<T>>& inputs, Timeout timeout) {
    return internal::alt_from(0, inputs, timeout);
}
template <class T> [[nodiscard]] auto alt(const ChoiceIn<T>& input, Timeout timeout) {
    return internal::AltOf<1>{{&input.core()}, 0, timeout};
}
template <class T, class U>
[[nodiscard]] auto alt(const ChoiceIn<T>& a, const ChoiceIn<U>& b, Timeout timeout) {
    return internal::AltOf<2>{{&a.core(), &b.core()}, 0, timeout};
}

/// A fair choice: a chosen input moves to the end of the order. A member of the process.
class FairAlt {
public:
    /// Like `alt`. Pass the same inputs each time.
    template <class... Inputs> KahnCoroutine<std::optional<std::size_t>> operator()(Inputs... in) {
        const std::optional<std::size_t> chosen = co_await internal::alt_from(next_, in...);
        if (chosen)
            next_ = *chosen + 1;
        co_return chosen;
    }

private:
    std::size_t next_ = 0;
};

/// A turn at sending: until it is released or destroyed, no other process sends.
template <class T> class SendClaim {
public:
    explicit SendClaim(internal::SharedEnd& end)
        : channel_{static_cast<internal::ChannelOf<T>*>(&end.core())}, claimed_{end} {}
    [[nodiscard]] internal::Send<T> send(T message) const {
        return {*channel_, std::move(message)};
    }
    void release() { claimed_.release(); }

private:
    internal::ChannelOf<T>* channel_;
    internal::Claimed claimed_;
};

/// A turn at receiving.
template <class T> class ReceiveClaim {
public:
    explicit ReceiveClaim(internal::SharedEnd& end)
        : channel_{static_cast<internal::ChannelOf<T>*>(&end.core())}, claimed_{end} {}
    /// `co_await` it for the next message, or for an empty optional when the channel has ended.
    KahnCoroutine<std::optional<T>> receive() const {
        std::optional<T> message;
        if (!channel_->ended)
            if (auto received = co_await internal::Receive<T>{*channel_})
                message.emplace(std::move(*received));
        co_return message;
    }
    void release() { claimed_.release(); }

private:
    internal::ChannelOf<T>* channel_;
    internal::Claimed claimed_;
};

template <class End> class Link;

/// The end of a channel to which several processes send in turns. Each of them binds it with
/// `sme::shared_out(channel)`. The channel is closed when all of them have returned.
template <class T> class SharedOut {
public:
    SharedOut(internal::SharedEnd& end, internal::ProcessDescriptor& process)
        : end_{&end}, process_{&process} {}
    /// `co_await` it for a SendClaim<T>.
    [[nodiscard]] internal::ClaimWait<SendClaim<T>> claim() const { return {*end_, *process_}; }
    /// `co_await` it to send one message in its own turn.
    KahnCoroutine<void> send(T message) const {
        auto turn = co_await claim();
        co_await turn.send(std::move(message));
    }
    Link<SharedOut> link() const { return Link<SharedOut>{end_}; }

private:
    internal::SharedEnd* end_;
    internal::ProcessDescriptor* process_;
};

/// The end of a channel from which several processes receive in turns. Each of them binds it with
/// `sme::shared_in(channel)`. Each sees the end of the channel.
template <class T> class SharedIn {
public:
    SharedIn(internal::SharedEnd& end, internal::ProcessDescriptor& process)
        : end_{&end}, process_{&process} {}
    /// `co_await` it for a ReceiveClaim<T>.
    [[nodiscard]] internal::ClaimWait<ReceiveClaim<T>> claim() const { return {*end_, *process_}; }
    /// `co_await` it for the next message, in its own turn, or for an empty optional at the end.
    KahnCoroutine<std::optional<T>> receive() const {
        auto turn = co_await claim();
        co_return co_await turn.receive();
    }
    /// True if the channel has ended and all its messages were received.
    bool has_ended() const {
        const internal::ChannelCore& channel = end_->core();
        return (channel.sent.load() & internal::Position<>::closed) != 0 && channel.fill() == 0;
    }
    Link<SharedIn> link() const { return Link<SharedIn>{end_}; }

private:
    internal::SharedEnd* end_;
    internal::ProcessDescriptor* process_;
};

/// A use of a shared end that can be copied and sent to other processes: `End` is a SharedOut<T> or
/// a SharedIn<T>. A channel is closed when all processes to which its end is bound have returned
/// and the last link is gone; with a clock, when the processes have returned and the turn that one
/// may have by a link is over: a claim by a link in a later cycle is a fault. A process keeps its
/// links in `run`, whose variables end with it. Links are valid during their run.
template <class End> class Link {
public:
    Link() = default;
    explicit Link(internal::SharedEnd* end) : link_{end} {}
    /// False for the link of an end whose users had all left, and after a move.
    explicit operator bool() const { return link_.end() != nullptr; }
    /// The end for a process that has this link, as long as it has it. Throws NetworkError if the
    /// link is false.
    End of(const KahnProcess& process) const {
        if (!*this)
            throw NetworkError{"a link to nothing: its users had all left, or it was moved"};
        return {*link_.end(), internal::descriptor_of(process)};
    }

private:
    internal::SharedLink link_;
};

} // namespace sme
