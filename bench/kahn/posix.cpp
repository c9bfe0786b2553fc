// SPDX-License-Identifier: Apache-2.0
// The ring with an operating-system thread for each process and POSIX message queues.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <mqueue.h>
#include <sys/resource.h>
#include <unistd.h>

#include "arguments.hpp"

namespace {

void expect(bool right, const char* what) {
    if (right)
        return;
    std::perror(what);
    std::exit(1);
}

/// A POSIX queue whose name is removed once it is open.
class Queue {
public:
    Queue(std::size_t number, const Arguments& a) : bytes_(a.bytes) {
        const std::string name =
            "/sme_ring_" + std::to_string(getpid()) + "_" + std::to_string(number);
        mq_attr attributes{};
        attributes.mq_maxmsg = static_cast<long>(a.depth);
        attributes.mq_msgsize = static_cast<long>(a.bytes);
        queue_ = mq_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600, &attributes);
        expect(queue_ >= 0, "mq_open");
        expect(mq_unlink(name.c_str()) == 0, "mq_unlink");
    }
    Queue(Queue&& other) noexcept : queue_{other.queue_}, bytes_{other.bytes_} {
        other.queue_ = -1;
    }
    Queue(const Queue&) = delete;
    ~Queue() {
        if (queue_ >= 0)
            mq_close(queue_);
    }

    void send(std::vector<char>& message, std::uint32_t token) const {
        std::memcpy(message.data(), &token, sizeof token);
        expect(mq_send(queue_, message.data(), bytes_, 0) == 0, "mq_send");
    }
    std::uint32_t receive(std::vector<char>& message) const {
        expect(mq_receive(queue_, message.data(), bytes_, nullptr) >= 0, "mq_receive");
        std::uint32_t token = 0;
        std::memcpy(&token, message.data(), sizeof token);
        return token;
    }

private:
    mqd_t queue_;
    std::size_t bytes_; ///< of a message
};

} // namespace

int main(int count, char** words) {
    const Arguments a{count, words};
    const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_MSGQUEUE, &unlimited); // if this fails, mq_open reports too many queues
    std::vector<Queue> queues;
    for (std::size_t k = 0; k < a.processes; ++k)
        queues.emplace_back(k, a);
    const std::uint64_t turns = std::uint64_t{a.trips} * a.tokens;
    std::vector<std::thread> threads;
    for (std::size_t k = 1; k < a.processes; ++k)
        threads.emplace_back([&, k] {
            std::vector<char> message(a.bytes);
            for (std::uint64_t turn = 0; turn < turns + a.tokens; ++turn)
                queues[k].send(message, queues[k - 1].receive(message) + 1);
        });
    std::vector<char> message(a.bytes);
    const Queue& first = queues.front();
    const Queue& last = queues.back();
    const auto start = std::chrono::steady_clock::now();
    for (std::uint32_t token = 1; token <= a.tokens; ++token)
        first.send(message, token);
    for (std::uint64_t turn = 0; turn < turns; ++turn)
        first.send(message, last.receive(message) + 1);
    std::uint64_t sum = 0;
    for (std::uint32_t token = 0; token < a.tokens; ++token)
        sum += last.receive(message);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    for (std::thread& thread : threads)
        thread.join();
    return a.report(seconds.count(), sum);
}
