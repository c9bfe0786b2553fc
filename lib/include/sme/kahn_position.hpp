// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace sme::detail {

/// The atomics of a real run. Tests explore the interleavings of others.
struct StdAtomics {
    template <class T> using Atomic = std::atomic<T>;
};

/// How many messages one side of a channel has moved, and whether the other side sleeps until that
/// number changes. One word, so that no wake-up is lost: the owner counts with one atomic exchange,
/// which takes the sleeper's mark with it; the other side sets its mark only on the count that it
/// has seen. Without `concurrent`, all calls come from one thread, and none is a read-modify-write.
template <class Atomics = StdAtomics> class Position {
public:
    static constexpr std::uint64_t sleeping = 1; ///< the other side sleeps
    static constexpr std::uint64_t closed = 2;   ///< the count stays as it is
    static constexpr std::uint64_t one = 4;
    static constexpr std::uint64_t flags = sleeping | closed;

    static std::uint64_t count(std::uint64_t word) { return word / one; }

    /// Acquire: pairs with the exchange of the owner, so what it moved can be seen.
    std::uint64_t load() const { return word_.load(std::memory_order_acquire); }
    /// For the owner: it wrote the count itself.
    std::uint64_t own() const { return word_.load(std::memory_order_relaxed); }

    /// Called by the owner: sets count and `closed`, and takes the mark of the other side away.
    /// True when there was one. Release: what was moved comes before the count. Acquire: pairs with
    /// `mark`, so that the owner may resume the sleeper.
    bool publish(std::uint64_t word, bool concurrent) {
        if (concurrent)
            return (word_.exchange(word, std::memory_order_acq_rel) & sleeping) != 0;
        const std::uint64_t old = own();
        word_.store(word, std::memory_order_relaxed);
        return (old & sleeping) != 0;
    }

    /// Called by the other side: marks that it sleeps, as long as the word is `seen`.
    /// False when the word has changed; it then is in `seen`. After true the caller touches nothing
    /// that its process owns: the owner may resume it. Release: the process's state comes first.
    bool mark(std::uint64_t& seen) {
        return word_.compare_exchange_strong(seen, seen | sleeping, std::memory_order_acq_rel,
                                             std::memory_order_acquire);
    }
    /// The same where one thread runs both sides: nothing changes since it looked.
    bool mark_alone() {
        word_.store(own() | sleeping, std::memory_order_relaxed);
        return true;
    }

    /// Called by the other side, or for it while it sleeps: takes its own mark away. False when the
    /// owner has taken it.
    bool take_mark(bool concurrent) {
        std::uint64_t seen = own(); // the exchange decides; ChoiceWord orders what follows
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

    /// Takes the mark away while both sides sleep.
    void unmark() { word_.store(own() & ~sleeping, std::memory_order_release); }

private:
    typename Atomics::template Atomic<std::uint64_t> word_{0};
};

} // namespace sme::detail
