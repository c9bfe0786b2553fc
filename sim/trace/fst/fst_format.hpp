// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fst/writer.hpp"
#include "trace/format.hpp"
#include "trace/vcd/declarations.hpp"
#include "trace/vcd/vcd_time.hpp"

namespace sme::trace {

/// The declarations of an FST file: like a VCD file, but with struct scopes, type names and the
/// members of enumerations. Signal k has the FST number k + 1.
class FstDeclarations final : public Declarations {
public:
    explicit FstDeclarations(fst::Writer& writer) : writer_{writer} {}

    /// The widths of the signals declared.
    const std::vector<std::uint32_t>& widths() const { return widths_; }

private:
    void write_scope(const std::string& name, ScopeKind kind) override;
    void write_scope_end() override;
    void write_comment(const std::string& text) override;
    void write_variable(std::uint32_t signal, std::string_view name, const Type& type) override;
    void write_clock(std::string_view name) override;

    std::uint32_t enumeration_of(const Type& type);

    fst::Writer& writer_;
    std::vector<std::uint32_t> widths_;
    std::unordered_map<std::string, std::uint32_t> enumerations_; // by full description
    std::string reference_;
};

/// Writes records as an FST file. The clock is the first signal: it rises at the start of a cycle
/// and falls half a period later.
///
/// The file consists of sections, each compressed separately. A section ends when it reaches its
/// size limit or after half a minute, so that a killed run loses little.
class FstEncoder final : public Encoder {
public:
    explicit FstEncoder(Timescale timescale) : timescale_{std::move(timescale)} {}

    std::size_t begin(OutputFile& file, const Observed& observed, const Traced& traced,
                      ChangeFinder& finder) override;
    void encode(std::span<const Record> records) override;
    void finish(std::uint64_t cycles) override;
    void abandon() override;
    std::uint64_t last_cycle() const override { return timescale_.last_cycle(); }

private:
    using Time = std::chrono::steady_clock::time_point;

    void begin_cycle(std::uint64_t cycle);
    void end_cycle();
    void put(const Record& record);
    void put_word(const Record& record);
    void end_section_when_due();
    void report();

    Timescale timescale_;
    OutputFile* file_ = nullptr;
    std::optional<fst::Writer> writer_;
    std::vector<std::uint32_t> widths_; // by signal
    std::uint64_t all_bits_ = 0;
    std::vector<char> digits_; // of one value
    std::size_t word_at_ = 0;  // position of the next word of a value
    std::uint64_t cycle_ = 0;
    bool begun_ = false;
    std::uint64_t section_bytes_ = 0;
    std::uint64_t section_cycles_ = 0;
    Time section_begin_;
};

} // namespace sme::trace
