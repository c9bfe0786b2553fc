// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace sme::internal {

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

} // namespace sme::internal
