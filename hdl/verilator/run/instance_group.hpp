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
#include "verilator/run/moves.hpp"

namespace sme::verilator {

/// Where a signal inside lies in a model.
struct SeenSignal {
    std::string scope, name; // as `Model::inside` takes them
    std::size_t offset = 0;  // of the element in a memory
};

/// A port of the module, or a signal inside that is looked at like an output, bound: where its bits
/// come from or go to.
struct BoundPort {
    VerilogBinding binding;
    TypeRef type;           // of an element
    std::size_t offset = 0; // of the field in the slot
    std::size_t number = 0; // of the port in the library
    unsigned width = 1;
    std::uint64_t elements = 0; // of an unpacked array; 0: it is none
    /// Of an output that is no wire: the inputs that it may follow. Empty: it follows none.
    std::vector<std::string> suspects;
    std::optional<SeenSignal> seen; // it is no port

    std::byte* in(const Model& model) const {
        return seen ? model.inside(seen->scope, seen->name) + seen->offset : model.port(number);
    }
    /// That it has in a model.
    std::size_t bytes() const { return Moves::port_bytes(width, elements); }
};

/// A part of the process: settles the module for some of its wires.
struct SettlePart {
    std::vector<std::size_t> inputs; // places in `ModuleFactory::ports`
    std::vector<std::size_t> outputs;
    bool falls = false; // an output moves when a clock falls within the cycle
};

/// What all instances of one module have in common.
struct ModulePlan {
    /// A clock: its number in the library.
    struct Clock {
        std::size_t port;
        ClockRate rate;
    };
    struct Reset {
        std::size_t port;
        bool high; // the value that resets
    };

    VerilogModule module;
    std::shared_ptr<const Library> library; // null: it was not built
    std::vector<BoundPort> ports;
    std::vector<SettlePart> settles;
    std::vector<std::size_t> registered; // outputs that are no wires
    std::vector<Clock> clocks;
    std::vector<Reset> resets;
    bool has_last_part = true;    // behind the settle parts: edges, and inputs that no part sets
    bool has_edge_inputs = false; // registers take their values at the edges of bound inputs
    bool uses_time = true;
    bool falls = false;    // registers take their values when a clock falls within a cycle
    DataFiles data_files;  // that the module reads
    std::string unsavable; // what of it cannot be saved; empty: nothing
    std::vector<InsideSignal> inside; // when that is traced
    std::uint32_t first_inside = 0;   // the process's port of its first signal
    std::string path;                 // to the module in what was built
    std::optional<std::size_t> looks; // the part that shows what is looked at inside

    unsigned parts() const {
        return static_cast<unsigned>(settles.size() + (has_last_part ? 1 : 0));
    }
    /// Whether it has one clock, which rises in every cycle.
    bool has_plain_clock() const { return clocks.size() == 1 && clocks[0].rate.is_every_cycle(); }
};

/// A model after its reset, with its inputs at the values that `input` gives: bytes of the port.
std::unique_ptr<Model> started(const ModulePlan& plan, std::uint64_t instance, std::uint64_t seed,
                               const Graph& graph, const ProcessFamily& family);

std::unique_ptr<Group> make_group(std::shared_ptr<const ModulePlan> plan, const Build& build);

} // namespace sme::verilator
