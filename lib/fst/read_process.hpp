// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace sme::fst {

/// How a process that reads a file ends.
enum Exit { fine = 0, damaged = 1, no_memory = 2, endless = 3, no_program = 4 };

/// All that this process, a child of its own, does: it reads a file and writes its text. `files`:
/// the file, where the text goes, and the file of its names, -1 for none. By the library that is
/// compiled here (library_reader.cpp), or by GTKWave's fst2vcd (fst2vcd.cpp).
Exit write_as_text(const std::array<int, 3>& files, const std::string& path,
                   std::uint64_t file_bytes);

} // namespace sme::fst
