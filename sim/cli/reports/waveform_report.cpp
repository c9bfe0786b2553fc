// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/waveform_report.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "base/codes.hpp"
#include "base/program.hpp"
#include "base/source.hpp"
#include "cli/findings.hpp"
#include "cli/reports/graph_file.hpp"
#include "cli/reports/results.hpp"
#include "cli/terminal.hpp"
#include "cli/traced_names.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::cli {

namespace {

constexpr std::uint64_t usual_cycles = 40;
constexpr std::uint64_t max_drawn = 100'000; // cycles

trace::Window window_of(const Options& options, std::uint64_t first_cycle) {
    const std::uint64_t from =
        options.from.value_or(options.to ? std::min(first_cycle, *options.to - 1) : first_cycle);
    return {from, std::min(options.to.value_or(from + usual_cycles), from + max_drawn)};
}

std::vector<trace::WaveformLook::Mark> failures(const Loaded& loaded) {
    std::vector<trace::WaveformLook::Mark> result;
    for (const std::uint64_t cycle : failed_cycles(loaded))
        result.push_back({"FAILED", cycle});
    return result;
}

} // namespace

int WaveformReport::open(const Options& options, const Loaded& loaded, engine::Engine& engine,
                         const RunCycles& cycles) {
    if (options.show.empty() && options.wavedrom.empty())
        return exit_code::fine;
    if (const std::string problem =
            unmatched(loaded.design.graph, options.show, options.trace_state);
        !problem.empty()) {
        report_error(Code::bad_option, "--show: " + problem);
        return exit_code::usage;
    }
    trace::RecorderOptions result;
    result.select = joined(options.show);
    result.state = options.trace_state;
    result.window = window_of(options, cycles.first);
    if (result.window.from > cycles.end) {
        report_error(Code::bad_cycles,
                     fmt::format("--from {} is after the end of the run, which has cycles {} to {}",
                                 result.window.from, cycles.first, cycles.end - 1));
        return exit_code::usage;
    }
    if (const int failed = files_.open(options); failed != exit_code::fine)
        return failed;
    wanted_ = options.to.value_or(result.window.to);
    window_ = std::make_unique<trace::WaveformRecorder>(result);
    engine.attach(*window_);
    if (options.from || options.to)
        return exit_code::fine;
    result.window = {};
    result.last = usual_cycles;
    last_ = std::make_unique<trace::WaveformRecorder>(result);
    engine.attach(*last_);
    return exit_code::fine;
}

void WaveformReport::finish(const Options& options, const engine::Engine& engine) {
    if (!is_asked_for())
        return;
    const bool failed = engine.ending() >= RunEnd::check_failed;
    drawn_ = (last_ && failed ? last_ : window_)->take();
    order_by(drawn_.signals, options.show);
}

std::string WaveformReport::text(const Options& options, const Loaded& loaded) const {
    if (options.show.empty())
        return {};
    trace::WaveformLook look;
    look.columns = output_columns();
    look.ascii = options.ascii || !output_takes_unicode();
    look.marks = failures(loaded);
    try {
        const std::string drawn = trace::waveform_text(drawn_, look);
        return drawn.empty() ? drawn : "\n" + drawn;
    } catch (const std::bad_alloc&) {
        print_note("there is not enough memory to draw the waveform; give --show fewer buses, or "
                   "fewer cycles by --from and --to");
        return {};
    }
}

int WaveformReport::write(const Loaded& loaded) {
    if (!files_.any())
        return exit_code::fine;
    std::string foot;
    const bool check = std::any_of(
        loaded.verdicts->begin(), loaded.verdicts->end(),
        [](const interpret::Verdict& each) { return each.kind == CheckResult::Kind::failed; });
    for (const std::uint64_t cycle : failed_cycles(loaded))
        if (drawn_.window.holds(cycle))
            foot += fmt::format("{} {}",
                                !foot.empty() ? ","
                                : check       ? "a check failed in cycle"
                                              : "an output failed in cycle",
                                cycle);
    return files_.write(trace::wavejson(drawn_, loaded.design.graph.name, foot));
}

