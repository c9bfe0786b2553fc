// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "engine/access.hpp"
#include "network/graph.hpp"
#include "python/process.hpp"
#include "sme/load.hpp"
#include "sme/run.hpp"

namespace sme::python {

class Signal;

/// A network file in a simulator. One thread at a time uses it.
class Simulation {
public:
    struct Options {
        LoadOptions load;
        std::vector<ProcessText> processes; // beside those of the file
        std::vector<ProcessText> against;   // second implementations
        SimulatorOptions simulator;
        bool native = false;      // from the first cycle on
        bool interpreted = false; // no compiler is started
        std::string trace;        // the file of a waveform; empty: no trace
        std::string trace_select;
        bool trace_state = false;
    };
    Simulation(const std::string& path, Options options);
    ~Simulation();

    /// Runs at most `cycles` cycles without the GIL; returns how many it ran. Raises Fault and
    /// CheckFailed of the package, and KeyboardInterrupt after Ctrl-C.
    std::uint64_t run(std::uint64_t cycles);
    /// Runs cycle by cycle: before cycle k the inputs have row k of their arrays; returns an array
    /// for each recorded signal, whose row k is what cycle k read.
    nanobind::dict run_rows(std::uint64_t cycles, const nanobind::dict& feed,
                            const nanobind::object& record);
    void finish();

    std::uint64_t cycle() const { return simulator_->cycle(); }
    /// "running", "halted", "check failed", "faulted" or "finished".
    std::string state() const;
    std::optional<std::uint64_t> cycles() const { return network_.cycles(); }
    bool ends_by_itself() const { return network_.ends_by_itself(); }
    std::string name() const;
    std::vector<CheckResult> checks();
    std::vector<OutputResult> outputs();
    void save(const std::string& path);
    std::vector<std::string> load(const std::string& path) { return simulator().load(path); }
    void compile() { sme::compile(simulator()); }

    /// Finds a bus, a family, a part of their values, a state or a memory. Throws NetworkError.
    Signal signal(const std::string& path);
    std::vector<std::string> names() const;
    std::vector<std::string> inputs() const;

    /// The objects in Python that it keeps, for the garbage collector.
    std::vector<nanobind::object>& kept() { return kept_; }

    // for Signal
    Simulator& simulator();
    const Graph& graph() const { return network_graph_; }
    const std::byte* slot(std::uint64_t element) const;
    /// The places of a family's elements, from the slot of its first one on.
    const Segments& slots(const BusFamily& bus) const;
    engine::Access& access();
    std::uint64_t moment() const { return moment_; } // changes with every run

private:
    std::string place_of_count(const std::string& path) const;
    void check_free() const;
    void show_prints();
    void check_end();
    [[noreturn]] void raise_fault(const std::string& text) const;

    std::string path_;
    std::vector<std::string> prints_;
    std::vector<nanobind::object> kept_; // the steps of processes
    std::shared_ptr<RaisedError> raised_ = std::make_shared<RaisedError>();
    LoadedNetwork network_;
    const Graph& network_graph_;
    std::vector<std::shared_ptr<const Agreement>> agreements_;
    std::unique_ptr<Simulator> simulator_;
    Execution execution_;
    bool finished_ = false;
    std::uint64_t moment_ = 0;
    std::atomic<bool> busy_{false};
};

/// A value of a simulation, by its path.
class Signal {
public:
    enum class Kind : std::uint8_t { value, family, memory };

    std::string path;
    Kind kind = Kind::value;
    TypeRef type;
    std::uint64_t element = 0;        // the first one
    std::size_t offset = 0;           // in a slot, or in the words of an instance
    std::vector<std::uint64_t> shape; // of a family or a memory
    bool wire = false;
    bool input = false;
    std::uint32_t family = 0; // these four: of a memory
    std::size_t memory = 0;
    std::uint64_t instance = 0;  // the first one
    std::uint64_t instances = 1; // each with such a memory
    Simulation* simulation = nullptr;
    nanobind::object owner;                        // its object in Python
    std::map<std::string, nanobind::object> parts; // those that were asked for

    nanobind::object get() const;
    /// For a wire, the value that it had in the last cycle: until anything else is read or set.
    nanobind::object last() const;
    void set(nanobind::handle value) const;
    nanobind::object view(nanobind::handle owner) const;
    nanobind::object dtype() const;
    std::uint64_t count() const;
    /// Copies the values, one after the other; of wires, those that they have now.
    void copy(std::byte* to) const;
    std::size_t bytes() const { return static_cast<std::size_t>(count()) * type->size(); }
};

/// The family of buses of that name; null for a single bus, and if that name is unknown.
const BusFamily* family_named(const Graph& graph, const std::string& name);
/// How many members a family has in each dimension; if some are dropped, how many there are.
std::vector<std::uint64_t> shape_of(const Shape& members);

/// An array of that shape with these values, one after the other.
nanobind::object array_of(const std::vector<std::byte>& values, const Type& type,
                          const std::vector<std::uint64_t>& shape);

} // namespace sme::python
