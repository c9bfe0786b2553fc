// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace sme::trace {

/// Memory that GTKWave reads VCD text from while it shows it (`gtkwave --interactive`). One thread
/// writes; nothing waits. The system frees it when this and the viewer are gone, however they end.
class SharedRing {
public:
    static constexpr std::size_t bytes = std::size_t{1} << 20; // GTKWave knows no other size

    SharedRing();
    ~SharedRing();
    SharedRing(const SharedRing&) = delete;
    SharedRing& operator=(const SharedRing&) = delete;

    /// Why there is none; empty: there is one.
    const std::string& problem() const { return problem_; }
    /// What GTKWave takes instead of the name of a file.
    std::string name() const;
    /// Takes as many whole lines from the front of a text as there is room for: how many bytes.
    std::size_t put(std::string_view text);
    /// Whether the viewer has taken all of it.
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
    std::size_t begin_ = 0, end_ = 0; // offsets, modulo `bytes`, of what is in it
    std::deque<std::size_t> blocks_;  // their sizes
    bool declared_ = false;           // the declarations are in blocks
};

} // namespace sme::trace
