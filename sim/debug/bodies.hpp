// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "debug/session.hpp"

namespace sme::debug {

using Json = nlohmann::ordered_json;

// Reads fields of a message with arbitrary content: a missing field, or one of another kind, reads
// as empty.

inline Json parsed(const std::string& message) {
    Json result = Json::parse(message, nullptr, false);
    return result.is_object() ? result : Json::object();
}

inline std::string text_in(const Json& from, const char* key) {
    const auto found = from.find(key);
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

inline std::int64_t number_in(const Json& from, const char* key, std::int64_t otherwise) {
    const auto found = from.find(key);
    return found != from.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                             : otherwise;
}

inline bool flag_in(const Json& from, const char* key, bool otherwise) {
    const auto found = from.find(key);
    return found != from.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

inline const Json& part_of(const Json& from, const char* key) {
    static const Json nothing = Json::object();
    const auto found = from.find(key);
    return found != from.end() && (found->is_object() || found->is_array()) ? *found : nothing;
}

/// Bodies of messages of the Debug Adapter Protocol that depend only on their subject.

/// The adapter's capabilities, for the response to 'initialize'.
Json capabilities();

/// The reason of a stop, in the words of a 'stopped' event.
const char* reason_of(const Stop& stop);
/// The body of a 'stopped' event; `reason` may replace that of the stop, as with "entry".
Json stopped_body(const Stop& stop, const char* reason);

/// True if a stop is an exception: a failed check, or a fault.
bool is_exception(const Stop& stop);
/// The body of the response to 'exceptionInfo' for such a stop.
Json exception_body(const Stop& stop);

} // namespace sme::debug
