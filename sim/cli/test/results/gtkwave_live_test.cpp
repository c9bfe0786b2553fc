// SPDX-License-Identifier: Apache-2.0
//
// Shows a run in the real GTKWave while it continues. Saves a screenshot in the build folder.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "../command.hpp"

using sme::test::Command;
using sme::test::Scratch;
using sme::test::text_of;

TEST_CASE("GTKWave shows a run while it goes on, and the cycle that failed when it has ended") {
    const Scratch folder;
    // a slow network: each cycle sums a memory
    folder.write("slow.yaml", "network: slow\nbuses: {x: u16, ok: bool}\nprocesses:\n  p:\n"
                              "    out: [x, ok]\n    state: {n: u16 = 0, mem: 'u16[60000]'}\n"
                              "    step:\n      n: n + 1\n      mem[n]: n\n"
                              "      x: sum(k < 60000, mem[k])\n      ok: true\n"
                              "checks:\n  - at 3000: not ok\nrun: {cycles: 3001}\n");
    // GTKWave executes our script and then this one, which prints its state
    folder.write("look.tcl",
                 "source $sme_script\n"
                 "puts \"L [gtkwave::getMaxTime] [gtkwave::getWindowEndTime] "
                 "[gtkwave::getMarker]\"\n"
                 "if {[gtkwave::getMarker] == 30000} {\n"
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
    const Command view{"PATH=" + folder.path("bin") +
                           ":$PATH timeout 120 xvfb-run -a -s '-screen 0 1400x900x24' " SME_COMMAND
                           " view --live --engine interpreted --threads 1 " +
                           folder.path("slow.yaml"),
                       Command::any_program};
    if (view.err.find("\nL ") == std::string::npos) {
        MESSAGE("skipped: no GTKWave with Tcl on a display of xvfb-run");
        return;
    }
    CHECK(view.exit_code == 1); // from the check
    std::istringstream lines{view.err};
    std::vector<int> ends; // of the trace, at each look
    bool followed = true;
    std::string value;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line.substr(std::min<std::size_t>(line.size(), 2))};
        int end = 0, shown = 0;
        if (line.starts_with("L ") && words >> end >> shown) {
            ends.push_back(end);
            followed = followed && shown >= end;
        } else if (line.starts_with("V "))
            value = line.substr(2);
    }
    CHECK(followed);
    CHECK(std::count_if(ends.begin(), ends.end(), [](int end) { return end < 30000; }) >= 2);
    CHECK(ends.back() == 30010);
    CHECK(value == std::to_string(2999 * 2998 / 2 % 65536)); // the sum as cycle 2999 saw it
    const Command left{"ipcs -m -i $(printf %d 0x" + text_of(folder.path("memory")) + ") 2>&1",
                       Command::any_program};
    CHECK_MESSAGE(left.out.find("nattch") == std::string::npos, left.out);
}
