// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/export.hpp"

namespace sme::hdl {

/// An FPGA board: its device as nextpnr names it, its clock, and pins that are often used, from the
/// constraint files of the board's maker.
struct Board {
    std::string name;                // "icebreaker"
    std::string title;               // "iCEBreaker, iCE40UP5K-SG48"
    std::string family;              // "ice40", "ecp5"
    std::vector<std::string> device; // arguments of nextpnr
    std::string clock_pin;
    unsigned clock_mhz;
    std::vector<std::pair<std::string, std::string>> pins; // what it is, and where

    bool is_ice40() const { return family == "ice40"; }
    /// How its file of constraints ends.
    std::string constraints() const { return is_ice40() ? "pcf" : "lpf"; }
};

const std::vector<Board>& boards();
/// Null when there is none of that name.
const Board* find_board(std::string_view name);

/// "uart_icebreaker": the module that connects a design with a board.
std::string board_top(const Exported& exported, const Board& board);
/// A module around the design for the user to edit, which makes `rst` from the clock alone, and the
/// constraints with the pin of the clock.
std::vector<ExportedFile> board_files(const Exported& exported, const Board& board);

} // namespace sme::hdl
