// SPDX-License-Identifier: Apache-2.0
//
// Verilator writes C++; the module's abi is added beside it; everything is compiled with
// Verilator's runtime, of which every module has its own copy, and linked into one object.
#include "verilator/build/build_steps.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <future>
#include <string_view>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "verilator/build/settings.hpp"

namespace sme::verilator {

namespace {

namespace fs = std::filesystem;

constexpr const char* fast = "-O3";
constexpr const char* slow = "-O0"; // for code that runs once
/// Up to this many bytes of C++, one compiler compiles the whole module: Verilator's headers
/// dominate the time, and Verilator marks code that runs once as cold.
constexpr std::uintmax_t small = 100'000;

} // namespace

std::optional<std::string> BuildSteps::fail(const std::string& what) {
    const std::size_t end = std::min(what.find('\n'), what.size());
    Diagnostic& result = diagnostics_.add(
        Code::verilog_build, module_.where,
        fmt::format("module '{}' cannot be built: {}", module_.top.text, what.substr(0, end)));
    constexpr std::size_t shown = 2000;
    if (const std::string said = told(what.substr(end)); !said.empty())
        result.note({}, said.substr(0, shown));
    return std::nullopt;
}

/// Returns the output of a compiler or linker, without the folders of built modules, and without
/// lines that only name these folders.
std::string BuildSteps::told(std::string_view said) const {
    std::string result;
    while (!said.empty()) {
        const std::size_t end = std::min(said.find('\n'), said.size());
        std::string line{said.substr(0, end)};
        said.remove_prefix(std::min(end + 1, said.size()));
        for (std::size_t at = line.find(settings_.folder); at != std::string::npos;
             at = line.find(settings_.folder)) {
            const std::size_t stop = std::min(line.find_first_of(":' ", at), line.size());
            line.erase(at, line.rfind('/', stop) + 1 - at);
        }
        const std::size_t word = std::min(line.find_first_not_of(' '), line.size());
        if (word < line.size() && !line.starts_with("In file included from ") &&
            line.compare(word, 5, "from ") != 0)
            result += (result.empty() ? "" : "\n") + line;
    }
    return result;
}

std::optional<std::string> BuildSteps::run(const ModuleCache& kept, const std::string& identity,
                                           const Netlist& netlist) {
    std::string problem;
    savable_ = module_.savable && netlist.unsavable.empty();
    const std::string folder = kept.begin(problem);
    if (folder.empty())
        return fail(fmt::format("there is no place to build it, {}; set XDG_CACHE_HOME to a "
                                "folder that can be written",
                                problem));
    settings_.progress(fmt::format("building module '{}'", module_.top.text));
    std::optional<std::string> result;
    verilator_ = installation_of(settings_);
    std::string runtime_problem;
    auto meanwhile =
        std::async(std::launch::async, [&] { runtime_ = runtime(kept, runtime_problem); });
    const std::optional<VerilatorOutput> output =
        run_verilator(settings_, module_, netlist, folder, {}, diagnostics_);
    const bool compiled = output && write_sources(folder, *output) && compile(folder);
    meanwhile.get();
    if (compiled && runtime_.empty())
        fail("the runtime of Verilator: " + runtime_problem);
    if (compiled && !runtime_.empty() && link(folder)) {
        problem = kept.publish(folder, identity, netlist, files_read(folder));
        if (problem.empty())
            result = kept.folder() + "/" + ModuleCache::key_of(identity) + "/object";
        else
            fail(problem);
    }
    std::error_code error;
    fs::remove_all(folder, error);
    return result;
}

/// Returns one source per compilation.
bool BuildSteps::write_sources(const std::string& folder, const VerilatorOutput& output) {
    std::string problem;
    bool good = true;
    const auto write = [&](const std::string& name, const std::string& text) {
        good = good && write_file(folder + "/" + name, text, problem);
    };
    const auto add = [&](const std::string& name, const std::string& text, const char* level) {
        write(name + ".cpp", text);
        compilations_.push_back({name + ".cpp", name + ".o", level});
    };
    write("abi.h", abi_text);
    write("context.h", context_text);
    write("runtime.h", runtime_text);
    write("version.h", version_text);
    if (module_.trace_inside)
        write("verilated_vcd_c.h", verilated_text);
    write("hooks.cpp", hooks_text);
    write("module_abi.cpp", output.abi);
    std::vector<std::string> groups = output.fast_sources(folder, 200'000);
    const std::string slow_source = output.slow_source() + "#include \"hooks.cpp\"\n";
    const bool whole = output.bytes(folder) <= small;
    groups.back() += "#include \"module_abi.cpp\"\n"; // its eval runs in every cycle
    if (whole)
        groups.back() += slow_source;
    for (std::size_t k = 0; k < groups.size(); ++k)
        add(fmt::format("fast{}", k), groups[k], fast);
    if (!whole)
        add("slow", slow_source, slow);
    for (std::size_t k = 0; k < module_.sources.size(); ++k)
        compilations_.push_back({module_.sources[k].text, fmt::format("own{}.o", k), "-O2", true});
    if (!good)
        fail(problem);
    return good;
}

/// Returns the files that Verilator and the compiler read.
std::vector<std::string> BuildSteps::files_read(const std::string& folder) const {
    std::vector<std::string> all = sources_read(folder, "Vmodule", module_);
    for (const Compilation& one : compilations_)
        if (one.own)
            for (std::string& path : prerequisites(folder + "/" + one.object + ".d"))
                if (!path.starts_with(folder))
                    all.push_back(std::move(path));
    return all;
}

std::vector<std::string> BuildSteps::flags(const std::string& folder) const {
    return {"-std=c++17",
            "-fPIC",
            "-fvisibility=hidden",
            "-fno-gnu-unique",
            "-faligned-new",
            "-w",
            "-DVERILATOR=1",
            fmt::format("-DSME_VERILATOR={}", verilator_.version),
            "-DVM_COVERAGE=0",
            "-DVM_SC=0",
            fmt::format("-DVM_TRACE={}", module_.trace_inside ? 1 : 0),
            fmt::format("-DVM_TRACE_VCD={}", module_.trace_inside ? 1 : 0),
            "-DVM_TRACE_FST=0",
            fmt::format("-DVM_SAVABLE={}", savable_ ? 1 : 0),
            "-DVL_USER_FINISH",
            "-DVL_USER_STOP",
            "-DVL_USER_FATAL",
            "-DVL_USER_WARN",
            "-I" + folder,
            "-I" + verilator_.root + "/include",
            "-I" + verilator_.root + "/include/vltstd"};
}

/// Returns the flags for a user's own source, without warnings, which concern its author only.
std::vector<std::string> BuildSteps::own_flags(const Compilation& one,
                                               const std::string& folder) const {
    const bool c = one.source.ends_with(".c");
    return {c ? "-std=gnu11" : "-std=c++17",
            "-fPIC",
            "-fvisibility=hidden",
            "-w",
            "-I" + folder,
            "-I" + verilator_.root + "/include",
            "-I" + verilator_.root + "/include/vltstd",
            "-MMD",
            "-MF",
            folder + "/" + one.object + ".d",
            "-x",
            c ? "c" : "c++"};
}

std::string BuildSteps::run_compiler(const Compilation& one, const std::string& folder) {
    std::vector<std::string> arguments = one.own ? own_flags(one, folder) : flags(folder);
    arguments.insert(arguments.end(),
                     {one.optimisation, "-c", one.source, "-o", folder + "/" + one.object});
    if (one.own)
        ; // a path relative to the working folder
    else if (one.source.front() != '/')
        arguments[arguments.size() - 3] = folder + "/" + one.source;
    else
        arguments.insert(arguments.end(), {"-include", folder + "/runtime.h"});
    const ProgramEnd end =
        run_tool(settings_, settings_.compiler, arguments, ProgramStreams::all_taken);
    if (end.good())
        return {};
    if (end.problem.empty() && end.exit_code > 128)
        return fmt::format("signal {} ended the compiler", end.exit_code - 128);
    return end.problem.empty()
               ? fmt::format("the compiler ended with code {}\n{}", end.exit_code, end.output)
               : end.problem;
}

/// Returns an empty text, or the error.
std::string BuildSteps::run_compilers(const std::vector<Compilation>& all,
                                      const std::string& folder) {
    std::vector<std::string> said(all.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k = next++; k < all.size(); k = next++)
            said[k] = run_compiler(all[k], folder);
    };
    std::vector<std::future<void>> others;
    for (std::size_t k = 1; k < std::min<std::size_t>(settings_.jobs, all.size()); ++k)
        others.push_back(std::async(std::launch::async, work));
    work();
    for (std::future<void>& other : others)
        other.get();
    for (const std::string& problem : said)
        if (!problem.empty())
            return problem;
    return {};
}

bool BuildSteps::compile(const std::string& folder) {
    const std::string problem = run_compilers(compilations_, folder);
    if (!problem.empty())
        fail(problem);
    return problem.empty();
}

bool BuildSteps::link(const std::string& folder) {
    std::vector<std::string> arguments{"-shared", "-Wl,-Bsymbolic",  "-Wl,-z,defs", "-pthread",
                                       "-o",      folder + "/object"};
    for (const Compilation& one : compilations_)
        arguments.push_back(folder + "/" + one.object);
    arguments.push_back(runtime_);
    const ProgramEnd end =
        run_tool(settings_, settings_.compiler, arguments, ProgramStreams::all_taken);
    if (!end.good()) {
        constexpr std::string_view missing = "undefined reference to `";
        const std::size_t name = end.output.find(missing);
        std::string why = "it does not link";
        if (name != std::string::npos) {
            const std::size_t begin = name + missing.size();
            why = fmt::format("no file of C under 'files' defines the function '{}'",
                              end.output.substr(begin, end.output.find('\'', begin) - begin));
        }
        fail(end.problem.empty() ? why + '\n' + end.output : end.problem);
        return false;
    }
    return true;
}

std::string BuildSteps::runtime(const ModuleCache& kept, std::string& problem) {
    std::string identity =
        fmt::format("runtime\n{}\n{:016x}\n", settings_.compiler, texts_digest());
    for (const std::string& flag : flags("."))
        identity += flag + '\n';
    const ModuleCache::Lock lock{kept.folder(), ModuleCache::key_of(identity), settings_.unwanted};
    if (const auto found = kept.find(identity))
        return found->object;
    const std::string folder = kept.begin(problem);
    if (folder.empty())
        return {};
    problem = make_runtime(kept, folder, identity);
    std::error_code error;
    fs::remove_all(folder, error);
    return problem.empty() ? kept.folder() + "/" + ModuleCache::key_of(identity) + "/object"
                           : std::string{};
}

/// Compiles and publishes the runtime; returns an empty text, or the error.
std::string BuildSteps::make_runtime(const ModuleCache& kept, const std::string& folder,
                                     const std::string& identity) {
    std::string problem;
    if (!write_file(folder + "/runtime.h", runtime_text, problem) ||
        !write_file(folder + "/version.h", version_text, problem))
        return problem;
    std::vector<std::string> names{"verilated", "verilated_threads", "verilated_probdist"};
    if (savable_)
        names.emplace_back("verilated_save");
    const std::string include = verilator_.root + "/include/";
    std::vector<Compilation> all;
    std::vector<std::string> made_of{include + "verilated.h"};
    for (const std::string& name : names)
        if (const std::string source = include + name + ".cpp"; fs::exists(source)) {
            made_of.push_back(source);
            all.push_back({source, name + ".o", "-O1"});
        }
    problem = run_compilers(all, folder);
    if (!problem.empty())
        return problem;
    std::vector<std::string> arguments{"-r", "-nostdlib", "-o", folder + "/object"};
    for (const Compilation& one : all)
        arguments.push_back(folder + "/" + one.object);
    const ProgramEnd end =
        run_tool(settings_, settings_.compiler, arguments, ProgramStreams::all_taken);
    return end.good() ? kept.publish(folder, identity, {}, made_of) : end.problem + end.output;
}

} // namespace sme::verilator
