// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of the library, whichever it is (CMakeLists.txt):
// - fstapi, compiled here under names of our own, with Session's functions for memory and files
// - libfst of the system, as it is
// - fstcpp, compiled here, with Session's functions for files; fstcpp.hpp has the functions of
// fstapi
//   that Writer calls
#if SME_FST_FSTCPP
#include "fst/fstcpp.hpp"
#else
#if SME_FST_FSTAPI
#include <fst_names.h>
#endif
#include <fstapi.h>
#endif

namespace sme::fst {

/// void*, or a pointer to a class in newer versions.
using Context = decltype(fstWriterCreate("", 1));

#if !SME_FST_FSTCPP
/// Frees the context and writes nothing, where Session has its memory; libfst can only close it.
inline void abandon_writer(Context context) {
    if (!SME_FST_FSTAPI)
        fstWriterClose(context);
}
#endif

/// Whether the library notes in the session what it cannot write; else the finished file is looked
/// through.
constexpr bool notes_errors = SME_FST_FSTAPI || SME_FST_FSTCPP;

/// Whether a file that is not finished can be read.
constexpr bool leaves_sections = SME_FST_FSTAPI;

} // namespace sme::fst
