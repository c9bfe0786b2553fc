// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/network_scope.hpp"

namespace sme::yaml {

/// Returns Stream(T) of std/stream.yaml, which is also the end of a channel of T.
TypeRef stream_of(const TypeRef& message);

/// The names of Stream and Valid for buses generated from channels; no user name can collide with
/// them.
inline constexpr const char* stream_name = ".Stream";
inline constexpr const char* valid_name = ".Valid";
void declare_streams(NetworkScope& scope);

} // namespace sme::yaml
