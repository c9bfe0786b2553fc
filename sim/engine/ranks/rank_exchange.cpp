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

std::size_t bytes_of(const std::vector<Span>& spans) {
    std::size_t sum = sizeof(CycleEnd);
    for (const Span& span : spans)
        sum += span.bytes;
    return sum;
}

} // namespace

void RankExchange::set_links(std::vector<Link> links) {
    has_links_ = true;
    for (Link& link : links) {
        Neighbour& neighbour = neighbours_.emplace_back();
        neighbour.out.resize(bytes_of(link.sends));
        neighbour.in.resize(bytes_of(link.receives));
        neighbour.link = std::move(link);
    }
}

std::uint64_t RankExchange::bytes_sent() const {
    std::uint64_t sum = 0;
    for (const Neighbour& neighbour : neighbours_)
        sum += neighbour.out.size() - sizeof(CycleEnd);
    return sum;
}

void RankExchange::begin(std::uint64_t cycles) {
    cycles_ = cycles;
    sent_ = 0;
    for (Neighbour& neighbour : neighbours_) {
        neighbour.received = 0;
        neighbour.stopped = false;
    }
}

void RankExchange::pack(Neighbour& to, const std::byte* write, const CycleEnd& end) const {
    put(to.out, end);
    std::byte* next = to.out.data() + sizeof end;
    for (const Span& span : to.link.sends) {
        std::memcpy(next, write + span.offset, span.bytes);
        next += span.bytes;
    }
}

CycleEnd RankExchange::exchange(std::byte* write, const CycleEnd& own) {
    sends_.clear();
    receives_.clear();
    for (Neighbour& each : neighbours_) {
        pack(each, write, own);
        sends_.push_back({each.link.rank, each.out});
        if (!each.stopped)
            receives_.push_back({each.link.rank, each.in});
    }
    transport_.exchange(sends_, receives_);
    ++sent_;
    CycleEnd joined;
    for (Neighbour& each : neighbours_) {
        if (each.stopped)
            continue;
        ++each.received;
        const auto end = value_of<CycleEnd>(each.in);
        joined.fault_level = std::min(joined.fault_level, end.fault_level);
        joined.halted = joined.halted || end.halted;
        joined.stopped = joined.stopped || end.stopped;
        each.stopped = end.stopped;
        if (end.stopped)
            continue;
        const std::byte* next = each.in.data() + sizeof end;
        for (const Span& span : each.link.receives) {
            std::memcpy(write + span.offset, next, span.bytes);
            next += span.bytes;
        }
    }
    return joined;
}

void RankExchange::end() {
    std::vector<Transport::Sent> sent;
    if (sent_ < cycles_)
        for (Neighbour& each : neighbours_) {
            CycleEnd stopped;
            stopped.stopped = true;
            put(each.out, stopped);
            sent.push_back({each.link.rank, each.out});
        }
    for (bool first = true;; first = false) {
        std::vector<Transport::Received> received;
        for (Neighbour& each : neighbours_)
            if (!each.stopped && each.received < cycles_)
                received.push_back({each.link.rank, each.in});
        if (received.empty() && (!first || sent.empty()))
            return;
        transport_.exchange(first ? sent : std::vector<Transport::Sent>{}, received);
        for (Neighbour& each : neighbours_)
            if (!each.stopped && each.received < cycles_) {
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
