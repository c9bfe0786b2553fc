// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/files.hpp"
#include "runtime/observer.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/collect/family_signals.hpp"
#include "trace/collect/record_sink.hpp"
#include "trace/vcd/vcd_time.hpp"

namespace sme::trace {

/// Writes one trace. The tracer calls one function at a time; when the file fails, the rest of the
/// text goes nowhere.
class Encoder {
public:
    virtual ~Encoder() = default;

    /// Writes what stands before the first cycle to `file`, which outlives the encoder, and tells
    /// `finder` where the value of each signal lies. Returns the number of traced signals.
    virtual std::size_t begin(OutputFile& file, const Observed& observed, const Traced& traced,
                              ChangeFinder& finder) = 0;
    /// Writes cycles: a record that a cycle begins, then what changed in it; in the first cycle all
    /// values. Runs on the tracer's thread.
    virtual void encode(std::span<const Record> records) = 0;
    /// Ends the file after `cycles` cycles.
    virtual void finish(std::uint64_t cycles) = 0;
    /// The run is over, but not to its end: of the file, what was written is to be read.
    virtual void abandon() {}
    /// The last cycle whose time the file can hold.
    virtual std::uint64_t last_cycle() const { return std::numeric_limits<std::uint64_t>::max(); }
};

/// A format of traces. Each stands in `NAME/NAME_format.cpp`, and in the table in formats.cpp.
struct Format {
    std::string_view ending; // of the names of its files: ".vcd"
    std::string_view what;   // "a VCD file"
    std::string_view text;   // what a file holds, for help
    /// An existing file of this format begins with one of these.
    std::span<const std::string_view> begins;
    /// Null when the format cannot hold such a period; `problem` then says why.
    std::unique_ptr<Encoder> (*make)(const ClockPeriod& period, std::string& problem);
};

/// The format of a file with this name.
const Format& format_of(std::string_view path);

/// "FILE.vcd|FILE.csv"
std::string format_names();
/// ".vcd: what it holds; .csv: ...", for help
std::string format_texts();

} // namespace sme::trace
