// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "sme/kahn_descriptor.hpp"
#include "sme/kahn_digest.hpp"
#include "sme/kahn_position.hpp"

// A channel while it runs: a ring of slots between one sender and one receiver. Each side counts
// what it moved in a Position of its own, on a cache line of its own.
//
// Depth 0 is a rendezvous. The sender offers the address of its message, counts it as sent and
// sleeps until it is received, so the second to come completes; where the receiver came first and
// sleeps, the sender moves the message to where the receiver wants it, counts for it, and goes on.

namespace sme {

/// What `receive` returns: a std::optional that its caller receives in memory. In registers, its
/// parts would be written as two words and read back as one, which costs 8 ns.
template <class T> class Received : public std::optional<T> {
public:
    using std::optional<T>::optional;
    Received(Received&& other) noexcept {
        if (other)
            this->emplace(std::move(*other));
    }
    Received& operator=(Received&& other) noexcept {
        std::optional<T>::operator=(std::move(other));
        return *this;
    }
    ~Received() {} // NOLINT: not trivial, see above

    explicit operator bool() const& { return this->has_value(); }
    /// Give the message a name: `if (auto v = co_await x.receive())`. GCC 12 miscompiles a
    /// condition that awaits without one.
    explicit operator bool() const&& = delete;
};

namespace detail {

/// Where the slots are, and how many may be filled. Both sides have a copy.
struct SlotRing {
    std::byte* slots = nullptr; ///< a power of two of them
    std::uint32_t mask = 0;
    std::uint32_t depth = 0;
};

/// What does not depend on the type of the messages.
struct ChannelCore {
    // the sender's line
    alignas(64) Position<> sent;
    std::uint64_t send_limit = 0; ///< a word of `sent` below it has room
    SlotRing to;
    void* offer = nullptr;             ///< at depth 0: the message of the sender that sleeps
    ChannelHistory* history = nullptr; ///< null: no digest is wanted
    ProcessDescriptor* writer = nullptr;
    bool concurrent = false; ///< the sides may be on different threads
    // the receiver's line
    alignas(64) Position<> received;
    std::uint64_t receive_limit = 0; ///< a word of `received` below it has a message
    SlotRing from;
    /// At depth 0: the Received<T> of the receiver that sleeps; null: it chooses.
    void* demand = nullptr;
    ProcessDescriptor* reader = nullptr;
    ChannelCore* next_out = nullptr; ///< the next one that its writer closes when it ends
    std::uint32_t id = 0;
    bool ended = false;         ///< the receiver has seen the end
    bool shares_writer = false; ///< several processes take turns
    bool shares_reader = false;

    std::uint32_t depth() const { return to.depth; }
    /// Messages in it, seen from a thread that may see both sides; an offer counts.
    std::uint64_t fill() const {
        return Position<>::count(sent.load()) - Position<>::count(received.load());
    }
    std::uintptr_t waiting(WaitKind kind) const {
        return reinterpret_cast<std::uintptr_t>(this) | kind;
    }

    /// By the sender, where the receiver had marked that it sleeps.
    void wake_reader(bool sleeps) const {
        if (sleeps)
            running().ready(*reader);
    }

    /// By the sender. Closing again changes nothing.
    void close() {
        const std::uint64_t word = sent.own();
        if ((word & Position<>::closed) != 0)
            return;
        send_limit = 0;
        const std::uint64_t last = (word & ~Position<>::sleeping) | Position<>::closed;
        wake_reader(sent.publish(last, concurrent));
    }
    bool is_closed() const { return (sent.own() & Position<>::closed) != 0; }

    /// By the receiver.
    bool has_message() {
        const std::uint64_t word = received.own();
        if (word < receive_limit)
            return true;
        const std::uint64_t limit = sent.load() & ~Position<>::flags;
        receive_limit = limit;
        return word < limit;
    }
    /// Called after `has_message` said no: true when there will be none any more.
    bool has_ended() const { return (sent.load() & Position<>::closed) != 0; }
};

/// The operations on a channel of messages of type T. Those of the sender are called on the thread
/// of the process that writes, the others on that of the reader.
template <class T> struct ChannelOf : ChannelCore {
    using Word = std::uint64_t;

    T* slot(const SlotRing& ring, std::uint64_t count) const {
        return std::launder(reinterpret_cast<T*>(ring.slots)) + (count & ring.mask);
    }

    // ---- the sender

    /// A word is below the limit when its count is, whatever its marks are.
    bool has_room() {
        const Word word = sent.own();
        if (word < send_limit)
            return true;
        if ((word & Position<>::closed) != 0) [[unlikely]]
            return false;
        const Word limit = (received.load() & ~Position<>::flags) + to.depth * Position<>::one;
        send_limit = limit;
        return word < limit;
    }

    /// Needs room.
    void push(T&& message) {
        if (history != nullptr) [[unlikely]]
            history->add(message);
        const std::uint64_t count = Position<>::count(sent.own());
        std::construct_at(slot(to, count), std::move(message));
        wake_reader(sent.publish((count + 1) * Position<>::one, concurrent));
    }

    /// Sleeps until there is room. False when there is some.
    [[gnu::noinline]] bool sleep_to_send() {
        writer->waits.store(waiting(waits_to_send), std::memory_order_release);
        if (!concurrent)
            return received.mark_alone();
        Word seen = received.load();
        while (Position<>::count(sent.own()) - Position<>::count(seen) >= to.depth)
            if (received.mark(seen))
                return true;
        return false;
    }

    /// At depth 0. True: the message is gone. False: the process sleeps until it is received, or
    /// until the channel has become deeper, when `offer` is still there.
    [[gnu::noinline]] bool offer_to_reader(T& message) {
        if (history != nullptr) [[unlikely]]
            history->add(message);
        writer->waits.store(waiting(waits_to_send), std::memory_order_release);
        const std::uint64_t count = Position<>::count(sent.own());
        const Word offered = (count + 1) * Position<>::one;
        offer = &message;
        if (sent.publish(offered, concurrent)) {
            if (demand != nullptr) {
                static_cast<Received<T>*>(demand)->emplace(std::move(message));
                received.publish(offered, false); // its owner sleeps; `ready` carries it over
                running().ready(*reader);
                return true;
            }
            running().ready(*reader); // it chooses, and may yet take another message
        }
        if (!concurrent)
            return !received.mark_alone();
        Word seen = received.load();
        while (Position<>::count(seen) == count)
            if (received.mark(seen))
                return false;
        return true;
    }

    // ---- the receiver

    /// Needs a message, which it moves to `place`.
    void pop(Received<T>& place) {
        const std::uint64_t count = Position<>::count(received.own());
        T* from_where = from.depth == 0 ? static_cast<T*>(offer) : slot(from, count);
        place.emplace(std::move(*from_where));
        if (from.depth != 0)
            std::destroy_at(from_where);
        if (received.publish((count + 1) * Position<>::one, concurrent))
            running().ready(*writer);
    }

    /// Sleeps until there is a message or the end. False when there is. At depth 0 the message may
    /// come to `place`.
    bool sleep_to_receive(Received<T>& place) {
        reader->waits.store(waiting(waits_to_receive), std::memory_order_release);
        demand = &place;
        if (!concurrent)
            return sent.mark_alone();
        Word seen = sent.load();
        while (seen == (received.own() & ~Position<>::flags))
            if (sent.mark(seen))
                return true;
        return false;
    }
};

} // namespace detail
} // namespace sme
