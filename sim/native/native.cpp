// SPDX-License-Identifier: Apache-2.0
#include "native/native.hpp"

#include <fmt/format.h>

namespace sme::native {

bool Native::load(std::shared_ptr<const Object> object, std::string& problem) {
    for (const FamilyPlan& family : unit_.families())
        for (const PartPlan& part : family.parts)
            for (const PartPlan::Function& function : part.functions)
                if (!object->kernel(function.name)) {
                    problem = fmt::format("there is no function '{}'", function.name);
                    return false;
                }
    object_ = std::move(object);
    for (const FamilyPlan& family : unit_.families())
        groups_[family.family] = std::make_unique<NativeGroup>(
            family, [&](const std::string& name) { return object_->kernel(name); });
    return true;
}

Group* Native::group(std::uint32_t family) const {
    const auto found = groups_.find(family);
    return found == groups_.end() ? nullptr : found->second.get();
}

} // namespace sme::native
