// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of the library in use (CMakeLists.txt):
// - fstapi, compiled here under our own names, with Session's functions for memory and files
// - libfst of the system, unchanged
// - fstcpp, compiled here, with Session's functions for files; fstcpp.hpp has the functions of
//   fstapi that Writer calls
#if SME_FST_FSTCPP
#include "fst/fstcpp.hpp"
#else
#if SME_FST_FSTAPI
#include <fst_names.h>
#endif
#include <fstapi.h>
#endif

namespace sme::fst {

/// void*, or in newer versions a pointer to a class.
using Context = decltype(fstWriterCreate("", 1));

#if !SME_FST_FSTCPP
/// Frees the context without writing, if Session owns its memory; libfst can only close it.
inline void abandon_writer(Context context) {
    if (!SME_FST_FSTAPI)
        fstWriterClose(context);
}
#endif

/// Whether the library reports failed writes to the session; if not, the finished file is checked.
constexpr bool notes_errors = SME_FST_FSTAPI || SME_FST_FSTCPP;

/// Whether an unfinished file can be read.
constexpr bool leaves_sections = SME_FST_FSTAPI;

} // namespace sme::fst
