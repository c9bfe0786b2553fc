// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <barrier>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/transport.hpp"

namespace sme::test {

/// Ranks that are threads of this program.
class RankThreads {
public:
    explicit RankThreads(unsigned ranks)
        : meeting_{static_cast<std::ptrdiff_t>(ranks)}, gathered_(ranks) {
        for (unsigned rank = 0; rank < ranks; ++rank)
            ranks_.emplace_back(*this, rank);
    }

    Transport& rank(unsigned rank) { return ranks_[rank]; }
    /// Of all ranks, so far.
    std::uint64_t messages() const { return messages_; }

private:
    using Bytes = std::vector<std::byte>;

    class Rank final : public Transport {
    public:
        Rank(RankThreads& all, unsigned rank) : all_{all}, rank_{rank} {}
        unsigned rank() const override { return rank_; }
        unsigned ranks() const override { return static_cast<unsigned>(all_.ranks_.size()); }

        void start(std::span<const Sent> sent, std::span<const Received> received) override {
            const std::scoped_lock lock{all_.mutex_};
            all_.messages_ += sent.size();
            for (const Sent& message : sent)
                all_.mail_[{rank_, message.to}].emplace_back(message.bytes.begin(),
                                                             message.bytes.end());
            all_.arrived_.notify_all();
            expected_.assign(received.begin(), received.end());
        }
        void wait() override {
            std::unique_lock lock{all_.mutex_};
            for (const Received& message : expected_) {
                std::deque<Bytes>& mail = all_.mail_[{message.from, rank_}];
                all_.arrived_.wait(lock, [&] { return !mail.empty(); });
                if (mail.front().size() != message.bytes.size())
                    std::abort();
                std::memcpy(message.bytes.data(), mail.front().data(), message.bytes.size());
                mail.pop_front();
            }
        }

        std::vector<Bytes> gather(const Bytes& own) override {
            all_.gathered_[rank_] = own;
            all_.meeting_.arrive_and_wait();
            std::vector<Bytes> result = all_.gathered_;
            all_.meeting_.arrive_and_wait();
            return result;
        }

    private:
        RankThreads& all_;
        unsigned rank_;
        std::vector<Received> expected_;
    };

    std::mutex mutex_;
    std::uint64_t messages_ = 0;
    std::condition_variable arrived_;
    std::map<std::pair<unsigned, unsigned>, std::deque<Bytes>> mail_; // by sender and receiver
    std::barrier<> meeting_;
    std::vector<Bytes> gathered_;
    std::deque<Rank> ranks_;
};

} // namespace sme::test
