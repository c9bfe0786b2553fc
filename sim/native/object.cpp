// SPDX-License-Identifier: Apache-2.0
#include "native/object.hpp"

#include <dlfcn.h>

namespace sme::native {

std::shared_ptr<const Object> Object::load(const std::string& path, std::string& problem) {
    void* const loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
        const char* const error = ::dlerror();
        problem = error ? error : "it cannot be loaded";
        return nullptr;
    }
    return std::shared_ptr<const Object>{new Object{loaded}};
}

Object::~Object() {
    ::dlclose(loaded_);
}

void* Object::find(const std::string& name) const {
    return ::dlsym(loaded_, name.c_str());
}

} // namespace sme::native
