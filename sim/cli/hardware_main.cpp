// SPDX-License-Identifier: Apache-2.0
//
// `sme-hardware`: the commands that write Verilog and VHDL, or run it beside a network.
#include <array>

#include "cli/command_table.hpp"
#include "cli/programs.hpp"

int main(int count, char** values) {
    using namespace sme::cli;
    constexpr std::array commands{
#ifdef SME_HAVE_VPI
        Command{"vpi", vpi_command},
#endif
        Command{"cosim", cosim_command}, Command{"verilog", verilog_command},
        Command{"vhdl", vhdl_command}};
    return run_main(count, values, commands);
}
