// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "native/ir/routine.hpp"

namespace sme::native {

/// The nodes of one part of a program, in execution order.
struct PartCode {
    std::vector<Id> values;
    std::vector<Id> stops;   // effects: conditions that need the interpreter
    std::vector<Id> stores;  // into slots
    std::vector<Id> writes;  // of memories
    std::vector<Id> results; // values; unordered
};

/// The name of the scalar at an offset of a port: "x_value".
std::string scalar_name(const ProcessFamily& family, std::uint32_t port, std::uint64_t offset);

/// Lowers the nodes of a part to nodes of a routine. Operations of the interpreter (faults, prints,
/// halts, resets of memories) are left out, but their conditions are lowered.
class PartLowering {
public:
    /// `stop`: the statement that leaves the function, or requests it, when `$0` is true.
    PartLowering(Routine& routine, const Subject& subject, unsigned part, Addressing& addressing,
                 std::string stop)
        : routine_{routine}, family_{subject.family}, program_{subject.program},
          part_{program_.parts[part]}, places_{subject.places},
          commits_later_{subject.commits_later}, counts_{part == subject.counting},
          addressing_{addressing}, stop_{std::move(stop)}, ids_(program_.nodes.size(), no_id) {}

    PartCode run();

private:
    const expr::Node& node(expr::NodeId id) const { return program_.nodes[id]; }
    expr::NodeId source(expr::NodeId id) const;
    Id id_of(expr::NodeId id);
    expr::Scalar type_of(expr::NodeId id) const { return node(source(id)).type; }

    void find_needed();
    void lower(const std::vector<expr::NodeId>& nodes, std::vector<Id>& to);
    Id value(expr::NodeId id, std::vector<Id>& to);
    Id load(const expr::Node& node, std::string name);
    Id load_at(const expr::Node& node, std::string name);
    static std::string offset_at(const std::vector<Segment>& runs, std::size_t begin,
                                 std::size_t end);
    Id read_memory(const expr::Node& node, std::string name);
    Id narrowed(std::string text, expr::Scalar type, std::string name, std::vector<Id>& to,
                expr::Scalar word = {64, false});
    Id index(const expr::Node& node, std::string name, std::vector<Id>& to);
    std::string word(Id id, std::uint64_t count) const;
    Place place_of(std::uint32_t memory, const Addressing::Memory& found, Id word,
                   std::uint64_t offset) const;

    void stop_if(expr::NodeId a, expr::NodeId b = expr::no_node);
    void store_outputs();
    void store(std::uint32_t port, std::uint32_t offset, const std::string& type, Id value,
               const Addressing::Slot& slot, std::string name);
    bool store_slot(std::size_t first, std::size_t end);
    Id whole(const std::vector<expr::NodeId>& values, std::size_t first);
    void write_memories();
    void count();
    Id write_at_once(const expr::MemoryWrite& write);

    enum class LoopFor : std::uint8_t { carried, waiting, in_place };
    Id loop(const expr::PartLoop& part, LoopFor what);
    void write_from_loop(const expr::PartLoop& part, LoopFor what, Id step, std::vector<Id>& to);
    void write_loop_memories();
    Id write_at_end(const WaitingWrite& waiting);
    bool reads_only(const expr::PartLoop& loop, const expr::MemoryWrite* write,
                    std::uint32_t memory) const;
    bool is_in_place(const expr::PartLoop& loop) const;

    Routine& routine_;
    const ProcessFamily& family_;
    const expr::Program& program_;
    const expr::PartProgram& part_;
    const interpret::SlotMap& places_;
    const bool commits_later_;
    const bool counts_;
    Addressing& addressing_;
    const std::string stop_;
    std::vector<bool> needed_;                      // by node
    std::vector<Id> ids_;                           // by node
    std::map<std::vector<expr::NodeId>, Id> whole_; // slots, by the values of their scalars
    PartCode made_;
};

} // namespace sme::native
