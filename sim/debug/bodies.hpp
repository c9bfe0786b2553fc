// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "debug/fields.hpp"
#include "debug/session.hpp"

namespace sme::debug {

/// Bodies of messages of the Debug Adapter Protocol that depend only on their subject.

/// The adapter's capabilities, for the response to 'initialize'.
Json capabilities();

/// The reason of a stop, in the words of a 'stopped' event.
const char* reason_of(Stop::Reason reason);
/// The body of a 'stopped' event; `reason` may replace that of the stop, as with "entry".
Json stopped_body(const Stop& stop, const char* reason);

/// True if a stop is an exception: a failed check, or a fault.
bool is_exception(const Stop& stop);
/// The body of the response to 'exceptionInfo' for such a stop.
Json exception_body(const Stop& stop);

} // namespace sme::debug
