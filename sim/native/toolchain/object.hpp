// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "native/abi.hpp"

namespace sme::native {

/// Compiled functions in this process.
class Object {
public:
    /// Null, with a problem, if it cannot be loaded.
    static std::shared_ptr<const Object> load(const std::string& path, std::string& problem);
    ~Object();
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    /// The address of a function; null if absent.
    void* find(const std::string& name) const;
    Kernel kernel(const std::string& name) const { return reinterpret_cast<Kernel>(find(name)); }

private:
    explicit Object(void* loaded) : loaded_{loaded} {}
    void* loaded_;
};

} // namespace sme::native
