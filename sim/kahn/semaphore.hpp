// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>

#include <semaphore.h>

namespace sme::kahn {

/// `wait` sleeps until another thread calls `post`; one `post` wakes one `wait`. The POSIX
/// semaphore goes to sleep at once; std::atomic::wait of GCC 12 first yields the processor several
/// times, which takes milliseconds on a busy machine.
class Semaphore {
public:
    Semaphore() { sem_init(&semaphore_, 0, 0); }
    ~Semaphore() { sem_destroy(&semaphore_); }
    Semaphore(const Semaphore&) = delete;
    Semaphore& operator=(const Semaphore&) = delete;

    void post() { sem_post(&semaphore_); }
    /// Writes before the `post` are visible after it.
    void wait() {
        while (sem_wait(&semaphore_) != 0 && errno == EINTR)
            ;
    }

private:
    sem_t semaphore_;
};

} // namespace sme::kahn
