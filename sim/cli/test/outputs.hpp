// SPDX-License-Identifier: Apache-2.0
//
// Lists every output file of a run, with its readers in other programs. A new output is a row of
// `outputs`.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "command.hpp"

namespace sme::test {

enum class Format { vcd, csv, json, xml, lcov, checkpoint, html };

struct Output {
    const char* option; // of the run; null: requested by the network
    const char* file;
    Format format;
    enum {
        at_end,
        grows,   // during the run; its written part is kept
        replaced // during the run, as a whole
    } appears;
};

/// True if the page of reports could be built.
inline bool has_page() {
    return std::filesystem::exists(SME_BINARY_DIR "/sim/report/page/page.html");
}

inline std::vector<Output> all_outputs() {
    std::vector<Output> result{
        {"--trace", "run.vcd", Format::vcd, Output::grows},
        {nullptr, "output.csv", Format::csv, Output::grows},
        {"--results", "results.json", Format::json, Output::at_end},
        {"--junit", "junit.xml", Format::xml, Output::at_end},
        {"--coverage", "covered.info", Format::lcov, Output::at_end},
        {"--coverage", "covered.json", Format::json, Output::at_end},
        {"--profile", "profile.json", Format::json, Output::at_end},
        {"--wavedrom", "waves.json", Format::json, Output::at_end},
        {"--schedule", "schedule.json", Format::json, Output::at_end},
        {"--checkpoint-every 1000", "run.ckpt", Format::checkpoint, Output::replaced},
    };
    if (has_page())
        result.push_back({"--report", "report.html", Format::html, Output::at_end});
    return result;
}

inline const std::vector<Output> outputs = all_outputs();

inline std::string options_of(const Output& output) {
    return output.option ? std::string{" "} + output.option + " " + output.file : std::string{};
}

/// The options for all outputs.
inline std::string all_options() {
    std::string all;
    for (const Output& output : outputs)
        all += options_of(output);
    return all;
}

inline bool is_there(const std::string& program) {
    if (std::system(("command -v " + program + " >/dev/null").c_str()) == 0)
        return true;
    MESSAGE("skipped: no " << program);
    return false;
}

inline std::size_t times_in(const std::string& vcd) {
    std::size_t count = 0;
    std::istringstream lines{vcd};
    for (std::string line; std::getline(lines, line);)
        count += line.starts_with("#") && line.size() > 1 && line[1] >= '0' && line[1] <= '9';
    return count;
}

/// Checks a trace with GTKWave's own converter: it finds the expected number of times; in a
/// truncated file it may omit the last. A process that is killed during a write may leave half a
/// line, on which the converter may crash: it gets only the lines before.
inline void check_vcd(const std::string& whole, bool cut) {
    if (!is_there("vcd2fst"))
        return;
    const Scratch scratch;
    std::string path = whole;
    if (cut) {
        const std::string text = text_of(whole);
        path = scratch.path("lines.vcd");
        scratch.write("lines.vcd", text.substr(0, text.rfind('\n') + 1));
    }
    const std::string fst = scratch.path("x.fst"), back = scratch.path("back.vcd");
    const Command read{"vcd2fst -v " + path + " -f " + fst + " && fst2vcd -f " + fst + " -o " +
                           back,
                       Command::any_program};
    CHECK_MESSAGE(read.exit_code == 0, read.err);
    const std::size_t given = times_in(text_of(path)), found = times_in(text_of(back));
    CHECK(found <= given + 1);
    CHECK(found + (cut ? 1 : 0) >= given);
}

inline void check_csv(const std::string& path) {
    const std::string text = text_of(path);
    REQUIRE_FALSE(text.empty());
    CHECK(text.back() == '\n');
    std::istringstream lines{text};
    std::string header, line;
    std::getline(lines, header);
    const auto commas = std::count(header.begin(), header.end(), ',');
    bool complete = true;
    while (std::getline(lines, line))
        complete = complete && !line.empty() && line.back() != ',' &&
                   std::count(line.begin(), line.end(), ',') == commas;
    CHECK(complete);
}

/// Checks that a run resumes from the checkpoint and reaches a later cycle.
inline void check_checkpoint(const std::string& path) {
    const auto resumed = [&](const std::string& cycles) {
        const std::string folder = path.substr(0, path.rfind('/'));
        const std::string program =
            std::filesystem::exists(folder + "/loop.hex") ? " --set program=loop.hex" : "";
        return Command{"cd " + folder + " && " + SME_COMMAND " run network.yaml --threads 1" +
                           program + " --resume " + path + " --cycles " + cycles,
                       Command::any_program};
    };
    const std::string refused = resumed("1").err, mark = "with cycle ";
    const std::size_t at = refused.find(mark);
    REQUIRE_MESSAGE(at != std::string::npos, refused);
    const Command rest =
        resumed(std::to_string(std::stoull(refused.substr(at + mark.size())) + 10));
    CHECK_MESSAGE(rest.exit_code == 0, rest.err);
}

/// Checks, with another program, that a file under its final name is complete.
inline void check_whole(const Output& output, const std::string& path) {
    CAPTURE(path);
    REQUIRE(std::filesystem::exists(path));
    const auto reads = [](const std::string& line) {
        const Command read{line, Command::any_program};
        CHECK_MESSAGE(read.exit_code == 0, read.err);
    };
    switch (output.format) {
    case Format::vcd: return check_vcd(path, false);
    case Format::csv: return check_csv(path);
    case Format::json: return reads("python3 -m json.tool " + path);
    case Format::xml:
        return reads("python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' " + path);
    case Format::lcov:
        if (is_there("lcov"))
            reads("lcov --summary " + path);
        return;
    case Format::checkpoint: return check_checkpoint(path);
    case Format::html:
        return reads("python3 " SME_SOURCE_DIR "/sim/report/test/read_page.py " + path);
    }
}

/// All unfinished files below a folder.
inline std::vector<std::string> parts_in(const std::string& folder) {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{folder})
        if (entry.path().extension() == ".part")
            found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
}

inline std::uintmax_t size_of(const std::string& path) {
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(path, none);
    return none ? 0 : size;
}

/// A model that runs without end; its recorded outputs are not compared.
class EndlessModel : public Scratch {
public:
    explicit EndlessModel(const std::string& name) {
        copy(std::string{SME_SOURCE_DIR} + "/models/" + name);
        std::istringstream lines{text_of(path("network.yaml"))};
        std::string text;
        for (std::string line; std::getline(lines, line);)
            if (line.find("    expect:") == std::string::npos &&
                line.find("- eventually") == std::string::npos)
                text += line + "\n";
        write("network.yaml", text);
        std::filesystem::remove(path("output.csv")); // left by an earlier run of the model
        if (name != "riscv")
            return;
        // loop: addi x1, x1, 1; j loop
        write("loop.hex", "00108093\nffdff06f\n");
        options_ = " --set program=loop.hex";
    }
    /// The arguments of an endless run.
    std::string run(const std::string& cycles = "4611686018427387904") const {
        return "run network.yaml --cycles " + cycles + options_;
    }
    const std::string& options() const { return options_; }

private:
    std::string options_;
};

} // namespace sme::test
