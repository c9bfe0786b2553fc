// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sme/kahn.hpp"

/// Runs without a clock, and what processes can do only in them: make processes and channels, and
/// wait for real time.
namespace sme {

/// Options for a run of a Kahn network without a clock.
struct UntimedOptions {
    /// Threads that run processes, not counting those of `Runner::own`.
    unsigned runners = 1;
    /// Selects the runner from which an idle one steals; if not 0, also the order in which
    /// processes start and the length of batches.
    std::uint64_t seed = 0;
    /// Gives each process its own operating system thread; `runners` is then ignored.
    bool thread_per_process = false;
    /// Resolves artificial deadlocks, which deeper channels would avoid, by enlarging a channel.
    bool enlarge = true;
    /// The limit for the slots of all channels: no channel is enlarged beyond it.
    std::size_t channel_bytes_max = std::numeric_limits<std::size_t>::max();
    /// Computes `ChannelReport::digest`.
    bool digests = false;
    /// How many of the processes that others make may run at once.
    std::size_t made_max = 1'000'000;
    /// Refuses a network that is not deterministic.
    bool deterministic = false;
};

/// The state of a channel after a run.
struct ChannelReport {
    std::string name;
    std::uint32_t declared_depth;
    std::uint32_t depth; ///< at the end: larger if an artificial deadlock was resolved
    std::uint64_t sent;
    std::uint64_t received;
    std::uint64_t digest; ///< of the messages sent, in order; 0 unless requested
};

enum class UntimedEnd : std::uint8_t {
    completed,  ///< all processes have returned
    deadlocked, ///< processes wait for each other, and no larger depth helps or is allowed
};

struct UntimedResult {
    UntimedEnd end = UntimedEnd::completed;
    /// For a deadlock: which process waits for which, on which channel, its fill and depth; a
    /// remedy.
    std::string explanation;
    std::vector<ChannelReport> channels; ///< in order of declaration
    std::uint64_t made = 0;              ///< processes that others made
    bool completed() const { return end == UntimedEnd::completed; }
};

/// A run of a network, as fast as the machine allows. Runner threads resume processes that are
/// ready, in batches that gather communicating processes, and steal batches from each other
/// (Ritson, Sampson and Barnes, 2009). The thread that calls `run` is one of the runners.
class Untimed {
public:
    /// Creates the processes and channels. Throws NetworkError if a channel lacks a reader or a
    /// writer. `network` may be destroyed before the run, but must not change.
    explicit Untimed(const KahnNetwork& network, const UntimedOptions& options = {});
    ~Untimed();
    Untimed(Untimed&&) noexcept;
    Untimed& operator=(Untimed&&) noexcept;

    /// Runs until all processes have returned or are in deadlock. Throws the failure of a process
    /// as KahnFault, after all runners have stopped. Call it once.
    UntimedResult run();

    /// Returns a process object, before or after the run. Throws NetworkError for a handle of
    /// another network.
    template <class P> P& process(const KahnHandle<P>& handle) {
        if (const KahnGraph* const of = graph(); of != nullptr && handle.is_of(*of))
            return static_cast<internal::HostedProcess<P>&>(hosted(handle.id())).process;
        throw NetworkError{"this run has no such process; the handle is of another network"};
    }

private:
    const KahnGraph* graph() const; ///< null after a move
    internal::Hosted& hosted(std::uint32_t id);

