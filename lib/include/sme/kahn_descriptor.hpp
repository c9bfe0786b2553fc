// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <vector>

// How a process of a Kahn network appears to what runs it, and the reverse. Process authors write
// none of this; it stands in a header because sends and receives are inlined into their coroutines.

namespace sme::detail {

class ReadyQueue;

/// What a blocked process waits for: the low bits of ProcessDescriptor::waits.
enum WaitKind : std::uintptr_t {
    waits_to_receive = 0, ///< the rest of the word is a ChannelCore
    waits_to_send = 1,    ///< the same
    waits_to_choose = 2,  ///< a Choice
    waits_to_claim = 3,   ///< a SharedEnd
    waits_at_barrier = 4, ///< a BarrierCore
    wait_kinds = 7,
};
class Choice;

/// One process of a run. Only the thread that runs the process writes to it, except for `next`,
/// which belongs to the queue that holds the process.
struct ProcessDescriptor {
    ProcessDescriptor* next = nullptr;
    std::coroutine_handle<> resume{}; ///< the innermost coroutine
    ReadyQueue* home = nullptr;       ///< of the only runner that may run it; null: any
    /// What it waits for. Stays when the process runs on; the channel's word says whether it
    /// sleeps. Stored before the word is (release), loaded after it (acquire).
    std::atomic<std::uintptr_t> waits{0};
    Choice* choice = nullptr; ///< of a process that may choose, or takes turns; else null
    std::uint32_t id = 0;
    bool special = false; ///< it has a home, is of high priority, or may choose
    bool high = false;    ///< runs before others of its runner
    std::atomic<bool> ended{false};
};

/// The processes that a runner can resume: the active queue of its current batch. All members are
/// called by the thread of that runner. What runs processes derives from it.
class ReadyQueue {
public:
    virtual ~ReadyQueue() = default;
    ReadyQueue(const ReadyQueue&) = delete;
    ReadyQueue& operator=(const ReadyQueue&) = delete;

    /// Makes `process` go on, here unless it belongs elsewhere.
    void ready(ProcessDescriptor& process) {
        if (process.special) [[unlikely]]
            place(process);
        else
            push(process);
    }

    /// The same for many at once, which others may then take over.
    virtual void ready_all(const std::vector<ProcessDescriptor*>& processes) {
        for (ProcessDescriptor* const each : processes)
            ready(*each);
    }

    /// What a coroutine that has just blocked transfers control to. The no-op coroutine gives
    /// control back to the runner: the batch is empty, or its dispatch count is used up, which
    /// also bounds the depth of the stack where compilers make calls of transfers.
    std::coroutine_handle<> next() {
        ProcessDescriptor* process = first_;
        if (process == nullptr || dispatches_ == 0) [[unlikely]]
            return std::noop_coroutine();
        --dispatches_;
        first_ = process->next;
        return process->resume;
    }

    /// Whether processes take cycles: `pause` may be called.
    bool is_clocked() const { return clocked_; }
    /// Resumes the process that is about to sleep after so many cycles, if nothing else does.
    virtual void wake_after(std::uint64_t cycles) { static_cast<void>(cycles); }
    /// The cycle of a run with a clock.
    virtual std::uint64_t cycle() const { return 0; }
    /// Resumes the process that runs now so many cycles later.
    virtual void pause(std::coroutine_handle<> resume, std::uint64_t cycles) {
        static_cast<void>(resume);
        static_cast<void>(cycles);
    }

    /// Called last by a process: closes what it sends to, and takes its exception, if any.
    virtual void end(ProcessDescriptor& process) = 0;
    /// Throws the KahnFault that names the process and the channel.
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
    /// Queues a process that has a runner of its own, or goes before others.
    virtual void place(ProcessDescriptor& process) = 0;

    ProcessDescriptor* first_ = nullptr;
    ProcessDescriptor* last_ = nullptr; ///< undefined while first_ is null
    std::uint32_t dispatches_ = 0;      ///< how many more before the batch changes
    std::uint64_t pushed_ = 0;          ///< how many joined the active queue
    bool clocked_ = false;
    bool lone_ = false; ///< only one process of the batch was active at some time
};

/// Of the runner whose thread this is. A variable of the thread and not of the process: what is
/// found through the process comes a chain of dependent loads later, which takes longer than all
/// the rest.
extern constinit thread_local ReadyQueue* this_queue;

/// GCC looks it up each time. Clang would keep its address while the coroutine sleeps, and wakes on
/// another thread.
#ifdef __clang__
[[gnu::noinline]]
#endif
inline ReadyQueue&
running() {
    return *this_queue;
}

} // namespace sme::detail
