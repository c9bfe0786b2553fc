// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace sme::trace {

/// Shared memory from which GTKWave reads VCD text while it is being written (`gtkwave
/// --interactive`). One thread writes; nothing waits. The system frees the memory when this and the
/// viewer have ended, however they end.
class SharedRing {
public:
    static constexpr std::size_t bytes = std::size_t{1} << 20; // the only size GTKWave supports

    SharedRing();
    ~SharedRing();
    SharedRing(const SharedRing&) = delete;
    SharedRing& operator=(const SharedRing&) = delete;

    /// Why the memory could not be created; empty on success.
    const std::string& problem() const { return problem_; }
    /// The name that GTKWave takes instead of a file name.
    std::string name() const;
    /// Takes whole lines from the front of a text as far as they fit; returns the number of bytes
    /// taken.
    std::size_t put(std::string_view text);
    /// True if the viewer has read everything.
    bool is_empty();

private:
    std::byte& at(std::size_t offset) const { return memory_[offset % bytes]; }
    void put_number(std::size_t offset, std::size_t number) const;
    std::string_view block_of(std::string_view text) const;
    void put_block(std::string_view text);
    void free_blocks();

    std::string problem_;
    int number_ = -1;
    std::byte* memory_ = nullptr;
    std::size_t begin_ = 0, end_ = 0; // offsets of the content, modulo `bytes`
    std::deque<std::size_t> blocks_;  // the sizes of the blocks
    bool declared_ = false;           // the declarations have been written
};

} // namespace sme::trace
