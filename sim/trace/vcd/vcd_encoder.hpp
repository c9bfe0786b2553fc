// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "trace/collect/chunk_ring.hpp"
#include "trace/vcd/vcd_time.hpp"

namespace sme::trace {

/// Writes records as the value changes of a VCD file. The clock is signal 0: it rises where a cycle
/// begins and falls half a period later. When the file fails, the rest goes nowhere.
class VcdEncoder {
public:
    /// Signals are numbered below `signals`.
    VcdEncoder(OutputFile& file, const Timescale& timescale, std::uint32_t signals);

    void encode(std::span<const Record> records);
    /// Ends the file at the time where cycle number `cycles` begins.
    void finish(std::uint64_t cycles);

private:
    /// " id\n", and in the last byte its size: seven at most.
    struct Tail {
        char text[8];
    };
    static constexpr std::size_t buffer_bytes = 1 << 18;
    static constexpr std::size_t most_bytes = 256; // of one record

    // Each writes at `at`, where there is room for `most_bytes`, and returns the end: a pointer
    // that stays in a register, which no store of a character can change.
    char* begin_cycle(char* at, std::uint64_t cycle);
    char* end_cycle(char* at) const;
    char* put_clock(char* at, char value) const;
    char* put_value(char* at, const Record& record) const;
    char* put_word(char* at, const Record& record);
    char* put_tail(char* at, std::uint32_t signal, std::size_t from) const;
    void write(const char* end) { file_.write({buffer_.get(), end}); }

    OutputFile& file_;
    std::uint64_t period_ticks_;
    std::uint64_t half_ticks_;
    std::vector<Tail> tails_; // of each signal
    std::unique_ptr<char[]> buffer_;
    std::uint64_t cycle_ = 0;
    enum class Wide : std::uint8_t {
        no,
        zeros,
        digits
    } wide_ = Wide::no; // what was written of one
    enum class State : std::uint8_t { nothing, first_cycle, later_cycles } state_ = State::nothing;
};

} // namespace sme::trace
