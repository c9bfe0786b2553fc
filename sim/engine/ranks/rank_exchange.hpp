// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/ranks/rank_slots.hpp"
#include "engine/slots/delay_line.hpp"
#include "runtime/transport.hpp"
#include "sme/results.hpp"

namespace sme::engine {

/// No level faulted.
inline constexpr std::uint32_t no_fault_level = ~std::uint32_t{0};

/// How a cycle ended on a rank.
struct CycleEnd {
    std::uint32_t fault_level = no_fault_level; // the first level with a fault
    bool halted = false;
    bool stopped = false; // the rank did not run this cycle: it ended before

    /// Makes this the end of the cycle on both ranks.
    void join(const CycleEnd& other) {
        fault_level = std::min(fault_level, other.fault_level);
        halted = halted || other.halted;
        stopped = stopped || other.stopped;
    }
};

/// Exchanges the slots that cross between the ranks of a run.
///
/// A run is a sequence of stretches of cycles, the same on all ranks. In a stretch, each rank sends
/// one message a cycle to each of its neighbours. Where all buses that cross have a delay of n
/// cycles or more, it sends one before the stretch and one in each n cycles, each with the values
/// of the next n. A rank that ends early marks its last message; a neighbour then ends, too, and so
/// on. All agree on the cycle in which the run ended first (`agree`).
class RankExchange {
public:
    explicit RankExchange(Transport& transport) : transport_{transport} {}

    unsigned rank() const { return transport_.rank(); }
    /// Sets the links with other ranks; before the first stretch. later(element): the values of an
    /// element with a delay.
    /// `observed`: rank 0 must know in each cycle how it ended on all ranks.
    void set_links(std::vector<Link> links, bool observed,
                   const std::function<LaterValues(std::uint64_t element)>& later);
    bool has_links() const { return has_links_; }
    std::size_t neighbours() const { return neighbours_.size(); }
    /// Bytes of slots that this rank sends for each cycle.
    std::uint64_t bytes_sent() const;
    /// Calls visit(span) for each span that this rank receives.
    template <class Visit> void for_each_received(Visit visit) const {
        for (const Neighbour& neighbour : neighbours_)
            for (const Span& span : neighbour.link.receives)
                visit(span);
    }

    /// Begins a stretch of some cycles, from `first` on, which reads the arena `read`.
    void begin(std::uint64_t first, std::uint64_t cycles, std::byte* read);
    /// After the steps of a cycle: sends own slots and receives those of others, in the arena that
    /// the next cycle reads. Returns the reports of the neighbours on this cycle, combined.
    CycleEnd exchange(std::byte* write, const CycleEnd& own);
    /// Before the last steps of a cycle, which write nothing that crosses: begins to exchange the
    /// slots, unless rank 0 must know now how this cycle ends. `exchange` completes that.
    void begin_exchange(std::byte* write);
    /// Ends the stretch: tells neighbours that wait for this rank, and takes what they still send.
    void end();

    /// The end of a stretch. Smaller is earlier.
    struct Ending {
        std::uint64_t cycle = ~std::uint64_t{0}; // the last cycle; no end: the largest number
        std::uint32_t fault_level = no_fault_level;
        RunEnd kind = RunEnd::completed;
    };
    /// The first ending; in its cycle a fault outranks a failed check, which outranks a halt.
    static Ending first(const std::vector<Ending>& endings);
    /// The first ending of all ranks. Every rank calls it.
    Ending agree(const Ending& own) const;

private:
    struct Neighbour {
        Link link;
        std::uint64_t slot_bytes = 0, received_bytes = 0; // of a cycle
        std::vector<LaterValues> later;                   // of the slots that it sends
        std::vector<std::byte> out, in;                   // a header and the slots of each cycle
        std::uint64_t sent = 0, received = 0;             // messages in this stretch
        bool stopped = false;
        bool under_way = false; // a message in both directions, from `start_some` to `complete`
    };

    /// How many messages `cycles` cycles of a stretch have.
    static std::uint64_t messages(const Neighbour& neighbour, std::uint64_t cycles) {
        const std::uint64_t each = neighbour.link.cycles;
        return cycles / each + (each > 1 ? 1 : 0);
    }
    void pack(Neighbour& to, const std::byte* arena, const CycleEnd& end) const;
    static void unpack(const Neighbour& from, std::uint64_t cycle, std::byte* arena);
    template <class Wanted> void start_some(std::byte* arena, const CycleEnd& own, Wanted wanted);
    CycleEnd complete(std::byte* arena);

    Transport& transport_;
    std::vector<Neighbour> neighbours_;
    bool has_links_ = false;
    bool observed_ = false;
    bool under_way_ = false;             // a message of any neighbour
    std::vector<Transport::Sent> sends_; // of a cycle; kept, as every cycle fills them
    std::vector<Transport::Received> receives_;
    std::uint64_t first_ = 0, cycles_ = 0; // of the stretch
    std::uint64_t done_ = 0;               // cycles of it
};

} // namespace sme::engine
