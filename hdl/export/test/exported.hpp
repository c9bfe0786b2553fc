// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "../../../sim/cli/test/command.hpp"

namespace sme::test {

inline bool has_program(const std::string& name) {
    return Command{"command -v " + name, Command::any_program}.exit_code == 0;
}

/// A network written as Verilog into its own folder.
class ExportedNetwork {
public:
    /// `arguments` go to 'sme verilog', starting with the network.
    explicit ExportedNetwork(const std::string& arguments)
        : arguments{arguments}, written{"verilog " + arguments + " -o " + folder_.path()} {
        for (const std::string& name : folder_.files())
            if (name.ends_with("_bench.v"))
                top = name.substr(0, name.size() - 8);
    }

    /// Returns the output of the test bench in Icarus Verilog, or the error that prevented it.
    std::string icarus() const {
        const Command built{
            in_folder("timeout 600 iverilog -g2005 -o bench $(cat files.f) " + top + "_bench.v"),
            Command::any_program};
        if (built.exit_code != 0)
            return built.out + built.err;
        return Command{in_folder("timeout 600 vvp -n bench"), Command::any_program}.out;
    }
    /// The same in Verilator. `shared` keeps the files common to all test benches.
    std::string verilator(const Scratch& shared) const {
        const std::string bench = top + "_bench";
        std::string options = "OPT_SLOW=-O0 OPT_GLOBAL=-O0";
        const std::vector<std::string> kept = shared.files();
        for (const std::string& name : kept)
            if (name.ends_with(".o")) // older than the makefile, a prerequisite
                options += " -o " + name;
        const bool has_headers = std::count(kept.begin(), kept.end(), "headers.h.gch") > 0;
        options += has_headers ? " OPT_FAST=\"-O0 -include " + shared.path("headers.h") + "\""
                               : " OPT_FAST=-O0";
        const Command built{
            in_folder("mkdir obj && cp " + shared.path() + "/*.o obj 2>/dev/null; " +
                      "timeout 600 verilator --binary --timing -Wno-fatal -Wno-lint -j 1 "
                      "-MAKEFLAGS '" +
                      options + "' --top-module " + bench + " --Mdir obj $(cat files.f) " + bench +
                      ".v"),
            Command::any_program};
        if (built.exit_code != 0)
            return built.out + built.err;
        if (kept.empty())
            keep(shared, "V" + bench + ".mk");
        return Command{in_folder("timeout 600 ./obj/V" + bench), Command::any_program}.out;
    }
    /// Returns Verilator's lint messages; empty if clean. Suppressed:
    /// UNOPTFLAT: a family of wires is one vector, whose elements may depend on each other;
    /// VARHIDDEN: a state may have the name of its process, which is that of an instance.
    std::string lint(const std::string& silent = "") const {
        const Command found{in_folder("verilator --lint-only -Wall -Wno-UNOPTFLAT "
                                      "-Wno-VARHIDDEN " +
                                      silent + "--top-module " + top + " $(cat files.f)"),
                            Command::any_program};
        return found.exit_code == 0 ? found.err : found.err + "\nfailed\n";
    }
    /// Returns the errors that Yosys finds: latches, loops, several drivers; empty if clean.
    std::string yosys(const std::string& then = "") const {
        const Command found{
            in_folder("timeout 600 yosys -q -p 'read_verilog " + sources() +
                      "; hierarchy -check -top " + top +
                      "; proc; opt_clean; check -assert; select -assert-none t:$dlatch" +
                      (then.empty() ? "" : "; " + then) + "' 2>&1"),
            Command::any_program};
        return found.exit_code == 0 ? std::string{} : found.out;
    }
    std::string text(const std::string& file) const { return text_of(folder_.path(file)); }
    const Scratch& folder() const { return folder_; }

private:
    /// Keeps Verilator's compiled runtime, and its headers precompiled with the flags of a
    /// makefile, unless the makefile does that itself, as in newer Verilators.
    void keep(const Scratch& shared, const std::string& makefile) const {
        folder_.write("obj/headers.cpp",
                      "#include \"verilated.h\"\n#include \"verilated_timing.h\"\n");
        const Command result{in_folder("cd obj && cp verilated*.o " + shared.path() +
                                       " && if ! make -pnf " + makefile +
                                       " 2>&1 | grep -q VK_PCH_H; then cp headers.cpp " +
                                       shared.path("headers.h") + " && make -f " + makefile +
                                       " headers.o OPT_FAST='-O0 -x c++-header' && mv headers.o " +
                                       shared.path("headers.h.gch") + "; fi"),
                             Command::any_program};
        CAPTURE(result.err);
        CHECK(result.exit_code == 0);
    }
    std::string in_folder(const std::string& command) const {
        return "cd " + folder_.path() + " && " + command;
    }
    std::string sources() const {
        std::string all = text("files.f");
        for (char& c : all)
            c = c == '\n' ? ' ' : c;
        return all;
    }

    Scratch folder_;

public:
    std::string arguments;
    Command written;
    std::string top; // the module of the network
};

} // namespace sme::test
