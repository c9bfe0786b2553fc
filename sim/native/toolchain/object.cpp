// SPDX-License-Identifier: Apache-2.0
#include "native/toolchain/object.hpp"

#include <cstring>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "base/files.hpp"

namespace sme::native {

namespace {

/// True if the file holds every segment that the headers of a shared object name. The loader maps
/// missing pages without an error, and reading them kills the program with a signal.
bool is_whole(const std::string& path) {
    constexpr std::size_t max_bytes = std::size_t{1} << 30;
    const FileText file = read_file(path, max_bytes);
    if (!file.text || file.text->size() < sizeof(ElfW(Ehdr)))
        return false;
    const std::size_t size = file.text->size();
    ElfW(Ehdr) header;
    std::memcpy(&header, file.text->data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phoff > size ||
        header.e_phnum > (size - header.e_phoff) / sizeof(ElfW(Phdr)) || header.e_shoff > size ||
        header.e_shnum > (size - header.e_shoff) / sizeof(ElfW(Shdr)))
        return false;
    for (std::size_t k = 0; k < header.e_phnum; ++k) {
        ElfW(Phdr) part;
        std::memcpy(&part, file.text->data() + header.e_phoff + k * sizeof part, sizeof part);
        if (part.p_type == PT_LOAD &&
            (part.p_offset > size || part.p_filesz > size - part.p_offset))
            return false;
    }
    return true;
}

} // namespace

std::shared_ptr<const Object> Object::load(const std::string& path, std::string& problem) {
    if (!is_whole(path)) {
        problem = "it is no whole shared object";
        return nullptr;
    }
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
