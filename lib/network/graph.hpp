// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_rate.hpp"
#include "base/source.hpp"
#include "network/segments.hpp"
#include "network/shape.hpp"
#include "sme/internal/group.hpp"
#include "sme/network.hpp"
#include "sme/type.hpp"

namespace sme {

/// A clock of the network. Its processes and buses change only in its cycles.
struct ClockDomain {
    std::string name;
    ClockRate rate;
    Location declared;
    std::optional<std::uint64_t> signal = {}; // the bus element with its level, for waveforms
};

/// A domain number that means: no domain.
inline constexpr std::uint32_t no_domain = ~std::uint32_t{0};

/// The purpose of a bus or process that is generated for a channel.
enum class ChannelRole : std::uint8_t {
    none,     ///< not generated for a channel
    received, ///< the bus of the receiver
    sent,     ///< the bus of the sender, in front of the queue
    rows,     ///< the bus with the rows of an input file, in front of the feeder
    closed,   ///< the bus that tells whether the sender is done
    closing,  ///< the same before a queue that stalls, which closes later
    empty,    ///< the bus that tells whether a queue that stalls is empty
    queue,    ///< the process that holds the messages
    feeder,   ///< the process that sends the rows of a file
    recorder, ///< the process that receives for a file
    opener,   ///< the process that never closes the channel
    closer,   ///< the process that closes a channel that stalls
};

/// The part of a bus or process in a channel.
struct ChannelPart {
    ChannelRole role = ChannelRole::none;
    std::uint32_t channel = 0; // in Graph::channels

    explicit operator bool() const { return role != ChannelRole::none; }
    bool operator==(const ChannelPart&) const = default;
};

/// A channel, or a family of channels, as declared. Its buses and processes name it.
struct ChannelFamily {
    std::string name; // with the names of its scopes
    Location declared;
};

/// A family of buses of one type; a single bus is a family of one. An element is identified
/// everywhere by its number: `first` plus its position in the family.
struct BusFamily {
    static constexpr std::uint32_t longest_delay = 1'048'576;

    std::string name;
    Shape shape;
    TypeRef type;
    std::uint32_t delay = 1; // network cycles; 0: a wire
    Unwritten unwritten = Unwritten::zero;
    /// The initial values as slot bytes: empty (zero), one value for all elements, or one for each.
    std::vector<std::byte> initial;
    bool has_initial = false;
    /// Not in the file: no warning if it has no reader.
    bool generated = false;
    ChannelPart channel;
    /// Written by the simulator's user (`poke`), not by a process.
    bool input = false;
    /// An open input of a network file: its source, outside, reads the reverse fields.
    bool open = false;
    /// The forward fields of a bundle; the families of its reverse fields follow it in the graph.
    bool bundle = false;
    /// For a reverse field of a bundle: its name, "ready"; otherwise empty.
    std::string reverse_field;
    std::uint32_t reverse_of = 0; // the number of the bundle's family in the graph
    /// For a channel in a network that runs without a clock: its capacity in messages; otherwise 0.
    std::uint32_t places = 0;
    /// The private state of a process, visible to it, to checks, and on request to the tracer.
    bool state = false;
    /// A state that is traced without request: a signal inside a Verilog module.
    bool traced = false;
    /// Its slots mark the scalars written, like those of `error` buses; for a validator.
    bool marked = false;
    std::uint32_t domain = no_domain; // of the clock that writes it
    Location declared;

    std::uint64_t first = 0; // element number of the first element, set by Graph::add
    std::uint64_t count = 1;

