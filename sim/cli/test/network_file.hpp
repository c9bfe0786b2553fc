// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "command.hpp"

namespace sme::test {

/// A network file in a folder of its own, with functions that run it.
struct File : Scratch {
    explicit File(const std::string& text) { write("network.yaml", text); }
    Command run(const std::string& command) const {
        return Command{"cd " + path() + " && " SME_COMMAND " " + command, Command::any_program};
    }
    /// Runs the network; every check must hold.
    Command run_well() const {
        Command result = run("run network.yaml");
        CAPTURE(result.err);
        CHECK(result.exit_code == 0);
        return result;
    }
};

} // namespace sme::test
