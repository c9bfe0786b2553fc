// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "sme/internal/kahn_descriptor.hpp"

namespace sme {
template <class T> class KahnCoroutine;
} // namespace sme

namespace sme::internal {

/// The memory pool of coroutine frames. Each thread keeps some freed frames: awaited coroutines are
/// short-lived, and the system allocator makes threads contend when memory allocated on one is
/// freed on another.
class FramePool {
public:
    FramePool() = default;
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;
    ~FramePool() {
        for (Shelf& shelf : shelves_)
            while (shelf.first != nullptr)
                ::operator delete(shelf.take());
    }

    static void* allocate(std::size_t bytes) {
        if (is_pooled(bytes))
            if (Shelf& shelf = of_thread.shelves_[room(bytes) / step]; shelf.first != nullptr)
                return shelf.take();
        return ::operator new(room(bytes));
    }
    static void deallocate(void* frame, std::size_t bytes) {
        if (is_pooled(bytes))
            if (Shelf& shelf = of_thread.shelves_[room(bytes) / step];
                shelf.count * room(bytes) < kept_bytes) {
                shelf.put(frame);
                return;
            }
        ::operator delete(frame);
    }

private:
    struct Free {
        Free* next;
    };
    struct Shelf {
        Free* first = nullptr;
        std::size_t count = 0;
        void* take() {
            Free* const taken = first;
            first = taken->next;
            --count;
            return taken;
        }
        void put(void* frame) {
            first = new (frame) Free{first};
            ++count;
        }
    };

    static constexpr std::size_t step = 16; ///< of sizes, the granularity of the system allocator
    static constexpr std::size_t kept_bytes = 1U << 20; ///< on a shelf: many may end at once
    static constexpr std::size_t shelves = 64;

    static constexpr bool is_pooled(std::size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
        return false && bytes != 0; // lets AddressSanitizer detect uses of destroyed frames
#else
        return room(bytes) / step < shelves;
#endif
    }
    /// Returns the size of every frame on a shelf.
    static constexpr std::size_t room(std::size_t bytes) {
        return (bytes + step - 1) / step * step;
    }

    static thread_local FramePool of_thread;
    std::array<Shelf, shelves> shelves_;
};

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

/// What a coroutine returns.
template <class T> struct KahnResult {
    void return_value(T value) { result = std::move(value); }
    std::optional<T> result;
};
template <> struct KahnResult<void> {
    void return_void() const noexcept {}
};

template <class T> struct KahnPromise : KahnPromiseBase, KahnResult<T> {
    KahnCoroutine<T> get_return_object() {
        return KahnCoroutine<T>{std::coroutine_handle<KahnPromise>::from_promise(*this)};
    }
};

} // namespace sme::internal
