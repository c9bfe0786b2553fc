// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_rate.hpp"
#include "base/source.hpp"
#include "network/segments.hpp"
#include "network/shape.hpp"
#include "sme/bus.hpp"
#include "sme/group.hpp"
#include "sme/type.hpp"

namespace sme {

/// A clock of the network. What it clocks changes in its cycles alone.
struct ClockDomain {
    std::string name;
    ClockRate rate;
    Location declared;
    std::optional<std::uint64_t> signal = {}; // the bus element that is its level, for waveforms
};

/// In the place of a domain's number: none.
inline constexpr std::uint32_t no_domain = ~std::uint32_t{0};

/// A family of buses of one type; a single bus is a family of one. An element is known everywhere
/// by its number: `first` plus its place in the family.
struct BusFamily {
    static constexpr std::uint32_t longest_delay = 1'048'576;

    std::string name;
    Shape shape;
    TypeRef type;
    std::uint32_t delay = 1; // cycles of the network; 0: a wire
    Unwritten unwritten = Unwritten::zero;
    /// Slot bytes of the initial values: none (zero), one for all elements, or one for each.
    std::vector<std::byte> initial;
    bool has_initial = false;
    /// Made by the loader: it is no mistake when nothing reads it.
    bool made = false;
    /// Written by the simulator's user (`poke`), not by a process.
    bool input = false;
    /// The forward fields of a bundle: its back fields are families called "name.field".
    bool bundle = false;
    /// Of a channel in a network that runs without a clock: how many messages it holds; else 0.
    std::uint32_t places = 0;
    /// The private state of a process: seen by it, by checks and by the tracer on request.
    bool state = false;
    /// Such a state that is traced without request: a signal inside a Verilog module.
    bool traced = false;
    /// Its slots say which scalars were written, as those of `error` buses do: for a validator.
    bool marked = false;
    std::uint32_t domain = no_domain; // of the clock that writes it
    Location declared;

    std::uint64_t first = 0; // the number of its first element, set by Graph::add
    std::uint64_t count = 1;

    bool wire() const { return delay == 0; }
    /// Whether the bytes after a value in its slots say, scalar by scalar, if it was written.
    bool has_marks() const { return marked || unwritten == Unwritten::error; }
    std::string element_name(std::uint64_t element) const {
        return shape.element_name(name, element - first);
    }
};

/// A port of all instances of a process family, bound to a bus for each instance in source order.
struct Port {
    std::string name;
    bool output = false;
    TypeRef type;
    bool wants_wire = false;
    bool own = false; // reads back what the process writes: no reader in the sense of "unused"
    Segments buses;   // instance in source order → number of a bus element
    Location declared;
    /// Of an output the domain that clocks it, of an input the one in which it is read; none: of
    /// any, as of a port that leads from one domain into another.
    std::uint32_t domain = no_domain;
};

/// Some top-level fields of what lies at a port; bit 63 stands for all fields from the 64th on.
struct PortUse {
    std::uint32_t port;
    std::uint64_t fields = ~std::uint64_t{0};
};

/// A part of a process that runs once a cycle by itself (design: parts and levels).
struct Part {
    enum class Kind : std::uint8_t {
        step,   ///< computes outputs and state
        commit, ///< makes collected memory writes visible, after everything else of the cycle
    };
    Kind kind = Kind::step;
    std::vector<PortUse> reads;
    std::vector<PortUse> writes;
    /// Whether a step of it can fault; where it cannot, threads need not wait to hear of it.
    bool may_fault = true;
    /// Uses what the parts before it use, other than buses: runs after all of them.
    bool shares_state = false;
};

/// Words that stay in place between cycles; owned by the process, laid out by the simulator,
/// instance by instance in slot order.
struct Memory {
    std::string name;
    TypeRef element;
    std::uint64_t words = 0;
    std::vector<std::byte> initial; // empty: zero; else the words of one instance, or of each
    std::vector<std::uint64_t> dimensions;
    Location declared;
};

/// A memory of another process that this one looks at. The owner has one instance, or as many as
/// this family.
struct MemoryUse {
    std::uint32_t family;
    std::uint32_t memory;
    std::uint64_t instance;
};

/// All instances of one kind of process: a group, described.
struct ProcessFamily {
    std::string name;
    Shape shape;
    std::uint64_t count = 1;
    std::vector<Port> ports;
    std::vector<Part> parts;
    std::vector<Memory> memories;
    std::vector<MemoryUse> looks_at;
    std::shared_ptr<const GroupFactory> kind;
    /// Writes no bus; also runs for the cycle after the last, and when a level before it faulted.
    bool observer = false;
    /// Made by the loader, not by the user: feeds an input. Not counted as a process.
    bool helper = false;
    /// The file that a helper feeds from or an observer records to, as the user wrote it.
    std::string file;
    std::uint32_t domain = no_domain; // the clock that it steps with
    Location declared;

    /// Instances of C++ pools have names of their own, in runs: from instance `first` on, "text",
    /// or "text[index]", "text[index + 1]", …
    struct NameRun {
        std::uint64_t first;
        std::string text;
        bool indexed;
        std::uint64_t index;
        Location declared;
    };
    std::vector<NameRun> names;

    /// Writes to its memories are made at the end of a cycle, when observers have seen it.
    void let_writes_wait();
    std::string instance_name(std::uint64_t source) const;
    Location instance_location(std::uint64_t source) const;
    /// Where the port was bound: instances of C++ pools are bound where they are added.
    Location port_location(const Port& port, std::uint64_t source) const {
        return names.empty() ? port.declared : instance_location(source);
    }
};

/// A network as plain data, in source order.
struct Graph {
    std::string name;
    std::vector<BusFamily> buses;
    std::vector<ProcessFamily> processes;
    std::vector<ClockDomain> domains; // the first is that of processes that name none
    Location declared;

    /// Lets the slots of all buses, but not those of states, say what was written.
    void mark_writes();
    /// Adds a family of buses and numbers its elements.
    BusFamily& add(BusFamily family);
    /// When a domain's clock rises; without a domain in every cycle.
    ClockRate rate_of(std::uint32_t domain) const {
        return domain == no_domain ? ClockRate{} : domains.at(domain).rate;
    }
    /// The delay of a bus in cycles of the clock that writes it.
    std::uint64_t cycles_of_delay(const BusFamily& bus) const {
        const std::uint64_t every = rate_of(bus.domain).every;
        return (bus.delay + every - 1) / every;
    }
    std::uint64_t bus_count() const;
    std::uint64_t process_count() const; // without observers
    /// The family that holds an element.
    const BusFamily& family_of(std::uint64_t element) const;
    std::string bus_name(std::uint64_t element) const {
        return family_of(element).element_name(element);
    }
};

} // namespace sme
