// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace sme::interpret {

/// What "a then b in first to last" waits for: the cycles in which a held, as long as b can still
/// come. The caller owns the words that hold it: the cycle below which nothing is open, how
/// many are open, then a bit for each of the last cycles.
///
/// Any b in a cycle t ends everything that began in [t − last, t − first]; what began in t − last
/// and is open after that is late. So each beginning is looked at once, and a cycle costs the same
/// however many are open.
class PendingSequences {
public:
    static std::uint64_t words(std::uint64_t last) { return 2 + (last + 64) / 64; }

    PendingSequences(std::span<std::uint64_t> words, std::uint64_t first, std::uint64_t last)
        : words_{words}, first_{first}, last_{last} {}

    std::uint64_t open() const { return words_[1]; }

    /// b holds in this cycle: ends all that waited for it, and says how many.
    std::uint64_t meet(std::uint64_t cycle) {
        const std::uint64_t before = open();
        if (cycle >= first_)
            end_below(cycle - first_ + 1);
        return before - open();
    }

    /// Ends what began `last` cycles before this one; whether anything did. After `meet`.
    bool expire(std::uint64_t cycle) {
        const std::uint64_t before = open();
        if (cycle >= last_)
            end_below(cycle - last_ + 1);
        return open() != before;
    }

    /// Of those that the last call ended: the first cycle. Only when it ended any.
    std::uint64_t first_ended() const { return first_ended_; }

    /// a holds in this cycle. After `expire`.
    void begin(std::uint64_t cycle) {
        bit_word(cycle) |= bit(cycle);
        ++words_[1];
    }

private:
    void end_below(std::uint64_t end) {
        const std::uint64_t before = open();
        for (std::uint64_t cycle = words_[0]; cycle < end && open() > 0; ++cycle)
            if ((bit_word(cycle) & bit(cycle)) != 0) {
                first_ended_ = open() == before ? cycle : first_ended_;
                bit_word(cycle) &= ~bit(cycle);
                --words_[1];
            }
        words_[0] = std::max(words_[0], end);
    }
    std::uint64_t place(std::uint64_t cycle) const { return cycle % (last_ + 1); }
    std::uint64_t& bit_word(std::uint64_t cycle) { return words_[2 + place(cycle) / 64]; }
    std::uint64_t bit(std::uint64_t cycle) const { return std::uint64_t{1} << place(cycle) % 64; }

    std::span<std::uint64_t> words_;
    std::uint64_t first_, last_;
    std::uint64_t first_ended_ = 0;
};

} // namespace sme::interpret
