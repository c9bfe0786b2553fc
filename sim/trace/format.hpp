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
#include "trace/collect/chunk_ring.hpp"
#include "trace/names/vcd_time.hpp"

namespace sme::trace {

/// Writes one trace. The tracer calls one function at a time. After a file error, further text is
/// discarded.
class Encoder {
public:
    virtual ~Encoder() = default;

    /// Writes the declarations to `file`, which must outlive the encoder, and gives `finder` the
    /// position of the value of each signal. Returns the number of traced signals.
    virtual std::size_t begin(OutputFile& file, const Observed& observed, const Traced& traced,
                              ChangeFinder& finder) = 0;
    /// Writes cycles: a record that starts a cycle, then its changes; the first cycle has all
    /// values. Runs on the tracer's thread.
    virtual void encode(std::span<const Record> records) = 0;
    /// Ends the file after `cycles` cycles.
    virtual void finish(std::uint64_t cycles) = 0;
    /// Ends an incomplete file, so that its written part is readable.
    virtual void abandon() {}
    /// The last cycle whose time the file can hold.
    virtual std::uint64_t last_cycle() const { return std::numeric_limits<std::uint64_t>::max(); }
};

/// A trace format, defined in `NAME/NAME_format.cpp` and listed in formats.cpp.
struct Format {
    std::string_view ending; // the file extension: ".vcd"
    std::string_view what;   // "a VCD file"
    std::string_view text;   // the content of a file, for help
    /// The possible beginnings of an existing file of this format.
    std::span<const std::string_view> begins;
    /// Creates an encoder. Null if the format cannot represent the period; `problem` is then the
    /// reason.
    std::unique_ptr<Encoder> (*make)(const ClockPeriod& period, std::string& problem);
};

/// Returns the format for a file name.
const Format& format_of(std::string_view path);

/// "FILE.vcd|FILE.csv"
std::string format_names();
/// ".vcd: what it holds; .csv: ...", for help
std::string format_texts();

} // namespace sme::trace
