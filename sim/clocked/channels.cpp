// SPDX-License-Identifier: Apache-2.0
#include "clocked/channels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "network/build.hpp"
#include "network/find.hpp"
#include "sme/internal/group.hpp"

namespace sme::clocked {

Channels::Channels(const KahnGraph& graph, bool digests) : graph_{graph} {
    if (digests)
        histories_ = std::make_unique<internal::ChannelHistory[]>(graph.channels.size());
    for (std::uint64_t id = 0; id < graph.channels.size(); ++id) {
        const KahnGraph::Family& family = graph.family_of(id);
        auto result = std::make_unique<Channel>();
        result->depth = std::max(1U, family.depth.messages);
        const std::uint32_t slots = std::bit_ceil(result->depth);
        std::byte* const place =
            allocate(slots * family.kind->message_bytes(), family.kind->message_alignment());
        result->writer = make(*family.kind, id);
        result->reader = make(*family.kind, id);
        // each side moves one message per cycle, whatever the depth
        result->writer->to = result->writer->from = {place, slots - 1, 1};
        result->reader->to = result->reader->from = {place, slots - 1, 1};
        if (graph.channels[id].shares_writer)
            result->sent.share();
        if (graph.channels[id].shares_reader)
            result->received.share();
        if (histories_)
            result->writer->history = &histories_[id];
        channels_.push_back(std::move(result));
    }
}

Channels::~Channels() {
    for (std::uint64_t id = 0; id < channels_.size(); ++id) {
        const internal::ChannelKind& kind = *graph_.family_of(id).kind;
        Channel& channel = *channels_[id];
        // the writer's core owns the messages not yet received; the reader's core owns none
        const std::uint64_t received = channel.reader->received.own();
        channel.writer->received.publish(received, false);
        channel.reader->sent.publish(received, false);
        kind.destroy(*channel.writer);
        kind.destroy(*channel.reader);
    }
}

std::byte* Channels::allocate(std::size_t bytes, std::size_t alignment) {
    const std::size_t line = std::max<std::size_t>(64, alignment);
    memory_.push_back(Memory{
        static_cast<std::byte*>(::operator new (bytes, std::align_val_t{line})), Freed{line}});
    return memory_.back().get();
}

internal::ChannelCore* Channels::make(const internal::ChannelKind& kind, std::uint64_t id) {
    internal::ChannelCore* const result =
        kind.make(allocate(sizeof(internal::ChannelCore), alignof(internal::ChannelCore)));
    result->id = static_cast<std::uint32_t>(id);
    return result;
}

// In a cycle, part 0 of a stream writes its wires (its offer, or whether it accepts) from the state
// of the channel at the beginning of the cycle. Part 1 reads the other side's answer.

namespace {

using Position = internal::Position<>;

constexpr std::byte yes{1};

/// Port 0 is the wire that it writes, port 1 the wire that it reads.
class StreamGroup : public Group {
public:
    StreamGroup(const JoinedStream& stream, std::shared_ptr<Channels> channels, const Build& build)
        : outputs_{build}, kind_{stream.kind}, channels_{std::move(channels)},
          channel_{(*channels_)[KahnGraph::channel_of(stream.channel)]},
          writes_{build.ports[0].offsets.at(0)}, reads_{build.ports[1].offsets.at(0)} {
        const BusFamily& forward = build.bus_at(stream.to_stream ? 0 : 1, 0);
        message_ = forward.type->fields().at(1).offset;
        const BusFamily& written = build.bus_at(0, 0);
        value_bytes_ = written.type->size();
        mark_bytes_ = written.has_marks() ? written.type->leaf_count() : 0;
    }

    void step(unsigned part, Range range, const Frame& frame) override {
        if (part == 1)
            return take(frame);
        outputs_.prepare(part, range, frame);
        std::byte* const slot = frame.write + writes_;
        offer(slot, frame.cycle);
        std::memset(slot + value_bytes_, 1, mark_bytes_);
    }

protected:
    virtual void offer(std::byte* slot, std::uint64_t cycle) = 0;
    virtual void take(const Frame& frame) = 0;

