// SPDX-License-Identifier: Apache-2.0
// The ring with Boost.Fiber. The capacity of its channels is a power of two, minus one. Several
// threads take fibers from one queue (its algorithm shared_work).
#include <bit>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <boost/fiber/all.hpp>

#include "arguments.hpp"

namespace {

template <class Channel> int ring(const Arguments& a, const auto& make) {
    std::vector<std::unique_ptr<Channel>> token;
    for (std::uint32_t k = 0; k < a.processes; ++k)
        token.push_back(make());
    const std::uint64_t turns = std::uint64_t{a.trips} * a.tokens;
    std::vector<boost::fibers::fiber> fibers;
    for (std::uint32_t k = 1; k < a.processes; ++k)
        fibers.emplace_back([&, k] {
            for (std::uint64_t turn = 0; turn < turns + a.tokens; ++turn)
                token[k]->push(token[k - 1]->value_pop() + 1);
        });
    const auto start = std::chrono::steady_clock::now();
    for (std::uint32_t k = 1; k <= a.tokens; ++k)
        token[0]->push(k);
    for (std::uint64_t turn = 0; turn < turns; ++turn)
        token[0]->push(token[a.processes - 1]->value_pop() + 1);
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < a.tokens; ++k)
        sum += token[a.processes - 1]->value_pop();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    for (auto& fiber : fibers)
        fiber.join();
    return a.report(seconds.count(), sum);
}

/// Threads that, with the main one, run fibers of a common queue until the end.
class Helpers {
public:
    explicit Helpers(std::uint32_t count) {
        if (count == 0)
            return;
        for (std::uint32_t k = 0; k < count; ++k)
            threads_.emplace_back([this] {
                boost::fibers::use_scheduling_algorithm<boost::fibers::algo::shared_work>();
                std::unique_lock lock{mutex_};
                ended_.wait(lock, [this] { return end_; });
            });
        boost::fibers::use_scheduling_algorithm<boost::fibers::algo::shared_work>();
    }
    ~Helpers() {
        {
            const std::unique_lock lock{mutex_};
            end_ = true;
        }
        ended_.notify_all();
        for (std::thread& thread : threads_)
            thread.join();
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

private:
    std::vector<std::thread> threads_;
    boost::fibers::mutex mutex_;
    boost::fibers::condition_variable ended_;
    bool end_ = false;
};

} // namespace

int main(int count, char** words) {
    const Arguments a{count, words};
    const Helpers helpers{a.runners - 1};
    using Rendezvous = boost::fibers::unbuffered_channel<std::uint32_t>;
    using Buffered = boost::fibers::buffered_channel<std::uint32_t>;
    if (a.depth == 0)
        return ring<Rendezvous>(a, [] { return std::make_unique<Rendezvous>(); });
    const std::size_t capacity = std::bit_ceil(a.depth + 1);
    return ring<Buffered>(a, [&] { return std::make_unique<Buffered>(capacity); });
}
