// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "base/test/scratch.hpp"
#include "fst/text_stream.hpp"
#include "fst/writer.hpp"

namespace fst_test {

using sme::test::Scratch;
using sme::test::text_of;

/// An open file, closed by the destructor.
struct Open {
    Open(const std::string& path, int flags) : descriptor{::open(path.c_str(), flags, 0644)} {}
    ~Open() { ::close(descriptor); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    int descriptor;
};

/// Writes an 8-bit counter and a clock, for `cycles` cycles of 10 ns, with a section every
/// `section` cycles.
inline void write_counter(sme::fst::Writer& writer, unsigned cycles, unsigned section) {
    writer.tick("1 ns");
    writer.open_scope("top", false);
    const auto clock = writer.signal("clock", 1, "bool", 0);
    writer.open_scope("pair", true);
    const auto count = writer.signal("count [7:0]", 8, "u8", 0);
    writer.close_scope();
    writer.close_scope();
    writer.write([&] {
        for (unsigned cycle = 0; cycle < cycles; ++cycle) {
            if (section != 0 && cycle % section == section - 1)
                writer.end_section();
            writer.time(10 * cycle);
            writer.value(clock, "1");
            std::string digits;
            for (unsigned bit = 8; bit-- > 0;)
                digits += (cycle >> bit & 1) != 0 ? '1' : '0';
            writer.value(count, cycle == 0 ? "xxxxxxxx" : digits.c_str());
            writer.time(10 * cycle + 5);
            writer.value(clock, "0");
        }
    });
}

inline void write_counter_file(const std::string& path, unsigned cycles, unsigned section) {
    const Open file{path, O_RDWR | O_CREAT | O_TRUNC};
    sme::fst::Writer writer{file.descriptor, path};
    write_counter(writer, cycles, section);
    writer.finish();
}

/// Returns the text of a stream, and in `problem` how it ends.
inline std::string streamed(const std::string& path, std::string& problem) {
    const Open file{path, O_RDONLY};
    sme::fst::TextStream stream{file.descriptor, path};
    std::string text;
    char block[4096];
    for (ssize_t got = 1; stream.problem().empty() && got > 0;) {
        got = ::read(stream.descriptor(), block, sizeof block);
        if (got > 0)
            text.append(block, static_cast<std::size_t>(got));
    }
    problem = stream.problem().empty() ? stream.end() : stream.problem();
    return text;
}

} // namespace fst_test
