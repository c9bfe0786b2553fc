// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bits/packed.hpp"
#include "export/export.hpp"
#include "export/rtl/module.hpp"
#include "network/graph.hpp"

namespace sme::vpi {

/// What a VPI handle refers to.
struct Node {
    enum class Kind : std::uint8_t { object, iterator, callback };
    explicit Node(Kind kind) : node{kind} {}
    Kind node;
};

/// A word of a value that carries bits of a signal.
struct Word {
    std::uint64_t element; // of a bus or a state
    std::size_t offset;    // in its slot, or in the words of its memory
    std::size_t bytes;
    std::uint64_t leaf; // among the scalars of its value
    std::uint64_t bit;  // its lowest bit in the signal
    unsigned width;     // 1 to 64
    bool is_signed;     // stored with copies of its sign
    unsigned shift = 0; // its lowest bit in the word
};

/// An object of the written hardware, as it is seen through VPI.
struct Object : Node {
    Object() : Node{Kind::object} {}

    enum class Role : std::uint8_t {
        scope,  // a module or a member of a generate block
        signal, // a vector
        memory, // an array of words
        array,  // of signals, or of arrays
        clock,  // these two are no values of the network
        reset,
        bit,      // of the vector `parent`
        constant, // a parameter, or a bound of a range: `value`
    };
    Role role = Role::scope;
    int type = 0; // as vpi_user.h numbers it
    std::string name, full_name, definition;
    Object* parent = nullptr;
    std::vector<Object*> children;
    std::uint64_t width = 1;                  // in bits, or in members
    std::uint64_t first = 0;                  // the lowest index of a range; of a bit, its index
    std::uint64_t member = 0;                 // of an array: the bits of a member
    std::vector<Shape::Dimension> dimensions; // of an array
    bool is_signed = false;
    bool input = false;
    bool wire = false; // its value follows others at once
    bool port = false; // of a module inside, or a signal in the user's Verilog
    std::vector<Word> words;
    Object* same = nullptr;                     // of a port: the clock or reset that it is
    const hdl::WatchedMemory* memory = nullptr; // of a memory, and of its words
    std::int64_t value = 0;                     // of a constant, a clock or a reset

    bool is_writable() const { return input || (!wire && is_forceable()); }
    bool is_forceable() const {
        return input || (!port && (role == Role::signal || role == Role::bit));
    }
};

/// Adds the words of a value at `offset`, from bit `low` of its signal on; `leaf`: its first among
/// the scalars of the bus.
void add_words(std::vector<Word>& words, std::uint64_t element, const Type& type,
               std::size_t offset, std::uint64_t low, std::uint64_t leaf);

/// What libraries see of composed values.
struct Views {
    /// Families, and values that are arrays, are arrays of their members.
    bool members = false;
    /// A bus of a struct is a vector instead of a scope with its fields.
    bool packed_structs = false;
};

/// The objects of a network whose hardware has these names.
class Objects {
public:
    /// Graph and hardware must outlive it. `parameters`: of the network.
    Objects(const Graph& graph, const hdl::Exported& exported,
            const std::vector<std::pair<std::string, std::int64_t>>& parameters,
            const Views& views);

    Object* top() const { return top_; }
    /// Finds "top.core[2].sum", "top.mem[3]" or "top.sum[7]"; null if it does not exist.
    Object* find(const std::string& full_name);
    /// The word of a memory, the member of an array, or the bit of a vector, with that index; null
    /// if it does not exist.
    Object* member(Object& of, std::int64_t index);
    /// A constant, for the bounds of ranges.
    Object* constant(std::int64_t value);
    /// The states that are arrays and get their initial words under reset.
    const std::vector<const hdl::WatchedMemory*>& reset_memories() const { return reset_memories_; }
    const std::vector<Object*>& clocks() const { return clocks_; }
    const std::vector<Object*>& resets() const { return resets_; }

private:
    using Variables = std::map<std::string, std::int64_t>;
    using Modules = std::map<std::string, const hdl::rtl::Module*>;
    Object* make(Object* parent, const std::string& name, Object::Role role, int type);
    Object* scope_of(const std::string& path, std::string& name);
    void add(const hdl::Watched& watched, bool input);
    void add(const hdl::WatchedMemory& memory);
    void add_parameter(Object* scope, const std::string& name, std::int64_t value);
    void add_instances(Object* scope, const hdl::rtl::Module& module, const Modules& modules);
    void add_members(Object* scope, const hdl::rtl::Generate& generate, std::size_t loop,
                     Variables& variables, const Modules& modules);
    void add_instance(Object* scope, const Object& around, const hdl::rtl::Instance& instance,
                      const Variables& variables, const Modules& modules);
    static void fold(Object& object, std::uint64_t bits);
    static void fold(Object& object, const Type& members, std::uint64_t bits);
    void make_array(Object& object, const hdl::Watched& watched, const Type& type);
    void add_views();
    void add_packed(const BusFamily& bus);
    Object* make_signal(Object& scope, const std::string& name, const BusFamily& bus);
    Object* inner_scope(const std::string& path, std::string& name);
    void add_view(Object& scope, const std::string& name, const BusFamily& bus,
                  std::uint64_t element, const Type& type, std::size_t offset, std::uint64_t leaf);
    bool connect(const Object& scope, const hdl::rtl::Expr& expr, const Variables& variables,
                 Object& port, std::uint64_t low);

    const Graph& graph_;
    const Views views_;
    std::vector<std::unique_ptr<Object>> all_;
    std::map<std::string, Object*> by_name_; // full names
    std::map<std::pair<Object*, std::int64_t>, Object*> members_;
    std::map<std::int64_t, Object*> constants_;
    Object* top_ = nullptr;
    std::vector<Object*> clocks_, resets_;
    std::vector<const hdl::WatchedMemory*> reset_memories_;
};

} // namespace sme::vpi
