// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exported.hpp"

namespace sme::test {

/// A network written as VHDL into its own folder.
class ExportedVhdl {
public:
    /// `arguments` go to 'sme vhdl', starting with the network.
    explicit ExportedVhdl(const std::string& arguments)
        : written{"vhdl " + arguments + " -o " + folder_.path()} {
        for (const std::string& name : folder_.files())
            if (name.ends_with("_bench.vhd"))
                top = name.substr(0, name.size() - 10);
    }

    /// Returns the output of the test bench in GHDL, or the error that prevented it.
    std::string ghdl() const {
        return said("ghdl -a --std=08 $(cat files.f) " + top + "_bench.vhd && ghdl -e --std=08 " +
                    top + "_bench && ghdl -r --std=08 " + top + "_bench --ieee-asserts=disable");
    }
    /// Returns the errors of GHDL's synthesis; empty if clean.
    std::string synthesis() const {
        return said("ghdl -a --std=08 $(cat files.f) && ghdl --synth --std=08 " + top +
                    " >synthesised.vhd");
    }
    /// Returns the errors that Yosys finds with the GHDL plug-in: latches, loops, several drivers.
    std::string yosys() const {
        return said("ghdl -a --std=08 $(cat files.f) && yosys -q -m ghdl -p \"ghdl --std=08 " +
                    top +
                    "; proc; opt_clean; check -assert; select -assert-none t:\\$dlatch\" 2>&1");
    }
    std::string text(const std::string& file) const { return text_of(folder_.path(file)); }
    const Scratch& folder() const { return folder_; }

    /// Returns the output of commands in the folder, without warnings.
    std::string said(const std::string& commands) const {
        const Command done{"cd " + folder_.path() + " && { timeout 600 sh -c '" + commands + "'; }",
                           Command::any_program};
        return done.exit_code == 0 ? done.out : done.out + done.err + "\nfailed\n";
    }

private:
    Scratch folder_;

public:
    Command written;
    std::string top; // the entity of the network
};

} // namespace sme::test
