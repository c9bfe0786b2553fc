// SPDX-License-Identifier: Apache-2.0
#include "fst/session.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace sme::fst {

namespace {

thread_local Session* in_use = nullptr;

} // namespace

struct alignas(std::max_align_t) Session::Block {
    Block* before;
    Block* next;
    Session* session;
};

Session::Use::Use(Session& session) : before_{std::exchange(in_use, &session)} {}

Session::Use::~Use() {
    in_use = before_;
}

Session& Session::current() {
    assert(in_use);
    return *in_use;
}

void Session::fail(int error) {
    current().note(error);
    throw Failure{error};
}

void Session::link(Block* block) {
    *block = {nullptr, blocks_, this};
    if (blocks_)
        blocks_->before = block;
    blocks_ = block;
}

void Session::unlink(Block* block) {
    (block->before ? block->before->next : block->session->blocks_) = block->next;
    if (block->next)
        block->next->before = block->before;
}

void* Session::allocate(std::size_t bytes) {
    if (bytes > PTRDIFF_MAX - sizeof(Block))
        fail(ENOMEM);
    auto* const block = static_cast<Block*>(std::malloc(sizeof(Block) + bytes));
    if (!block)
        fail(ENOMEM);
    current().link(block);
    return block + 1;
}

void* Session::allocate_zeros(std::size_t count, std::size_t bytes) {
    std::size_t all = 0;
    if (__builtin_mul_overflow(count, bytes, &all) || all > PTRDIFF_MAX - sizeof(Block))
        fail(ENOMEM);
    auto* const block = static_cast<Block*>(std::calloc(1, sizeof(Block) + all));
    if (!block)
        fail(ENOMEM);
    current().link(block);
    return block + 1;
}

void* Session::grow(void* memory, std::size_t bytes) {
    if (!memory)
        return allocate(bytes);
    if (bytes > PTRDIFF_MAX - sizeof(Block))
        fail(ENOMEM);
    Block* const old = static_cast<Block*>(memory) - 1;
    Session& session = *old->session;
    unlink(old);
    auto* const block = static_cast<Block*>(std::realloc(old, sizeof(Block) + bytes));
    session.link(block ? block : old);
    if (!block)
        fail(ENOMEM);
    return block + 1;
}

char* Session::copy(const char* text) {
    const std::size_t bytes = std::strlen(text) + 1;
    return static_cast<char*>(std::memcpy(allocate(bytes), text, bytes));
}

void Session::release(void* memory) {
    if (!memory)
        return;
    Block* const block = static_cast<Block*>(memory) - 1;
    unlink(block);
    std::free(block);
}

void* Session::map(std::size_t bytes, int protection, int flags, int descriptor) {
    void* const memory = ::mmap(nullptr, bytes, protection, flags, descriptor, 0);
    if (memory == MAP_FAILED)
        fail(errno);
    current().mappings_.push_back({memory, bytes});
    return memory;
}

int Session::unmap(void* memory, std::size_t bytes) {
    std::erase_if(current().mappings_,
                  [&](const Mapping& mapping) { return mapping.memory == memory; });
    return ::munmap(memory, bytes);
}

std::FILE* Session::open(const char* path, const char* mode) {
    std::FILE* const file = current().open_(path, mode);
    if (file)
        current().files_.push_back(file);
    return file;
}

std::FILE* Session::open_temporary() {
    const int descriptor = ::memfd_create("fst", MFD_CLOEXEC);
    std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
    if (!file)
        fail(errno);
    current().files_.push_back(file);
    return file;
}

int Session::close(std::FILE* file) {
    Session& session = current();
    flush(file);
    std::erase(session.files_, file);
    const int result = std::fclose(file);
    if (result != 0)
        session.note(errno);
    return result;
}

int Session::flush(std::FILE* file) {
    const bool failed_before = std::ferror(file) != 0;
    const int result = std::fflush(file);
    if (result != 0)
        current().note(errno);
    else if (failed_before) // in a function without error reporting
        current().note(EIO);
    return result;
}

std::size_t Session::write_file(const void* from, std::size_t bytes, std::size_t count,
                                std::FILE* file) {
    const std::size_t written = std::fwrite(from, bytes, count, file);
    if (written != count && bytes != 0)
        current().note(errno);
    return written;
}

int Session::put(int byte, std::FILE* file) {
    const int result = std::fputc(byte, file);
    if (result == EOF)
        current().note(errno);
    return result;
}

int Session::seek(std::FILE* file, off_t offset, int from) {
    const int result = ::fseeko(file, offset, from);
    if (result != 0)
        current().note(errno);
    return result;
}

int Session::truncate(int descriptor, off_t bytes) {
    const int result = ::ftruncate(descriptor, bytes);
    if (result != 0)
        current().note(errno);
    return result;
}

void Session::give_back() {
    while (blocks_)
        std::free(std::exchange(blocks_, blocks_->next));
    for (const Mapping& mapping : std::exchange(mappings_, {}))
        ::munmap(mapping.memory, mapping.bytes);
    for (std::FILE* const file : std::exchange(files_, {}))
        std::fclose(file);
}

} // namespace sme::fst
