// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/streams.hpp"

#include <utility>

#include <fmt/format.h>

namespace sme::yaml {

namespace {

TypeRef valid_of(const TypeRef& message) {
    return Type::structure(fmt::format("Valid({})", message->name()),
                           {{"valid", Type::boolean()}, {"data", message}});
}

} // namespace

TypeRef stream_of(const TypeRef& message) {
    return Type::structure(
        fmt::format("Stream({})", message->name()),
        {{"valid", Type::boolean()}, {"data", message}, {"ready", Type::boolean(), 0, true}});
}

void declare_streams(NetworkScope& scope) {
    const auto declare = [&](const char* name, TypeRef (*make)(const TypeRef&)) {
        scope.set_generic(name, [make](const std::vector<TypeRef>& arguments, const Location&) {
            return make(arguments.at(0));
        });
    };
    declare(stream_name, stream_of);
    declare(valid_name, valid_of);
}

} // namespace sme::yaml
