// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace sme::detail {

/// The memory of coroutines. A thread keeps some of what its coroutines gave back: one that another
/// awaits lives shortly, and the allocator of the system makes threads wait for each other when
/// such memory goes from one to the other.
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

    static constexpr std::size_t step = 16; ///< of sizes, as the system's allocator has it
    static constexpr std::size_t kept = 64; ///< frames on a shelf
    static constexpr std::size_t shelves = 64;

    static constexpr bool is_pooled(std::size_t bytes) {
#ifdef __SANITIZE_ADDRESS__
        return false && bytes != 0; // it is to see who uses a frame that is gone
#else
        return room(bytes) / step < shelves;
#endif
    }
    /// What every frame of a shelf has.
    static constexpr std::size_t room(std::size_t bytes) {
        return (bytes + step - 1) / step * step;
    }

    static thread_local FramePool of_thread;
    std::array<Shelf, shelves> shelves_;
};

} // namespace sme::detail
