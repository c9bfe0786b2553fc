// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sme::verilator {

/// abi.h and face.cpp.in, as they were when this was compiled.
extern const char* const abi_text;
extern const char* const face_text;

/// Of both: modules that were built with others are no use.
std::uint64_t texts_digest();

} // namespace sme::verilator
