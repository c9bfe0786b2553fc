// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/cycle_log.hpp"

#include <algorithm>
#include <cstring>

namespace sme::engine {

namespace {

/// More save hardly any time, and all ranks run them before an observer can end the run.
constexpr std::uint64_t most_noted = 1024;
/// Of a message. One cycle may need more.
constexpr std::uint64_t most_bytes = std::uint64_t{4} << 20;

} // namespace

CycleLog::CycleLog(Transport& transport, std::vector<std::vector<Span>> spans,
                   std::size_t arena_bytes)
    : transport_{transport}, arena_{transport.rank() == 0 ? arena_bytes : 0} {
    std::uint64_t largest = 1;
    for (std::vector<Span>& each : spans) {
        Source& source = sources_.emplace_back();
        source.spans = std::move(each);
        for (const Span& span : source.spans)
            source.bytes += span.bytes;
        largest = std::max(largest, source.bytes);
    }
    most_ = std::clamp<std::uint64_t>(most_bytes / largest, 1, most_noted);
    for (unsigned rank = 0; rank < sources_.size(); ++rank)
        if (transport.rank() == 0 || transport.rank() == rank)
            sources_[rank].cycles.resize(most_ * sources_[rank].bytes);
}

void CycleLog::note(const std::byte* arena) {
    Source& own = sources_[transport_.rank()];
    std::byte* next = own.cycles.data() + noted_ * own.bytes;
    for (const Span& span : own.spans) {
        std::memcpy(next, arena + span.offset, span.bytes);
        next += span.bytes;
    }
    ++noted_;
}

void CycleLog::collect() {
    std::vector<Transport::Sent> sent;
    std::vector<Transport::Received> received;
    const auto part = [&](Source& source) {
        return std::span{source.cycles}.first(noted_ * source.bytes);
    };
    if (Source& own = sources_[transport_.rank()]; transport_.rank() > 0 && own.bytes > 0)
        sent.push_back({0, part(own)});
    for (unsigned rank = 1; rank < sources_.size() && transport_.rank() == 0; ++rank)
        if (sources_[rank].bytes > 0)
            received.push_back({rank, part(sources_[rank])});
    if (!sent.empty() || !received.empty())
        transport_.exchange(sent, received);
}

void CycleLog::unpack(std::uint64_t cycle, std::byte* arena) const {
    for (const Source& source : sources_) {
        const std::byte* next = source.cycles.data() + cycle * source.bytes;
        for (const Span& span : source.spans) {
            std::memcpy(arena + span.offset, next, span.bytes);
            next += span.bytes;
        }
    }
}

std::byte* CycleLog::values(std::uint64_t cycle) {
    unpack(cycle, arena_.data());
    return arena_.data();
}

void CycleLog::settle(std::byte* arena) {
    clear();
    note(arena);
    collect();
    if (transport_.rank() == 0)
        unpack(0, arena);
}

} // namespace sme::engine
