// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <vpi_user.h>

#include "engine/access.hpp"
#include "vpi/objects.hpp"

namespace sme::vpi {

/// Time is counted in picoseconds.
inline constexpr int precision = -12;

/// A callback that a library has registered.
struct Callback : Node {
    Callback() : Node{Kind::callback} {}
    s_cb_data data{};
    s_vpi_time time{};
    s_vpi_value value{};
    Object* object = nullptr;   // of a change of value
    std::string last;           // its value when it was last looked at
    std::uint64_t deadline = 0; // of a delay
    bool removed = false;
    bool busy = false; // it is called now
};

/// Runs a network for the libraries that use it through VPI: in the regions of a time step of a
/// Verilog simulator, from one time at which something waits to the next. A rising edge of the
/// clock is a cycle, unless the reset is high: then the network goes back to its first cycle.
class Simulation {
public:
    /// All arguments must outlive it. It becomes the one that the functions of VPI use. `clocks`:
    /// of the written Verilog, in the order of the objects; `period`: of a network cycle. The
    /// library drives a single clock; several are driven here, as the network says.
    Simulation(const Graph& graph, engine::Engine& engine, Objects& objects,
               const std::vector<hdl::ExportedClock>& clocks, std::uint64_t period);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Runs until a library ends it, nothing waits any more, or `stop` holds. Faults of the network
    /// end it, too.
    void run(const std::function<bool()>& stop);
    void finish() { finished_ = true; } // by the library
    /// Whether nothing waits, although no library has ended the run.
    bool starved() const { return starved_; }
    std::uint64_t time() const { return time_; }

    Objects& objects() { return objects_; }
    /// The bits, the highest first.
    std::string bits(const Object& object);
    /// Gives an input, a register or a memory this value, the highest bit first: now, or after the
    /// current callback. Returns what is wrong.
    std::string put(Object& object, const std::string& bits, bool now);
    /// The same until it is released, even if it is a wire.
    std::string force(Object& object, const std::string& bits);
    void release(Object& object);
    Callback* add(const s_cb_data& data);
    /// False if that is no callback, or it is over already.
    bool remove(const Node* callback);

private:
    class Overriding;
    struct Forced {
        std::string now;
        std::string driven; // of an input: what it would be otherwise
    };
    struct Put {
        Object* object;
        std::string bits;
    };
    const std::byte* words_of(const hdl::WatchedMemory& memory) const;
    const std::byte* read(const Object& object, const Word& word) const;
    std::string unsettled_bits(const Object& object) const;
    void override_writers(const Object& wire);
    void override_wires();
    void store(Object& object, const std::string& bits);
    void write(const Object& object, const std::string& bits);
    bool drives_clocks() const { return clocks_.size() > 1; }
    bool is_reset() const;
    void tick();
    void rise();
    void reset();
    void apply_puts();
    void call(int reason);
    void call_one(Callback& callback);
    void call_all(const std::vector<Callback*>& due);
    bool call_changes();
    bool evaluate();
    void sweep();

    const Graph& graph_;
    engine::Engine& engine_;
    Objects& objects_;
    const std::vector<hdl::ExportedClock>& clocks_;
    const std::uint64_t period_;
    std::uint64_t next_tick_; // when clocks that are driven here may change
    bool middle_ = false;     // it is in the middle of a network cycle
    std::uint64_t phase_ = 0; // the network cycle of these clocks
    std::list<Callback> callbacks_;
    std::vector<Put> puts_;
    std::map<Object*, Forced> forced_;
    std::map<std::uint32_t, std::unique_ptr<Group>> overriding_; // writers of forced wires
    /// As before the first cycle, of memories that a reset fills.
    std::vector<std::pair<const hdl::WatchedMemory*, std::vector<std::byte>>> initial_words_;
    std::uint64_t time_ = 0;
    bool changed_ = true; // since callbacks of changes were looked for
    bool edge_ = false;   // the clock has risen, and its cycle is still to run
    bool finished_ = false, starved_ = false;
    bool read_only_ = false; // nothing may be written in this region
};

/// The simulation that the functions of VPI use; null outside a run.
Simulation* simulation();
/// What the last call of a function of VPI found wrong; empty: nothing.
std::string& problem();

} // namespace sme::vpi
