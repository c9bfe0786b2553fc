// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstdint>
#include <utility>

#include "sme/internal/kahn_channel.hpp"

namespace sme::internal {

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

struct ClockWait {
    std::uint64_t cycles;
    bool await_ready() const noexcept { return cycles == 0 || !running().is_clocked(); }
    void await_suspend(std::coroutine_handle<> resume) const { running().pause(resume, cycles); }
    void await_resume() const noexcept {}
};

} // namespace sme::internal
