// SPDX-License-Identifier: Apache-2.0
//
// `sme-analysis`: the commands that look at runs more closely.
#include <array>

#include "cli/command_table.hpp"
#include "cli/programs.hpp"

int main(int count, char** values) {
    using namespace sme::cli;
    constexpr std::array commands{Command{"debug", debug_command}, Command{"diff", diff_command},
                                  Command{"fifos", fifos_command},
                                  Command{"predict", predict_command},
                                  Command{"validate", validate_command}};
    return run_main(count, values, commands);
}
