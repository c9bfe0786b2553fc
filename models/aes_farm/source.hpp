// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <sme/kahn.hpp>

namespace models {

/// Bytes owned by the holder of the message: 16 bytes, as in the paper.
using Part = std::span<std::uint8_t>;

/// Gives each worker its part, collects all parts, and starts again.
class Source : public sme::KahnProcess {
public:
    Source(std::vector<sme::ChannelOut<Part>> tasks, std::vector<sme::ChannelIn<Part>> results,
           Part block, std::uint64_t passes)
        : tasks_{std::move(tasks)}, results_{std::move(results)}, block_{block}, passes_{passes} {}
    sme::KahnTask run() {
        const std::size_t blocks = block_.size() / 16;
        const std::size_t workers = tasks_.size();
        for (std::uint64_t pass = 0; pass < passes_; ++pass) {
            for (std::size_t k = 0; k < workers; ++k) {
                const std::size_t from = 16 * (blocks * k / workers);
                const std::size_t to = 16 * (blocks * (k + 1) / workers);
                co_await tasks_[k].send(block_.subspan(from, to - from));
            }
            for (sme::ChannelIn<Part>& result : results_)
                if (auto part = co_await result.receive())
                    done_bytes += part->size();
        }
    }
    std::uint64_t done_bytes = 0;

private:
    std::vector<sme::ChannelOut<Part>> tasks_;
    std::vector<sme::ChannelIn<Part>> results_;
    Part block_;
    std::uint64_t passes_;
};

} // namespace models
