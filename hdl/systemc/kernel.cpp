// SPDX-License-Identifier: Apache-2.0
#include "systemc/kernel.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <systemc>

#include "sme/network.hpp"

namespace sme::systemc {

namespace {

/// The owner of the kernel; global like the kernel itself.
struct Claim {
    std::mutex mutex;
    std::string owner; // empty: free
};
Claim& claim() {
    static Claim the_claim;
    return the_claim;
}

/// Number of polls: one or two microseconds, about a cycle of a small model.
constexpr int looks = 50;

/// Number of yields after that: they cost little if the other thread has no CPU.
constexpr int yields = 8;

bool is_coroutine(const sc_core::sc_object& object) {
    return std::strcmp(object.kind(), "sc_thread_process") == 0 ||
           std::strcmp(object.kind(), "sc_cthread_process") == 0;
}

bool has_coroutine(const std::vector<sc_core::sc_object*>& objects) {
    return std::any_of(objects.begin(), objects.end(), [](const sc_core::sc_object* object) {
        return is_coroutine(*object) || has_coroutine(object->get_child_objects());
    });
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Ends the kernel's processes and renews the kernel. SystemC 3 frees the coroutine package before
/// the coroutines that still use it, so there the old kernel stays in memory.
void renew_kernel() {
#if SC_VERSION_MAJOR >= 3
    sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = nullptr;
#else
    sc_core::sc_get_curr_simcontext()->reset();
#endif
}

} // namespace

/// Turns fatal errors, which abort the program by default, into exceptions and thus a fault of the
/// process; silences the warning about a cycle without events.
class Kernel::Actions {
public:
    Actions()
        : fatal_{sc_core::sc_report_handler::set_actions(
              sc_core::SC_FATAL, sc_core::SC_LOG | sc_core::SC_CACHE_REPORT | sc_core::SC_THROW)},
          nothing_happens_{sc_core::sc_report_handler::set_actions(
              sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_WARNING, sc_core::SC_DO_NOTHING)} {}
    ~Actions() {
        sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, fatal_);
        sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_,
                                                sc_core::SC_WARNING, nothing_happens_);
    }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;

private:
    sc_core::sc_actions fatal_;
    sc_core::sc_actions nothing_happens_;
};

Kernel::Kernel(const std::string& owner, std::optional<bool> own_thread)
    : open_{!own_thread.has_value()} {
    Claim& the_claim = claim();
    const std::lock_guard lock{the_claim.mutex};
    if (!the_claim.owner.empty())
        throw NetworkError{
            fmt::format("SystemC has one kernel in a program, and '{}' has it, so '{}' cannot; put "
                        "both into one module, and make that a process",
                        the_claim.owner, owner)};
    if (sc_core::sc_get_status() > sc_core::SC_ELABORATION ||
        !sc_core::sc_get_top_level_objects().empty())
        throw NetworkError{
            fmt::format("SystemC has one kernel in a program, and this program uses it for a "
                        "simulation of its own, so '{}' cannot be a process",
                        owner)};
    if (own_thread.value_or(false))
        thread_ = std::thread{[this] { serve(); }};
    else
        home_ = std::this_thread::get_id();
    actions_ = std::make_unique<Actions>();
    the_claim.owner = owner;
}

Kernel::~Kernel() {
    home_ = thread_.joinable() ? home_ : std::this_thread::get_id(); // no job runs any more
    try {
        run(renew_kernel);
    } catch (...) { // NOLINT(bugprone-empty-catch): the next owner finds the kernel used
    }
    if (thread_.joinable()) {
        // release: serve() sees all earlier writes
        state_.store(ended, std::memory_order_release);
        state_.notify_all();
        thread_.join();
    }
    const std::lock_guard lock{claim().mutex};
    claim().owner.clear();
}

std::string Kernel::owner() {
    const std::lock_guard lock{claim().mutex};
    return claim().owner;
}

void Kernel::look_for_coroutines() {
    const bool found = has_coroutine(sc_core::sc_get_top_level_objects());
    if (open_ && found)
        thread_ = std::thread{[this] { serve(); }};
    else if (open_)
        anywhere_ = true;
    else if (found)
        anywhere_ = false; // they were spawned while settling, on the home thread
    open_ = false;
}

/// Waits until the state is no longer `state`.
void Kernel::wait_for(std::uint32_t state) {
    for (int k = 0; k < looks; ++k) {
        // acquire: pairs with the store of the other side
        if (state_.load(std::memory_order_acquire) != state)
            return;
        relax();
    }
    for (int k = 0; k < yields; ++k) {
        std::this_thread::yield();
        if (state_.load(std::memory_order_acquire) != state)
            return;
    }
    state_.wait(state, std::memory_order_acquire);
}

void Kernel::run(const std::function<void()>& job) {
    if (thread_.joinable()) {
        job_ = &job;
        state_.store(posted, std::memory_order_release); // release: serve() sees job_
        state_.notify_all();
        wait_for(posted);
        state_.store(idle, std::memory_order_relaxed); // serve() waits only for a posted job
    } else if (anywhere_ || std::this_thread::get_id() == home_) {
        work(job);
    } else {
        throw std::runtime_error{
            "it has no thread of its own, and is stepped on another one than the simulator was "
            "made on; run the simulator there, with one thread, or let it have its own"};
    }
    if (failed_)
        throw std::runtime_error{problem_};
}

void Kernel::work(const std::function<void()>& job) {
    failed_ = true;
    try {
        job();
        failed_ = false;
    } catch (const std::exception& error) {
        problem_ = error.what(); // as text: the object may belong to the kernel
    } catch (...) {
        problem_ = "an exception of an unknown type";
    }
}

void Kernel::serve() {
    for (;;) {
        std::uint32_t state = state_.load(std::memory_order_acquire);
        while (state == idle || state == done) {
            wait_for(state);
            state = state_.load(std::memory_order_acquire);
        }
        if (state == ended)
            return;
        work(*job_);
        state_.store(done, std::memory_order_release); // release: run() sees the effects of the job
        state_.notify_all();
    }
}

namespace {
bool stopped() {
    return sc_core::sc_get_status() == sc_core::SC_STOPPED ||
           sc_core::sc_end_of_simulation_invoked();
}
} // namespace

bool Kernel::pass(std::uint64_t picoseconds) {
    const sc_core::sc_time time{static_cast<double>(picoseconds), sc_core::SC_PS};
    const sc_core::sc_time end = sc_core::sc_time_stamp() + time;
    sc_core::sc_start(time);
    if (!stopped() && sc_core::sc_time_stamp() < end)
        throw std::runtime_error{"it called sc_pause(), but nothing continues it"};
    return !stopped();
}

bool Kernel::settle() {
    do // runs one delta cycle
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    while (!stopped() && sc_core::sc_pending_activity_at_current_time());
    return !stopped();
}

} // namespace sme::systemc
