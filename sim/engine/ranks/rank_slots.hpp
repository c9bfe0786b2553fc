// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/ranks/rank_shares.hpp"
#include "engine/slots/layout.hpp"
#include "network/checks/check.hpp"
#include "network/graph.hpp"

namespace sme::engine {

/// Bytes of an arena or of a memory.
struct Span {
    std::uint64_t offset, bytes;
};

/// What a rank exchanges with another one: the slots that one writes and the other reads.
struct Link {
    unsigned rank;
    std::vector<Span> sends, receives;
    /// Cycles that one message holds; no bus that crosses has a smaller delay.
    std::uint64_t cycles = 1;
    /// If `cycles` > 1: the elements of `sends`, in the order of their slots.
    std::vector<std::uint64_t> elements = {};
};

/// The slots of each rank. `graph`, `writers`, `layout` and `shares` must outlive it.
class RankSlots {
public:
    RankSlots(const Graph& graph, const Writers& writers, const Layout& layout,
              const RankShares& shares)
        : graph_{graph}, writers_{writers}, layout_{layout}, shares_{shares} {}

    /// The slots that the processes of a rank write, also those from which delays read; and those
    /// that no process writes but that change, which are the same on every rank.
    std::vector<Span> own(unsigned rank) const;

    /// The elements of a bus family that a rank steps where no process does, by position: those
    /// that its processes write, and those that no process writes.
    std::vector<Range> stepped(unsigned rank, const BusFamily& bus) const;

    /// The words of a memory of a family, of `bytes` bytes an instance, that a rank owns.
    std::vector<Span> words(unsigned rank, std::uint32_t family, std::uint64_t bytes) const;

    /// The links of a rank, by rank. If `observes`, observers run in each cycle on rank 0: it
    /// receives what they read, also these elements, and has a link with every rank, as it must
    /// know when the run ends.
    std::vector<Link> links(unsigned rank, bool observes, const std::vector<Range>& observed) const;
    /// For each rank, the slots of its processes that the observers of the network read, and of
    /// these elements; slots that no process writes are those of rank 0.
    std::vector<std::vector<Span>> observed(const std::vector<Range>& elements) const;

    /// The instances of each family on a rank that write what other ranks read, observers aside:
    /// by position, ascending.
    std::vector<std::vector<std::uint64_t>> boundary(unsigned rank) const;

    /// What a rank sends in a cycle, and with how many it exchanges messages, without observers.
    struct Load {
        std::uint64_t bytes = 0, neighbours = 0;
        double messages = 0; // to all neighbours
    };
    std::vector<Load> loads() const;

private:
    /// Elements as ranges [first, end).
    using Elements = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    /// What crosses, by its writer and its reader. With a rank: only what that one sends or
    /// receives.
    struct Crossing {
        unsigned rank;
        std::map<std::pair<unsigned, unsigned>, Elements> elements;
    };
    static constexpr unsigned no_rank = ~0U;

    template <class Visit>
    void for_each_writer(std::uint64_t first, std::uint64_t end, Visit visit) const;
    /// Of all observers, or of all other processes.
    void add_ports(Crossing& to, bool observers) const;
    void add_port(std::uint32_t family, const Port& port, Crossing& to) const;
    void add_run(const Segment& run, unsigned reader, Crossing& to) const;
    static void cross(std::uint64_t element, std::uint64_t count, std::int64_t stride,
                      unsigned writer, unsigned reader, Crossing& to);
    std::vector<Span> spans(Elements& elements, bool with_delays) const;
    std::uint64_t least_delay(const Elements& elements) const;
    std::vector<std::uint64_t> by_slot(const Elements& elements) const;

    const Graph& graph_;
    const Writers& writers_;
    const Layout& layout_;
    const RankShares& shares_;
};

} // namespace sme::engine
