// SPDX-License-Identifier: Apache-2.0
#include "vpi/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace sme::vpi {

void Arguments::set(std::vector<std::string> words) {
    words_ = std::move(words);
    pointers_.clear();
    for (std::string& word : words_)
        pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
}

Arguments& library_arguments() {
    static Arguments arguments;
    return arguments;
}

std::string start_library(const std::string& path) {
    keep_functions();
    void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_GLOBAL);
    if (!library)
        return fmt::format("cannot load '{}': {}", path, dlerror());
    using Routine = void (*)();
    auto* const routines = static_cast<Routine*>(dlsym(library, "vlog_startup_routines"));
    if (!routines)
        return fmt::format("'{}' is no VPI library: it has no 'vlog_startup_routines'", path);
    for (Routine* each = routines; *each; ++each)
        (*each)();
    return {};
}

} // namespace sme::vpi