std::string WaveformReport::missing() const {
    if (!is_asked_for())
        return {};
    const trace::Waveform& result = drawn_;
    if (result.signals_left_out > 0)
        return fmt::format("the waveform lacks {}, for which there is no memory",
                           counted(result.signals_left_out, "signal", "signals"));
    if (result.window.to == 0 && result.cut_short)
        return "there is no memory for the waveform; give --show fewer buses";
    if (result.window.to == 0)
        return fmt::format("the run ended after {}, so nothing is drawn",
                           counted(result.cycles, "cycle", "cycles"));
    if (result.cut_short)
        return fmt::format("the waveform ends before cycle {}: there is no memory for more",
                           result.window.to);
    if (wanted_ > result.window.to && result.cycles > result.window.to)
        return fmt::format("the waveform ends before cycle {}: no more than {} cycles are drawn; "
                           "--trace takes all",
                           result.window.to, max_drawn);
    return {};
}

namespace {

/// A program that contains WaveDrom, and its use of the standard streams.
struct Drawer {
    std::string path{};
    std::vector<std::string> arguments{};
};

/// Finds the first installed program; its `name` becomes its path, or empty.
Drawer find_drawer() {
    for (const Drawer& drawer : {Drawer{"yowasp-wavedrom", {"-", "-"}},
                                 Drawer{"wavedrom-cli", {"-i", "/dev/stdin", "-s", "/dev/stdout"}}})
        if (const auto path = find_program(drawer.path))
            return {*path, drawer.arguments};
    return {};
}

int complain_of_wavedrom(const std::string& problem) {
    print_error(
        fmt::format("error: {}; an SVG is drawn by WaveDrom, FILE.json needs no other program\n",
                    shown_text(problem)));
    return exit_code::building;
}

bool is_svg(const OutputFile& file) {
    return file.path().ends_with(".svg");
}

void find_references(const pugi::xml_node& node, std::set<std::string, std::less<>>& found) {
    for (const pugi::xml_attribute& attribute : node.attributes())
        if (const std::string_view value = attribute.value(); value.starts_with('#'))
            found.emplace(value.substr(1));
    for (const pugi::xml_node& inner : node.children())
        find_references(inner, found);
}

/// Removes unused shapes from a picture: WaveDrom puts all its shapes into each picture, and they
/// are most of the file.
std::string without_unused_shapes(std::string svg) {
    pugi::xml_document document;
    if (!document.load_string(svg.c_str(), pugi::parse_full | pugi::parse_ws_pcdata))
        return svg;
    std::set<std::string, std::less<>> used;
    find_references(document, used);
    pugi::xml_node shapes = document.child("svg").child("defs");
    for (pugi::xml_node shape = shapes.child("g"); shape;) {
        const pugi::xml_node next = shape.next_sibling("g");
        if (!used.contains(std::string_view{shape.attribute("id").value()}))
            shapes.remove_child(shape);
        shape = next;
    }
    std::ostringstream text;
    document.save(text, "", pugi::format_raw | pugi::format_no_declaration);
    return text.str();
}

/// Returns the SVG; `nullopt` on failure, with the exit code in `failed`.
std::optional<std::string> drawn(const std::string& wavejson, int& failed) {
    const Drawer drawer = find_drawer();
    auto svg = drawn_by(drawer.path, drawer.arguments, wavejson, complain_of_wavedrom, failed);
    if (svg)
        svg = without_unused_shapes(std::move(*svg));
    return svg;
}

} // namespace

int WavedromFiles::open(const Options& options) {
    for (const std::string& path : options.wavedrom) {
        const OutputFile& file = *files_.emplace_back(std::make_unique<OutputFile>(path));
        if (!file.good()) {
            report_error(Code::file_unwritable, file.problem());
            return exit_code::file;
        }
        if (is_svg(file) && find_drawer().path.empty())
            return complain_of_wavedrom("there is no program 'yowasp-wavedrom' (pip install "
                                        "yowasp-wavedrom) or 'wavedrom-cli' (npm install -g "
                                        "wavedrom-cli)");
    }
    return exit_code::fine;
}

int WavedromFiles::write(const std::string& wavejson) {
    int code = exit_code::fine;
    for (const auto& file : files_) {
        std::optional<std::string> text = wavejson;
        if (is_svg(*file))
            text = drawn(wavejson, code);
        if (!text)
            continue;
        file->write(*text);
        if (!file->commit()) {
            report_error(Code::file_unwritable, file->problem());
            code = exit_code::file;
        }
    }
    files_.clear(); // removes the partial files
    return code;
}

} // namespace sme::cli
