// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "sme/internal/kahn_descriptor.hpp"
#include "sme/internal/kahn_position.hpp"

// A channel in a run: a ring of slots between one sender and one receiver. Each side counts its
// messages in its own Position, on its own cache line.
//
// Depth 0 is a rendezvous. The sender publishes the address of its message, counts it as sent and
// sleeps until the message is received, so the later side completes the transfer. If the receiver
// arrives first and sleeps, the sender moves the message to the receiver's destination, counts for
// the receiver, and continues.

namespace sme {

/// The result of `receive`: a std::optional returned in memory. In registers, its parts would be
/// written as two words and read back as one, which costs 8 ns.
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
    ~Received() {} // NOLINT: must not be trivial, see above

    explicit operator bool() const& { return this->has_value(); }
    /// Deleted: name the message, as in `if (auto v = co_await x.receive())`. GCC 12 miscompiles a
    /// condition that awaits without a name.
    explicit operator bool() const&& = delete;
};

namespace internal {

/// The slots of a ring and its usable depth. Both sides have a copy.
struct SlotRing {
    std::byte* slots = nullptr; ///< their number is a power of two
    std::uint32_t mask = 0;
    std::uint32_t depth = 0;
};

/// The part of a channel that does not depend on the message type.
struct ChannelCore {
    // the sender's line
    alignas(64) Position<> sent;
    std::uint64_t send_limit = 0; ///< there is room while the word of `sent` is below this
    SlotRing to;
    void* offer = nullptr;             ///< at depth 0: the message of the sleeping sender
    ChannelHistory* history = nullptr; ///< null: no digest
    ProcessDescriptor* writer = nullptr;
    bool concurrent = false; ///< the sides may run on different threads
    // the receiver's line
    alignas(64) Position<> received;
    /// There is a message while the word of `received` is below this.
    std::uint64_t receive_limit = 0;
    SlotRing from;
    /// At depth 0: the Received<T> of the sleeping receiver; null if it chooses.
    void* demand = nullptr;
    ProcessDescriptor* reader = nullptr;
    ChannelCore* next_out = nullptr; ///< next channel that its writer closes when it ends
    std::uint32_t id = 0;
    bool ended = false;         ///< the receiver has seen the end
    bool shares_writer = false; ///< several processes take turns
    bool shares_reader = false;
    bool made = false; ///< while the network runs; its ends may change hands

    std::uint32_t depth() const { return to.depth; }
    /// Returns the number of messages, including an offer. Only for a thread that may see both
    /// sides.
    std::uint64_t fill() const {
        return Position<>::count(sent.load()) - Position<>::count(received.load());
    }
    std::uintptr_t waiting(WaitKind kind) const {
        return reinterpret_cast<std::uintptr_t>(this) | kind;
    }

    /// Called by the sender; `sleeps`: the receiver had marked that it sleeps.
    void wake_reader(bool sleeps) const {
        if (sleeps)
            running().ready(*reader);
    }

    /// Called by the sender. Closing again has no effect.
    void close() {
        const std::uint64_t word = sent.own();
        if ((word & Position<>::closed) != 0)
            return;
        send_limit = 0;
        const std::uint64_t last = (word & ~Position<>::sleeping) | Position<>::closed;
        wake_reader(sent.publish(last, concurrent));
    }
    bool is_closed() const { return (sent.own() & Position<>::closed) != 0; }

    /// Called by the receiver.
    bool has_message() {
        const std::uint64_t word = received.own();
        if (word < receive_limit)
            return true;
        const std::uint64_t limit = sent.load() & ~Position<>::flags;
        receive_limit = limit;
        return word < limit;
    }
    /// Called after `has_message` returned false: true if no message will follow.
    bool has_ended() const { return (sent.load() & Position<>::closed) != 0; }
};

/// The operations on a channel with messages of type T. The sender's operations are called on the
/// thread of the writing process, the others on that of the reading process.
template <class T> struct ChannelOf : ChannelCore {
    using Word = std::uint64_t;

    T* slot(const SlotRing& ring, std::uint64_t count) const {
        return std::launder(reinterpret_cast<T*>(ring.slots)) + (count & ring.mask);
    }

    // ---- the sender

    /// A word is below the limit if its count is, whatever its flag bits.
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

    /// Requires room.
    void push(T&& message) {
        if (history != nullptr) [[unlikely]]
            history->add(message);
        const std::uint64_t count = Position<>::count(sent.own());
        std::construct_at(slot(to, count), std::move(message));
        wake_reader(sent.publish((count + 1) * Position<>::one, concurrent));
    }

    /// Puts the sender to sleep until there is room. Returns false if there is room already.
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

    /// Only at depth 0. Returns true if the message was received. Otherwise the process sleeps
    /// until it is received or the channel has become deeper; in the latter case `offer` is still
    /// set.
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
                received.publish(offered, false); // the owner sleeps; `ready` publishes this to it
                running().ready(*reader);
                return true;
            }
            running().ready(*reader); // it chooses, and may still take another message
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

    /// Requires a message; moves it to `place`.
    void pop(Received<T>& place) {
        const std::uint64_t count = Position<>::count(received.own());
        T* from_where = from.depth == 0 ? static_cast<T*>(offer) : slot(from, count);
        place.emplace(std::move(*from_where));
        if (from.depth != 0)
            std::destroy_at(from_where);
        if (received.publish((count + 1) * Position<>::one, concurrent))
            running().ready(*writer);
    }

    /// Puts the receiver to sleep until there is a message or the end. Returns false if there
    /// already is one. At depth 0 the sender may move the message to `place`.
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

} // namespace internal
} // namespace sme
