// SPDX-License-Identifier: Apache-2.0
//
// Shows a run in the real GTKWave while it continues. Saves a screenshot in the build folder.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../command.hpp"

using sme::test::Command;
using sme::test::Scratch;
using sme::test::text_of;

namespace {

struct Look {
    int end, shown; // of the trace, of the window
};

std::vector<Look> looks_in(const std::string& text) {
    std::vector<Look> looks;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line.substr(std::min<std::size_t>(line.size(), 2))};
        Look look{};
        if (line.starts_with("L ") && words >> look.end >> look.shown)
            looks.push_back(look);
    }
    return looks;
}

} // namespace

TEST_CASE("GTKWave shows a run while it goes on, and the cycle that failed when it has ended") {
    const Scratch folder;
    // GTKWave executes our script and then this one, which prints its state
    folder.write("look.tcl",
                 "source $sme_script\n"
                 "puts \"L [gtkwave::getMaxTime] [gtkwave::getWindowEndTime]\"\n"
                 "if {[gtkwave::getMarker] == 30000 && [gtkwave::getMaxTime] >= 30000} {\n"
                 "  puts \"V [gtkwave::getTraceValueAtMarkerFromName {slow.x[15:0]}]\"\n"
                 "  gtkwave::/File/Grab_To_File [list {" SME_BINARY_DIR
                 "/gtkwave/live.png}]\n  gtkwave::/File/Quit\n}\n");
    std::filesystem::create_directories(SME_BINARY_DIR "/gtkwave");
    std::filesystem::create_directory(folder.path("bin"));
    folder.write("bin/gtkwave", "#!/bin/sh\n"
                                "{ echo \"set sme_script {$5}\"; cat " +
                                    folder.path("look.tcl") + "; } > " + folder.path("script.tcl") +
                                    "\nprintf %s $2 > " + folder.path("memory") +
                                    "\nexec $(PATH=/usr/bin command -v gtkwave) $1 $2 $3 -R " +
                                    folder.path("script.tcl") + " -P $7\n");
    std::filesystem::permissions(folder.path("bin/gtkwave"), std::filesystem::perms::owner_all);
    // a slow network: each cycle sums a memory. GTKWave may start late: then a slower one
    for (const int words : {60000, 300000, 1500000}) {
        folder.write("slow.yaml",
                     fmt::format("network: slow\nbuses: {{x: u16, ok: bool}}\nprocesses:\n  p:\n"
                                 "    out: [x, ok]\n"
                                 "    state: {{n: u16 = 0, mem: 'u16[{0}]'}}\n"
                                 "    step:\n      n: n + 1\n      mem[n]: n\n"
                                 "      x: sum(k < {0}, mem[k])\n      ok: true\n"
                                 "checks:\n  - at 3000: not ok\nrun: {{cycles: 3001}}\n",
                                 words));
        // xvfb-run may end with a code of its own
        const Command view{
            "PATH=" + folder.path("bin") +
                ":$PATH timeout 120 xvfb-run -a -s '-screen 0 1400x900x24' sh -c '" SME_COMMAND
                " view --live --engine interpreted --threads 1 " +
                folder.path("slow.yaml") + "; echo E $? >&2'",
            Command::any_program};
        const std::vector<Look> looks = looks_in(view.err);
        if (looks.empty()) {
            MESSAGE("skipped: no GTKWave with Tcl on a display of xvfb-run");
            return;
        }
        const auto is_early = [](const Look& look) { return look.end < 30000; };
        if (words < 1500000 && std::count_if(looks.begin(), looks.end(), is_early) < 2)
            continue;
        INFO(view.err);
        CHECK(view.err.find("\nE 1\n") != std::string::npos); // from the check
        CHECK(std::count_if(looks.begin(), looks.end(), is_early) >= 2);
        CHECK(std::all_of(looks.begin(), looks.end(),
                          [](const Look& look) { return look.shown >= look.end; }));
        CHECK(looks.back().end == 30010);
        // the sum as cycle 2999 saw it
        CHECK(view.err.find(fmt::format("\nV {}\n", 2999 * 2998 / 2 % 65536)) != std::string::npos);
        break;
    }
    const Command left{"ipcs -m -i $(printf %d 0x" + text_of(folder.path("memory")) + ") 2>&1",
                       Command::any_program};
    CHECK_MESSAGE(left.out.find("nattch") == std::string::npos, left.out);
}
