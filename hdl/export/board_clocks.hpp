// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "export/board.hpp"

namespace sme::hdl {

/// How the module around a design with several clocks makes them from the one of a board. A cycle
/// of the network is two edges of that one: all clocks rise at the second, those of slower domains
/// when the cycle is one of theirs, and the resets end at the first. So what rises at once in the
/// network does here, too, and nothing that a clock samples changes with it.
class BoardClocks {
public:
    BoardClocks(const Exported& exported, const Board& board);

    /// Declarations, and the block that makes the clocks.
    std::string text() const;
    /// ".fast_clk(fast_clk),\n        .fast_rst(rst)": what the design is connected to.
    std::string connections() const;
    /// How fast each clock is, for nextpnr.
    std::string constraints() const;

private:
    struct Clock {
        std::string name;  // of the clock of the design
        std::string made;  // the register that is it, before a buffer
        std::string phase; // counts the cycles of its period; empty: it rises in each
        std::string reset; // of the design
        ClockRate rate;
    };
    std::string name_for(const std::string& wanted);
    std::string declarations(const Clock& clock) const;
    std::string steps(const Clock& clock) const;
    std::string buffer(const Clock& clock) const;
    std::string speed(const std::string& net, double mhz) const;

    const Exported& exported_;
    const Board& board_;
    std::vector<std::string> taken_;
    std::vector<Clock> clocks_;
    std::string rst_, cycles_, ends_; // names
};

} // namespace sme::hdl
