// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "sme/kahn_descriptor.hpp"
#include "sme/kahn_frames.hpp"

namespace sme {

template <class T> class KahnCoroutine;

namespace detail {

/// The common part of the processes' coroutines: transfers control when one ends.
class KahnPromiseBase {
public:
    std::suspend_always initial_suspend() const noexcept { return {}; }
    auto final_suspend() const noexcept { return Final{*this}; }
    void unhandled_exception() noexcept { exception_ = std::current_exception(); }
    static void* operator new(std::size_t bytes) { return FramePool::allocate(bytes); }
    static void operator delete(void* frame, std::size_t bytes) {
        FramePool::deallocate(frame, bytes);
    }

    /// Makes this the coroutine of a process.
    void belongs_to(ProcessDescriptor& process) { process_ = &process; }
    const std::exception_ptr& exception() const { return exception_; }

protected:
    template <class> friend class sme::KahnCoroutine;
    struct Final {
        const KahnPromiseBase& promise;
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept {
            if (promise.process_ == nullptr)
                return promise.awaiting_;
            ReadyQueue& queue = running();
            queue.end(*promise.process_);
            return queue.next();
        }
        void await_resume() const noexcept {}
    };

    std::exception_ptr exception_;
    ProcessDescriptor* process_ = nullptr; ///< null: another coroutine awaits this one
    std::coroutine_handle<> awaiting_{};
};

template <class T> struct KahnPromise : KahnPromiseBase {
    KahnCoroutine<T> get_return_object();
    void return_value(T value) { result = std::move(value); }
    std::optional<T> result;
};

template <> struct KahnPromise<void> : KahnPromiseBase {
    KahnCoroutine<void> get_return_object();
    void return_void() const noexcept {}
};

} // namespace detail

/// The result of a process's `run`, and of a coroutine awaited by it: `Header h = co_await
/// read_header(in_);` for `KahnCoroutine<Header> read_header(…)`. It starts when awaited, once, and
/// propagates its exceptions.
template <class T> class [[nodiscard]] KahnCoroutine {
public:
    using promise_type = detail::KahnPromise<T>;

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

namespace detail {

template <class T> KahnCoroutine<T> KahnPromise<T>::get_return_object() {
    return KahnCoroutine<T>{std::coroutine_handle<KahnPromise>::from_promise(*this)};
}
inline KahnCoroutine<void> KahnPromise<void>::get_return_object() {
    return KahnCoroutine<void>{std::coroutine_handle<KahnPromise>::from_promise(*this)};
}

} // namespace detail
} // namespace sme
