// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "sme/kahn_descriptor.hpp"

namespace sme::detail {

/// The atomics of a real run. Tests substitute others to explore interleavings.
struct StdAtomics {
    template <class T> using Atomic = std::atomic<T>;
};

/// The number of messages that one side of a channel has moved, and whether the other side sleeps
/// until this number changes. Both are in one word so that no wake-up is lost: the owner counts
/// with one atomic exchange, which also takes the sleeper's mark; the other side sets its mark only
/// if the count is still the one it saw. Without `concurrent`, all calls come from one thread and
/// use no read-modify-write.
template <class Atomics = StdAtomics> class Position {
public:
    static constexpr std::uint64_t sleeping = 1; ///< the other side sleeps
    static constexpr std::uint64_t closed = 2;   ///< the count no longer changes
    static constexpr std::uint64_t one = 4;
    static constexpr std::uint64_t flags = sleeping | closed;

    static std::uint64_t count(std::uint64_t word) { return word / one; }

    /// Acquire: pairs with the owner's exchange, so the moved messages are visible.
    std::uint64_t load() const { return word_.load(std::memory_order_acquire); }
    /// For the owner, which wrote the count itself.
    std::uint64_t own() const { return word_.load(std::memory_order_relaxed); }

    /// Called by the owner: sets the count and `closed`, and clears the other side's mark. Returns
    /// true if the mark was set. Release: the message is moved before the count changes. Acquire:
    /// pairs with `mark`, so that the owner may resume the sleeper.
    bool publish(std::uint64_t word, bool concurrent) {
        if (concurrent)
            return (word_.exchange(word, std::memory_order_acq_rel) & sleeping) != 0;
        const std::uint64_t old = own();
        word_.store(word, std::memory_order_relaxed);
        return (old & sleeping) != 0;
    }

    /// Called by the other side: marks that it sleeps, if the word is still `seen`. Returns false
    /// if the word has changed, and stores its value in `seen`. After true the caller must not
    /// access data of its process, since the owner may resume it. Release: the process's state is
    /// stored first.
    bool mark(std::uint64_t& seen) {
        return word_.compare_exchange_strong(seen, seen | sleeping, std::memory_order_acq_rel,
                                             std::memory_order_acquire);
    }
    /// The same when one thread runs both sides: the word cannot have changed.
    bool mark_alone() {
        word_.store(own() | sleeping, std::memory_order_relaxed);
        return true;
    }

    /// Called by the other side, or for it while it sleeps: clears its mark. Returns false if the
    /// owner has already taken it.
    bool take_mark(bool concurrent) {
        std::uint64_t seen = own(); // the exchange decides; ChoiceWord orders later accesses
        while ((seen & sleeping) != 0) {
            if (!concurrent) {
                word_.store(seen & ~sleeping, std::memory_order_relaxed);
                return true;
            }
            if (word_.compare_exchange_strong(seen, seen & ~sleeping, std::memory_order_acq_rel,
                                              std::memory_order_acquire))
                return true;
        }
        return false;
    }

    /// Clears the mark while both sides sleep.
    void unmark() { word_.store(own() & ~sleeping, std::memory_order_release); }

private:
    typename Atomics::template Atomic<std::uint64_t> word_{0};
};

} // namespace sme::detail

namespace sme::detail {

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

} // namespace sme::detail

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
