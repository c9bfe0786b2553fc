// SPDX-License-Identifier: Apache-2.0
#include "kahn/runner.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "kahn/team.hpp"

// Sections 2.1 and 2.2 of the paper named in storage.hpp. A batch is the active queue for a number
// of dispatches; processes that it wakes join it. When the dispatches are used up, the remaining
// processes go to the end of the queue of batches. If more than one process was active all the
// time, the first of them becomes a separate batch, so batches shrink to processes that
// communicate.
//
// Added here: a batch ends after about 50 µs, since others cannot steal its processes earlier.

namespace sme::internal {
constinit thread_local ReadyQueue* this_queue = nullptr;
thread_local FramePool FramePool::of_thread;
} // namespace sme::internal

namespace sme::kahn {

using internal::ProcessDescriptor;

Runner::Runner(Team& team, std::uint32_t number, bool thief, std::uint64_t seed)
    : team_{team}, number_{number}, thief_{thief}, seed_{seed},
      random_{((seed + 1) * 0x9e37'79b9'7f4a'7c15 + number) | 1},
      dispatches_in_time_{thief ? 1 : dispatches_max}, batches_{thief} {}

void Runner::run() {
    const internal::QueueOfThread here{this};
    while (load_batch()) {
        while (first_ != nullptr && dispatches_ != 0)
            next().resume();
        end_batch();
        if (first_ != nullptr)
            store_batch();
    }
}

void Runner::add(ProcessDescriptor& process) {
    pinned_ |= process.home != nullptr;
    push(process);
    if (size() == dispatches_max) // a created process counts as a dispatch
        store_batch();
}

void Runner::activate(const Batch& batch) {
    looks_ = 0;
    first_ = batch.first;
    last_ = batch.last;
    std::uint32_t size = batch.size;
    pinned_ = batch.pinned; // until it is empty
    if (size > 1 && thief_ && !pinned_ && computes_long()) {
        offer_rest(size - 1);
        size = 1;
    }
    pushed_ = size;
    // if no batch waits, this one may run long
    dispatches_ =
        batches_.empty() ? dispatches_max : std::min(dispatches_per_process * size, dispatches_max);
    dispatches_ = std::min(dispatches_, dispatches_in_time_);
    if (seed_ != 0)
        dispatches_ = 1 + static_cast<std::uint32_t>(random() % dispatches_);
    budget_ = dispatches_;
    lone_ = false;
}

/// Keeps the first process of the active queue, and offers the `rest`, which could not be stolen
/// while it computes.
void Runner::offer_rest(std::uint32_t rest) {
    ProcessDescriptor* const second = std::exchange(first_->next, nullptr);
    batches_.put(second, std::exchange(last_, first_), rest, false);
    offer_work();
}

/// Counts the dispatches of the batch, and computes how many fit into the time of a batch. One long
/// dispatch counts for a quarter of its time, since the short ones between take almost no time.
void Runner::end_batch() {
    constexpr std::int64_t batch_ns = 50'000;
    constexpr std::uint32_t few = 32; // a clock read takes as long as one or two
    dispatched_ += budget_ - dispatches_;
    const std::uint64_t since = dispatched_ - dispatched_before_;
    if (!thief_ || since < std::min(few, dispatches_in_time_))
        return;
    const auto before = time_before_;
    begin_time();
    const std::int64_t each =
        std::chrono::nanoseconds{time_before_ - before}.count() / static_cast<std::int64_t>(since);
    dispatch_ns_ = std::max(each, dispatch_ns_ - 4 * each * static_cast<std::int64_t>(since));
    dispatches_in_time_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
        batch_ns / std::max<std::int64_t>(dispatch_ns_, 1), 1, dispatches_max));
}

/// Excludes the time until now from the measurement of dispatches.
void Runner::begin_time() {
    time_before_ = std::chrono::steady_clock::now();
    dispatched_before_ = dispatched_;
}

std::uint32_t Runner::size() const {
    return static_cast<std::uint32_t>(pushed_ - (budget_ - dispatches_));
}

bool Runner::load_batch() {
    bury();
    team_.search_sometimes(*this, dispatched_);
    while (!team_.stopped()) {
        if (first_ == nullptr)
            pinned_ = false;
        take_post();
        if (first_ != nullptr && !batches_.empty())
            store_batch(); // after those that waited before
        take_urgent();
        if (first_ != nullptr) {
            activate({first_, last_, size(), pinned_});
            return true;
        }
        if (const Batch* batch = batches_.take()) {
            activate(*batch);
            return true;
        }
        if (steal())
            return true;
        const bool stole = steal_patiently();
        if (!stole && !team_.wait_for_work(*this))
            return false;
        begin_time();
        if (stole)
            return true;
    }
    return false;
}

void Runner::store_batch() {
    std::uint32_t left = size();
    if (!lone_ && left > 1 && dispatches_ == 0 && thief_) {
        ProcessDescriptor* head = first_;
        first_ = std::exchange(head->next, nullptr);
        --left;
        batches_.put(head, head, 1, head->home != nullptr);
    }
    if (thief_ && !pinned_ && left >= worth_halving && team_.lacks_work())
        left -= store_half(left);
    batches_.put(first_, last_, left, pinned_);
    first_ = nullptr;
    pushed_ = budget_ = dispatches_ = 0;
    pinned_ = false;
    offer_work();
}

/// Makes a separate batch from the first half of the active queue. A process that communicates with
/// all others draws them into one batch, which leaves nothing to steal.
std::uint32_t Runner::store_half(std::uint32_t left) {
    const std::uint32_t half = left / 2;
    ProcessDescriptor* last = first_;
    for (std::uint32_t k = 1; k < half; ++k)
        last = last->next;
    ProcessDescriptor* const rest = std::exchange(last->next, nullptr);
    batches_.put(std::exchange(first_, rest), last, half, false);
    return half;
}

/// Wakes a thief, but not all the time: for processes that compute for less than a wake-up takes,
/// it pays only occasionally.
void Runner::offer_work() {
    if (!thief_ || !team_.has_idle_thief())
        return;
    constexpr std::chrono::microseconds time_between_wakes{100};
    const auto now = std::chrono::steady_clock::now();
    if (computes_long() || now - woke_at_ >= time_between_wakes) {
        woke_at_ = now;
        team_.wake_thief();
    }
}

/// A runner that serves one process leaves others to the common ones, as in `place`.
void Runner::start(ProcessDescriptor& process) {
    process.special |= team_.has_own();
    if (number_ < team_.thieves())
        ReadyQueue::start(process);
    else
        team_.runner(process.id % team_.thieves()).post(process);
}

/// Uses as many batches as the window shows, so that thieves find them.
void Runner::ready_all(const std::vector<ProcessDescriptor*>& processes) {
    constexpr std::size_t few = 16;
    if (!thief_ || processes.size() <= few)
        return ReadyQueue::ready_all(processes);
    const std::size_t each = std::max(few, processes.size() / BatchQueue::shown + 1);
    Batch batch;
    for (ProcessDescriptor* const process : processes) {
        if (process->home != nullptr || process->high) {
            place(*process);
            continue;
        }
        process->next = nullptr;
        (batch.size == 0 ? batch.first : batch.last->next) = process;
        batch.last = process;
        if (++batch.size == each) {
            batches_.put(batch.first, batch.last, batch.size, false);
            batch.size = 0;
        }
    }
    if (batch.size != 0)
        batches_.put(batch.first, batch.last, batch.size, false);
    offer_work();
}

void Runner::place(ProcessDescriptor& process) {
    if (process.choice != nullptr && !process.choice->word.is_idle() && !process.choice->wakes())
        return;
    if (process.home != nullptr && process.home != this)
        static_cast<Runner*>(process.home)->post(process);
    else if (process.home == nullptr && !thief_ && team_.thieves() != 0)
        team_.runner(process.id % team_.thieves()).post(process);
    else
        enqueue(process);
}

void Runner::enqueue(ProcessDescriptor& process) {
    pinned_ |= process.home != nullptr;
    if (!process.high) {
        push(process);
        return;
    }
    process.next = nullptr;
    (urgent_ != nullptr ? urgent_last_->next : urgent_) = &process;
    urgent_last_ = &process;
    budget_ -= dispatches_; // these are not used
    dispatches_ = 0;        // the batch ends when the running process blocks
}

void Runner::take_urgent() {
    if (urgent_ == nullptr)
        return;
    if (first_ == nullptr)
        last_ = urgent_last_;
    urgent_last_->next = first_;
    first_ = urgent_;
    for (ProcessDescriptor* each = urgent_; each != urgent_last_->next; each = each->next) {
        ++pushed_;
        pinned_ |= each->home != nullptr;
    }
    urgent_ = nullptr;
}

void Runner::post(ProcessDescriptor& process) {
    ProcessDescriptor* before = inbox_.load(std::memory_order_relaxed);
    do
        process.next = before;
    while (!inbox_.compare_exchange_weak(before, &process, std::memory_order_seq_cst,
                                         std::memory_order_relaxed));
    // sequentially consistent with Team::wait_for_work, which announces its sleep and then tests
    // here
    if (sleeping.load(std::memory_order_seq_cst) != 0)
        team_.wake(*this);
}

void Runner::take_post() {
    if (inbox_.load(std::memory_order_relaxed) == nullptr)
        return;
    ProcessDescriptor* newest = inbox_.exchange(nullptr, std::memory_order_acquire);
    ProcessDescriptor* in_order = nullptr;
    while (newest != nullptr) {
        ProcessDescriptor* next = newest->next;
        newest->next = in_order;
        in_order = newest;
        newest = next;
    }
    while (in_order != nullptr) {
        ProcessDescriptor* next = in_order->next;
        enqueue(*in_order);
        in_order = next;
    }
}

bool Runner::steal() {
    if (!thief_)
        return false;
    const std::uint32_t thieves = team_.thieves();
    const auto start = static_cast<std::uint32_t>(random() % thieves);
    for (std::uint32_t k = 0; k < thieves; ++k) {
        Runner& victim = team_.runner((start + k) % thieves);
        Batch copy;
        if (&victim != this && victim.batches_.steal(copy)) {
            activate(copy);
            return true;
        }
    }
    return false;
}

/// Searches for a while before it sleeps, since a wake-up by the system takes as long.
bool Runner::steal_patiently() {
    if (!thief_ || !team_.may_spin())
        return false;
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds{20};
    team_.looks_around(1);
    bool found = false;
    while (!found && std::chrono::steady_clock::now() < until && !team_.stopped() && !has_post())
        found = steal();
    team_.looks_around(-1);
    return found;
}

std::uint64_t Runner::random() { // xorshift
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
}

void Runner::end(ProcessDescriptor& process) {
    auto& hosted = static_cast<internal::Hosted&>(process);
    if (const std::exception_ptr& exception = hosted.task.handle().promise().exception()) {
        team_.fail(process, exception);
        return;
    }
    hosted.leave();
    process.ended.store(true, std::memory_order_release);
    bury();
    if (process.made)
        dead_ = &process; // its coroutine is still being left
}

void Runner::bury() {
    if (ProcessDescriptor* const dead = std::exchange(dead_, nullptr))
        team_.bury(*dead);
}

void Runner::fault(const ProcessDescriptor& process, std::uint64_t channel,
                   const char* what) const {
    team_.fault(process, channel, what);
}

} // namespace sme::kahn
