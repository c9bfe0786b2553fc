// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <coroutine>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sme/kahn_channel.hpp"
#include "sme/kahn_task.hpp"

namespace sme {

/// A process of a Kahn network failed: it threw an exception or broke a rule of its channels.
class KahnFault : public std::runtime_error {
public:
    KahnFault(const std::string& text, std::string process, std::string channel)
        : std::runtime_error{text}, process_{std::move(process)}, channel_{std::move(channel)} {}
    const std::string& process() const { return process_; }
    /// Empty if no channel is involved.
    const std::string& channel() const { return channel_; }

private:
    std::string process_;
    std::string channel_;
};

class KahnProcess;
namespace detail {
template <class P> struct HostedProcess;
ProcessDescriptor& descriptor_of(const KahnProcess& process);
} // namespace detail

/// The base class of processes of Kahn networks.
///
/// A derived class takes its channel ends in its constructor and has `KahnTask run()`, a coroutine
/// that receives and sends in ordinary sequential code. It must share nothing with other processes;
/// then its output does not depend on scheduling (Kahn). Returning from `run` closes its output
/// channels. An exception that leaves `run` ends the run.
class KahnProcess {
private:
    friend detail::ProcessDescriptor& detail::descriptor_of(const KahnProcess& process);
    template <class> friend struct detail::HostedProcess;
    detail::ProcessDescriptor* descriptor_ = nullptr;
};

namespace detail {

inline ProcessDescriptor& descriptor_of(const KahnProcess& process) {
    return *process.descriptor_;
}

template <class T> class Receive {
public:
    explicit Receive(ChannelOf<T>& channel) : channel_{channel} {}

    bool await_ready() {
        if (!channel_.has_message()) {
            if (!channel_.has_ended())
                return false;
            if (!channel_.has_message()) // the last message and the end may have arrived since
                return channel_.ended = true;
        }
        channel_.pop(place_);
        return true;
    }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) {
        channel_.reader->resume = resume;
        ReadyQueue& queue = running();
        return channel_.sleep_to_receive(place_) ? queue.next() : resume;
    }
    Received<T> await_resume() {
        if (place_ || channel_.ended)
            return std::move(place_);
        Received<T> message;
        if (channel_.has_message())
            channel_.pop(message);
        else
            channel_.ended = true;
        return message;
    }

private:
    ChannelOf<T>& channel_;
    Received<T> place_;
};

template <class T> class Send {
public:
    Send(ChannelOf<T>& channel, T&& message) : channel_{channel}, message_{std::move(message)} {}

    bool await_ready() {
        if (channel_.has_room()) { // never at depth 0
            channel_.push(std::move(message_));
            sent_ = true;
            return true;
        }
        if (channel_.is_closed()) [[unlikely]]
            running().fault(*channel_.writer, channel_.id, "sends after it has closed the channel");
        return false;
    }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) {
        channel_.writer->resume = resume;
        ReadyQueue& queue = running();
        sent_ = channel_.depth() == 0;
        const bool sleeps = sent_ ? !channel_.offer_to_reader(message_) : channel_.sleep_to_send();
        return sleeps ? queue.next() : resume;
    }
    void await_resume() {
        if (!sent_)
            channel_.push(std::move(message_));
    }

private:
    ChannelOf<T>& channel_;
    T message_;
    bool sent_ = false; ///< or offered
};

} // namespace detail

/// The end of a channel from which a process receives: a parameter of its constructor, bound with
/// `sme::in(channel)`. Copies refer to the same end.
template <class T> class ChannelIn {
public:
    explicit ChannelIn(detail::ChannelOf<T>& channel) : channel_{&channel} {}
    /// `co_await` it for the next message, or for an empty optional at the end: the channel is
    /// closed and all messages are received. Receiving again after that gives the same.
    [[nodiscard]] detail::Receive<T> receive() const { return detail::Receive<T>{*channel_}; }

private:
    detail::ChannelOf<T>* channel_;
};

/// The end of a channel to which a process sends, bound with `sme::out(channel)`.
template <class T> class ChannelOut {
public:
    explicit ChannelOut(detail::ChannelOf<T>& channel) : channel_{&channel} {}
    /// `co_await` it to move the message into the channel as soon as there is room; at depth 0 as
    /// soon as the receiver takes it. A send after `close` is a fault.
    [[nodiscard]] detail::Send<T> send(T message) const { return {*channel_, std::move(message)}; }
    /// Closes the channel: no further sends. Messages already sent can still be received. Returning
    /// from `run` closes it too.
    void close() const { channel_->close(); }

private:
    detail::ChannelOf<T>* channel_;
};

namespace detail {
struct ClockWait {
    std::uint64_t cycles;
    bool await_ready() const noexcept { return cycles == 0 || !running().is_clocked(); }
    void await_suspend(std::coroutine_handle<> resume) const { running().pause(resume, cycles); }
    void await_resume() const noexcept {}
};
} // namespace detail

/// `co_await sme::clock(n)` waits n clock cycles; in an untimed run it does nothing.
inline detail::ClockWait clock(std::uint64_t cycles) {
    return {cycles};
}

} // namespace sme