    bool wire() const { return delay == 0; }
    /// Returns whether marks follow the value in its slots: for each scalar, whether it was
    /// written.
    bool has_marks() const { return marked || unwritten == Unwritten::error; }
    std::string element_name(std::uint64_t element) const {
        return shape.element_name(name, element - first);
    }
};

/// A port of all instances of a process family. Each instance, in source order, has a bus.
struct Port {
    std::string name;
    bool output = false;
    TypeRef type;
    bool wants_wire = false;
    // Reads back what the process writes; does not count as a reader for "unused".
    bool own = false;
    Segments buses; // instance in source order → bus element number
    Location declared;
    /// For an output: the domain that clocks it; for an input: the domain that reads it. no_domain:
    /// any, as for a port that leads from one domain into another.
    std::uint32_t domain = no_domain;
    /// For the port of a reverse field, or of the `closed` of a channel: the port of the bundle's
    /// forward fields. The first runs against its direction, the second with it.
    std::optional<std::uint32_t> beside = {};
    /// Of an observer: its program selects among all these buses by an index.
    bool indexed = false;
};

/// Some top-level fields of the value at a port; bit 63 represents all fields from the 64th on.
struct PortUse {
    std::uint32_t port;
    std::uint64_t fields = ~std::uint64_t{0};
};

/// A part of a process, which runs once a cycle, separately from the other parts (design: parts and
/// levels).
struct Part {
    enum class Kind : std::uint8_t {
        step,   ///< computes outputs and state
        commit, ///< makes collected memory writes visible, at the end of the cycle
    };
    Kind kind = Kind::step;
    std::vector<PortUse> reads;
    std::vector<PortUse> writes;
    /// Whether its step can fault; if not, threads need not wait for the outcome.
    bool may_fault = true;
    /// Shares data other than buses with the parts before it, so it runs after all of them.
    bool shares_state = false;
};

/// Words that persist between cycles; owned by the process and laid out by the simulator, instance
/// by instance in slot order.
struct Memory {
    std::string name;
    TypeRef element;
    std::uint64_t words = 0;
    std::vector<std::byte> initial; // empty: zero; otherwise the words of one instance, or of each
    std::vector<std::uint64_t> dimensions;
    Location declared;
};

/// A memory of another process that this one reads. The owner has one instance, or as many as this
/// family.
struct MemoryUse {
    std::uint32_t family;
    std::uint32_t memory;
    std::uint64_t instance;
};

/// All instances of one kind of process: the description of a group.
struct ProcessFamily {
    std::string name;
    Shape shape;
    std::uint64_t count = 1;
    std::vector<Port> ports;
    std::vector<Part> parts;
    std::vector<Memory> memories;
    std::vector<MemoryUse> looks_at;
    std::shared_ptr<const GroupFactory> kind;
    /// Writes no bus; also runs for the cycle after the last, and after a fault in an earlier
    /// level.
    bool observer = false;
    /// Made by the loader, not by the user, to feed an input. Not counted as a process.
    bool helper = false;
    bool input = false; // a helper of the network's `inputs`; each port is one element
    /// How many elements of a bus family it feeds as an input.
    std::uint64_t feeds(const BusFamily& bus) const;
    ChannelPart channel;
    /// The file that a helper reads or an observer writes, as the user wrote its name.
    std::string file;
    std::uint32_t domain = no_domain; // the clock of its steps
    Location declared;

    /// Instances of C++ pools have individual names, stored in runs: from instance `first` on,
    /// "text", or "text[index]", "text[index + 1]", …
    struct NameRun {
        std::uint64_t first;
        std::string text;
        bool indexed;
        std::uint64_t index;
        Location declared;
    };
    std::vector<NameRun> names;

    /// About how many operations an instance needs in a cycle.
    double operations() const { return kind ? kind->operations : GroupFactory::usual_operations; }
    /// Delays writes to its memories to the end of a cycle, after observers have seen the cycle.
    void let_writes_wait();
    std::string instance_name(std::uint64_t source) const;
    Location instance_location(std::uint64_t source) const;
    /// Returns where the port was bound: instances of C++ pools are bound where they are added.
    Location port_location(const Port& port, std::uint64_t source) const {
        return names.empty() ? port.declared : instance_location(source);
    }
};

/// A network as plain data, in source order.
struct Graph {
    std::string name;
    std::vector<BusFamily> buses;
    std::vector<ProcessFamily> processes;
    std::vector<ChannelFamily> channels;
    std::vector<ClockDomain> domains; // the first is the domain of processes that name no domain
    Location declared;
    /// The number of the network in handles; no two networks of a program have the same.
    std::uint64_t network_number = next_number();

