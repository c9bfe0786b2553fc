// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sme::fst {

/// What the blocks of a file say of it, before the library reads what is in them.
struct Structure {
    std::string problem;  // "it ends within a block": why it cannot be read; empty when it can
    bool finished = true; // else the names are in a file beside it, and the last block may be open
    std::uint64_t last_time = 0; // of the last block of values; 0: unknown
};

/// Whether a file begins as an FST file does. The position of the descriptor stays.
bool is_fst(int descriptor);

/// Walks through all blocks of an open regular file: their kinds, order and sizes, and the sizes of
/// what is packed in them. The library itself trusts all of these.
Structure check_structure(int descriptor);

} // namespace sme::fst