    const internal::StreamKind& kind() const { return *kind_; }
    Channel& channel() const { return channel_; }
    const std::byte* read(const Frame& frame) const { return frame.read + reads_; }
    std::size_t message() const { return message_; }

private:
    Outputs outputs_;
    std::shared_ptr<const internal::StreamKind> kind_;
    std::shared_ptr<Channels> channels_;
    Channel& channel_;
    std::int64_t writes_, reads_;
    std::size_t message_ = 0;
    std::size_t value_bytes_ = 0;
    std::size_t mark_bytes_ = 0;
};

/// Receives messages for the stream.
class ToStream final : public StreamGroup {
public:
    using StreamGroup::StreamGroup;

protected:
    void offer(std::byte* slot, std::uint64_t cycle) override {
        std::memset(slot, 0, message());
        *slot = std::byte{channel().fill(cycle) > 0};
        if (*slot == yes)
            kind().show(*channel().reader, slot + message());
    }
    void take(const Frame& frame) override {
        Channel& from = channel();
        if (from.fill(frame.cycle) > 0 && *read(frame) != std::byte{0})
            kind().pop(*from.reader);
        from.received.set(frame.cycle, from.reader->received.own() & ~Position::flags);
    }
};

/// Sends the messages that the stream offers. A stream has no end, so the channel is never closed.
class FromStream final : public StreamGroup {
public:
    using StreamGroup::StreamGroup;

protected:
    void offer(std::byte* slot, std::uint64_t cycle) override {
        *slot = std::byte{has_room(cycle)};
    }
    void take(const Frame& frame) override {
        Channel& to = channel();
        if (has_room(frame.cycle) && *read(frame) != std::byte{0})
            kind().push(*to.writer, read(frame) + message());
        to.sent.set(frame.cycle, to.writer->sent.own() & ~Position::sleeping);
    }

private:
    bool has_room(std::uint64_t cycle) const { return channel().fill(cycle) < channel().depth; }
};

/// The buses of a stream: valid and data, and ready.
struct Buses {
    std::uint64_t forward, ready;
};

Buses buses_of(const Graph& graph, const JoinedStream& stream, const std::string& channel) {
    if (stream.buses) {
        const auto& [forward, ready] = *stream.buses;
        if (!graph.has(forward) || !graph.has(ready))
            throw NetworkError{fmt::format("channel '{}' is joined to a bus of another network; "
                                           "name a stream of '{}'",
                                           channel, graph.name)};
        return {forward.id, ready.id};
    }
    const auto forward = find_value(graph, stream.name);
    const auto ready = find_value(graph, stream.name + ".ready"); // by name: buses may be C++
    if (!forward || !ready)
        throw NetworkError{fmt::format("channel '{}' cannot be joined: the network '{}' has no "
                                       "stream '{}', which is a bus of type Stream(T), or a bus of "
                                       "that name and one '{}.ready'",
                                       channel, graph.name, stream.name, stream.name)};
    return {forward->element, ready->element};
}

void check_stream(const Graph& graph, const Buses& buses, const JoinedStream& stream,
                  const std::string& channel) {
    const Type& forward = *graph.family_of(buses.forward).type;
    const Type& ready = *graph.family_of(buses.ready).type;
    const TypeRef message = stream.kind->type();
    const std::string name = graph.bus_name(buses.forward);
    const bool is_stream = forward.kind() == TypeKind::structure && forward.fields().size() == 2 &&
                           forward.fields()[0].name == "valid" &&
                           forward.fields()[0].type->kind() == TypeKind::boolean &&
                           forward.fields()[1].name == "data" && ready.kind() == TypeKind::boolean;
    if (!is_stream)
        throw NetworkError{fmt::format("channel '{}' cannot be joined to '{}', a bus of {}: a "
                                       "stream has the fields valid, a bool, and data, and ready "
                                       "is a bool",
                                       channel, name, forward.written_out())};
    if (!(*forward.fields()[1].type == *message))
        throw NetworkError{fmt::format("channel '{}' carries {}, but the stream '{}' has {}",
                                       channel, message->written_out(), name,
                                       forward.fields()[1].type->written_out())};
    for (const std::uint64_t bus : {buses.forward, buses.ready})
        if (!graph.family_of(bus).wire())
            throw NetworkError{fmt::format("channel '{}' cannot be joined to '{}', which is no "
                                           "wire: valid and ready of a stream hold in one cycle",
                                           channel, graph.bus_name(bus))};
}

Port port_at(const Graph& graph, const char* name, std::uint64_t bus, bool output,
             const Location& declared) {
    Port port;
    port.name = name;
    port.output = output;
    port.type = graph.family_of(bus).type;
    port.wants_wire = output;
    port.buses = Segments::affine(1, static_cast<std::int64_t>(bus), 1);
    port.declared = declared;
    return port;
}

} // namespace

void add_stream(Graph& graph, const KahnGraph& kahn, const JoinedStream& stream,
                std::function<std::shared_ptr<Channels>()> shared) {
    const std::string channel = kahn.channel_name(KahnGraph::channel_of(stream.channel));
    const Buses buses = buses_of(graph, stream, channel);
    check_stream(graph, buses, stream, channel);
    const std::uint64_t written = stream.to_stream ? buses.forward : buses.ready;
    const std::uint64_t read = stream.to_stream ? buses.ready : buses.forward;
    ProcessFamily result;
    result.name = fmt::format("the stream of channel {}", channel);
    result.declared = graph.family_of(buses.forward).declared;
    result.ports.push_back(port_at(graph, "out", written, true, result.declared));
    result.ports.push_back(port_at(graph, "in", read, false, result.declared));
    Part first, second;
    first.writes = {{0}};
    first.may_fault = false;
    second.reads = {{1}};
    second.shares_state = true;
    second.may_fault = false;
    result.parts = {std::move(first), std::move(second)};
    result.kind = std::make_shared<const GroupFactory>(
        [stream, shared = std::move(shared)](const Build& build) -> std::unique_ptr<Group> {
            if (stream.to_stream)
                return std::make_unique<ToStream>(stream, shared(), build);
            return std::make_unique<FromStream>(stream, shared(), build);
        });
    graph.processes.push_back(std::move(result));
}

} // namespace sme::clocked
