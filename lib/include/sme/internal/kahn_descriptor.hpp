// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace sme {

/// Returns the digest of a message's value, not of its address. Supports integers, enumerations,
/// the objects owned by smart pointers, ranges, and types with std::hash. For your own type,
/// declare `std::uint64_t kahn_digest(const T&)` in its namespace; for other types only the number
/// of messages counts.
template <class T> std::uint64_t digest_of(const T& value) {
    if constexpr (requires {
                      { kahn_digest(value) } -> std::convertible_to<std::uint64_t>;
                  })
        return kahn_digest(value);
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
        return static_cast<std::uint64_t>(value);
    else if constexpr (std::ranges::input_range<const T&>) {
        std::uint64_t digest = 0x9e37'79b9'7f4a'7c15;
        for (const auto& each : value)
            digest = (std::rotl(digest, 23) ^ digest_of(each)) * 0xff51'afd7'ed55'8ccd;
        return digest;
    } else if constexpr (requires { value ? digest_of(*value) : 0; } && !std::is_pointer_v<T>)
        return value ? digest_of(*value) + 1 : 0;
    else if constexpr (requires { std::hash<T>{}(value); } && !std::is_pointer_v<T>)
        return std::hash<T>{}(value);
    else
        return 0;
}

namespace internal {

/// A digest of the messages sent on a channel, in order.
struct ChannelHistory {
    std::uint64_t digest = 0;
    template <class T> void add(const T& message) {
        digest = (std::rotl(digest, 29) ^ (digest_of(message) + 0x9e37'79b9'7f4a'7c15)) *
                 0xc4ce'b9fe'1a85'ec53;
        digest ^= digest >> 32;
    }
};

} // namespace internal
} // namespace sme

// The interface between a process of a Kahn network and its runner. Process authors do not use it;
// it is in a header because sends and receives are inlined into their coroutines.

namespace sme::internal {

class ReadyQueue;

/// The reason why a process is blocked: the low bits of ProcessDescriptor::waits.
enum WaitKind : std::uintptr_t {
    waits_to_receive = 0, ///< the rest of the word is a ChannelCore
    waits_to_send = 1,    ///< the same
    waits_to_choose = 2,  ///< a Choice
    waits_to_claim = 3,   ///< a SharedEnd
    waits_at_barrier = 4, ///< a BarrierCore
    wait_kinds = 7,
};
class Choice;

/// A process of a run. Only the thread that runs the process writes to it, except for `next`, which
/// belongs to the queue that holds the process.
struct ProcessDescriptor {
    ProcessDescriptor* next = nullptr;
    std::coroutine_handle<> resume{}; ///< the innermost coroutine
    ReadyQueue* home = nullptr; ///< queue of the only runner that may run it; null: any runner
    /// The reason for its last wait. Keeps its value when the process continues; the channel's word
    /// tells whether the process sleeps. Stored before that word (release), loaded after it
    /// (acquire).
    std::atomic<std::uintptr_t> waits{0};
    Choice* choice = nullptr; ///< for a process that may choose or takes turns; otherwise null
    std::uint32_t id = 0;
    bool special = false; ///< it has a home, is of high priority, or may choose
    bool high = false;    ///< runs before others of its runner
    bool made = false;    ///< by another process, while the network runs
    std::atomic<bool> ended{false};
    std::atomic<bool> takes{false}; ///< it has had ends of channels that may be gone
};

/// The processes that a runner can resume: the active queue of its current batch. Only the thread
/// of that runner calls its members. The schedulers derive from it.
class ReadyQueue {
public:
    virtual ~ReadyQueue() = default;
    ReadyQueue(const ReadyQueue&) = delete;
    ReadyQueue& operator=(const ReadyQueue&) = delete;

    /// Makes `process` ready, in this queue unless it belongs to another.
    void ready(ProcessDescriptor& process) {
        if (process.special) [[unlikely]]
            place(process);
        else
            push(process);
    }

    /// Makes a process ready that begins. It counts as a dispatch, so that a batch in which
    /// processes are made ends.
    virtual void start(ProcessDescriptor& process) {
        ready(process);
        if (dispatches_ > 0) {
            --dispatches_;
            ++pushed_; // its size remains
        }
    }

    /// Makes several processes ready; other runners may then take some of them.
    virtual void ready_all(const std::vector<ProcessDescriptor*>& processes) {
        for (ProcessDescriptor* const each : processes)
            ready(*each);
    }

    /// Returns the coroutine that takes control from one that has just blocked. The no-op coroutine
    /// returns control to the runner: the batch is empty, or its dispatch count is used up. This
    /// count also limits the stack depth with compilers that turn transfers into calls.
    std::coroutine_handle<> next() {
        ProcessDescriptor* process = first_;
        if (process == nullptr || dispatches_ == 0) [[unlikely]]
            return std::noop_coroutine();
        --dispatches_;
        first_ = process->next;
        return process->resume;
    }

    /// Returns whether the run has a clock, so `pause` may be called.
    bool is_clocked() const { return clocked_; }
    /// Resumes the process that is about to sleep after `cycles` cycles, unless another event does.
    virtual void wake_after(std::uint64_t cycles) { static_cast<void>(cycles); }
    /// Returns the current cycle of a run with a clock.
    virtual std::uint64_t cycle() const { return 0; }
    /// Resumes the running process `cycles` cycles later.
    virtual void pause(std::coroutine_handle<> resume, std::uint64_t cycles) {
        static_cast<void>(resume);
        static_cast<void>(cycles);
    }

    /// Called last by a process: closes its output channels and takes its exception, if any.
    virtual void end(ProcessDescriptor& process) = 0;
    /// Throws a KahnFault that names the process and the channel.
    [[noreturn]] virtual void fault(const ProcessDescriptor& process, std::uint64_t channel,
                                    const char* what) const = 0;

protected:
    ReadyQueue() = default;

    /// Appends to the active queue.
    void push(ProcessDescriptor& process) {
        process.next = nullptr;
        if (first_ != nullptr) {
            last_->next = &process;
        } else {
            first_ = &process;
            lone_ = true;
        }
        last_ = &process;
        ++pushed_;
    }
    /// Queues a process that has its own runner or high priority.
    virtual void place(ProcessDescriptor& process) = 0;

    ProcessDescriptor* first_ = nullptr;
    ProcessDescriptor* last_ = nullptr; ///< undefined while first_ is null
    std::uint32_t dispatches_ = 0;      ///< remaining dispatches before the batch changes
    std::uint64_t pushed_ = 0;          ///< number of processes that joined the active queue
    bool clocked_ = false;
    bool lone_ = false; ///< at some time, the batch had only one active process
};

/// The queue of this thread's runner. It is thread-local rather than a member of the process:
/// finding it through the process takes a chain of dependent loads, which costs more than the rest
/// of a transfer.
extern constinit thread_local ReadyQueue* this_queue;

/// During its lifetime, the processes that this thread makes ready join `queue`. With null, it
/// makes no process ready. Processes may run other networks, so it may be nested.
class QueueOfThread {
public:
    explicit QueueOfThread(ReadyQueue* queue) : before_{std::exchange(this_queue, queue)} {}
    ~QueueOfThread() { this_queue = before_; }
    QueueOfThread(const QueueOfThread&) = delete;
    QueueOfThread& operator=(const QueueOfThread&) = delete;

private:
    ReadyQueue* before_;
};

/// GCC recomputes the address at each use. Clang would keep it across a suspension, after which the
/// coroutine may be on another thread.
#ifdef __clang__
[[gnu::noinline]]
#endif
inline ReadyQueue&
running() {
    return *this_queue;
}

} // namespace sme::internal
