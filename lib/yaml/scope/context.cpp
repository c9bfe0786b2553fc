// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/context.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::yaml {

std::pair<const Unit*, std::uint64_t> Unit::member(std::uint64_t instance,
                                                   std::uint64_t flat) const {
    const std::uint64_t at = shape.kept.empty() ? flat : shape.kept[flat];
    for (const Unit& group : groups)
        if (const auto place = group.shape.member(at))
            return {&group, instance * group.shape.count() + *place};
    return {this, instance * shape.count() + flat};
}

std::string written_path(const std::string& name, Context& context) {
    const std::string& folder = context.loading.options.outputs;
    if (folder.empty())
        return context.initials.path_of(name);
    std::string in_folder = name;
    std::replace(in_folder.begin(), in_folder.end(), '/', '_');
    return folder + '/' + in_folder;
}

bool Context::take_memory(Integer bytes, const std::string& name, const Location& where) {
    constexpr Integer most = Integer{1} << 30;
    loading.memory_bytes += bytes;
    if (loading.memory_bytes > most)
        diagnostics.add(Code::network_too_large, where,
                        fmt::format("with '{}' arrays of states and stages of delays need {} "
                                    "bytes, but a network can have {}",
                                    name, to_string(loading.memory_bytes), to_string(most)));
    return loading.memory_bytes <= most;
}

} // namespace sme::yaml
