// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>

#include <semaphore.h>

namespace sme::kahn {

/// A thread sleeps in `wait` until another calls `post`, once for each call. That of POSIX goes to
/// sleep at once; std::atomic::wait of GCC 12 yields the processor some times before it does, which
/// on a busy machine takes milliseconds.
class Semaphore {
public:
    Semaphore() { sem_init(&semaphore_, 0, 0); }
    ~Semaphore() { sem_destroy(&semaphore_); }
    Semaphore(const Semaphore&) = delete;
    Semaphore& operator=(const Semaphore&) = delete;

    void post() { sem_post(&semaphore_); }
    /// What was written before the `post` can be read after it.
    void wait() {
        while (sem_wait(&semaphore_) != 0 && errno == EINTR)
            ;
    }

private:
    sem_t semaphore_;
};

} // namespace sme::kahn
