// SPDX-License-Identifier: Apache-2.0
//
// For systems without processes, such as a browser: no FST file can be read.
#include "fst/text_stream.hpp"

namespace sme::fst {

TextStream::TextStream(int, const std::string&)
    : problem_{"FST files are read by GTKWave's fst2vcd, and no program can start here; write a "
               "VCD file"} {}

TextStream::~TextStream() = default;

std::string TextStream::end() {
    return {};
}

} // namespace sme::fst
