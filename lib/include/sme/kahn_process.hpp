// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "sme/internal/kahn_awaits.hpp"
#include "sme/internal/kahn_barrier.hpp"
#include "sme/internal/kahn_coroutine.hpp"

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

/// The result of a process's `run`, and of a coroutine awaited by it: `Header h = co_await
/// read_header(in_);` for `KahnCoroutine<Header> read_header(…)`. It starts when awaited, once, and
/// propagates its exceptions.
template <class T> class [[nodiscard]] KahnCoroutine {
public:
    using promise_type = internal::KahnPromise<T>;

    KahnCoroutine() = default;
    explicit KahnCoroutine(std::coroutine_handle<promise_type> handle) : handle_{handle} {}
    KahnCoroutine(KahnCoroutine&& other) noexcept : handle_{std::exchange(other.handle_, {})} {}
    KahnCoroutine& operator=(KahnCoroutine&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~KahnCoroutine() {
        if (handle_)
            handle_.destroy();
    }

    std::coroutine_handle<promise_type> handle() const { return handle_; }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) const noexcept {
        handle_.promise().awaiting_ = awaiting;
        return handle_;
    }
    T await_resume() const {
        if (handle_.promise().exception_)
            std::rethrow_exception(handle_.promise().exception_);
        if constexpr (!std::is_void_v<T>)
            return std::move(*handle_.promise().result);
    }

private:
    std::coroutine_handle<promise_type> handle_{};
};

/// The result of a process's `run`.
using KahnTask = KahnCoroutine<void>;

class KahnProcess;
namespace internal {
template <class P> struct HostedProcess;
ProcessDescriptor& descriptor_of(const KahnProcess& process);
} // namespace internal

/// The base class of processes of Kahn networks.
///
/// A derived class takes its channel ends in its constructor and has `KahnTask run()`, a coroutine
/// that receives and sends in ordinary sequential code. It must share nothing with other processes;
/// then its output does not depend on scheduling (Kahn). Returning from `run` closes its output
/// channels. An exception that leaves `run` ends the run.
class KahnProcess {
private:
    friend internal::ProcessDescriptor& internal::descriptor_of(const KahnProcess& process);
    template <class> friend struct internal::HostedProcess;
    internal::ProcessDescriptor* descriptor_ = nullptr;
};

/// The end of a channel from which a process receives: a parameter of its constructor, bound with
/// `sme::in(channel)`. Copies refer to the same end.
template <class T> class ChannelIn {
public:
    explicit ChannelIn(internal::ChannelOf<T>& channel) : channel_{&channel} {}
    /// `co_await` it for the next message, or for an empty optional at the end: the channel is
    /// closed and all messages are received. Receiving again after that gives the same.
    [[nodiscard]] internal::Receive<T> receive() const { return internal::Receive<T>{*channel_}; }

private:
    internal::ChannelOf<T>* channel_;
};

/// The end of a channel to which a process sends, bound with `sme::out(channel)`.
template <class T> class ChannelOut {
public:
    explicit ChannelOut(internal::ChannelOf<T>& channel) : channel_{&channel} {}
    /// `co_await` it to move the message into the channel as soon as there is room; at depth 0 as
    /// soon as the receiver takes it. A send after `close` is a fault.
    [[nodiscard]] internal::Send<T> send(T message) const {
        return {*channel_, std::move(message)};
    }
    /// Closes the channel: no further sends. Messages already sent can still be received. Returning
    /// from `run` closes it too.
    void close() const { channel_->close(); }

private:
    internal::ChannelOf<T>* channel_;
};

/// `co_await sme::clock(n)` waits n clock cycles; in an untimed run it does nothing.
inline internal::ClockWait clock(std::uint64_t cycles) {
    return {cycles};
}

/// A place at a barrier: a process that waits there continues when all enrolled processes wait.
/// Bound with `sme::member(barrier)`. A copy is another place, for example to send to another
/// process: a place that is moved there still belongs to the first one. A place ends when it is
/// destroyed or resigned, or its process returns.
class BarrierEnd {
public:
    explicit BarrierEnd(std::shared_ptr<internal::Enrolment> place) : place_{std::move(place)} {}
    BarrierEnd(const BarrierEnd& other)
        : place_{other.place_ && other.place_->holds
                     ? std::make_shared<internal::Enrolment>(other.place_->barrier)
                     : nullptr} {}
    BarrierEnd(BarrierEnd&& other) noexcept = default;
    BarrierEnd& operator=(BarrierEnd other) noexcept {
        std::swap(place_, other.place_);
        return *this;
    }
    ~BarrierEnd() { resign(); }

    /// `co_await` it in the process to wait until all enrolled processes wait. Continues at once if
    /// this place is resigned.
    auto wait(const KahnProcess& process) const { return Wait{place_.get(), process}; }
    /// Ends this place: the others no longer wait for it.
    void resign() {
        if (place_)
            std::exchange(place_, nullptr)->resign();
    }

private:
    struct Wait {
        internal::Enrolment* place;
        const KahnProcess& process;
        bool await_ready() const noexcept { return place == nullptr || !place->holds; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) const {
            internal::ReadyQueue& queue = internal::running();
            internal::ProcessDescriptor& who = internal::descriptor_of(process);
            who.resume = resume;
            who.waits.store(place->barrier.waiting_word(), std::memory_order_release);
            return place->barrier.arrive(who, queue.is_clocked()) ? resume : queue.next();
        }
        void await_resume() const noexcept {}
    };

    std::shared_ptr<internal::Enrolment> place_; // also owned by its process, which ends it
};

inline internal::ProcessDescriptor& internal::descriptor_of(const KahnProcess& process) {
    return *process.descriptor_;
}

} // namespace sme
