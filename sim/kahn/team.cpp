// SPDX-License-Identifier: Apache-2.0
#include "kahn/team.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

namespace sme::kahn {

Team::Team(Made& made, DeadlockSearch& search, std::uint32_t thieves, std::uint32_t own,
           std::uint64_t seed)
    : made_{made}, search_{search}, thieves_{thieves},
      may_spin_{thieves <= std::thread::hardware_concurrency()}, next_search_{0} {
    for (std::uint32_t k = 0; k < thieves + own; ++k)
        runners_.push_back(std::make_unique<Runner>(*this, k, k < thieves && thieves > 1, seed));
}

void Team::run() {
    std::vector<std::thread> threads;
    try {
        for (std::size_t k = 1; k < runners_.size(); ++k)
            threads.emplace_back([this, k] { run(*runners_[k]); });
    } catch (...) { // no more threads
        fail(std::current_exception());
    }
    if (!runners_.empty())
        run(*runners_[0]);
    for (std::thread& thread : threads)
        thread.join();
    if (failure_)
        std::rethrow_exception(failure_);
}

void Team::run(Runner& runner) {
    try {
        runner.run();
    } catch (...) { // no memory
        fail(std::current_exception());
    }
}

void Team::fail(std::exception_ptr exception) {
    const std::lock_guard lock{mutex_};
    if (!failure_)
        failure_ = std::move(exception);
    stop();
}

void Team::stop() {
    stopped_.store(true, std::memory_order_release); // pairs with stopped()
    for (const auto& runner : runners_)
        if (runner->sleeping.exchange(0, std::memory_order_seq_cst) != 0) {
            idle_.fetch_sub(1, std::memory_order_relaxed);
            runner->wake_up.post();
        }
}

bool Team::wait_for_work(Runner& runner, std::uint64_t searched) {
    {
        std::unique_lock lock{mutex_};
        if (stopped())
            return false;
        // sequentially consistent with Runner::post: one of the two sees the other
        runner.sleeping.store(1, std::memory_order_seq_cst);
        if (runner.has_post()) {
            runner.sleeping.store(0, std::memory_order_relaxed);
            return true;
        }
        // sequentially consistent with Runner::offer_work: either this sees its batch, or it sees
        // `idle_`
        const std::uint32_t idle = idle_.fetch_add(1, std::memory_order_seq_cst) + 1;
        if (runner.is_thief() && runner.may_look_again() && holds_work()) {
            runner.sleeping.store(0, std::memory_order_relaxed);
            idle_.fetch_sub(1, std::memory_order_relaxed);
            return true;
        }
        const bool expects = expected_.load(std::memory_order_seq_cst) != 0;
        if (const std::uint64_t wakes = wakes_;
            idle == runners_.size() && !(expects && searched == wakes)) {
            // No runner is active, so none will wake another: all processes have ended, are in
            // deadlock, or wait for what comes from outside.
            runner.sleeping.store(0, std::memory_order_relaxed);
            idle_.fetch_sub(1, std::memory_order_relaxed);
            lock.unlock(); // a resumed process may belong to another runner, which is woken
            if (search_.resolve(runner, !expects))
                return true;
            if (expects)
                return wait_for_work(runner, wakes);
            lock.lock();
            stop();
            return false;
        }
    }
    runner.wake_up.wait(); // for `wake` or `stop`
    if (runner.is_thief())
        searching_.store(0, std::memory_order_relaxed);
    return !stopped();
}

bool Team::holds_work() const {
    return std::any_of(runners_.begin(), runners_.begin() + thieves_,
                       [](const auto& runner) { return runner->holds_work(); });
}

void Team::wake(Runner& runner, bool searches) {
    {
        const std::lock_guard lock{mutex_};
        if (runner.sleeping.load(std::memory_order_relaxed) == 0)
            return;
        if (searches)
            searching_.store(1, std::memory_order_relaxed); // it resets this when it wakes
        ++wakes_;
        idle_.fetch_sub(1, std::memory_order_relaxed);
        runner.sleeping.store(0, std::memory_order_relaxed);
    }
    runner.wake_up.post(); // without the mutex, which the other may need next
}

void Team::wake_thief() {
    for (std::uint32_t k = 0; k < thieves_; ++k)
        if (runners_[k]->sleeping.load(std::memory_order_relaxed) != 0) {
            wake(*runners_[k], true);
            return;
        }
}

void Team::search_sometimes(Runner& runner, std::uint64_t dispatched) {
    std::uint64_t due = next_search_.load(std::memory_order_relaxed);
    if (dispatched < due)
        return;
    const std::uint64_t pause = std::max<std::uint64_t>(1U << 20, 64 * search_.processes());
    if (next_search_.compare_exchange_strong(due, dispatched + pause, std::memory_order_relaxed) &&
        due != 0)
        search_.resolve(runner);
}

void Team::fail(const internal::ProcessDescriptor& process, const std::exception_ptr& exception) {
    const std::lock_guard lock{mutex_};
    if (!failure_) {
        const std::string name = made_.process_name(process.id);
        try {
            std::rethrow_exception(exception);
        } catch (const KahnFault&) {
            failure_ = exception;
        } catch (const std::exception& thrown) {
            failure_ = std::make_exception_ptr(
                KahnFault{fmt::format("process '{}' threw: {}", name, thrown.what()), name, ""});
        } catch (...) {
            failure_ = std::make_exception_ptr(
                KahnFault{fmt::format("process '{}' threw an exception", name), name, ""});
        }
    }
    stop();
}

void Team::fault(const internal::ProcessDescriptor& process, std::uint64_t channel,
                 const char* what) const {
    made_.fault(process.id, channel, what);
}

} // namespace sme::kahn
