// SPDX-License-Identifier: Apache-2.0
//
// Every file in bad/ is loaded, analysed and, if it has no errors, run for some cycles. The report
// must equal the text file next to it, and must contain the code in the file's name.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/codes.hpp"
#include "engine/engine.hpp"
#include "expr/syntax/parser.hpp"
#include "network/checks/check.hpp"
#include "session/run_loop.hpp"
#include "yaml/design.hpp"

using namespace sme;
namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path{SME_SOURCE_DIR} / "lib/yaml/test/bad";
constexpr std::uint64_t cycles = 6;

/// Codes without a file in bad/, and the test that expects each.
const std::map<std::string, const char*> elsewhere{
    {"file-too-large", "this file"},
    {"yaml-too-many", "this file"},
    {"step-threw", "sim/engine/test/fault_test.cpp"},            // only C++ throws
    {"open-input", "sim/cli/test/results/open_inputs_test.cpp"}, // only runs need a source
    {"verilog-error", "sim/cli/test/verilog/verilog_test.cpp"},  // only the command reads Verilog
    {"verilog-warning", "sim/cli/test/verilog/verilog_test.cpp"},
    {"verilog-build", "sim/cli/test/verilog/verilog_test.cpp"},
    {"verilog-port", "sim/cli/test/verilog/verilog_test.cpp"},
    {"verilog-sign", "sim/cli/test/verilog/verilog_test.cpp"},
    {"verilog-follows", "sim/cli/test/verilog/verilog_test.cpp"},
    {"verilog-control", "sim/cli/test/verilog/verilog_input_test.cpp"},
    {"verilog-stopped", "sim/cli/test/verilog/verilog_test.cpp"},
    {"verilog-moved", "sim/cli/test/verilog/verilog_test.cpp"},
    {"implementations-differ", "sim/cli/test/verilog/cosim_test.cpp"},
    {"assumption-unmet", "sim/cli/test/cosim/random_rules_test.cpp"},
    {"needs-clock", "sim/cli/test/results/untimed_test.cpp"}, // only in a run without a clock
    {"verilog-value", "sim/cli/test/verilog/verilog_test.cpp"},
    {"file-unwritable", "sim/cli/test/cli_test.cpp"}, // only the command writes files
    {"compiler-missing", "sim/cli/test/engines/native_test.cpp"},
    {"native-failed", "sim/cli/test/engines/native_test.cpp"},
    {"bad-checkpoint", "sim/cli/test/files/checkpoint_test.cpp"},
    {"not-saved", "sim/cli/test/files/checkpoint_test.cpp"},
    {"record-differs", "sim/cli/test/cli_test.cpp"}, // only the command compares
    {"check-failed", "sim/cli/test/cli_test.cpp"},   // only the command reports
    {"not-reached", "sim/cli/test/cli_test.cpp"},
    {"nothing-to-compare", "sim/cli/test/results/diff_test.cpp"},
    {"not-overwritten", "sim/cli/test/files/output_files_test.cpp"},
    {"outside-folder", "sim/cli/test/files/output_files_test.cpp"},
};

std::string contents(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// Returns the cases in the order of their names.
std::vector<fs::path> cases() {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder})
        if (entry.path().extension() == ".yaml")
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

/// Returns the code in a file's name: "two-writes" for two-writes-field.yaml.
std::string slug_of(const fs::path& path) {
    const std::string stem = path.stem().string();
    std::string best;
    for (const CodeInfo& code : all_codes()) {
        const std::string slug{code.slug};
        if (slug.size() > best.size() && (stem == slug || stem.starts_with(slug + "-")))
            best = slug;
    }
    return best;
}

std::string run(const Graph& graph, const Analysis& analysis, Diagnostics& diagnostics) {
    engine::Engine engine{graph, analysis, {}, diagnostics};
    std::string text = render(diagnostics);
    if (diagnostics.has_errors())
        return text;
    engine.run(cycles);
    engine.finish();
    for (const Diagnostic& fault : engine.faults())
        text += render(fault);
    return text;
}

