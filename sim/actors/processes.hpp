// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "actors/plans.hpp"
#include "actors/run.hpp"
#include "base/diagnostic.hpp"
#include "network/graph.hpp"
#include "sme/internal/kahn_host.hpp"
#include "sme/kahn.hpp"

namespace sme::actors {

/// A scalar of a message, for digests.
struct Word {
    std::uint32_t offset;
    std::uint8_t bytes;
    bool is_signed;
};

/// Channels whose messages have one type of the language; all other code treats them as bytes. They
/// have at least one place.
class RawKind final : public internal::ChannelKind {
public:
    explicit RawKind(const Type& type);

    std::size_t message_bytes() const override { return stride_; }
    std::size_t bytes() const { return bytes_; } ///< of a message, without alignment
    std::size_t message_alignment() const override { return alignof(std::uint64_t); }
    internal::ChannelCore* make(void* place) const override;
    void destroy(internal::ChannelCore& channel) const override;
    void enlarge(internal::ChannelCore& channel, const internal::SlotRing& ring) const override;

    /// Adds a message to a digest; the result does not depend on its address.
    void digest(const std::byte* message, internal::ChannelHistory& history) const;

private:
    std::size_t bytes_;
    std::size_t stride_; // of slots
    std::vector<Word> words_;
};

/// One end of such a channel. It uses only the members of ChannelOf that do not depend on the
/// message type: `std::byte` represents any type.
class RawEnd {
public:
    RawEnd(internal::ChannelCore& channel, const RawKind& kind)
        : channel_{static_cast<internal::ChannelOf<std::byte>*>(&channel)}, kind_{&kind},
          bytes_{kind.bytes()}, stride_{kind.message_bytes()} {}

    const RawKind& kind() const { return *kind_; }
    bool has_room() const { return channel_->has_room(); }
    /// Requires room.
    void push(const std::byte* message) const;
    bool has_message() const { return channel_->has_message(); }
    /// Call it after `has_message` returned false: no more messages will be sent, but a last one
    /// may have arrived since.
    bool is_closed() const { return channel_->has_ended(); }
    /// Requires a message, which keeps its address until `pop`.
    const std::byte* front() const;
    void pop() const;

    /// An awaitable that resumes when there is room; it may resume early.
    auto until_room() const { return UntilRoom{*channel_}; }
    /// The same, until there is a message or the channel is closed.
    auto until_message() const { return UntilMessage{*channel_, {}}; }

private:
    using Channel = internal::ChannelOf<std::byte>;
    struct UntilRoom {
        Channel& channel;
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) const {
            channel.writer->resume = resume;
            internal::ReadyQueue& queue = internal::running();
            return channel.sleep_to_send() ? queue.next() : resume;
        }
        void await_resume() const noexcept {}
    };
    struct UntilMessage {
        Channel& channel;
        Received<std::byte> unused; // only a rendezvous moves a message there
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) {
            channel.reader->resume = resume;
            internal::ReadyQueue& queue = internal::running();
            return channel.sleep_to_receive(unused) ? queue.next() : resume;
        }
        void await_resume() const noexcept {}
    };
    std::byte* slot(const internal::SlotRing& ring, std::uint64_t count) const {
        return ring.slots + (count & ring.mask) * stride_;
    }

    Channel* channel_;
    const RawKind* kind_;
    std::size_t bytes_;
    std::size_t stride_;
};

/// A process argument that becomes its RawEnds, in this order.
struct RawEnds {
    struct End {
        std::uint64_t channel;
        internal::Side side;
        const RawKind* kind;
    };
    std::vector<End> ends;

    std::vector<RawEnd> bind(internal::Ends& result, internal::ProcessDescriptor& process) const;
    template <class F> void for_each_end(const F& what) const {
        for (const End& end : ends)
            what(end.channel, end.side, *end.kind);
    }
};

/// Data shared by all processes of a run.
class Shared {
public:
    std::function<void(const std::string&)> print; // may be null
    std::function<bool(Group&)> can_write;         // may be null
    const std::atomic<bool>* interrupt = nullptr;  // may be null
    std::uint64_t firings_max = 0;

    /// True if the run has been stopped: no process continues.
    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
    void stop() { stopped_.store(true, std::memory_order_relaxed); }
    bool interrupted() const {
        return interrupt != nullptr && interrupt->load(std::memory_order_relaxed);
    }

    void print_line(const std::string& line) {
        if (!print)
            return;
        const std::lock_guard lock{mutex_};
        print(line);
    }
    void fault(Diagnostic what) {
        const std::lock_guard lock{mutex_};
        faults.push_back(std::move(what));
        stop();
    }

