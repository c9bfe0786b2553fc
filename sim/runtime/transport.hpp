// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sme {

/// Connects the ranks of a run: programs that run one network together, each a share of it.
class Transport {
public:
    virtual ~Transport() = default;
    virtual unsigned rank() const = 0;
    virtual unsigned ranks() const = 0;

    struct Sent {
        unsigned to;
        std::span<const std::byte> bytes;
    };
    struct Received {
        unsigned from;
        std::span<std::byte> bytes;
    };
    /// Begins to send and receive messages; `wait` follows. The messages from one rank to another
    /// arrive in order, and both know their sizes.
    virtual void start(std::span<const Sent> sent, std::span<const Received> received) = 0;
    /// Returns when all messages have arrived and the bytes sent may change.
    virtual void wait() = 0;
    void exchange(std::span<const Sent> sent, std::span<const Received> received) {
        start(sent, received);
        wait();
    }

    /// The bytes of all ranks, by rank. Every rank calls it; it may be slow.
    virtual std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& own) = 0;
};

} // namespace sme
