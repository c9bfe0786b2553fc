// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "interpret/block/evaluator.hpp"

namespace sme::interpret {

/// The columns of one thread while it runs blocks.
struct Evaluator::Workspace {
    static constexpr std::size_t alignment = 64;
    explicit Workspace(const Evaluator& evaluator);

    std::vector<std::byte> scratch;
    std::vector<std::byte*> columns;   // by register, in this block
    std::vector<std::byte*> own;       // by register, in the scratch memory
    std::vector<std::uint8_t> faulted; // by lane; valid after a fault in this block
    std::vector<std::pair<std::size_t, PendingWrite>> collected; // memory writes of loops, by lane
};

/// Turns the nodes of a part into instructions, and assigns columns to values. A column is reused
/// after the last use of its value.
class Evaluator::Compiler {
public:
    explicit Compiler(Evaluator& evaluator) : e_{evaluator} {}
    void run();

private:
    void find_last_uses();
    void find_direct_stores();
    void emit(expr::NodeId id);
    void emit_loop(expr::NodeId id);
    WriteTo write_to(const expr::MemoryWrite& write) const;
    void emit_value(expr::NodeId id, const expr::Node& node);
    Register allocate(unsigned bytes, bool shared);
    void release(expr::NodeId id, std::size_t position);
    void finish();
    void lay_out();

    Register of(expr::NodeId id) const { return registers_[id]; }

    Evaluator& e_;
    std::vector<Register> registers_;             // by node
    std::vector<std::size_t> last_use_;           // by register's node: position in the part
    std::vector<bool> keeps_;                     // nodes whose columns are not reused
    std::vector<bool> direct_;                    // nodes that are computed in their slots
    std::vector<std::vector<Register>> free_;     // by the logarithm of the element's bytes
    std::vector<std::vector<expr::NodeId>> ends_; // by position: nodes last used there
    Register zero_ = 0;
};

/// The value of a lane of a 64-bit column.
inline std::uint64_t word_at(const std::byte* column, std::size_t lane) {
    std::uint64_t word;
    std::memcpy(&word, column + lane * sizeof word, sizeof word);
    return word;
}

} // namespace sme::interpret
