// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace sme::engine {

/// Bytes that are initially zero. A page takes memory once it is touched.
class ZeroedBytes {
public:
    explicit ZeroedBytes(std::size_t size)
        : bytes_{static_cast<std::byte*>(std::calloc(std::max<std::size_t>(size, 1), 1))},
          size_{size} {
        if (!bytes_)
            throw std::bad_alloc{};
    }
    std::byte* data() { return bytes_.get(); }
    const std::byte* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(std::byte* bytes) const { std::free(bytes); }
    };
    std::unique_ptr<std::byte, Free> bytes_;
    std::size_t size_;
};

} // namespace sme::engine
