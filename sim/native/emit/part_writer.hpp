// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expr/program/program.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/results_group.hpp"
#include "native/emit/statement.hpp"
#include "network/graph.hpp"

namespace sme::native {

/// Where the instances lie that a part is written for: by constants, or by variables of the
/// function around it, which has a block `b`.
class Site {
public:
    virtual ~Site() = default;
    /// The scalar in the slot at a port: an lvalue.
    virtual std::string slot(std::uint32_t port, std::uint32_t offset, CType type, bool write) = 0;
    /// The words of a memory that this instance sees: a pointer to bytes.
    virtual std::string memory(std::uint32_t number) = 0;
    /// A scalar of a memory at a constant offset, of what this instance sees: its variable; empty:
    /// it lies in memory.
    virtual std::string memory_scalar(std::uint32_t, std::size_t, CType, bool) { return {}; }
    /// The values of a table: a pointer to them.
    virtual std::string table(std::uint32_t number, CType type) = 0;
    /// The number of the instance in source order, u64; its place among all that its indices count.
    virtual std::string instance() = 0;
    virtual std::string place() = 0;
    virtual std::string cycle() { return "b->cycle"; }
    /// Where the numbers of random(T) come from in this family.
    virtual std::string random_family() = 0;
    /// Where memory write `number` of the part waits for the end of the cycle: an lvalue; empty
    /// when it does not wait.
    virtual std::string pending(std::size_t number) = 0;
    /// The first place where the memory writes of loops of this instance wait, those of the part's
    /// other writes before them: a pointer.
    virtual std::string collected() = 0;
    /// A value that is in a variable already instead of a slot; empty: it is loaded.
    virtual std::string known(std::uint32_t, std::uint32_t) { return {}; }
    /// What was stored, for those behind.
    virtual void stored(std::uint32_t, std::uint32_t, const std::string&) {}
};

/// A family of processes whose code is written.
struct Subject {
    const ProcessFamily& family;
    const expr::Program& program;
    const interpret::Places& places;
    bool commits_later; // memory writes wait for the end of the cycle

    Subject(const ProcessFamily& of, const interpret::ProgramGroup& group)
        : family{of}, program{group.program()}, places{group.places()},
          commits_later{group.commits_later()} {}
    Subject(const ProcessFamily& of, const interpret::ResultsGroup& group)
        : family{of}, program{group.program()}, places{group.places()}, commits_later{true} {}
};

/// A memory write of a part, as it waits: in a place of each instance, or one for each step of its
/// loop.
struct WaitingWrite {
    const expr::MemoryWrite* write;
    std::uint64_t first; // place
    std::uint64_t count;
};
/// In the order in which they are made; those of loops, which come first, have the last places.
std::vector<WaitingWrite> waiting_writes(const expr::Program& program,
                                         const expr::PartProgram& part);
/// The places of one instance.
std::uint64_t waiting_places(const expr::Program& program, const expr::PartProgram& part);

/// The C of one part of a program.
struct PartText {
    std::vector<Statement> values;
    std::vector<Statement> rare;    // bools: something that the interpreter does is to be done
    std::vector<Statement> stores;  // into slots
    std::vector<Statement> writes;  // of memories
    std::vector<Statement> results; // u64
};

/// Turns the nodes of a part into statements. What only the interpreter does (faults, prints,
/// halts, resets of memories) is not written: the conditions under which it happens are.
class PartWriter {
public:
    /// `names` are taken already, and get those that are given.
    PartWriter(const Subject& subject, unsigned part, const Arithmetic& arithmetic, Site& site,
               Names& names)
        : family_{subject.family}, program_{subject.program}, part_{program_.parts[part]},
          places_{subject.places}, commits_later_{subject.commits_later},
          arithmetic_{arithmetic}, site_{site}, names_{names} {}

    PartText run();

private:
    const expr::Node& node(expr::NodeId id) const { return program_.nodes[id]; }
    expr::NodeId source(expr::NodeId id) const;
    std::string text(expr::NodeId id) const;
    void find_needed();
    void write_all(const std::vector<expr::NodeId>& nodes);
    void write_loop(expr::NodeId id);
    enum class LoopFor : std::uint8_t { carried, waiting, in_place };
    Statement loop_of(const expr::PartLoop& part, LoopFor what);
    void add_uses(Statement& loop, expr::NodeId id) const;
    void begin_carried(const expr::PartLoop& part, Statement& made);
    void carry_on(const expr::PartLoop& part, Statement& made, std::string& inside,
                  std::string& behind);
    std::string loop_writes(const expr::PartLoop& part, LoopFor what, const std::string& step,
                            Statement& made);
    void write_loop_memories();
    void write_at_end(const WaitingWrite& waiting);
    bool reads_only(const expr::PartLoop& loop, const expr::MemoryWrite* write,
                    std::uint32_t memory) const;
    bool is_in_place(const expr::PartLoop& loop) const;
    void write_value(expr::NodeId id);
    std::string value_of(const expr::Node& node);
    std::optional<std::uint64_t> most(expr::NodeId id) const;
    std::string word(expr::NodeId id, std::uint64_t count) const;
    std::string read_memory(const expr::Node& node);
    std::string known_word(std::uint32_t memory, expr::NodeId word, std::uint64_t offset,
                           CType type, bool write) const;
    std::string read_table(const expr::Node& node);
    std::string index(const expr::Node& node);
    std::string random(const expr::Node& node);
    std::string operation(const expr::Node& node);
    std::string name_for(expr::NodeId id);
    void add_rare(expr::NodeId a, expr::NodeId b = expr::no_node);
    void write_stores();
    void write_memories();
    void write_at_once(const expr::MemoryWrite& write, CType type, Statement& made) const;
    std::vector<std::string> uses(std::initializer_list<expr::NodeId> ids) const;

    const ProcessFamily& family_;
    const expr::Program& program_;
    const expr::PartProgram& part_;
    const interpret::Places& places_;
    const bool commits_later_;
    const Arithmetic& arithmetic_;
    Site& site_;
    Names& names_;
    std::vector<bool> needed_;
    std::vector<std::string> texts_; // of each node
    PartText made_;
};

/// The name of the scalar at an offset of a port: "x_value".
std::string scalar_name(const ProcessFamily& family, std::uint32_t port, std::uint64_t offset);

} // namespace sme::native
