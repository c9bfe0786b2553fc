// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <systemc>

#include "network/graph.hpp"
#include "sme/network.hpp"
#include "sme/simulator.hpp"
#include "systemc/kernel.hpp"
#include "systemc/port_type.hpp"

namespace sme::systemc {

/// The options of a SystemC module for `add`.
template <class Module> struct ModuleOf {
    /// Its clock: `&Counter::clk`, or a function from Module& to sc_in<bool>&.
    std::function<sc_core::sc_in<bool>&(Module&)> clock;
    /// Constructs the module; if empty, from its name alone.
    std::function<std::unique_ptr<Module>(const char* name)> make = {};
    /// The clock period, in picoseconds; 2 or more.
    std::uint64_t clock_ps = 10'000;
    /// Whether SystemC gets a separate thread. By default, a module with SC_THREADs or SC_CTHREADs
    /// gets one; a module with only methods runs on any thread that steps it, several times faster.
    /// If false, it runs on the thread that creates the simulator, which must also step it: use
    /// `threads = 1`. A module that spawns threads during the run needs true or false.
    std::optional<bool> own_thread = {};
};

namespace internal {

/// A binding of a bus to a port; `Access` gives the port of a Module&.
template <class T, class Access, bool Output> struct Binding {
    using Value = T;
    static constexpr bool output = Output;
    Bus<T> bus;
    Access access;
    std::string name = {};               // of the bus
    std::vector<std::byte> initial = {}; // its value in cycle 0
};

/// The types on both sides of a binding.
template <class Module, class B> struct Sides;
template <class Module, class T, class Access, bool Output>
struct Sides<Module, Binding<T, Access, Output>> {
    using Port = std::remove_reference_t<std::invoke_result_t<const Access&, Module&>>;
    using Signal = typename Port::data_type;
    using NetworkPort = std::conditional_t<Output, Out<T>, In<T>>;
    static_assert(Output ? std::is_same_v<Port, sc_core::sc_out<Signal>>
                         : std::is_same_v<Port, sc_core::sc_in<Signal>>,
                  "an input is bound to an sc_in, an output to an sc_out");
};

/// The signal between a bus and a port; lives on the kernel's thread. Its slot holds the bus's
/// value, in the layout of the bus.
template <class Module, class B> class Line {
public:
    using Signal = typename Sides<Module, B>::Signal;
    using T = typename B::Value;

    Line(const B& binding, Module& module)
        : type_{type_of<T>()}, name_{binding.name}, slot_(type_->size()) {
        std::invoke(binding.access, module)(signal_);
        if (!binding.initial.empty())
            slot_ = binding.initial;
        if constexpr (!B::output)
            write();
    }

    /// Copies bus to module.
    void write() { signal_.write(PortType<Signal>::load(*type_, slot_.data())); }
    /// Copies module to bus.
    void read() { PortType<Signal>::store(*type_, slot_.data(), signal_.read()); }
    /// Tests whether the module's value changed since the last read.
    bool moved() const {
        std::vector<std::byte> now(slot_.size());
        PortType<Signal>::store(*type_, now.data(), signal_.read());
        return now != slot_;
    }
    const std::string& name() const { return name_; }
    std::vector<std::byte>& slot() { return slot_; }

private:
    TypeRef type_;
    std::string name_;
    sc_core::sc_signal<Signal> signal_;
    std::vector<std::byte> slot_;
};

/// The kernel, its module and the lines to the module's ports, created and destroyed on its thread.
template <class Module, class... B> class Instance {
public:
    Instance(const std::string& name, const ModuleOf<Module>& how, const std::tuple<B...>& bindings)
        : kernel_{name, how.own_thread}, half_ps_{how.clock_ps / 2}, other_half_ps_{how.clock_ps -
                                                                                    half_ps_} {
        on_kernel([&] { build(name, how, bindings); });
        kernel_.look_for_coroutines();
        on_kernel([&] { settle(); });
        kernel_.look_for_coroutines();
    }
    ~Instance() {
        try {
            kernel_.run([this] { parts_.reset(); });
        } catch (...) { // NOLINT(bugprone-empty-catch): a module's destructor threw; it is gone
        }
    }
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    /// Runs a cycle: takes the inputs from the lines' slots and leaves the outputs there. Returns
    /// false if the model stopped the simulation.
    bool cycle() {
        bool goes_on = true;
        kernel_.run([&] { goes_on = run_cycle(); });
        return goes_on;
    }

    template <std::size_t K> std::vector<std::byte>& slot() {
        return std::get<K>(parts_->lines)->slot();
    }
    Module& module() { return *parts_->module; }

private:
    struct Parts {
        std::unique_ptr<Module> module;
        sc_core::sc_signal<bool> clock;
        std::tuple<std::unique_ptr<Line<Module, B>>...> lines;
    };

    /// Runs one step of the construction; if it fails, destroys the module.
    template <class Job> void on_kernel(Job job) {
        kernel_.run([&] {
            try {
                job();
            } catch (...) {
                parts_.reset();
                throw;
            }
        });
    }

    void build(const std::string& name, const ModuleOf<Module>& how,
               const std::tuple<B...>& bindings) {
        parts_ = std::make_unique<Parts>();
        parts_->module = how.make ? how.make(name.c_str()) : make_by_name(name.c_str());
        how.clock (*parts_->module)(parts_->clock);
        std::apply(
            [&](const B&... binding) {
                parts_->lines = {std::make_unique<Line<Module, B>>(binding, *parts_->module)...};
            },
            bindings);
    }

    void settle() {
        Kernel::settle();
        each_output([](auto& line) {
            if (line.moved())
                throw std::runtime_error{
                    "its output '" + line.name() +
                    "' shows another value before the first cycle than the bus does; give the bus "
                    "that initial value"};
        });
    }

    static std::unique_ptr<Module> make_by_name(const char* name) {
        if constexpr (std::is_constructible_v<Module, const char*> ||
                      std::is_constructible_v<Module, sc_core::sc_module_name>)
            return std::make_unique<Module>(name);
        else
            throw NetworkError{"a module whose constructor takes more than a name needs `make`"};
    }

    /// Changes the inputs while the clock is low; then the clock rises, and falls.
    bool run_cycle() {
        each_input([](auto& line) { line.write(); });
        if (!Kernel::pass(half_ps_))
            return false;
        each_output([](auto& line) {
            if (line.moved())
                throw std::runtime_error{
                    "its output '" + line.name() +
                    "' changed before the clock rose: it follows an input, or comes later than "
                    "half a cycle after the edge; only outputs that a clock's edge sets can be "
                    "bound to buses"};
        });
        parts_->clock.write(true);
        bool goes_on = Kernel::pass(other_half_ps_);
        if (goes_on) {
            parts_->clock.write(false);
            goes_on = Kernel::settle();
        }
        each_output([](auto& line) { line.read(); });
        return goes_on;
    }

    template <class Visit> void each_input(Visit visit) { each<false>(visit); }
    template <class Visit> void each_output(Visit visit) { each<true>(visit); }
    template <bool Output, class Visit> void each(Visit& visit) {
        std::apply(
            [&](auto&... line) {
                const auto one = [&]<class Found>(std::type_identity<Found>, auto& found) {
                    if constexpr (Found::output == Output)
                        visit(*found);
                };
                (one(std::type_identity<B>{}, line), ...);
            },
            parts_->lines);
    }

    Kernel kernel_;
    std::uint64_t half_ps_;
    std::uint64_t other_half_ps_;
    std::unique_ptr<Parts> parts_;
};

/// Throws NetworkError for a bus that cannot be bound.
void check_binding(const Graph& graph, const sme::internal::BusKey& key, bool output, bool matches,
                   const std::string& port_type, const Name& process);
std::string bus_name(const Graph& graph, std::uint64_t bus);
/// Returns the value of a bus in cycle 0; empty: zero.
std::vector<std::byte> initial_of(const Graph& graph, std::uint64_t bus);

} // namespace internal

/// A SystemC module as a process; `add` creates it.
///
/// A cycle takes `clock_ps` of SystemC time: the inputs change while the clock is low, half a cycle
/// later it rises, half a cycle after that it falls, and the outputs are read. sc_stop() halts the
/// network; an error or fatal error of sc_report, or any exception, is a fault of the process.
/// kernel.hpp describes the thread it runs on.
template <class Module, class... B> class ModuleProcess : public Process {
public:
    ModuleProcess(const std::string& name, const ModuleOf<Module>& how,
                  const std::tuple<B...>& bindings,
                  typename internal::Sides<Module, B>::NetworkPort... ports)
        : name_{name}, ports_{ports...} {
        try {
            instance_ = std::make_unique<internal::Instance<Module, B...>>(name, how, bindings);
        } catch (const NetworkError&) {
            throw;
        } catch (const std::exception& error) {
            throw NetworkError{"process '" + name + "', a SystemC module: " + error.what()};
        }
    }

    void step() {
        inputs(std::index_sequence_for<B...>{});
        const bool goes_on = instance_->cycle();
        outputs(std::index_sequence_for<B...>{});
        if (!goes_on)
            halt();
    }

    /// Returns the module itself; use it only between cycles.
    Module& module() { return instance_->module(); }

private:
    template <std::size_t... K> void inputs(std::index_sequence<K...>) { (input<K>(), ...); }
    template <std::size_t... K> void outputs(std::index_sequence<K...>) { (output<K>(), ...); }
    template <std::size_t K> using Nth = std::tuple_element_t<K, std::tuple<B...>>;
    template <std::size_t K> void input() {
        if constexpr (!Nth<K>::output)
            sme::internal::store(instance_->template slot<K>().data(), std::get<K>(ports_).read());
    }
    template <std::size_t K> void output() {
        if constexpr (Nth<K>::output)
            std::get<K>(ports_).write(
                sme::internal::load<typename Nth<K>::Value>(instance_->template slot<K>().data()));
    }

    std::string name_;
    std::tuple<typename internal::Sides<Module, B>::NetworkPort...> ports_;
    std::unique_ptr<internal::Instance<Module, B...>> instance_;
};

/// Binds a bus to an sc_in of the module: `input(enable, &Counter::enable)`. A function from
/// Module& to the port can replace the member pointer.
template <class T, class Access>
internal::Binding<T, Access, false> input(Bus<T> bus, Access port) {
    return {bus, std::move(port)};
}
/// Binds a bus, which must not be a wire, to an sc_out of the module.
template <class T, class Access>
internal::Binding<T, Access, true> output(Bus<T> bus, Access port) {
    return {bus, std::move(port)};
}

/// Adds a SystemC module to a network as a process. Only one process of one simulator in a program
/// can be such a module, because SystemC has one kernel; combine several modules in a parent
/// module. Throws NetworkError if a port does not fit its bus.
template <class Module, class... B>
Handle<ModuleProcess<Module, B...>> add(Network& network, const Name& name, ModuleOf<Module> how,
                                        B... bindings) {
    const Graph& graph = network.graph();
    const auto look_up = [&]<class One>(One& binding) {
        using Signal = typename internal::Sides<Module, One>::Signal;
        const TypeRef type = type_of<typename One::Value>();
        internal::check_binding(graph, binding.bus.key(), One::output,
                                PortType<Signal>::matches(*type), PortType<Signal>::name(), name);
        binding.name = internal::bus_name(graph, binding.bus.id());
        binding.initial = internal::initial_of(graph, binding.bus.id());
    };
    (look_up(bindings), ...);
    const auto end = [](const auto& binding) {
        if constexpr (std::decay_t<decltype(binding)>::output)
            return sme::out(binding.bus);
        else
            return sme::in(binding.bus);
    };
    return network.add<ModuleProcess<Module, B...>>(
        name, name.text(), std::move(how), std::tuple<B...>{bindings...}, end(bindings)...);
}

} // namespace sme::systemc
