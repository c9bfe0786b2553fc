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

} // namespace sme::hdl
