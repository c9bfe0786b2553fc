// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/build.hpp"
#include "network/verilog.hpp"
#include "verilator/inspect/netlist.hpp"
#include "verilator/run/data_files.hpp"
#include "verilator/run/inside.hpp"
#include "verilator/run/library.hpp"
#include "verilator/run/port_codec.hpp"

namespace sme::verilator {

/// The position of an inside signal in a model.
struct SeenSignal {
    std::string scope, name; // as `Model::inside` takes them
    std::size_t offset = 0;  // of the element in a memory
};

/// A bound port of the module, or an inside signal observed like an output: the source or target of
/// its bits.
struct BoundPort {
    VerilogBinding binding;
    TypeRef type;           // of an element
    std::size_t offset = 0; // of the field in the slot
    std::size_t number = 0; // of the port in the library
    unsigned width = 1;
    std::uint64_t elements = 0; // of an unpacked array; 0: not an array
    bool has_edges = false;     // an input whose edges load registers, but not a clock
    /// Of a non-wire output: the inputs on which it may depend; empty if it depends on no input.
    std::vector<std::string> suspects;
    std::optional<SeenSignal> seen; // set if it is not a port

    std::byte* in(const Model& model) const {
        return seen ? model.inside(seen->scope, seen->name) + seen->offset : model.port(number);
    }
    /// Returns its size in a model.
    std::size_t bytes() const { return PortCodec::port_bytes(width, elements); }
};

/// A part of the process that settles the module for some of its wires.
struct SettlePart {
    std::vector<std::size_t> inputs; // indices in `ModulePlan::ports`
    std::vector<std::size_t> outputs;
    bool falls = false; // an output changes when a clock falls within the cycle
};

/// The data shared by all instances of one module.
struct ModulePlan {
    /// A clock: its port number in the library.
    struct Clock {
        std::size_t port;
        ClockRate rate;
    };
    struct Reset {
        std::size_t port;
        bool high; // the active level
    };

    VerilogModule module;
    std::shared_ptr<const Library> library; // null: not built
    std::vector<BoundPort> ports;
    std::vector<SettlePart> settles;
    std::vector<std::size_t> registered; // non-wire outputs
    std::vector<Clock> clocks;
    std::vector<Reset> resets;
    bool has_last_part = true;    // after the settle parts: edges, and inputs that no settle part
                                  // sets
    bool has_edge_inputs = false; // edges of bound inputs load registers
    bool uses_time = true;
    bool falls = false;               // a clock that falls within a cycle loads registers
    DataFiles data_files;             // read by the module
    std::string unsavable;            // the part that checkpoints cannot save; empty: nothing
    std::vector<InsideSignal> inside; // if traced
    std::uint32_t first_inside = 0;   // the process's port of its first signal
    std::string path;                 // to the module in the built object
    std::optional<std::size_t> looks; // the part that reads observed inside signals

    unsigned parts() const {
        return static_cast<unsigned>(settles.size() + (has_last_part ? 1 : 0));
    }
    /// Tests whether it has one clock, which rises in every cycle.
    bool has_plain_clock() const { return clocks.size() == 1 && clocks[0].rate.is_every_cycle(); }
};

/// Returns a model after its reset, with its inputs at the initial values of their buses. A fed bus
/// has no initial value: its first row is the value of cycle 0.
std::unique_ptr<Model> started(const ModulePlan& plan, std::uint64_t instance, std::uint64_t seed,
                               const Graph& graph, const ProcessFamily& family);

std::unique_ptr<Group> make_group(std::shared_ptr<const ModulePlan> plan, const Build& build);

} // namespace sme::verilator
