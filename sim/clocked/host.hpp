// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "clocked/channels.hpp"

namespace sme::clocked {

/// What the wire of a process says.
enum class State : std::uint32_t { goes_on, receives, sends, pauses, ended };

/// One process in a clocked run: resumes its coroutine once a cycle when it can go on.
class Host final : public detail::ReadyQueue, private detail::Ends {
public:
    Host(const KahnGraph& graph, std::uint32_t process, Channels& channels);
    ~Host() override;

    /// Returns whether the process did anything, or will in a later cycle by itself. What leaves it
    /// is thrown.
    bool step(std::uint64_t cycle);

    State state() const { return state_; }
    /// It went on in the last cycle, and has not ended.
    bool went_on() const { return went_on_ && !has_ended(); }
    bool has_ended() const { return state_ == State::ended; }
    /// The channel at which it waits to receive or to send.
    std::uint32_t channel() const;
    detail::Hosted& process() { return *process_; }

    void pause(std::coroutine_handle<> resume, std::uint64_t cycles) override;
    void end(detail::ProcessDescriptor& process) override;
    [[noreturn]] void fault(const detail::ProcessDescriptor& process, std::uint64_t channel,
                            const char* what) const override;

private:
    /// Makes this the queue of the thread.
    class ThisThread;

    detail::ChannelCore& channel(std::uint64_t id, detail::Side side) override;
    void place(detail::ProcessDescriptor& process) override { push(process); }
    bool look(std::uint64_t cycle);
    void show(std::uint64_t cycle) const;
    void resume();

    const KahnGraph& graph_;
    Channels& channels_;
    std::vector<Channel*> ins_, outs_;
    std::unique_ptr<detail::Hosted> process_;
    std::exception_ptr exception_;
    std::uint64_t cycle_ = 0;
    std::uint64_t until_ = 0; // the cycle in which a pause ends
    State state_ = State::goes_on;
    bool started_ = false;
    bool went_on_ = false;
};

} // namespace sme::clocked
