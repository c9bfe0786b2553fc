// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "trace/format.hpp"
#include "trace/vcd/vcd_encoder.hpp"

namespace sme::trace {

namespace {

constexpr std::array<std::string_view, 8> vcd_begins{"$date",      "$version",       "$timescale",
                                                     "$comment",   "$scope",         "$var",
                                                     "$attrbegin", "$enddefinitions"};

std::unique_ptr<Encoder> make_vcd(const ClockPeriod& period, std::string& problem) {
    Timescale timescale = Timescale::of(period);
    problem = timescale.problem;
    return problem.empty() ? std::make_unique<VcdEncoder>(std::move(timescale)) : nullptr;
}

} // namespace

extern const Format vcd_format;
const Format vcd_format{".vcd", "a VCD file", "every change, for waveform viewers", vcd_begins,
                        make_vcd};

} // namespace sme::trace
