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

#include "sme/network.hpp"

/// Verilog modules as processes of a network in C++, through Verilator: built together with the
/// program (`sme_add_verilog` in CMake makes a class of a module), or when the program runs
/// (`add_verilog`). In both the ports, their widths, signs and timing are checked against the buses
/// when the process is added, and what is wrong is thrown as NetworkError that names both ends.
///
/// An output that follows an input within the cycle must be bound to a wire (`delay = 0`). Before
/// cycle 0 the clock runs while the reset is held, with the inputs at the initial values of their
/// buses; what registered outputs show then is the initial value of theirs.
namespace sme {

/// A bus at a port of a module, made from `sme::in(bus)` or `sme::out(bus)`; or at an input a value
/// that it reads in every cycle, before cycle 0 as well: `sme::constant(value)`.
class VerilogBus {
public:
    /// A value, and the C++ type that it has.
    struct Constant {
        std::type_index type;
        std::vector<std::byte> bytes;
    };

    template <class T>
    VerilogBus(detail::InArgument<T> bus) : bus_{bus.bus}, output_{false}, type_{type_of<T>()} {}
    template <class T>
    VerilogBus(detail::OutArgument<T> bus) : bus_{bus.bus}, output_{true}, type_{type_of<T>()} {}

    template <class T>
    VerilogBus(const detail::ConstantArgument<T>& constant)
        : bus_{0}, output_{false}, type_{type_of<T>()}, constant_{{typeid(T), {}}} {
        constant_->bytes.resize(sizeof(T));
        detail::store(constant_->bytes.data(), constant.value);
    }

    /// Meaningless where there is a constant.
    std::uint64_t bus() const { return bus_; }
    const std::optional<Constant>& constant() const { return constant_; }
    bool is_output() const { return output_; }
    const TypeRef& type() const { return type_; }

private:
    std::uint64_t bus_;
    bool output_;
    TypeRef type_;
    std::optional<Constant> constant_;
};

/// A port of a module by its name in Verilog, and its bus or constant; nothing for an output that
/// is not used.
using VerilogConnections = std::vector<std::pair<std::string, std::optional<VerilogBus>>>;

/// How one process of a module runs.
struct VerilogOptions {
    std::vector<std::string> plusargs = {}; ///< "trace" for $test$plusargs("trace")
    std::uint64_t clock_ns = 10;            ///< a cycle, as $time counts it
    std::uint64_t seed = 0;                 ///< decides $random
};

/// A module that is built when the program runs.
struct VerilogSource {
    /// A clock that rises at the end of the cycles t with t % every == offset.
    struct Clock {
        std::string port;
        std::uint64_t every = 1;
        std::uint64_t offset = 0; ///< below `every`
    };
    struct Reset {
        std::string port;
        bool high = true; ///< the value that resets
        unsigned cycles = 2;
    };

    std::vector<std::string> files = {}; ///< paths of Verilog, and of C for imported functions
    std::string top = {};                ///< the module
    /// Names and values, the values as Verilog writes them.
    std::vector<std::pair<std::string, std::string>> parameters = {};
    std::vector<std::string> include = {}; ///< folders
    std::vector<std::string> define = {};  ///< NAME or NAME=text
    std::vector<std::string> lists = {};   ///< files of arguments, as Verilator's -f takes them
    std::string clock = {};                ///< the port; empty: "clk" where the module has one
    std::string reset = {};                ///< the port; empty: none
    bool reset_high = true;                ///< the value that resets
    unsigned reset_cycles = 2;
    /// Of a module with several: {{"s_clk"}, {"m_clk", 2, 1}}; beside `clock`, if that is named.
    std::vector<Clock> clocks = {};
    /// All are held together before cycle 0, while each clock has as many edges as the longest asks
    /// for.
    std::vector<Reset> resets = {};
    bool trace_inside = false; ///< traces show the signals inside
    bool savable = false;      ///< checkpoints hold its state
};

/// With what modules are built when the program runs.
struct VerilogTools {
    /// Where built modules are kept, for the next time, too. It must not be a folder that others
    /// may write to: what lies there is run.
    std::string folder;
    std::string verilator = "verilator"; ///< a path, or a name that PATH finds; so is the next
    std::string compiler = "c++";
    bool may_build = true; ///< false: only what is kept already
    unsigned jobs = 2;     ///< compilers at a time
    /// Told of what takes time, and what Verilator warns of, in lines.
    std::function<void(const std::string&)> message = {};
};

/// Adds a process that is a module. Throws NetworkError with every diagnostic when Verilator or the
/// compiler refuse it, or a port does not fit its bus.
void add_verilog(Network& network, const Name& name, const VerilogSource& source,
                 const VerilogConnections& ports, const VerilogTools& tools,
                 const VerilogOptions& options = {});

namespace detail {

/// The bits of T, where they are known to the compiler; else 0.
template <class T> struct PackedBits { static constexpr std::uint64_t value = 0; };
template <> struct PackedBits<bool> { static constexpr std::uint64_t value = 1; };
template <std::integral T> struct PackedBits<T> {
    static constexpr std::uint64_t value = sizeof(T) * 8;
};
template <unsigned Bits> struct PackedBits<Unsigned<Bits>> {
    static constexpr std::uint64_t value = Bits;
};
template <unsigned Bits> struct PackedBits<Signed<Bits>> {
    static constexpr std::uint64_t value = Bits;
};
template <class T, std::size_t N> struct PackedBits<std::array<T, N>> {
    static constexpr std::uint64_t value = PackedBits<T>::value * N;
};

template <class T, unsigned Bits>
concept PacksInto = PackedBits<T>::value == 0 || PackedBits<T>::value == Bits;

/// A module that was built together with the program.
struct BuiltModule {
    const char* description; ///< JSON, as the generator wrote it
    const void* (*face)();   ///< see hdl/verilator/module/abi.h
};
void add_verilog(Network& network, const Name& name, const BuiltModule& module,
                 const VerilogConnections& ports, const VerilogOptions& options);

} // namespace detail

/// An input of a module of `Bits` bits: `sme::in(bus)` of a type of as many, or
/// `sme::constant(value)`. A constant of another width is thrown when the process is added, as a
/// NetworkError that names the port.
template <unsigned Bits> class VerilogInput {
public:
    VerilogInput() = default;
    template <class T>
    requires detail::PacksInto<T, Bits> VerilogInput(detail::InArgument<T> bus) : bus_{bus} {}
    template <class T> VerilogInput(const detail::ConstantArgument<T>& constant) : bus_{constant} {}
    operator std::optional<VerilogBus>() const { return bus_; }

private:
    std::optional<VerilogBus> bus_;
};

/// An output of a module of `Bits` bits: `sme::out(bus)` of a type of as many, or nothing.
template <unsigned Bits> class VerilogOutput {
public:
    VerilogOutput() = default;
    template <class T>
    requires detail::PacksInto<T, Bits> VerilogOutput(detail::OutArgument<T> bus) : bus_{bus} {}
    operator std::optional<VerilogBus>() const { return bus_; }

private:
    std::optional<VerilogBus> bus_;
};

/// The base of the classes that `sme_add_verilog` makes: each has a struct `Ports` with a member
/// for every port of the module except clocks and resets, for
/// `network.add<Aes>("aes", {.key = sme::in(key), .cipher = sme::out(cipher)})`.
class VerilogProcess : public SelfDescribed {
public:
    using Options = VerilogOptions;
};

} // namespace sme
