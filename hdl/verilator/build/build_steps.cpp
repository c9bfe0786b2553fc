// SPDX-License-Identifier: Apache-2.0
//
// Verilator writes C++; our face of the module is put beside it; all is compiled with Verilator's
// runtime, which every module has for itself, and linked into one object.
#include "verilator/build/build_steps.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "verilator/build/texts.hpp"

namespace sme::verilator {

namespace {

namespace fs = std::filesystem;

constexpr const char* fast = "-O3";
constexpr const char* slow = "-O0"; // what runs once
/// Bytes of C++ up to which one compiler takes a module whole: most of its time goes into the headers
/// of Verilator, and Verilator marks as cold what runs once.
constexpr std::uintmax_t small = 100'000;

} // namespace

std::optional<std::string> BuildSteps::fail(const std::string& what) {
    diagnostics_.add(Code::verilog_build, module_.where,
                     fmt::format("module '{}' cannot be built: {}", module_.top.text, what));
    return std::nullopt;
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
    std::optional<std::string> made;
    verilator_ = installation_of(settings_);
    std::string runtime_problem;
    std::thread meanwhile{[&] { runtime_ = runtime(kept, runtime_problem); }};
    const std::optional<VerilatorOutput> output =
        run_verilator(settings_, module_, netlist, folder, {}, diagnostics_);
    const bool compiled = output && write_sources(folder, *output) && compile(folder);
    meanwhile.join();
    if (compiled && runtime_.empty())
        fail("the runtime of Verilator: " + runtime_problem);
    if (compiled && !runtime_.empty() && link(folder)) {
        problem = kept.publish(folder, identity, netlist, files_read(folder));
        if (problem.empty())
            made = kept.folder() + "/" + ModuleCache::key_of(identity) + "/object";
        else
            fail(problem);
    }
    std::error_code error;
    fs::remove_all(folder, error);
    return made;
}

/// One source for each compilation.
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
    write("face.cpp", output.face);
    std::vector<std::string> groups = output.fast_sources(folder, 200'000);
    const std::string slow_source = output.slow_source() + "#include \"hooks.cpp\"\n";
    const bool whole = output.bytes(folder) <= small;
    groups.back() += "#include \"face.cpp\"\n"; // it calls eval in every cycle
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

/// What Verilator and the compiler have read.
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

/// Warnings of it are for its author.
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
        ; // a path from the working folder
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
    constexpr std::size_t shown = 2000;
    return end.problem.empty() ? fmt::format("the compiler ended with code {}: {}", end.exit_code,
                                             end.output.substr(0, shown))
                               : end.problem;
}

/// An empty text, or what went wrong.
std::string BuildSteps::run_compilers(const std::vector<Compilation>& all, const std::string& folder) {
    std::vector<std::string> said(all.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k = next++; k < all.size(); k = next++)
            said[k] = run_compiler(all[k], folder);
    };
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < std::min<std::size_t>(settings_.jobs, all.size()); ++k)
        others.emplace_back(work);
    work();
    for (std::thread& other : others)
        other.join();
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
        fail(end.problem.empty() ? "it does not link: " + end.output : end.problem);
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

/// Compiles and publishes it; an empty text, or what went wrong.
std::string BuildSteps::make_runtime(const ModuleCache& kept, const std::string& folder,
                                 const std::string& identity) {
    std::string problem;
    if (!write_file(folder + "/runtime.h", runtime_text, problem) ||
        !write_file(folder + "/version.h", version_text, problem))
        return problem;
    std::vector<std::string> names{"verilated", "verilated_threads"};
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
