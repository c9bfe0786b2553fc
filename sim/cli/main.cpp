// SPDX-License-Identifier: Apache-2.0
//
// `sme`: the commands that most calls need.
#include <array>

#include "cli/command_table.hpp"
#include "cli/programs.hpp"

int main(int count, char** values) {
    using namespace sme::cli;
    constexpr std::array commands{Command{"new", new_command},
                                  Command{"run", run_command},
                                  Command{"test", test_command},
                                  Command{"check", check_command},
                                  Command{"graph", graph_command},
                                  Command{"view", view_command},
                                  Command{"explain", explain_command},
                                  Command{"schema", schema_command},
                                  Command{"completion", completion_command},
                                  Command{"man", man_command}};
    return run_main(count, values, commands);
}
