// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <new>

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
            if (Shelf& shelf = of_thread.shelves_[room(bytes) / step]; shelf.count < kept) {
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
    static constexpr std::size_t kept = 64; ///< frames per shelf
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