/// Returns the report about a network file: a path relative to the working directory, or a text.
std::string reported(const std::string& path, const SourceRef& source = {},
                     std::uint64_t size = 1) {
    session::Observed observed;
    const yaml::GroupFactories kinds = session::factories(observed);
    Diagnostics diagnostics;
    yaml::LoadOptions options;
    options.size = size;
    if (!path.ends_with("file-unreadable-std.yaml")) // this case has no standard library
        options.library = SME_SOURCE_DIR "/lib";
    const auto design = source ? yaml::load(source, options, kinds, diagnostics)
                               : yaml::load(path, options, kinds, diagnostics);
    if (design)
        if (const auto analysis = analyse(design->graph, diagnostics))
            return run(design->graph, *analysis, diagnostics);
    return render(diagnostics);
}

/// Sets the working directory: paths in messages are relative to the directory of the cases.
class InFolder {
public:
    explicit InFolder(const fs::path& where) : before_{fs::current_path()} {
        fs::current_path(where);
    }
    ~InFolder() { fs::current_path(before_); }
    InFolder(const InFolder&) = delete;
    InFolder& operator=(const InFolder&) = delete;

private:
    fs::path before_;
};

} // namespace

TEST_CASE("bad input gets the text that is written beside it") {
    const InFolder inside{folder};
    REQUIRE_FALSE(cases().empty());
    for (const fs::path& path : cases()) {
        CAPTURE(path.filename().string());
        const std::string text = reported(path.filename().string());
        fs::path expected = path;
        expected.replace_extension(".txt");
        if (std::getenv("SME_WRITE_EXPECTED")) // to compare with git diff
            std::ofstream{expected, std::ios::binary} << text;
        CHECK(text == contents(expected));
    }
}

namespace {

/// Returns the diagnostics from loading a text.
std::vector<Diagnostic> findings(const SourceRef& source) {
    session::Observed observed;
    Diagnostics diagnostics;
    yaml::LoadOptions options;
    options.library = SME_SOURCE_DIR "/lib";
    if (const auto design = yaml::load(source, options, session::factories(observed), diagnostics))
        analyse(design->graph, diagnostics);
    return diagnostics.all();
}

/// Returns the text with "T(...)" or "... != 0" written around a part of it.
std::string around(const std::string& form, std::string text, const Location& where) {
    std::string result = form;
    const std::size_t at = result.find("...");
    const std::string part = text.substr(where.begin, where.end - where.begin);
    result.replace(at, 3, result.starts_with("...") ? "(" + part + ")" : part);
    return text.replace(where.begin, where.end - where.begin, result);
}

/// Applies the code that a message advises; `nullopt` if it advises none.
std::optional<std::string> applied(const Diagnostic& found) {
    if (!found.where.source)
        return std::nullopt;
    std::string text{found.where.source->text()};
    static const std::regex wraps{"write '?([^ ']*\\.\\.\\.[^' ;,]*( != 0)?)'?"
                                  "(?: around (the left operand|the right operand|both|that))?"};
    static const std::regex whole{"; write ([^'.]*[)a-z0-9])$"};
    std::smatch match;
    if (found.code == Code::width_mismatch && std::regex_search(found.message, match, whole))
        return text.replace(found.where.begin, found.where.end - found.where.begin, match[1]);
    if (!std::regex_search(found.message, match, wraps) ||
        found.message.find("as in " + match[1].str()) != std::string::npos)
        return std::nullopt;
    const std::string which = match[3];
    if (which.empty())
        return around(match[1], text, found.where);
    expr::Text read{found.where.source,
                    text.substr(found.where.begin, found.where.end - found.where.begin),
                    {}};
    for (std::uint32_t at = found.where.begin; at <= found.where.end; ++at)
        read.offsets.push_back(at);
    Diagnostics quiet;
    const expr::AstRef binary = expr::parse_expression(read, quiet);
    if (!binary || binary->kind != expr::Ast::Kind::binary)
        return std::nullopt;
    const bool right =
        which == "the right operand" ||
        (which == "that" && found.message.find("the right operand") != found.message.npos);
    if (right || which == "both")
        text = around(match[1], text, binary->operands[1]->where);
    return right ? text : around(match[1], text, binary->operands[0]->where);
}

} // namespace

