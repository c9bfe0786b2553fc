// SPDX-License-Identifier: Apache-2.0
#include "fst/confine.hpp"

#include <csignal>
#include <cstddef>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace sme::fst {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true; // which takes terabytes of addresses, and other calls
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0; // no filter
#endif

/// What stdio, malloc and the library call with files that are open.
constexpr std::array allowed_calls{
    SYS_read,         SYS_write,   SYS_lseek,           SYS_close,     SYS_fstat,
    SYS_newfstatat,   SYS_dup,     SYS_fcntl,           SYS_ftruncate, SYS_memfd_create,
    SYS_brk,          SYS_mmap,    SYS_munmap,          SYS_mremap,    SYS_mprotect,
    SYS_madvise,      SYS_futex,   SYS_getrandom,       SYS_getpid,    SYS_rt_sigreturn,
    SYS_rt_sigaction, SYS_pread64, SYS_restart_syscall, SYS_exit,      SYS_exit_group,
};

void set_limit(__rlimit_resource resource, rlim_t most) {
    const struct rlimit limit { most, most };
    ::setrlimit(resource, &limit);
}

void reset_signals(void (*look)(int), std::chrono::milliseconds each) {
    for (int signal = 1; signal < NSIG; ++signal)
        std::signal(signal, SIG_DFL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        std::signal(signal, SIG_IGN);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    struct sigaction action {};
    action.sa_handler = look;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGPROF, &action, nullptr);
    const timeval period{each.count() / 1000, each.count() % 1000 * 1000};
    const struct itimerval every { period, period };
    ::setitimer(ITIMER_PROF, &every, nullptr);
}

void give_up_files(const std::array<int, 3>& files) {
    constexpr int high = 10;
    std::array<int, 3> copies{};
    for (std::size_t k = 0; k < files.size(); ++k)
        copies[k] = files[k] < 0 ? -1 : ::fcntl(files[k], F_DUPFD, high);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int k = 0; k < file_at; ++k)
        ::dup2(nothing, k);
    for (std::size_t k = 0; k < files.size(); ++k)
        if (const int at = file_at + static_cast<int>(k); copies[k] < 0)
            ::close(at);
        else
            ::dup2(copies[k], at);
    ::close_range(names_at + 1, ~0u, 0);
}

/// Ends the process at any other call.
void filter_calls() {
    if (architecture == 0 || is_sanitized)
        return;
    constexpr auto jump = static_cast<std::uint16_t>(BPF_JMP | BPF_JEQ | BPF_K);
    constexpr auto load = static_cast<std::uint16_t>(BPF_LD | BPF_W | BPF_ABS);
    constexpr auto give = static_cast<std::uint16_t>(BPF_RET | BPF_K);
    std::vector<sock_filter> code{{load, 0, 0, offsetof(seccomp_data, arch)},
                                  {jump, 1, 0, architecture},
                                  {give, 0, 0, SECCOMP_RET_KILL_PROCESS},
                                  {load, 0, 0, offsetof(seccomp_data, nr)}};
    for (const long call : allowed_calls) {
        code.push_back({jump, 0, 1, static_cast<std::uint32_t>(call)});
        code.push_back({give, 0, 0, SECCOMP_RET_ALLOW});
    }
    code.push_back({give, 0, 0, SECCOMP_RET_KILL_PROCESS});
    const sock_fprog program{static_cast<std::uint16_t>(code.size()), code.data()};
    ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

} // namespace

void confine(std::array<int, 3> files, std::uint64_t file_bytes, void (*look)(int),
             std::chrono::milliseconds each) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_DUMPABLE, 0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    reset_signals(look, each);
    give_up_files(files);
    set_limit(RLIMIT_CORE, 0);
    if (!is_sanitized)
        set_limit(RLIMIT_DATA, (rlim_t{4} << 30) + 64 * file_bytes);
    filter_calls();
}

} // namespace sme::fst
