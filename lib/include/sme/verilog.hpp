// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "sme/internal/packed_bits.hpp"
#include "sme/network.hpp"

/// Verilog modules as processes of a network in C++, through Verilator. A module is built with the
/// program (`sme_add_verilog` in CMake makes a class from it) or when the program runs
/// (`add_verilog`). Either way, adding the process checks the module's ports, widths, signs and
/// timing against the buses; a mismatch throws a NetworkError that names both ends.
///
/// An output that depends on an input within the cycle must be bound to a wire (`delay = 0`).
/// Before cycle 0 the clock runs while the reset is held, with the inputs at the initial values of
/// their buses. The values that registered outputs show then become the initial values of theirs.
namespace sme {

/// A bus at a port of a module, made from `sme::in(bus)` or `sme::out(bus)`; or, at an input, a
/// value that it reads in every cycle, and also before cycle 0: `sme::constant(value)`.
class VerilogBus {
public:
    /// A value and its C++ type.
    struct Constant {
        std::type_index type;
        std::vector<std::byte> bytes;
    };

    template <class T>
    VerilogBus(internal::InArgument<T> bus) : bus_{bus.bus}, output_{false}, type_{type_of<T>()} {}
    template <class T>
    VerilogBus(internal::OutArgument<T> bus) : bus_{bus.bus}, output_{true}, type_{type_of<T>()} {}

    template <class T>
    VerilogBus(const internal::ConstantArgument<T>& constant)
        : bus_{}, output_{false}, type_{type_of<T>()}, constant_{{typeid(T), {}}} {
        constant_->bytes.resize(sizeof(T));
        internal::store(constant_->bytes.data(), constant.value);
    }

    /// Undefined for a constant.
    const internal::BusKey& bus() const { return bus_; }
    const std::optional<Constant>& constant() const { return constant_; }
    bool is_output() const { return output_; }
    const TypeRef& type() const { return type_; }

private:
    internal::BusKey bus_;
    bool output_;
    TypeRef type_;
    std::optional<Constant> constant_;
};

/// A port of a module by its Verilog name, and its bus or constant; `nullopt` for an unused output.
using VerilogConnections = std::vector<std::pair<std::string, std::optional<VerilogBus>>>;

/// Options for one process of a module.
struct VerilogOptions {
    std::vector<std::string> plusargs = {}; ///< "trace" for $test$plusargs("trace")
    std::uint64_t clock_ns = 10;            ///< the length of a cycle for $time
    std::uint64_t seed = 0;                 ///< seed of $random
};

/// A module to build when the program runs.
struct VerilogSource {
    /// A clock that rises at the end of every cycle t with t % every == offset.
    struct Clock {
        std::string port;
        std::uint64_t every = 1;
        std::uint64_t offset = 0; ///< below `every`
    };
    struct Reset {
        std::string port;
        bool high = true; ///< the active level
        unsigned cycles = 2;
    };

    /// Paths of Verilog files and of C files for imported functions.
    std::vector<std::string> files = {};
    std::string top = {}; ///< the top module
    /// Names and values, the values in Verilog syntax.
    std::vector<std::pair<std::string, std::string>> parameters = {};
    std::vector<std::string> include = {}; ///< folders
    std::vector<std::string> define = {};  ///< NAME or NAME=text
    std::vector<std::string> lists = {};   ///< argument files, as for Verilator's -f
    std::string clock = {};                ///< the port; empty: "clk" if the module has it
    std::string reset = {};                ///< the port; empty: no reset
    bool reset_high = true;                ///< the active level
    unsigned reset_cycles = 2;
    /// The clocks of a module with several: {{"s_clk"}, {"m_clk", 2, 1}}; in addition to `clock`,
    /// if that is set.
    std::vector<Clock> clocks = {};
    /// All resets are held together before cycle 0, until each clock has had as many edges as the
    /// longest reset requires.
    std::vector<Reset> resets = {};
    bool trace_inside = false; ///< traces also show internal signals
    bool savable = false;      ///< checkpoints contain its state
};

/// The tools that build modules when the program runs.
struct VerilogTools {
    /// The folder in which built modules are kept for later runs. Other users must not be able to
    /// write to it, since the modules in it are executed.
    std::string folder;
    std::string verilator = "verilator"; ///< a path, or a name in PATH; likewise `compiler`
    std::string compiler = "c++";
    bool may_build = true; ///< false: use modules already built, build nothing
    unsigned jobs = 2;     ///< concurrent compilers
    /// Receives lines about slow steps and Verilator's warnings.
    std::function<void(const std::string&)> message = {};
};

/// Adds a process that is a module. Throws NetworkError with every diagnostic if Verilator or the
/// compiler rejects it, or a port does not fit its bus.
void add_verilog(Network& network, const Name& name, const VerilogSource& source,
                 const VerilogConnections& ports, const VerilogTools& tools,
                 const VerilogOptions& options = {});

/// An input of a module with `Bits` bits: `sme::in(bus)` of a type of this width, or
/// `sme::constant(value)`. A constant of another width throws a NetworkError that names the port
/// when the process is added.
template <unsigned Bits> class VerilogInput {
public:
    VerilogInput() = default;
    template <class T>
    requires internal::PacksInto<T, Bits> VerilogInput(internal::InArgument<T> bus) : bus_{bus} {}
    template <class T>
    VerilogInput(const internal::ConstantArgument<T>& constant) : bus_{constant} {}
    operator std::optional<VerilogBus>() const { return bus_; }

private:
    std::optional<VerilogBus> bus_;
};

/// An output of a module with `Bits` bits: `sme::out(bus)` of a type of this width, or unused.
template <unsigned Bits> class VerilogOutput {
public:
    VerilogOutput() = default;
    template <class T>
    requires internal::PacksInto<T, Bits> VerilogOutput(internal::OutArgument<T> bus) : bus_{bus} {}
    operator std::optional<VerilogBus>() const { return bus_; }

private:
    std::optional<VerilogBus> bus_;
};

/// The base class of the classes that `sme_add_verilog` makes. Each has a struct `Ports` with a
/// member for every port of the module except clocks and resets, for `network.add<Aes>("aes", {.key
/// = sme::in(key), .cipher = sme::out(cipher)})`.
class VerilogProcess : public SelfDescribed {
public:
    using Options = VerilogOptions;
};

} // namespace sme
