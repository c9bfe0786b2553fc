// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sme::verilator {

/// The files of `module` at compile time.
extern const char* const abi_text;
extern const char* const context_text;
extern const char* const face_text;
extern const char* const hooks_text;
extern const char* const runtime_text;
extern const char* const verilated_text; // verilated_vcd_c.h
extern const char* const version_text;

/// Returns the hash of all: modules built with other files are unusable.
std::uint64_t texts_digest();

} // namespace sme::verilator
