// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/rank_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace sme::engine {

namespace {

template <class Value> Value value_of(const std::vector<std::byte>& bytes) {
    Value value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
    return value;
}

template <class Value> void put(std::vector<std::byte>& bytes, const Value& value) {
    std::memcpy(bytes.data(), &value, sizeof value);
}

std::uint64_t bytes_of(const std::vector<Span>& spans) {
    std::uint64_t sum = 0;
    for (const Span& span : spans)
        sum += span.bytes;
    return sum;
}

} // namespace

void RankExchange::set_links(std::vector<Link> links, bool observed,
                             const std::function<LaterValues(std::uint64_t element)>& later) {
    has_links_ = true;
    observed_ = observed;
    for (Link& link : links) {
        Neighbour& neighbour = neighbours_.emplace_back();
        neighbour.slot_bytes = bytes_of(link.sends);
        neighbour.received_bytes = bytes_of(link.receives);
        neighbour.out.resize(sizeof(CycleEnd) + link.cycles * neighbour.slot_bytes);
        neighbour.in.resize(sizeof(CycleEnd) + link.cycles * neighbour.received_bytes);
        for (const std::uint64_t element : link.elements)
            neighbour.later.push_back(later(element));
        neighbour.link = std::move(link);
    }
}

std::uint64_t RankExchange::bytes_sent() const {
    std::uint64_t sum = 0;
    for (const Neighbour& neighbour : neighbours_)
        sum += neighbour.slot_bytes;
    return sum;
}

void RankExchange::begin(std::uint64_t first, std::uint64_t cycles, std::byte* read) {
    first_ = first;
    cycles_ = cycles;
    done_ = 0;
    for (Neighbour& neighbour : neighbours_) {
        neighbour.sent = neighbour.received = 0;
        neighbour.stopped = false;
    }
    start_some(read, {}, [](const Neighbour& each) { return each.link.cycles > 1; });
    complete(read);
}

/// The slots of the next cycles, after `done_` cycles of the stretch.
void RankExchange::pack(Neighbour& to, const std::byte* arena, const CycleEnd& end) const {
    put(to.out, end);
    std::byte* next = to.out.data() + sizeof end;
    const auto add = [&](const std::byte* from, std::uint64_t bytes) {
        std::memcpy(next, from, bytes);
        next += bytes;
    };
    for (const Span& span : to.link.sends)
        add(arena + span.offset, span.bytes);
    for (std::uint64_t i = 1; i < to.link.cycles; ++i)
        for (const LaterValues& later : to.later)
            add(later.at(first_ + done_ - 1, i, arena), later.bytes);
}

void RankExchange::unpack(const Neighbour& from, std::uint64_t cycle, std::byte* arena) {
    const std::byte* next = from.in.data() + sizeof(CycleEnd) + cycle * from.received_bytes;
    for (const Span& span : from.link.receives) {
        std::memcpy(arena + span.offset, next, span.bytes);
        next += span.bytes;
    }
}

CycleEnd RankExchange::exchange(std::byte* write, const CycleEnd& own) {
    CycleEnd result;
    if (under_way_)
        result = complete(write);
    ++done_;
    for (const Neighbour& each : neighbours_)
        if (const std::uint64_t cycle = done_ % each.link.cycles; cycle != 0 && !each.stopped)
            unpack(each, cycle, write);
    start_some(write, own, [&](const Neighbour& each) {
        return each.sent < messages(each, done_) && done_ % each.link.cycles == 0;
    });
    result.join(complete(write));
    return result;
}

void RankExchange::begin_exchange(std::byte* write) {
    if (!observed_)
        start_some(write, {}, [](const Neighbour& each) { return each.link.cycles == 1; });
}

/// Begins to exchange messages with the neighbours for which `wanted` is true.
template <class Wanted>
void RankExchange::start_some(std::byte* arena, const CycleEnd& own, Wanted wanted) {
    sends_.clear();
    receives_.clear();
    for (Neighbour& each : neighbours_) {
        if (!wanted(each))
            continue;
        pack(each, arena, own);
        sends_.push_back({each.link.rank, each.out});
        ++each.sent;
        each.under_way = !each.stopped;
        if (!each.stopped)
            receives_.push_back({each.link.rank, each.in});
    }
    under_way_ = !sends_.empty();
    if (under_way_)
        transport_.start(sends_, receives_);
}

CycleEnd RankExchange::complete(std::byte* arena) {
    CycleEnd joined;
    if (!std::exchange(under_way_, false))
        return joined;
    transport_.wait();
    for (Neighbour& each : neighbours_) {
        if (!std::exchange(each.under_way, false))
            continue;
        ++each.received;
        const auto end = value_of<CycleEnd>(each.in);
        joined.join(end);
        each.stopped = end.stopped;
        if (!end.stopped)
            unpack(each, 0, arena);
    }
    return joined;
}

void RankExchange::end() {
    std::vector<Transport::Sent> sent;
    for (Neighbour& each : neighbours_)
        if (each.sent < messages(each, cycles_)) {
            CycleEnd stopped;
            stopped.stopped = true;
            put(each.out, stopped);
            sent.push_back({each.link.rank, each.out});
        }
    for (bool first = true;; first = false) {
        std::vector<Transport::Received> received;
        const auto waits = [&](const Neighbour& each) {
            return !each.stopped && each.received < messages(each, cycles_);
        };
        for (Neighbour& each : neighbours_)
            if (waits(each))
                received.push_back({each.link.rank, each.in});
        if (received.empty() && (!first || sent.empty()))
            return;
        transport_.exchange(first ? sent : std::vector<Transport::Sent>{}, received);
        for (Neighbour& each : neighbours_)
            if (waits(each)) {
                ++each.received;
                each.stopped = value_of<CycleEnd>(each.in).stopped;
            }
    }
}

namespace {

/// The order of endings of one cycle.
int importance(RunEnd kind) {
    switch (kind) {
    case RunEnd::faulted: return 0;
    case RunEnd::check_failed: return 1;
    case RunEnd::halted: return 2;
    case RunEnd::stopped: return 3;
    default: return 4;
    }
}

} // namespace

RankExchange::Ending RankExchange::agree(const Ending& own) const {
    std::vector<std::byte> bytes(sizeof own);
    put(bytes, own);
    std::vector<Ending> all;
    for (const std::vector<std::byte>& each : transport_.gather(bytes))
        all.push_back(value_of<Ending>(each));
    return first(all);
}

RankExchange::Ending RankExchange::first(const std::vector<Ending>& all) {
    Ending result;
    for (const Ending& ending : all)
        result.cycle = std::min(result.cycle, ending.cycle);
    for (const Ending& ending : all) {
        if (ending.cycle != result.cycle)
            continue;
        result.fault_level = std::min(result.fault_level, ending.fault_level);
        if (importance(ending.kind) < importance(result.kind))
            result.kind = ending.kind;
    }
    return result;
}

} // namespace sme::engine
