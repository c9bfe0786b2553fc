// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "debug/fields.hpp"
#include "debug/session.hpp"

namespace sme::debug {

/// Bodies of messages of the Debug Adapter Protocol that depend on nothing but what they are about.

/// What the adapter can do, for the answer to 'initialize'.
Json capabilities();

/// The reason of a stop, as a 'stopped' event has it.
const char* reason_of(Stop::Reason reason);
/// Of a 'stopped' event; `reason` may be another one, such as "entry".
Json stopped_body(const Stop& stop, const char* reason);

/// Whether a stop is an exception: a failed check, or a fault.
bool is_exception(const Stop& stop);
/// Of the answer to 'exceptionInfo', for such a stop.
Json exception_body(const Stop& stop);

} // namespace sme::debug
