// SPDX-License-Identifier: Apache-2.0
//
// A block consists of a byte that marks it as readable, four bytes of its length, the highest
// first, and its text. The viewer clears the first byte of a block that it has read. A block ends
// with a line: after it, the viewer treats a ring without blocks as the end of the file until more
// blocks follow. The declarations also end a block: the viewer reads text after them in the same
// block only when another block follows.
#include "trace/view/shared_ring.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/ipc.h>
#include <sys/shm.h>

namespace sme::trace {

namespace {

constexpr std::size_t head_bytes = 5;
constexpr std::size_t max_text = 32767; // the limit of GTKWave

unsigned char& flag_of(std::byte& first) {
    return reinterpret_cast<unsigned char&>(first);
}

} // namespace

SharedRing::SharedRing() {
    number_ = ::shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    void* const memory = number_ < 0 ? nullptr : ::shmat(number_, nullptr, 0);
    if (number_ < 0 || memory == reinterpret_cast<void*>(-1)) {
        problem_ =
            fmt::format("there is no shared memory for the viewer: {}", std::strerror(errno));
        if (number_ >= 0)
            ::shmctl(number_, IPC_RMID, nullptr);
        return;
    }
    memory_ = static_cast<std::byte*>(memory);
    std::memset(memory_, 0, bytes);
    ::shmctl(number_, IPC_RMID, nullptr); // freed when the last process detaches
}

SharedRing::~SharedRing() {
    if (memory_)
        ::shmdt(memory_);
}

std::string SharedRing::name() const {
    return fmt::format("{:08X}", number_);
}

std::string_view SharedRing::block_of(std::string_view text) const {
    constexpr std::string_view end_mark = "\n$enddefinitions";
    text = text.substr(0, max_text);
    std::size_t line_end = text.rfind('\n');
    if (const std::size_t mark = text.find(end_mark); !declared_ && mark != std::string_view::npos)
        if (const std::size_t end = text.find('\n', mark + 1); end != std::string_view::npos)
            line_end = end;
    if (line_end == std::string_view::npos) // a line longer than a block
        return text.size() == max_text ? text : std::string_view{};
    return text.substr(0, line_end + 1);
}

std::size_t SharedRing::put(std::string_view text) {
    std::size_t taken = 0;
    while (taken < text.size()) {
        const std::string_view block = block_of(text.substr(taken));
        free_blocks();
        if (block.empty() || end_ - begin_ + block.size() + 2 * head_bytes > bytes)
            break;
        put_block(block);
        taken += block.size();
        declared_ = declared_ || block.find("$enddefinitions") != std::string_view::npos;
    }
    return taken;
}

bool SharedRing::is_empty() {
    free_blocks();
    return blocks_.empty();
}

void SharedRing::put_number(std::size_t offset, std::size_t number) const {
    for (unsigned k = 0; k < 4; ++k)
        at(offset + k) = static_cast<std::byte>(number >> (24 - 8 * k));
}

void SharedRing::put_block(std::string_view text) {
    put_number(end_ + 1, text.size());
    for (std::size_t k = 0; k < text.size(); ++k)
        at(end_ + head_bytes + k) = static_cast<std::byte>(text[k]);
    const std::size_t next = end_ + head_bytes + text.size();
    at(next) = std::byte{0};
    // release: a viewer that sees the flag also sees the block
    std::atomic_ref<unsigned char>{flag_of(at(end_))}.store(1, std::memory_order_release);
    blocks_.push_back(next - end_);
    end_ = next;
}

void SharedRing::free_blocks() {
    while (!blocks_.empty() && std::atomic_ref<unsigned char>{flag_of(at(begin_))}.load(
                                   std::memory_order_acquire) == 0) {
        begin_ += blocks_.front();
        blocks_.pop_front();
    }
}

} // namespace sme::trace
