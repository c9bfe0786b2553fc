// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "sme/archive.hpp"
#include "sme/network.hpp"
#include "sme/threads.hpp"

namespace sme {

class Observer;

/// A number of clock cycles.
struct Cycles {
    std::uint64_t count;
    constexpr explicit Cycles(std::uint64_t cycles) : count{cycles} {}
};

/// The model did what no model may: `what()` holds every fault of the cycle with its process and
/// where that was declared.
class ModelFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An observer could not do its work: a disk is full, or its options fit no bus.
class ObserverError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Runs a network. It builds its own process objects, so one network can have several simulators.
/// All calls come from one thread; the network must outlive the simulator.
class Simulator {
public:
    /// Checks the network and lays it out. Throws NetworkError with every diagnostic when it has
    /// errors, or when more threads are asked for than there can be.
    explicit Simulator(const Network& network, const SimulatorOptions& options = {});
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    /// Runs that many cycles, or fewer when a process halts. Returns how many it ran. Throws
    /// ModelFault after the cycle of a fault; the simulator runs no further then. Throws
    /// PlacementError before the first cycle when a policy loses or repeats a chunk.
    std::uint64_t run(Cycles cycles);
    /// Runs one cycle.
    void step() { run(Cycles{1}); }
    /// Runs until `done()` is true, looking before every cycle, but at most `most` cycles. Returns
    /// how many it ran.
    template <class Done> std::uint64_t run_until(Done done, Cycles most) {
        std::uint64_t ran = 0;
        while (ran < most.count && !halted() && !done())
            ran += run(Cycles{1});
        return ran;
    }

    /// The number of the next cycle: how many have run.
    std::uint64_t cycle() const;
    /// Whether a process ended the run.
    bool halted() const;

    /// What readers of the bus see in the next cycle; of a wire, what they saw in the last one.
    template <class T> T peek(Bus<T> bus) const { return detail::load<T>(slot(bus.id())); }
    /// The same by name: of a bus, a field or an element of an array ("total.value", "token[3]"),
    /// or of a state ("process.state"). T is the type of the value; for a bool, an enumeration or
    /// an integer of up to 64 bits, any integer type that holds all its values. The name is looked
    /// up in each call. Throws NetworkError, with near names, when nothing has that name, and when
    /// T does not fit.
    template <class T> T peek(const std::string& name) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(
                number(name, std::numeric_limits<T>::digits, std::is_signed_v<T>));
        else
            return detail::load<T>(value(name, *type_of<T>()));
    }
    /// Sets what readers of an input see in the next cycle. Throws NetworkError for a bus that was
    /// not made by `Network::input`.
    template <class T> void poke(Bus<T> input, const T& value) {
        detail::store(input_slot(input.id()), value);
    }

    /// The simulator's own object of a process.
    template <class P> P& process(const Handle<P>& handle) {
        return static_cast<detail::PoolGroup<P>&>(group(handle.pool)).object(handle.index);
    }

    /// Lets observers (a trace) see the values after the last cycle and finish their files. Throws
    /// ObserverError when one of them could not. Called by the destructor, which cannot tell. No
    /// cycles run afterwards.
    void finish();

    /// Writes everything that later cycles depend on into a file, in one piece: it stands under its
    /// name when it is whole. Process classes that keep something say so in `state`, see Archive.
    /// Throws CheckpointError when one does not, when the run has ended, or when the file cannot be
    /// written, as while another run writes one of that name.
    void save(const std::string& path);
    /// Goes on where a simulator of the same network was saved, with whatever threads. Before the
    /// first cycle only. Returns what begins anew with this cycle, a text each: checks and outputs
    /// of a network file that were changed, or whose files are not there any more. Throws
    /// CheckpointError for a damaged file, or one of another network.
    std::vector<std::string> load(const std::string& path);

    /// Attaches an observer before the first cycle; it is kept until the simulator ends. Throws
    /// ObserverError when it cannot do its work.
    void attach(std::shared_ptr<Observer> observer);

private:
    friend class SimulatorAccess;
    const std::byte* slot(std::uint64_t bus) const;
    const std::byte* value(const std::string& name, const Type& type) const;
    /// The scalar of that name, for an integer type of so many bits beside the sign.
    std::uint64_t number(const std::string& name, unsigned bits, bool is_signed) const;
    std::byte* input_slot(std::uint64_t bus);
    Group& group(std::uint32_t pool);

    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme
