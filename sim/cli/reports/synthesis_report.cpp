// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/synthesis_report.hpp"

#include <array>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/find_program.hpp"
#include "base/program.hpp"
#include "cli/signals.hpp"

namespace sme::cli {

namespace {

struct Target {
    const char* name;
    const char* command;             // of Yosys
    const char* router;              // a program
    std::array<const char*, 3> size; // the device, as it is told
};

constexpr std::array targets{
    Target{"ice40", "synth_ice40", "nextpnr-ice40", {"--hx8k", "--package", "ct256"}},
    Target{"ecp5", "synth_ecp5", "nextpnr-ecp5", {"--25k", "--package", "CABGA381"}},
};

std::string text_of(const std::string& path) {
    constexpr std::size_t max_bytes = std::size_t{64} << 20;
    return read_file(path, max_bytes).text.value_or("");
}

/// "     SB_LUT4   12" behind "Number of cells:", for the last module that was counted.
std::map<std::string, unsigned long> counted_cells(const std::string& statistics) {
    std::map<std::string, unsigned long> cells;
    const std::size_t at = statistics.rfind("Number of cells:");
    if (at == std::string::npos)
        return cells;
    std::istringstream lines{statistics.substr(at)};
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream words{line};
        std::string name;
        unsigned long count = 0;
        if (!(words >> name >> count))
            break;
        cells[name] = count;
    }
    return cells;
}

/// The last "Max frequency for clock ...: 123.45 MHz" of a log.
std::string frequency(const std::string& log) {
    const std::size_t at = log.rfind("Max frequency for clock");
    if (at == std::string::npos)
        return {};
    const std::size_t colon = log.find(": ", at);
    const std::size_t end = log.find(" MHz", at);
    if (colon == std::string::npos || end == std::string::npos || end < colon)
        return {};
    return log.substr(colon + 2, end - colon - 2) + " MHz";
}

class Synthesis {
public:
    Synthesis(const std::string& folder, const hdl::Exported& exported)
        : folder_{folder}, exported_{exported}, top_{exported.top} {}

    SynthesisReport run() {
        SynthesisReport made;
        const std::optional<std::string> yosys = find_program("yosys");
        if (!yosys) {
            made.problem =
                "there is no program 'yosys' to synthesise with (Debian: apt-get install "
                "yosys)";
            return made;
        }
        for (const Target& target : targets) {
            made.problem = synthesise(*yosys, target);
            if (!made.problem.empty())
                return made;
            made.text += line(target) + routed(target);
        }
        return made;
    }

private:
    std::string file(const Target& target, const char* end) const {
        return fmt::format("{}/{}_{}.{}", folder_, top_, target.name, end);
    }

    std::string synthesise(const std::string& yosys, const Target& target) const {
        std::string script = "read_verilog";
        for (const hdl::ExportedFile& file : exported_.sources)
            if (file.name.ends_with(".sv"))
                script = "read_verilog -sv";
        script += fmt::format(" -I\"{}\"", folder_);
        for (const std::string& define : exported_.defines)
            script += " -D" + define;
        for (const auto* all : {&exported_.sources, &exported_.modules})
            for (const hdl::ExportedFile& file : *all)
                script += fmt::format(" \"{}/{}\"", folder_, file.name);
        script += fmt::format("; {} -top {} -json \"{}\"; stat", target.command, top_,
                              file(target, "json"));
        const ProgramLimit limit{0, &interrupted()};
        const ProgramEnd end = run_program(yosys, {"-q", "-l", file(target, "log"), "-p", script},
                                           ProgramStreams::all_taken, {}, &limit);
        if (end.good())
            return {};
        if (end.stopped)
            return "Yosys was interrupted";
        return end.problem.empty() ? fmt::format("Yosys ended with {}: {}", end.exit_code,
                                                 end.output.substr(0, 2000))
                                   : end.problem;
    }

    std::string line(const Target& target) const {
        const auto cells = counted_cells(text_of(file(target, "log")));
        unsigned long all = 0;
        std::string each;
        for (const auto& [name, count] : cells) {
            all += count;
            each += fmt::format("{}{} {}", each.empty() ? "" : ", ", name, count);
        }
        return fmt::format("{}: {} cells ({})\n", target.name, all, each);
    }

    /// Placed and routed on a device that is large enough for most; nothing without nextpnr.
    std::string routed(const Target& target) const {
        const std::optional<std::string> router = find_program(target.router);
        if (!router)
            return {};
        std::vector<std::string> arguments{"--json", file(target, "json"), "--log",
                                           file(target, "route"), "--quiet"};
        arguments.insert(arguments.end(), target.size.begin(), target.size.end());
        const ProgramLimit limit{0, &interrupted()};
        const ProgramEnd end =
            run_program(*router, arguments, ProgramStreams::all_taken, {}, &limit);
        if (end.stopped)
            return fmt::format("  {} was interrupted\n", target.router);
        const std::string speed = frequency(text_of(file(target, "route")));
        if (!end.good() || speed.empty())
            return fmt::format("  {} could not place it; see {}\n", target.router,
                               file(target, "route"));
        return fmt::format("  {} ({}): {}\n", target.router, target.size[0] + 2, speed);
    }

    const std::string& folder_;
    const hdl::Exported& exported_;
    const std::string& top_;
};

} // namespace

std::vector<std::string> synthesis_files(const std::string& top) {
    std::vector<std::string> names;
    for (const Target& target : targets)
        for (const char* end : {"json", "log", "route"})
            names.push_back(fmt::format("{}_{}.{}", top, target.name, end));
    return names;
}

SynthesisReport report_synthesis(const std::string& folder, const hdl::Exported& exported) {
    return Synthesis{folder, exported}.run();
}

} // namespace sme::cli
