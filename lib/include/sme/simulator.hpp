// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "sme/internal/archive.hpp"
#include "sme/network.hpp"
#include "sme/threads.hpp"

namespace sme {

class Observer;

/// A number of clock cycles.
struct Cycles {
    std::uint64_t count;
    constexpr explicit Cycles(std::uint64_t cycles) : count{cycles} {}
};

/// The model broke a rule: `what()` contains every fault of the cycle with its process and the
/// place of its declaration.
class ModelFault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An observer failed: the disk is full, or its options match no bus.
class ObserverError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Runs a network. It builds its own process objects, so one network can have several simulators.
/// All calls must come from one thread; the network must outlive the simulator.
class Simulator {
public:
    /// Checks the network and lays it out. Throws NetworkError with every diagnostic if it has
    /// errors, or if more threads are requested than supported.
    explicit Simulator(const Network& network, const SimulatorOptions& options = {});
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    /// Runs this many cycles, or fewer if a process halts. Returns the number of cycles run. Throws
    /// ModelFault after the cycle of a fault; the simulator then runs no further. Throws
    /// PlacementError before the first cycle if a policy loses or repeats a chunk.
    std::uint64_t run(Cycles cycles);
    /// Runs one cycle.
    void step() { run(Cycles{1}); }
    /// Runs until `done()` is true, tested before every cycle, but at most `most` cycles. Returns
    /// the number of cycles run.
    template <class Done> std::uint64_t run_until(Done done, Cycles most) {
        std::uint64_t ran = 0;
        while (ran < most.count && !halted() && !done())
            ran += run(Cycles{1});
        return ran;
    }

    /// Returns the number of the next cycle, which is the number of cycles run.
    std::uint64_t cycle() const;
    /// Returns whether a process ended the run.
    bool halted() const;

    /// Returns the value that readers of the bus see in the next cycle; for a wire, the value they
    /// saw in the last one. Throws NetworkError for a bus of another network.
    template <class T> T peek(Bus<T> bus) const { return internal::load<T>(slot(bus.key())); }
    /// The same by name: a bus, a field or an array element ("total.value", "token[3]"), or a state
    /// ("process.state"). T is the type of the value; for a bool, an enumeration or an integer of
    /// up to 64 bits, any integer type that holds all its values. Each call looks up the name.
    /// Throws NetworkError, with similar names, if the name does not exist or T does not fit.
    template <class T> T peek(const std::string& name) const {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(
                number(name, std::numeric_limits<T>::digits, std::is_signed_v<T>));
        else
            return internal::load<T>(value(name, *type_of<T>()));
    }
    /// Sets the value that readers of an input see in the next cycle. Throws NetworkError for a bus
    /// that `Network::input` did not make.
    template <class T> void poke(Bus<T> input, const T& value) {
        alignas(8) std::array<std::byte, sizeof(T)> slot{};
        internal::store(slot.data(), value);
        set_input(input.key(), slot);
    }

    /// Brings wires up to date after pokes: `peek` then returns the values that they have in
    /// the next cycle. Nothing else happens: no process changes its state, prints or faults. Wires
    /// of a class in C++ need its `comb()`. Not for a simulator with an auditor.
    void settle();

    /// Returns this simulator's object of a process. Throws NetworkError for a handle of another
    /// network.
    template <class P> P& process(const Handle<P>& handle) {
        return static_cast<internal::PoolGroup<P>&>(group(handle.pool, handle.network))
            .object(handle.index);
    }

    /// Lets observers (a trace) see the values after the last cycle and finish their files. Throws
    /// ObserverError if one of them fails. The destructor calls it, but cannot report errors. No
    /// cycle can run afterwards.
    void finish();

    /// Writes everything that later cycles depend on into a file, atomically: the file appears
    /// under its name when it is complete. Process classes with state list it in `state`, see
    /// Archive. Throws CheckpointError if a class does not, the run has ended, or the file cannot
    /// be written, for example while another run writes the same file.
    void save(const std::string& path);
    /// Continues from a checkpoint of the same network, with any number of threads. Call it before
    /// the first cycle. Returns one text for each item that starts anew in this cycle: checks and
    /// outputs of a network file that were changed, or whose files no longer exist. Throws
    /// CheckpointError for a damaged file, or one of another network.
    std::vector<std::string> load(const std::string& path);

    /// Attaches an observer before the first cycle; it is kept until the simulator is destroyed.
    /// Throws ObserverError if it cannot work.
    void attach(std::shared_ptr<Observer> observer);

private:
    friend class SimulatorAccess;
    const std::byte* slot(const internal::BusKey& bus) const;
    const std::byte* value(const std::string& name, const Type& type) const;
    /// Returns the scalar of that name, for an integer type of `bits` bits besides the sign.
    std::uint64_t number(const std::string& name, unsigned bits, bool is_signed) const;
    void set_input(const internal::BusKey& bus, std::span<const std::byte> value);
    Group& group(std::uint32_t pool, std::uint64_t network);

    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme
