// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "sme/kahn_position.hpp"

namespace sme::detail {

/// Lets exactly one of several channels wake a process that sleeps at them (after "Multicore
/// scheduling for lightweight communicating processes", Ritson, Sampson and Barnes 2009, 4.1).
///
/// The process marks each channel. Each mark is a reference. The thread that takes a mark counts it
/// off: a sender, the process itself, or the first sender, which takes the remaining marks for the
/// process. The thread that counts off the last reference resumes the process, so no other thread
/// uses the word at that time.
template <class Atomics = StdAtomics> class ChoiceWord {
public:
    /// Returns true if no choice is under way.
    bool is_idle() const { return word_.load(std::memory_order_relaxed) == 0; }

    /// Called by the process: up to `channels` channels may be marked. The process holds one more
    /// reference.
    void begin(std::uint32_t channels) {
        word_.store(1 + std::uint64_t{channels}, std::memory_order_relaxed);
    }
    /// Called by the process when all channels are marked. True: the process sleeps and must not
    /// access anything any more. False: a sender has already taken a mark.
    bool sleep(std::uint32_t channels) {
        std::uint64_t expected = 1 + std::uint64_t{channels};
        return word_.compare_exchange_strong(expected, channels | waiting,
                                             std::memory_order_acq_rel, std::memory_order_acquire);
    }

    enum class Taken : std::uint8_t {
        first, ///< takes the other marks and counts them off with its own
        last,  ///< resumes the process
        other,
    };
    /// Called by a sender that took a mark.
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
    /// Counts off references. Returns true if they were the last: the process may continue.
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
