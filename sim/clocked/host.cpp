// SPDX-License-Identifier: Apache-2.0
#include "clocked/host.hpp"

#include <algorithm>
#include <utility>

namespace sme::clocked {

using Position = internal::Position<>;

namespace {

/// Publishes a word that the other side wrote. True if that wakes the sleeper.
bool show_word(Position& position, std::uint64_t word) {
    return (position.own() & ~Position::sleeping) != word && position.publish(word, false);
}

} // namespace

Host::Host(const KahnGraph& graph, std::uint32_t process, Channels& channels)
    : graph_{graph}, channels_{channels}, process_{graph.processes[process].maker->make(*this)} {
    clocked_ = true;
    process_->id = process;
}

Host::~Host() {
    const internal::QueueOfThread here{this}; // locals of the coroutine may close channels
    process_->task = {};
    process_.reset();
}

internal::ChannelCore& Host::channel(std::uint64_t id, internal::Side side) {
    Channel& channel = channels_[KahnGraph::channel_of(id)];
    const bool receives = side == internal::Side::in;
    (receives ? ins_ : outs_).push_back(&channel);
    return receives ? *channel.reader : *channel.writer;
}

internal::SharedEnd& Host::shared(std::uint64_t id, internal::Side side) {
    Channel& channel = channels_[KahnGraph::channel_of(id)];
    const bool sends = side == internal::Side::out;
    auto& result = channels_.meetings.ends[{id, side}];
    if (!result)
        result =
            std::make_unique<internal::SharedEnd>(sends ? *channel.writer : *channel.reader, sends);
    turn(*result);
    return *result;
}

Host::Turn& Host::turn(internal::SharedEnd& end) {
    const auto known = std::find_if(turns_.begin(), turns_.end(),
                                    [&](const Turn& each) { return each.end == &end; });
    return known != turns_.end() ? *known
                                 : turns_.emplace_back(Turn{&end, &channels_[end.core().id]});
}

/// Shows the process at most one new message per cycle.
bool Host::look_at_in(Channel& channel, std::uint64_t cycle) const {
    const std::uint64_t sent = channel.sent.at(cycle);
    const std::uint64_t received = channel.reader->received.own() & ~Position::flags;
    return show_word(channel.reader->sent, (sent & ~Position::flags) > received
                                               ? received + Position::one
                                               : received | (sent & Position::closed));
}

bool Host::look_at_out(Channel& channel, std::uint64_t cycle) const {
    const std::uint64_t sent = channel.writer->sent.own() & ~Position::flags;
    const bool room = Position::count(sent - channel.received.at(cycle)) < channel.depth;
    return show_word(channel.writer->received, room ? sent : sent - Position::one);
}

/// Reads the other sides' actions before this cycle. True if that wakes the process.
bool Host::look(std::uint64_t cycle) {
    bool wakes = false;
    for (Channel* channel : ins_)
        wakes |= look_at_in(*channel, cycle);
    for (Channel* channel : outs_)
        wakes |= look_at_out(*channel, cycle);
    for (Turn& turn : turns_) {
        turn.had = turn.end->is_held_by(*process_);
        if (turn.had)
            wakes |= turn.end->sends() ? look_at_out(*turn.channel, cycle)
                                       : look_at_in(*turn.channel, cycle);
    }
    return wakes;
}

/// True if the turn for which it waits has come.
bool Host::is_granted(std::uint64_t cycle) const {
    internal::SharedEnd* const end = claim();
    if (end != nullptr && end->is_over(cycle))
        graph_.fault(process_->id, end->core().id,
                     "waits by a link for its turn to send, but all processes to which that end is "
                     "bound have returned");
    return end != nullptr && end->grant(*process_, cycle);
}

void Host::note_turns() {
    for (Turn& turn : turns_)
        turn.had = turn.had || turn.end->is_held_by(*process_);
}

/// Publishes the actions of this cycle to the other sides, which see them in the next.
void Host::show(std::uint64_t cycle) {
    seen_[(cycle + 1) & 1] = {state_, channel()};
    const auto show_in = [&](Channel& channel) {
        channel.received.set(cycle, channel.reader->received.own() & ~Position::flags);
    };
    const auto show_out = [&](Channel& channel) {
        channel.sent.set(cycle, channel.writer->sent.own() & ~Position::sleeping);
    };
    for (Channel* channel : ins_)
        show_in(*channel);
    for (Channel* channel : outs_)
        show_out(*channel);
    for (Turn& turn : turns_)
        if (std::exchange(turn.had, false))
            turn.end->sends() ? show_out(*turn.channel) : show_in(*turn.channel);
}

bool Host::step(std::uint64_t cycle) {
    if (has_ended()) {
        bool closes = false;
        for (Turn& turn : turns_)
            closes |= turn.had = turn.end->close_if_over(cycle);
        show(cycle); // for both parities
        return closes;
    }
    cycle_ = cycle;
    const bool wakes = look(cycle);
    const bool paused = state_ == State::pauses;
    const bool has_deadline = deadline_.has_value();
    bool goes_on = !started_ || (paused ? cycle >= until_ : wakes);
    if (has_deadline && cycle >= *deadline_)
        goes_on = true;
    if (is_granted(cycle)) {
        look(cycle);
        goes_on = true;
    }
    if (internal::BarrierCore* const barrier = this->barrier(); barrier && started_)
        goes_on = barrier->is_released(*process_, cycle);
    went_on_ = goes_on;
    if (goes_on)
        resume();
    note_turns();
    show(cycle);
    if (exception_)
        std::rethrow_exception(std::exchange(exception_, {}));
    return goes_on || paused || has_deadline;
}

void Host::resume() {
    const internal::QueueOfThread here{this};
    if (!std::exchange(started_, true))
        process_->start();
    state_ = State::goes_on;
    deadline_.reset();
    process_->waits.store(0, std::memory_order_relaxed);
    process_->resume.resume();
    if (state_ != State::goes_on)
        return;
    if (wait().kind == internal::waits_to_claim)
        turn(*reinterpret_cast<internal::SharedEnd*>(wait().address)); // perhaps by a link
    switch (wait().kind) {
    case internal::waits_to_send: state_ = State::sends; break;
    case internal::waits_at_barrier: state_ = State::meets; break;
    default: state_ = State::receives;
    }
    if (wait().address == 0)
        graph_.fault(process_->id, "waits for something that is neither a channel, a barrier nor "
                                   "the clock; nothing wakes it");
}

Host::Wait Host::wait() const {
    const std::uintptr_t word = process_->waits.load(std::memory_order_relaxed);
    return {word & internal::wait_kinds, word & ~std::uintptr_t{internal::wait_kinds}};
}

std::optional<std::uint32_t> Host::channel() const {
    if (state_ != State::receives && state_ != State::sends)
        return std::nullopt;
    if (wait().kind > internal::waits_to_send)
        return std::nullopt;
    return reinterpret_cast<const internal::ChannelCore*>(wait().address)->id;
}

internal::SharedEnd* Host::claim() const {
    return state_ == State::receives && wait().kind == internal::waits_to_claim
               ? reinterpret_cast<internal::SharedEnd*>(wait().address)
               : nullptr;
}

internal::BarrierCore* Host::barrier() const {
    return state_ == State::meets ? reinterpret_cast<internal::BarrierCore*>(wait().address)
                                  : nullptr;
}

std::vector<std::uint32_t> Host::choice() const {
    std::vector<std::uint32_t> channels;
    if (state_ == State::receives && wait().kind == internal::waits_to_choose)
        for (const internal::ChannelCore* const each :
             reinterpret_cast<const internal::Choice*>(wait().address)->channels)
            channels.push_back(each->id);
    return channels;
}

void Host::pause(std::coroutine_handle<> resume, std::uint64_t cycles) {
    process_->resume = resume;
    state_ = State::pauses;
    until_ = after(cycles);
}

void Host::end(internal::ProcessDescriptor& process) {
    state_ = State::ended;
    process.ended.store(true, std::memory_order_relaxed);
    for (Channel* channel : outs_)
        channel->writer->close();
    process_->leave();
    exception_ = process_->task.handle().promise().exception();
}

void Host::fault(const internal::ProcessDescriptor& process, std::uint64_t channel,
                 const char* what) const {
    graph_.fault(process.id, channel, what);
}

} // namespace sme::clocked
