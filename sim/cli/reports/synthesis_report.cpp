// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/synthesis_report.hpp"

#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/program.hpp"
#include "base/source.hpp"
#include "cli/findings.hpp"
#include "cli/terminal.hpp"

namespace sme::cli {

std::string export_summary(const hdl::Exported& exported, const std::string& folder,
                           std::uint64_t cycles) {
    return fmt::format(
        "{}: {}{} in {}, a test bench of {}\n", exported.top,
        counted(exported.trees.size(), "module", "modules"),
        exported.sources.empty()
            ? ""
            : fmt::format(" and {} of others", counted(exported.sources.size(), "file", "files")),
        shown_text(folder), counted(cycles, "cycle", "cycles"));
}

std::string left_out_line(const hdl::Exported& exported) {
    if (exported.left_out.empty())
        return {};
    return fmt::format("  left out     {}\n",
                       shown_text(fmt::format("{}", fmt::join(exported.left_out, ", "))));
}

namespace {

/// The target of a synthesis.
struct Target {
    std::string name;
    std::string family;
    std::vector<std::string> device; // as nextpnr's arguments
    std::string top;                 // the synthesised module
    const hdl::Board* board = nullptr;

    std::string command() const { return "synth_" + family; }
    std::string router() const { return "nextpnr-" + family; }
};

std::vector<Target> targets_of(const hdl::Exported& exported, const hdl::Board* board) {
    if (board)
        return {
            {board->name, board->family, board->device, hdl::board_top(exported, *board), board}};
    return {{"ice40", "ice40", {"--hx8k", "--package", "ct256"}, exported.top},
            {"ecp5", "ecp5", {"--25k", "--package", "CABGA381"}, exported.top}};
}

std::string report_name(const hdl::Exported& exported, const Target& target) {
    return fmt::format("{}_{}", exported.top, target.name);
}

std::string text_of(const std::string& path) {
    constexpr std::size_t max_bytes = std::size_t{64} << 20;
    return read_file(path, max_bytes).text.value_or("");
}

/// Reads "     SB_LUT4   12" after "Number of cells:", for the last counted module.
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

/// The same for several clocks, with each constraint: "slow_clk 144.68 MHz of 1.50".
std::string frequencies(const std::string& log) {
    static const std::regex line{"Max frequency for clock +'([^'$]*)[^']*': ([0-9.]+) MHz "
                                 "\\([A-Z]+ at ([0-9.]+) MHz\\)"};
    std::map<std::string, std::string> found; // the last value of each
    for (std::sregex_iterator at{log.begin(), log.end(), line}, end; at != end; ++at)
        found[(*at)[1]] =
            fmt::format("{} {} MHz of {}", (*at)[1].str(), (*at)[2].str(), (*at)[3].str());
    std::string result;
    for (const auto& [clock, text] : found)
        result += (result.empty() ? "" : ", ") + text;
    return result;
}

class Synthesis {
public:
    Synthesis(const std::string& folder, const hdl::Exported& exported, const hdl::Board* board)
        : folder_{folder}, exported_{exported}, targets_{targets_of(exported, board)} {}

    SynthesisReport run() {
        SynthesisReport result;
        const std::optional<std::string> yosys = find_program("yosys");
        if (!yosys) {
            result.problem =
                "there is no program 'yosys' to synthesise with (Debian: apt-get install "
                "yosys)";
            return result;
        }
        for (const Target& target : targets_) {
            result.problem = synthesise(*yosys, target);
            if (!result.problem.empty())
                return result;
            result.text += line(target) + routed(target);
        }
        return result;
    }

private:
    std::string file(const Target& target, const char* end) const {
        return fmt::format("{}/{}.{}", folder_, report_name(exported_, target), end);
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
        if (target.board)
            script += fmt::format(" \"{}/{}.v\"", folder_, target.top);
        script += fmt::format("; {} -top {} -json \"{}\"; stat", target.command(), target.top,
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

    /// Places and routes the design on a device large enough for most designs; `nullopt` without
    /// nextpnr.
    std::string routed(const Target& target) const {
        const std::optional<std::string> router = find_program(target.router());
        if (!router)
            return {};
        std::vector<std::string> arguments{"--json", file(target, "json"), "--log",
                                           file(target, "route"), "--quiet"};
        arguments.insert(arguments.end(), target.device.begin(), target.device.end());
        if (target.board) {
            const std::string ends = target.board->constraints();
            arguments.insert(arguments.end(), {fmt::format("--{}", ends),
                                               fmt::format("{}/{}.{}", folder_, target.top, ends),
                                               fmt::format("--{}-allow-unconstrained", ends),
                                               "--freq", std::to_string(target.board->clock_mhz)});
        }
        const ProgramLimit limit{0, &interrupted()};
        const ProgramEnd end =
            run_program(*router, arguments, ProgramStreams::all_taken, {}, &limit);
        if (end.stopped)
            return fmt::format("  {} was interrupted\n", target.router());
        const bool one_clock = !target.board || exported_.clocks.size() == 1;
        const std::string log = text_of(file(target, "route"));
        const std::string speed = one_clock ? frequency(log) : frequencies(log);
        if (!end.good() || speed.empty())
            return fmt::format("  {} could not place it; see {}\n", target.router(),
                               file(target, "route"));
        return fmt::format("  {} ({}): {}{}\n", target.router(), target.device[0].substr(2), speed,
                           target.board && one_clock ? fmt::format(", the board's clock has {} MHz",
                                                                   target.board->clock_mhz)
                                                     : std::string{});
    }

    const std::string& folder_;
    const hdl::Exported& exported_;
    std::vector<Target> targets_;
};

} // namespace

std::vector<std::string> synthesis_files(const hdl::Exported& exported, const hdl::Board* board) {
    std::vector<std::string> names;
    for (const Target& target : targets_of(exported, board))
        for (const char* end : {"json", "log", "route"})
            names.push_back(fmt::format("{}.{}", report_name(exported, target), end));
    return names;
}

SynthesisReport report_synthesis(const std::string& folder, const hdl::Exported& exported,
                                 const hdl::Board* board) {
    return Synthesis{folder, exported, board}.run();
}

} // namespace sme::cli
