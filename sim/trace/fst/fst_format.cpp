// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "trace/format.hpp"
#include "trace/fst/fst_encoder.hpp"

namespace sme::trace {

namespace {

using namespace std::string_view_literals;

constexpr std::array fst_begins{"\0\0\0\0\0\0\0\1\x49"sv}; // the length of the first block, 329

std::unique_ptr<Encoder> make_fst(const ClockPeriod& period, std::string& problem) {
#ifdef SME_WITHOUT_FST
    static_cast<void>(period);
    problem = "this sme was built without a library that writes FST files; install Verilator (and "
              "liblz4-dev for 5.048 and newer) or libfst, build it again, or write a VCD file";
    return nullptr;
#else
    Timescale timescale = Timescale::of(period);
    problem = timescale.problem;
    return problem.empty() ? std::make_unique<FstEncoder>(std::move(timescale)) : nullptr;
#endif
}

} // namespace

extern const Format fst_format;
const Format fst_format{".fst", "an FST file", "the same in a fraction of the size, for long runs",
                        fst_begins, make_fst};

} // namespace sme::trace
