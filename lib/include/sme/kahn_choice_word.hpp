// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "sme/kahn_position.hpp"

namespace sme::detail {

/// How a process that sleeps at several channels is woken by one of them, once (after "Multicore
/// scheduling for lightweight communicating processes", Ritson, Sampson and Barnes 2009, 4.1).
///
/// The process marks each channel that it sleeps. Each mark is a reference: who takes it, the
/// sender or, after the first, the process or on its behalf that first sender, counts it off. Who
/// counts off the last one lets the process go on; so nobody touches it any more when it does.
template <class Atomics = StdAtomics> class ChoiceWord {
public:
    /// No choice is under way.
    bool is_idle() const { return word_.load(std::memory_order_relaxed) == 0; }

    /// By the process: so many channels may be marked. It has a reference of its own.
    void begin(std::uint32_t channels) {
        word_.store(1 + std::uint64_t{channels}, std::memory_order_relaxed);
    }
    /// By the process, when all are marked. True: it sleeps, and touches nothing any more. False: a
    /// mark has been taken already.
    bool sleep(std::uint32_t channels) {
        std::uint64_t expected = 1 + std::uint64_t{channels};
        return word_.compare_exchange_strong(expected, channels | waiting,
                                             std::memory_order_acq_rel, std::memory_order_acquire);
    }

    enum class Taken : std::uint8_t {
        first, ///< takes the other marks, and counts them off with its own
        last,  ///< lets the process go on
        other,
    };
    /// By a sender that took a mark.
    Taken take() {
        std::uint64_t seen = word_.load(std::memory_order_relaxed); // the exchange decides
        for (;;) {
            const bool first = (seen & waiting) != 0;
            const std::uint64_t next = first ? seen & ~waiting : seen - 1;
            if (word_.compare_exchange_strong(seen, next, std::memory_order_acq_rel,
                                              std::memory_order_acquire))
                return first ? Taken::first : next == 0 ? Taken::last : Taken::other;
        }
    }
    /// Counts off references. True when they were the last: the process may go on.
    bool count_off(std::uint64_t references) {
        std::uint64_t seen = word_.load(std::memory_order_relaxed);
        while (!word_.compare_exchange_strong(seen, seen - references, std::memory_order_acq_rel,
                                              std::memory_order_acquire)) {
        }
        return seen == references;
    }

private:
    static constexpr std::uint64_t waiting = std::uint64_t{1} << 63;
    typename Atomics::template Atomic<std::uint64_t> word_{0};
};

} // namespace sme::detail
