// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "native/emit/statement.hpp"

namespace sme::native {

/// Writes straight code with branches: what is only needed when a choice goes one way is computed
/// in that branch, and not at all when it goes the other way, where that is enough work to be worth
/// a jump. Choices by the same condition share a branch.
///
/// All statements are without effects but those without a name, which keep their order; what loads
/// stays before those of them that have a condition.
class SelectToBranch {
public:
    /// `behind`: names that are used behind all of them.
    SelectToBranch(std::vector<Statement> statements, std::set<std::string> behind);

    std::string text(unsigned indent) const;

private:
    enum class Role : std::uint8_t { always, first, second }; // how a statement uses a value
    struct Use {
        std::size_t by;
        Role role;
    };
    struct Block {
        std::vector<std::size_t> members; // choices, ascending: it stands where the last one stood
        std::vector<std::size_t> first, second; // what is only needed there, ascending
    };

    void find_uses();
    void find_blocks();
    std::vector<std::size_t> members(std::size_t last) const;
    Block block(std::size_t last) const;
    bool only_used(std::size_t value, const Block& block, Role role,
                   const std::vector<bool>& in_arm) const;
    std::string arm(const Block& block, const std::vector<std::size_t>& values, Role role,
                    unsigned indent) const;
    std::string text(const Block& block, unsigned indent) const;

    std::vector<Statement> statements_;
    std::set<std::string> behind_;
    std::vector<std::vector<Use>> uses_; // of the value of each statement
    std::vector<bool> taken_;            // it stands in a block
    std::vector<Block> blocks_;
    std::vector<std::size_t> block_at_; // of each statement: 1 + the block that stands there
};

} // namespace sme::native
