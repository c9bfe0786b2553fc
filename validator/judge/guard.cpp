// SPDX-License-Identifier: Apache-2.0
//
// A signal handler may use little: lock-free atomics, mprotect, and a thread-local object without
// dynamic initialization.
#include "judge/violation.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <stdexcept>

#include <csignal>
#include <sys/mman.h>
#include <unistd.h>

namespace sme::validator {

namespace {

constexpr std::size_t max_guards = 16;
constexpr std::uintptr_t page = 4096;

struct Watched {
    std::atomic<std::uintptr_t> begin[2];
    std::atomic<std::size_t> bytes[2];
};
Watched watched[max_guards];

/// The thread's last illegal write.
struct Stray {
    std::uintptr_t address = 0; // 0: no write
    std::size_t place = 0;
};
constinit thread_local Stray stray;

std::mutex making;
std::size_t guards = 0;
struct sigaction before {};

void pass_on(int number, siginfo_t* info, void* context) {
    if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction)
        return before.sa_sigaction(number, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        return before.sa_handler(number);
    ::signal(number, SIG_DFL); // and the instruction is retried
}

void on_fault(int number, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (std::size_t place = 0; place < max_guards; ++place)
        for (const int k : {0, 1}) {
            const std::uintptr_t begin = watched[place].begin[k].load();
            if (begin == 0 || address < begin || address >= begin + watched[place].bytes[k].load())
                continue;
            if (stray.address == 0)
                stray = {address, place};
            ::mprotect(reinterpret_cast<void*>(address / page * page), page,
                       PROT_READ | PROT_WRITE);
            return;
        }
    pass_on(number, info, context);
}

} // namespace

Guard::Guard(const std::array<Audited::Memory, 2>& memories) : place_{0} {
    const std::lock_guard lock{making};
    while (place_ < max_guards && watched[place_].begin[0].load() != 0)
        ++place_;
    if (place_ == max_guards)
        throw std::runtime_error{"more than 16 runs are judged at a time"};
    for (const std::size_t k : {0U, 1U}) {
        watched[place_].bytes[k] = memories[k].bytes;
        watched[place_].begin[k] = reinterpret_cast<std::uintptr_t>(memories[k].begin);
    }
    if (guards++ == 0) {
        struct sigaction ours {};
        ours.sa_sigaction = on_fault;
        ours.sa_flags = SA_SIGINFO | SA_NODEFER;
        ::sigemptyset(&ours.sa_mask);
        ::sigaction(SIGSEGV, &ours, &before);
    }
}

Guard::~Guard() {
    const std::lock_guard lock{making};
    for (const std::size_t k : {0U, 1U})
        watched[place_].begin[k] = 0;
    if (--guards == 0)
        ::sigaction(SIGSEGV, &before, nullptr);
}

std::optional<std::size_t> Guard::take() const {
    if (stray.address == 0 || stray.place != place_)
        return std::nullopt;
    const std::uintptr_t address = stray.address;
    stray = {};
    for (const std::size_t k : {0U, 1U}) {
        const std::uintptr_t begin = watched[place_].begin[k].load();
        if (address >= begin && address < begin + watched[place_].bytes[k].load())
            return address - begin;
    }
    return std::nullopt;
}

} // namespace sme::validator
