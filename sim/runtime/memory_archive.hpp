// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sme/internal/archive.hpp"

namespace sme {

/// Saves state in memory.
class Saving final : public Archive {
public:
    explicit Saving(std::vector<std::byte>& into) : into_{into} {}
    bool saves() const override { return true; }
    void bytes(void* data, std::size_t count) override {
        const auto* const from = static_cast<const std::byte*>(data);
        into_.insert(into_.end(), from, from + count);
    }
    std::uint64_t left() const override { return 0; }

private:
    std::vector<std::byte>& into_;
};

/// Loads it; throws CheckpointError.
class Loading final : public Archive {
public:
    explicit Loading(const std::vector<std::byte>& from) : from_{from} {}
    bool saves() const override { return false; }
    void bytes(void* data, std::size_t count) override {
        if (count > left())
            throw CheckpointError{"it is shorter than it should be"};
        if (count > 0)
            std::memcpy(data, from_.data() + next_, count);
        next_ += count;
    }
    std::uint64_t left() const override { return from_.size() - next_; }

private:
    const std::vector<std::byte>& from_;
    std::size_t next_ = 0;
};

} // namespace sme