    struct Run;
    std::unique_ptr<Run> run_;
};

/// An end of a channel that belongs to no process yet; `FreeIn<T>` or `FreeOut<T>`. It can be sent
/// in a message. As an argument of `Spawner::add`, it becomes a ChannelIn<T> or ChannelOut<T>. If
/// it is destroyed instead, nothing more is sent, or no process receives.
template <class T, internal::Side S> class FreeEnd {
public:
    FreeEnd() = default;
    FreeEnd(internal::Nursery& nursery, internal::ChannelCore& core)
        : nursery_{&nursery}, core_{&core} {}
    FreeEnd(FreeEnd&& other) noexcept
        : nursery_{other.nursery_}, core_{std::exchange(other.core_, nullptr)} {}
    FreeEnd& operator=(FreeEnd&& other) noexcept {
        std::swap(nursery_, other.nursery_);
        std::swap(core_, other.core_);
        return *this;
    }
    ~FreeEnd() {
        if (core_ != nullptr)
            nursery_->drop(*core_, S);
    }
    /// False after it was moved or taken.
    explicit operator bool() const { return core_ != nullptr; }

    /// From now on it belongs to this process, which calls this, until the process returns. Throws
    /// NetworkError if it was moved or taken before.
    internal::EndOf<T, S> taken_by(const KahnProcess& process) && {
        return internal::EndOf<T, S>{take(internal::descriptor_of(process))};
    }
    /// The same for an input at which the process chooses. Throws a KahnFault if
    /// `UntimedOptions::deterministic` is set.
    ChoiceIn<T> choice_of(const KahnProcess& process) && requires(S == internal::Side::in) {
        if (core_ != nullptr)
            nursery_->check_choice(*core_);
        return ChoiceIn<T>{take(internal::descriptor_of(process))};
    }
    internal::EndOf<T, S> bind(internal::Ends&, internal::ProcessDescriptor& process) && {
        return internal::EndOf<T, S>{take(process)};
    }

private:
    internal::ChannelOf<T>& take(internal::ProcessDescriptor& process) {
        if (core_ == nullptr)
            throw NetworkError{"this end of a channel was moved or taken before"};
        auto& core = static_cast<internal::ChannelOf<T>&>(*std::exchange(core_, nullptr));
        (S == internal::Side::in ? core.reader : core.writer) = &process;
        process.special = true;
        process.takes.store(true, std::memory_order_relaxed);
        internal::HostedMore& more = static_cast<internal::Hosted&>(process).more();
        more.nursery = nursery_;
        more.taken.push_back({&core, S});
        return core;
    }

    internal::Nursery* nursery_ = nullptr;
    internal::ChannelCore* core_ = nullptr;
};
template <class T> using FreeIn = FreeEnd<T, internal::Side::in>;
template <class T> using FreeOut = FreeEnd<T, internal::Side::out>;

/// Both ends of a new channel.
template <class T> struct NewChannel {
    FreeOut<T> out;
    FreeIn<T> in;
};

/// Makes channels and processes. Bound with `sme::spawner()`; processes that are made get it in the
/// same way. A network of processes that are made remains deterministic, unless one of them
/// chooses.
class Spawner {
public:
    Spawner(internal::Nursery& nursery, const internal::ProcessDescriptor& process)
        : nursery_{&nursery}, process_{&process} {}

    /// Becomes a Spawner.
    struct Argument {
        Spawner bind(internal::Ends& ends, internal::ProcessDescriptor& process) const;
    };

    /// Makes a channel, whose ends are free.
    template <class T> NewChannel<T> channel(const Name& name, Depth depth = {}) const {
        internal::ChannelCore& core = nursery_->make(name, depth, internal::channel_kind<T>());
        return {FreeOut<T>{*nursery_, core}, FreeIn<T>{*nursery_, core}};
    }
    /// Makes a process of class P, which then runs. `arguments` are those of its constructor:
    /// values, links, copies of BarrierEnds, and free ends. It is destroyed when it has returned.
    /// Throws a KahnFault if more than `UntimedOptions::made_max` processes would run.
    template <std::derived_from<KahnProcess> P, class... Arguments>
    void add(const Name& name, Arguments&&... arguments) const {
        nursery_->add(std::make_unique<internal::HostedProcess<P>>(
                          nursery_->ends(), std::forward<Arguments>(arguments)...),
                      name, *process_);
    }

private:
    internal::Nursery* nursery_;
    const internal::ProcessDescriptor* process_;
};

/// An argument of `KahnNetwork::add` and `Spawner::add` that becomes a Spawner.
inline Spawner::Argument spawner() {
    return {};
}

/// The time of the machine, for one process. Bound with `sme::real_time()`.
class RealTime {
public:
    RealTime(internal::TimeSource& source, internal::ChannelOf<internal::Tick>& ticks)
        : source_{&source}, ticks_{&ticks} {}

    /// Becomes a RealTime.
    struct Argument {
        static constexpr const char* leaves_determinism = "waits for real time";
        static constexpr bool uses_time = true;
        RealTime bind(internal::Ends& ends, internal::ProcessDescriptor& process) const;
    };

    /// `co_await` it to wait at least this long.
    KahnCoroutine<void> sleep(std::chrono::nanoseconds time) const {
        if (time.count() <= 0)
            co_return;
        source_->arm(*ticks_, time);
        const auto tick = co_await internal::Receive<internal::Tick>{*ticks_};
        source_->disarm(*ticks_);
    }
    /// A guard for `alt`: ready this long after the choice began.
    Timeout after(std::chrono::nanoseconds time) const { return {0, {source_, ticks_, time}}; }

private:
    internal::TimeSource* source_;
    internal::ChannelOf<internal::Tick>* ticks_;
};

/// An argument of `KahnNetwork::add` and `Spawner::add` that becomes a RealTime.
inline RealTime::Argument real_time() {
    return {};
}

} // namespace sme