    // Valid when the run has ended:
    std::vector<Diagnostic> faults;
    std::atomic<bool> halted{false}, failed{false}, cut{false};

private:
    std::mutex mutex_;
    std::atomic<bool> stopped_{false};
};

/// An exception that leaves a process when the run is to end.
struct Stopped {};

/// The control of the instances of one family.
class FamilyControl final : public Control {
public:
    FamilyControl(Shared& shared, const ProcessFamily& family) : shared_{shared}, family_{family} {}
    void halt() override {
        if (family_.helper) // the receiver handles the end of its rows
            return;
        shared_.halted.store(true, std::memory_order_relaxed);
        shared_.stop();
    }
    void fail() override {
        shared_.failed.store(true, std::memory_order_relaxed);
        shared_.stop();
    }
    void print(std::uint64_t, std::uint32_t, std::string line) override {
        shared_.print_line(line);
    }
    void fault(std::uint64_t position, const Diagnostic& what) override;

private:
    Shared& shared_;
    const ProcessFamily& family_;
};

/// The slots of one end of a channel, in an instance.
struct Slots {
    std::uint32_t valid = none;
    std::uint32_t message = none;
    std::uint32_t ready = none;
    std::uint32_t closed = none; ///< none: not used
};

/// A family during the run.
struct RunningFamily {
    Group* group = nullptr;
    std::atomic<InstanceSteps* const*> exchanged{nullptr}; ///< by instance; null: the group steps
    unsigned parts = 0;
    std::uint64_t states = 0; ///< bytes
    std::uint32_t firing = none;
    std::vector<Slots> ends; ///< in the order of the plan's ports
    Frame frame{};           ///< without its cycle
};

/// One instance of a family.
struct Instance {
    RunningFamily* family = nullptr;
    std::uint64_t position = 0;
    std::byte* read = nullptr;
    std::byte* write = nullptr;
    Shared* shared = nullptr;

    void step(unsigned part, std::uint64_t cycle) const {
        family->group->step(part, {position, 1}, frame(cycle));
    }
    /// Steps all parts.
    void step(std::uint64_t cycle) const {
        if (auto* const exchanged = family->exchanged.load(std::memory_order_acquire))
            return exchanged[position]->step(frame(cycle));
        for (unsigned part = 0; part < family->parts; ++part)
            step(part, cycle);
    }
    Frame frame(std::uint64_t cycle) const {
        Frame result = family->frame;
        result.cycle = cycle;
        return result;
    }
    /// Throws Stopped if the run is to end.
    void look() const {
        if (shared->stopped() || shared->interrupted()) [[unlikely]]
            throw Stopped{};
    }
};

/// A recorder of a channel, called when a message is received.
struct Tap {
    Instance recorder;
    std::uint64_t rows = 0;

    void take(const std::byte* message, std::size_t bytes);
};
using Taps = std::vector<Tap>;

/// Sleeps until the run ends.
struct Forever {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept {
        return internal::running().next();
    }
    void await_resume() const noexcept {}
};

/// An actor: steps as long as it fires.
class Actor : public KahnProcess {
public:
    /// `taps`: for each channel from which it receives.
    Actor(Instance instance, std::vector<Taps> taps, std::vector<RawEnd> ends);
    KahnTask run();
    std::uint64_t firings() const { return firings_; }
    bool is_done() const { return done_; }

private:
    /// Fires as often as possible; returns the `firing_state` of the last step.
    std::uint16_t fire();
    void show_inputs();
    void show_room();
    void move_messages();

    struct Input {
        RawEnd end;
        Slots slots;
        Taps taps;
        bool shown = false; // the first message, or the end, is in the slots
    };
    struct Output {
        RawEnd end;
        Slots slots;
    };
    Instance instance_;
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;
    std::uint64_t firings_ = 0;
    bool done_ = false;
};

/// Sends the rows of a file.
class Source : public KahnProcess {
public:
    Source(Instance instance, std::vector<RawEnd> ends) : instance_{instance}, end_{ends.at(0)} {}
    KahnTask run();

private:
    Instance instance_;
    RawEnd end_;
};

/// Receives from a channel whose messages are only recorded.
class Sink : public KahnProcess {
public:
    Sink(Shared& shared, Taps taps, std::vector<RawEnd> ends)
        : shared_{&shared}, taps_{std::move(taps)}, end_{ends.at(0)} {}
    KahnTask run();

private:
    Shared* shared_;
    Taps taps_;
    RawEnd end_;
};

} // namespace sme::actors
