// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trace/format.hpp"
#include "trace/names/vcd_time.hpp"

namespace sme::trace {

/// The eight binary digits of each byte.
inline constexpr auto byte_digits = [] {
    std::array<std::array<char, 8>, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned k = 0; k < 8; ++k)
            table[byte][k] = (byte >> (7 - k)) & 1 ? '1' : '0';
    return table;
}();

/// Writes records as the value changes of a VCD file. The clock is signal 0: it rises at the start
/// of a cycle and falls half a period later.
class VcdEncoder final : public Encoder {
public:
    explicit VcdEncoder(Timescale timescale)
        : timescale_{std::move(timescale)}, period_ticks_{timescale_.period_ticks},
          half_ticks_{timescale_.half_ticks()}, buffer_{new char[buffer_bytes]} {}

    std::size_t begin(OutputFile& file, const Observed& observed, const Traced& traced,
                      ChangeFinder& finder) override;
    void encode(std::span<const Record> records) override;
    /// Ends the file at the start time of cycle `cycles`.
    void finish(std::uint64_t cycles) override;
    std::uint64_t last_cycle() const override { return timescale_.last_cycle(); }

private:
    /// " id
    /// "; the last byte holds the size, at most seven.
    struct Tail {
        char text[8];
    };
    static constexpr std::size_t buffer_bytes = 1 << 18;
    static constexpr std::size_t max_bytes = 256; // per record

    // Each function writes at `at`, with space for `max_bytes`, and returns the end. The pointer
    // stays in a register, because no store of a character can change it.
    char* begin_cycle(char* at, std::uint64_t cycle);
    char* end_cycle(char* at) const;
    char* put_clock(char* at, char value) const;
    char* put_value(char* at, const Record& record) const;
    char* put_word(char* at, const Record& record);
    char* put_tail(char* at, std::uint32_t signal, std::size_t from) const;
    void write(const char* end) { file_->write({buffer_.get(), end}); }

    Timescale timescale_;
    OutputFile* file_ = nullptr;
    std::uint64_t period_ticks_;
    std::uint64_t half_ticks_;
    std::vector<Tail> tails_; // by signal
    std::unique_ptr<char[]> buffer_;
    std::uint64_t cycle_ = 0;
    enum class Wide : std::uint8_t {
        no,
        zeros,
        digits
    } wide_ = Wide::no; // the written part of one value
    enum class State : std::uint8_t { nothing, first_cycle, later_cycles } state_ = State::nothing;
};

} // namespace sme::trace
