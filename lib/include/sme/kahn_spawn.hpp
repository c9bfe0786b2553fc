// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <concepts>
#include <memory>
#include <utility>

#include "sme/kahn.hpp"

// Processes and channels that a process makes while the network runs, without a clock. The ends of
// such a channel belong to no process at first: they are given to a process that is made, or sent
// to one that runs.

namespace sme {
/// An end of a channel that belongs to no process yet; `FreeIn<T>` or `FreeOut<T>`. It can be sent
/// in a message. As an argument of `Spawner::add`, it becomes a ChannelIn<T> or ChannelOut<T>. If
/// it is destroyed instead, nothing more is sent, or no process receives.
template <class T, detail::Side S> class FreeEnd {
public:
    FreeEnd() = default;
    FreeEnd(detail::Nursery& nursery, detail::ChannelCore& core)
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
    detail::EndOf<T, S> taken_by(const KahnProcess& process) && {
        return detail::EndOf<T, S>{take(detail::descriptor_of(process))};
    }
    /// The same for an input at which the process chooses. Throws a KahnFault if
    /// `UntimedOptions::deterministic` is set.
    ChoiceIn<T> choice_of(const KahnProcess& process) && requires(S == detail::Side::in) {
        if (core_ != nullptr)
            nursery_->check_choice(*core_);
        return ChoiceIn<T>{take(detail::descriptor_of(process))};
    }
    detail::EndOf<T, S> bind(detail::Ends&, detail::ProcessDescriptor& process) && {
        return detail::EndOf<T, S>{take(process)};
    }

private:
    detail::ChannelOf<T>& take(detail::ProcessDescriptor& process) {
        if (core_ == nullptr)
            throw NetworkError{"this end of a channel was moved or taken before"};
        auto& core = static_cast<detail::ChannelOf<T>&>(*std::exchange(core_, nullptr));
        (S == detail::Side::in ? core.reader : core.writer) = &process;
        process.special = true;
        process.takes.store(true, std::memory_order_relaxed);
        detail::HostedMore& more = static_cast<detail::Hosted&>(process).more();
        more.nursery = nursery_;
        more.taken.push_back({&core, S});
        return core;
    }

    detail::Nursery* nursery_ = nullptr;
    detail::ChannelCore* core_ = nullptr;
};
template <class T> using FreeIn = FreeEnd<T, detail::Side::in>;
template <class T> using FreeOut = FreeEnd<T, detail::Side::out>;

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
    Spawner(detail::Nursery& nursery, const detail::ProcessDescriptor& process)
        : nursery_{&nursery}, process_{&process} {}

    template <class T> NewChannel<T> channel(const Name& name, Depth depth = {}) const {
        detail::ChannelCore& core = nursery_->make(name, depth, detail::channel_kind<T>());
        return {FreeOut<T>{*nursery_, core}, FreeIn<T>{*nursery_, core}};
    }
    /// Makes a process of class P, which then runs. `arguments` are those of its constructor:
    /// values, links, copies of BarrierEnds, and free ends. It is destroyed when it has returned.
    /// Throws a KahnFault if more than `UntimedOptions::made_max` processes would run.
    template <std::derived_from<KahnProcess> P, class... Arguments>
    void add(const Name& name, Arguments&&... arguments) const {
        nursery_->add(std::make_unique<detail::HostedProcess<P>>(
                          nursery_->ends(), std::forward<Arguments>(arguments)...),
                      name, *process_);
    }

private:
    detail::Nursery* nursery_;
    const detail::ProcessDescriptor* process_;
};

namespace detail {

struct SpawnerArgument {
    Spawner bind(Ends& ends, ProcessDescriptor& process) const {
        if (Nursery* const nursery = ends.nursery())
            return {*nursery, process};
        throw NetworkError{"a process makes others with a Spawner, which needs a run without a "
                           "clock (sme::Untimed) that has no thread for each process"};
    }
};

} // namespace detail

/// An argument of `KahnNetwork::add` and `Spawner::add` that becomes a Spawner.
inline detail::SpawnerArgument spawner() {
    return {};
}

} // namespace sme
