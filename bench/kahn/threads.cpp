// SPDX-License-Identifier: Apache-2.0
// The ring with an operating-system thread for each process and queues under mutexes.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "arguments.hpp"

namespace {

class Queue {
public:
    void set_depth(std::size_t depth) { depth_ = depth; }
    void send(std::uint32_t token) {
        std::unique_lock lock{mutex_};
        room_.wait(lock, [&] { return tokens_.size() < depth_; });
        tokens_.push_back(token);
        lock.unlock();
        filled_.notify_one();
    }
    std::uint32_t receive() {
        std::unique_lock lock{mutex_};
        filled_.wait(lock, [&] { return !tokens_.empty(); });
        const std::uint32_t token = tokens_.front();
        tokens_.pop_front();
        lock.unlock();
        room_.notify_one();
        return token;
    }

private:
    std::mutex mutex_;
    std::condition_variable room_;
    std::condition_variable filled_;
    std::deque<std::uint32_t> tokens_;
    std::size_t depth_ = 1;
};

} // namespace

int main(int count, char** words) {
    const Arguments a{count, words};
    std::vector<Queue> queues(a.processes);
    for (Queue& queue : queues)
        queue.set_depth(a.depth);
    const std::uint64_t turns = std::uint64_t{a.trips} * a.tokens;
    std::vector<std::thread> threads;
    for (std::size_t k = 1; k < a.processes; ++k)
        threads.emplace_back([&, k] {
            for (std::uint64_t turn = 0; turn < turns + a.tokens; ++turn)
                queues[k].send(queues[k - 1].receive() + 1);
        });
    const auto start = std::chrono::steady_clock::now();
    for (std::uint32_t token = 1; token <= a.tokens; ++token)
        queues[0].send(token);
    for (std::uint64_t turn = 0; turn < turns; ++turn)
        queues[0].send(queues[a.processes - 1].receive() + 1);
    std::uint64_t sum = 0;
    for (std::uint32_t token = 0; token < a.tokens; ++token)
        sum += queues[a.processes - 1].receive();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    for (std::thread& thread : threads)
        thread.join();
    return a.report(seconds.count(), sum);
}
