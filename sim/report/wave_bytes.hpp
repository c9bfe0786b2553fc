// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sme/type.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::report {

/// Appends the changes of a signal in the format of README.md. Returns the number of bytes.
std::size_t append_changes(const trace::Changes& changes, const Type& type, std::string& bytes);

/// Compresses bytes to a zlib stream (RFC 1950), in base64 (RFC 4648).
std::string deflated_base64(std::string_view bytes);

} // namespace sme::report
