// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/export.hpp"

namespace sme::hdl {

/// An FPGA board: its device as nextpnr names it, its clock, and commonly used pins, from the board
/// maker's constraint files.
struct Board {
    std::string name;                // "icebreaker"
    std::string title;               // "iCEBreaker, iCE40UP5K-SG48"
    std::string family;              // "ice40", "ecp5"
    std::vector<std::string> device; // arguments for nextpnr
    std::string clock_pin;
    unsigned clock_mhz;
    std::vector<std::pair<std::string, std::string>> pins; // the function of each pin, and its
                                                           // location

    bool is_ice40() const { return family == "ice40"; }
    /// The extension of its constraint file.
    std::string constraints() const { return is_ice40() ? "pcf" : "lpf"; }
};

const std::vector<Board>& boards();
/// Returns the board with this name, or null.
const Board* find_board(std::string_view name);

/// Returns the name of the module that connects a design to a board, such as "uart_icebreaker".
std::string board_top(const Exported& exported, const Board& board);
/// Returns a wrapper module around the design for the user to edit, which generates `rst` from the
/// clock alone, and the constraints for the clock pin.
std::vector<ExportedFile> board_files(const Exported& exported, const Board& board);

/// Generates the clocks of a design with several clocks from the single board clock. A cycle of the
/// network takes two edges of the board clock: clocks rise at the second edge, those of slower
/// domains only in cycles of their domain; resets end at the first edge. Clocks that rise together
/// in the network therefore rise together here, and no sampled signal changes at the same time.
class BoardClocks {
public:
    BoardClocks(const Exported& exported, const Board& board);

    /// Returns the declarations and the block that generates the clocks.
    std::string text() const;
    /// Returns the port connections of the design, a line each, such as ".fast_clk(fast_clk)".
    std::string connections() const;
    /// Returns the frequency of each clock, for nextpnr.
    std::string constraints() const;

private:
    struct Clock {
        std::string name;  // of the design's clock
        std::string made;  // the clock's register, before any buffer
        std::string phase; // counts the cycles of its period; empty: it rises in each cycle
        std::string reset; // the design's reset
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