TEST_CASE("code that a message says to write, written there, is what it asks for") {
    const InFolder inside{folder};
    std::size_t tried = 0;
    for (const fs::path& path : cases()) {
        CAPTURE(path.filename().string());
        const auto source =
            std::make_shared<Source>(path.filename().string(), contents(path.filename()));
        for (const Diagnostic& found : findings(source)) {
            std::optional<Diagnostic> left = found; // at the same location
            for (int step = 0; step < 4 && left; ++step) {
                const std::optional<std::string> text = applied(*left);
                if (!text)
                    break;
                ++tried;
                CAPTURE(left->message);
                CAPTURE(*text);
                left.reset();
                for (const Diagnostic& each :
                     findings(std::make_shared<Source>(source->path(), *text)))
                    if (each.where.begin == found.where.begin && each.code == found.code)
                        left = each;
                CHECK((!left || (step < 3 && left->message != found.message)));
            }
        }
    }
    CHECK(tried >= 40);
}

TEST_CASE("every code has a file that is named for it, or another test") {
    std::map<std::string, bool> shown; // whether the report contains the code of the file's name
    for (const fs::path& path : cases()) {
        CAPTURE(path.filename().string());
        const std::string slug = slug_of(path);
        fs::path expected = path;
        expected.replace_extension(".txt");
        CHECK_MESSAGE(!slug.empty(), "no code begins this file's name");
        CHECK_MESSAGE(contents(expected).find("[" + slug + "]") != std::string::npos,
                      "the text does not show the code of the file's name");
        shown[slug] = true;
    }
    for (const CodeInfo& code : all_codes()) {
        const std::string slug{code.slug};
        const auto other = elsewhere.find(slug);
        CHECK_MESSAGE(shown.count(slug) + (other != elsewhere.end()) == 1,
                      "'" << slug << "' needs a file in bad/ or another test, and not both");
    }
}

TEST_CASE("every text has its network") {
    for (const fs::directory_entry& entry : fs::directory_iterator{folder}) {
        fs::path network = entry.path();
        CAPTURE(network.filename().string());
        if (entry.path().extension() == ".txt")
            CHECK(fs::exists(network.replace_extension(".yaml")));
    }
}

TEST_CASE("messages are lower case, without a full stop, on one line of bearable length") {
    for (const fs::path& path : cases()) {
        fs::path expected = path;
        std::ifstream file{expected.replace_extension(".txt")};
        CAPTURE(path.filename().string());
        for (std::string line; std::getline(file, line);)
            for (const std::string kind : {": error: ", ": warning: ", ": fault: ", ": note: "}) {
                const std::size_t at = line.find(kind);
                if (at == std::string::npos)
                    continue;
                CAPTURE(line);
                std::string message = line.substr(at + kind.size());
                message.erase(std::min(message.rfind(" ["), message.size()));
                CHECK(message.size() <= 200);
                CHECK_FALSE(message.ends_with('.'));
                const bool word =
                    message.size() > 1 &&
                    std::islower(static_cast<unsigned char>(message[1])); // "YAML" and "Pair" stay
                CHECK((!std::isupper(static_cast<unsigned char>(message[0])) || !word ||
                       message.starts_with("Pair ") || message.starts_with("Stream(")));
            }
    }
}

TEST_CASE("a file past the limits is refused before it is read whole") {
    const fs::path path =
        fs::temp_directory_path() / ("sme_large_" + std::to_string(::getpid()) + ".yaml");
    std::ofstream{path} << std::string((std::size_t{16} << 20) + 1, '#');
    CHECK(reported(path.string()).find("it is larger than 16777216 bytes [file-too-large]") !=
          std::string::npos);
    // all of it is a comment
    CHECK(reported(path.string(), {}, 2).find("[missing-key]") != std::string::npos);
    fs::remove(path);
}

TEST_CASE("more than a million YAML nodes are refused") {
    std::string text = "network: bad\nbuses:\n";
    for (int k = 0; k < 1'000'001; ++k)
        text += "  - x\n";
    const auto source = std::make_shared<Source>("many.yaml", std::move(text));
    CHECK(reported("", source)
              .find("many.yaml:999998:5: error: the file holds more than 1000000 YAML nodes "
                    "[yaml-too-many]") != std::string::npos);
}
