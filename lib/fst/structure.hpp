// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sme::fst {

/// The result of checking the blocks of a file, before the library reads their contents.
struct Structure {
    std::string problem; // why it cannot be read: "it ends within a block"; empty if it can
    // If false, the names are in a separate file, and the last block may be incomplete.
    bool finished = true;
    std::uint64_t last_time = 0; // of the last block of values; 0: unknown
};

/// Returns whether a file begins like an FST file. The descriptor's position does not change.
bool is_fst(int descriptor);

/// Checks all blocks of an open regular file: their kinds, order and sizes, and the sizes of their
/// packed contents. The library itself trusts all of these.
Structure check_structure(int descriptor);

} // namespace sme::fst
