// SPDX-License-Identifier: Apache-2.0
#include "debug/probe.hpp"

#include <span>
#include <utility>

#include "interpret/observers/value.hpp"

namespace sme::debug {

std::shared_ptr<const GroupFactory> probe_factory(std::shared_ptr<const expr::Probe> probe,
                                                  ProbeValue& value) {
    TypeRef type = probe->type;
    return interpret::value_factory(
        std::move(probe), [type = std::move(type), &value](std::span<const std::byte> slot,
                                                           const std::string& problem) {
            value = {type, {slot.begin(), slot.end()}, problem};
        });
}

} // namespace sme::debug