    /// Returns whether a handle belongs to a bus of this network.
    bool has(const internal::BusKey& key) const {
        return key.network == network_number && key.id < bus_count();
    }
    /// Adds marks to the slots of all buses except states: they tell which scalars were written.
    void mark_writes();
    /// Adds a family of buses and numbers its elements.
    BusFamily& add(BusFamily family);
    /// Returns the rate of a domain's clock; without a domain, every cycle.
    ClockRate rate_of(std::uint32_t domain) const {
        return domain == no_domain ? ClockRate{} : domains.at(domain).rate;
    }
    /// Returns the delay of a bus in cycles of the clock that writes it.
    std::uint64_t cycles_of_delay(const BusFamily& bus) const {
        const std::uint64_t every = rate_of(bus.domain).every;
        return (bus.delay + every - 1) / every;
    }
    std::uint64_t bus_count() const;
    std::uint64_t process_count() const; // without observers
    /// Returns the family that contains an element.
    const BusFamily& family_of(std::uint64_t element) const;
    std::string bus_name(std::uint64_t element) const {
        return family_of(element).element_name(element);
    }
    /// Returns the bundle of a reverse field; null for other buses.
    const BusFamily* bundle_of(const BusFamily& bus) const {
        return bus.reverse_field.empty() ? nullptr : &buses.at(bus.reverse_of);
    }
    /// Returns the family of a reverse field of a bundle; null if it has no such field. Its element
    /// for an element of the bundle is at the same position.
    const BusFamily* reverse_field(const BusFamily& bundle, std::string_view field) const;

private:
    static std::uint64_t next_number();
};

/// The state, a u16, that every actor has in a network loaded to run without a clock: the result of
/// its last step. In such a network channels are buses with `BusFamily::places`.
inline constexpr const char* firing_state = ".firing";

/// The values of this state: the actor fired; it is done and will not fire again; or it waits,
/// coded as `waits` plus the number of its end of a channel, counted through its inputs and then
/// its outputs, in file order.
enum Firing : std::uint16_t { fired = 0, done = 1, waits = 2 };

/// The behaviour of an input after its last row.
enum class AtEnd : std::uint8_t { halt, zero, hold, repeat };

/// Rows of values for a family of buses: row r is the value that readers see in cycle r; for a
/// stream, the value offered until the stream has been accepted r + 1 times.
struct InputRows {
    std::vector<std::byte> values; // [row][element], each value in slot layout
    std::uint64_t rows = 0;
    std::size_t row_bytes = 0;
    AtEnd at_end = AtEnd::halt;
    /// There is a row after the last one: the value readable when the run has halted.
    bool row_behind = false;
    /// For a single bus of a bundle: a row is offered until 'ready', the bus at the second port, is
    /// true.
    bool stream = false;
    /// For a waveform: the signal chosen as the clock, if the user names no clock.
    std::string clock_taken;
    /// The clock of the domain that reads the rows: its cycles count, not those of the network.
    ClockRate rate;
    /// The cycle in which each row begins to be read, ascending from 0. Empty: row r is read in
    /// cycle r.
    std::vector<std::uint64_t> starts = {};

    /// Returns the row that readers see in a cycle; it may be past the last row.
    std::uint64_t row_in(std::uint64_t cycle) const {
        const std::uint64_t edges = rate.edges_before(cycle);
        if (starts.empty())
            return edges;
        const auto next = std::upper_bound(starts.begin(), starts.end(), edges);
        return static_cast<std::uint64_t>(next - starts.begin()) - 1;
    }
};

} // namespace sme
