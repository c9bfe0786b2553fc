// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clocked/channels.hpp"

namespace sme::clocked {

/// The value of a process's state wire.
enum class State : std::uint32_t { goes_on, receives, sends, pauses, ended, meets };

/// One process in a clocked run: resumes its coroutine once per cycle if it can continue.
class Host final : public internal::ReadyQueue, private internal::Ends {
public:
    Host(const KahnGraph& graph, std::uint32_t process, Channels& channels);
    ~Host() override;

    /// True if the process did anything, or will in a later cycle by itself. Rethrows its
    /// exceptions.
    bool step(std::uint64_t cycle);

    State state() const { return state_; }
    /// What it waited for at the beginning of a cycle: the end it waits at, if only one.
    struct Seen {
        State state = State::goes_on;
        std::optional<std::uint32_t> channel;
    };
    const Seen& seen(std::uint64_t cycle) const { return seen_[cycle & 1]; }
    /// True if it continued in the last cycle and has not ended.
    bool went_on() const { return went_on_ && !has_ended(); }
    bool has_ended() const { return state_ == State::ended; }
    /// The channel at which it waits to receive or to send; `nullopt` if it waits for several
    /// channels or at a barrier.
    std::optional<std::uint32_t> channel() const;
    /// The channels among which it waits to choose.
    std::vector<std::uint32_t> choice() const;
    /// The end for whose turn it waits; null if it does not wait for a turn.
    internal::SharedEnd* claim() const;
    /// The barrier at which it waits; null if it does not wait at one.
    internal::BarrierCore* barrier() const;
    internal::Hosted& process() { return *process_; }

    void pause(std::coroutine_handle<> resume, std::uint64_t cycles) override;
    void wake_after(std::uint64_t cycles) override { deadline_ = after(cycles); }
    std::uint64_t cycle() const override { return cycle_; }
    void end(internal::ProcessDescriptor& process) override;
    [[noreturn]] void fault(const internal::ProcessDescriptor& process, std::uint64_t channel,
                            const char* what) const override;

private:
    internal::ChannelCore& channel(std::uint64_t id, internal::Side side) override;
    internal::SharedEnd& shared(std::uint64_t id, internal::Side side) override;
    internal::BarrierCore& barrier(std::uint64_t id) override {
        return *channels_.meetings.barriers[graph_.barrier_of(id)];
    }
    /// Saturates: a cycle out of range is never reached.
    std::uint64_t after(std::uint64_t cycles) const {
        return cycles > ~std::uint64_t{0} - cycle_ ? ~std::uint64_t{0} : cycle_ + cycles;
    }
    struct Wait {
        std::uintptr_t kind;
        std::uintptr_t address;
    };
    Wait wait() const;
    void place(internal::ProcessDescriptor& process) override { push(process); }
    bool look(std::uint64_t cycle);
    bool look_at_in(Channel& channel, std::uint64_t cycle) const;
    bool look_at_out(Channel& channel, std::uint64_t cycle) const;
    bool is_granted(std::uint64_t cycle) const;
    void note_turns();
    void show(std::uint64_t cycle);
    void resume();

    const KahnGraph& graph_;
    Channels& channels_;
    std::vector<Channel*> ins_, outs_;
    /// A shared end, and whether the process held its turn in this cycle.
    struct Turn {
        internal::SharedEnd* end;
        Channel* channel;
        bool had = false;
    };
    Turn& turn(internal::SharedEnd& end);
    std::vector<Turn> turns_;
    std::unique_ptr<internal::Hosted> process_;
    std::exception_ptr exception_;
    std::uint64_t cycle_ = 0;
    std::uint64_t until_ = 0;               // the cycle in which a pause ends
    std::optional<std::uint64_t> deadline_; // of a choice
    std::array<Seen, 2> seen_;              // by the parity of the cycle
    State state_ = State::goes_on;
    bool started_ = false;
    bool went_on_ = false;
};

} // namespace sme::clocked
