// SPDX-License-Identifier: Apache-2.0
//
// Verilator writes C++; our face of the module is put beside it; all is compiled with Verilator's
// runtime, which every module has for itself, and linked into one object.
#include "verilator/making.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/program.hpp"
#include "verilator/arguments.hpp"
#include "verilator/texts.hpp"

namespace sme::verilator {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr const char* fast = "-O3";
constexpr const char* slow = "-O0"; // what runs once

bool write_file(const std::string& path, const std::string& text, std::string& problem) {
    OutputFile file{path};
    if (file.write(text) && file.commit())
        return true;
    problem = file.problem();
    return false;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// The names that a makefile of Verilator gives to a variable: "VM_CLASSES_FAST += \ ...".
std::vector<std::string> names_in(const std::string& makefile, const std::string& variable) {
    std::vector<std::string> names;
    const std::size_t begin = makefile.find(variable + " +=");
    if (begin == std::string::npos)
        return names;
    std::size_t at = makefile.find('\n', begin) + 1;
    while (at < makefile.size() && makefile[at] == '\t') {
        const std::size_t end = makefile.find_first_of(" \n", at + 1);
        names.push_back(makefile.substr(at + 1, end - at - 1));
        at = makefile.find('\n', at) + 1;
    }
    return names;
}

/// How the model's class calls a port: a name that C++ has for itself gets another one.
std::string member_name(const std::string& header, const std::string& port) {
    const std::string other = "__SYM__" + port;
    return header.find("&" + other + ",") == std::string::npos ? port : other;
}

} // namespace

std::optional<std::string> Making::fail(const std::string& what) {
    diagnostics_.add(Code::verilog_build, module_.where,
                     fmt::format("module '{}' cannot be built: {}", module_.top.text, what));
    return std::nullopt;
}

std::optional<std::string> Making::run(const KeptModules& kept, const std::string& identity,
                                       const Netlist& netlist) {
    std::string problem;
    const std::string folder = kept.begin(problem);
    if (folder.empty())
        return fail(fmt::format("there is no place to build it, {}; set XDG_CACHE_HOME to a "
                                "folder that can be written",
                                problem));
    settings_.progress(fmt::format("building module '{}'", module_.top.text));
    std::optional<std::string> made;
    find_root();
    std::string runtime_problem;
    std::thread meanwhile{[&] { runtime_ = runtime(kept, runtime_problem); }};
    const bool compiled = verilate(folder) && write_sources(folder, netlist) && compile(folder);
    meanwhile.join();
    if (compiled && runtime_.empty())
        fail("the runtime of Verilator: " + runtime_problem);
    if (compiled && !runtime_.empty() && link(folder)) {
        problem = kept.publish(folder, identity, netlist, sources_read(folder));
        if (problem.empty())
            made = kept.folder() + "/" + KeptModules::key_of(identity) + "/object";
        else
            fail(problem);
    }
    std::error_code error;
    fs::remove_all(folder, error);
    return made;
}

bool Making::verilate(const std::string& folder) {
    std::vector<std::string> arguments{"--cc",        "-O3",
                                       "--x-assign",  "0",
                                       "--x-initial", "0",
                                       "--prefix",    "Vmodule",
                                       "--Mdir",      folder,
                                       "--MMD",       "--output-split",
                                       "20000",       "--output-split-cfuncs",
                                       "500"};
    if (module_.trace_inside)
        arguments.emplace_back("--trace");
    const std::vector<std::string> own = arguments_of(module_);
    arguments.insert(arguments.end(), own.begin(), own.end());
    const ProgramEnd end = run_program(settings_.verilator, arguments, ProgramStreams::all_taken);
    if (end.good()) // its warnings were given when it was asked for the ports
        return true;
    const std::size_t errors = diagnostics_.errors();
    VerilogSources sources;
    add_messages(end.output, module_, sources, diagnostics_);
    if (diagnostics_.errors() == errors)
        fail(end.problem.empty() ? fmt::format("Verilator ended with code {}", end.exit_code)
                                 : end.problem);
    return false;
}

/// The face, and one source for each compilation.
bool Making::write_sources(const std::string& folder, const Netlist& netlist) {
    const FileText makefile = read_file(folder + "/Vmodule_classes.mk", most_bytes);
    const FileText header = read_file(folder + "/Vmodule.h", most_bytes);
    if (!makefile.text || !header.text)
        return fail("Verilator did not write what it writes").has_value();
    std::string face = face_text, ports, names;
    for (const ModulePort& port : netlist.ports) {
        ports += fmt::format("&top->{}, ", member_name(*header.text, port.port.name));
        names += fmt::format("\"{}\", ", port.port.name);
    }
    replace_all(face, "@TOP@", module_.top.text);
    replace_all(face, "@PORTS@", ports);
    replace_all(face, "@NAMES@", names);
    std::vector<std::string> fast_names = names_in(*makefile.text, "VM_CLASSES_FAST");
    std::vector<std::string> slow_names = names_in(*makefile.text, "VM_CLASSES_SLOW");
    for (const char* more : {"VM_SUPPORT_FAST", "VM_SUPPORT_SLOW"})
        for (std::string& name : names_in(*makefile.text, more))
            slow_names.push_back(std::move(name));
    std::string problem;
    bool good = write_file(folder + "/abi.h", abi_text, problem) &&
                write_file(folder + "/face.cpp", face, problem);
    const auto add = [&](const std::string& name, const std::string& text, const char* level) {
        good = good && write_file(fmt::format("{}/{}.cpp", folder, name), text, problem);
        compilations_.push_back({name + ".cpp", name + ".o", level});
    };
    // small ones together: their headers take longer than they do
    std::string together;
    std::size_t bytes = 0, groups = 0;
    const auto flush = [&] {
        if (!together.empty())
            add(fmt::format("fast{}", groups++), together, fast);
        together.clear();
        bytes = 0;
    };
    constexpr std::size_t group_bytes = 200'000;
    for (const std::string& name : fast_names) {
        std::error_code error;
        const auto size = fs::file_size(fmt::format("{}/{}.cpp", folder, name), error);
        if (bytes > 0 && bytes + size > group_bytes)
            flush();
        together += fmt::format("#include \"{}.cpp\"\n", name);
        bytes += error ? 0 : size;
    }
    together += "#include \"face.cpp\"\n"; // it calls eval in every cycle
    flush();
    std::string rest;
    for (const std::string& name : slow_names)
        rest += fmt::format("#include \"{}.cpp\"\n", name);
    add("slow", rest, slow);
    if (!good)
        fail(problem);
    return good;
}

std::vector<std::string> Making::flags(const std::string& folder) const {
    return {"-std=c++17",
            "-fPIC",
            "-fvisibility=hidden",
            "-fno-gnu-unique",
            "-faligned-new",
            "-w",
            "-DVERILATOR=1",
            "-DVM_COVERAGE=0",
            "-DVM_SC=0",
            fmt::format("-DVM_TRACE={}", module_.trace_inside ? 1 : 0),
            fmt::format("-DVM_TRACE_VCD={}", module_.trace_inside ? 1 : 0),
            "-DVM_TRACE_FST=0",
            "-DVL_USER_FINISH",
            "-DVL_USER_STOP",
            "-DVL_USER_FATAL",
            "-I" + folder,
            "-I" + root_ + "/include",
            "-I" + root_ + "/include/vltstd"};
}

std::string Making::run_compiler(const Compilation& one, const std::string& folder) {
    std::vector<std::string> arguments = flags(folder);
    arguments.insert(arguments.end(),
                     {one.optimisation, "-c", one.source, "-o", folder + "/" + one.object});
    if (one.source.front() != '/')
        arguments[arguments.size() - 3] = folder + "/" + one.source;
    else
        arguments.insert(arguments.end(), {"-include", folder + "/print.h"});
    const ProgramEnd end = run_program(settings_.compiler, arguments, ProgramStreams::all_taken);
    if (end.good())
        return {};
    if (end.exit_code > 128)
        return fmt::format("signal {} ended the compiler", end.exit_code - 128);
    constexpr std::size_t shown = 2000;
    return end.problem.empty() ? fmt::format("the compiler ended with code {}: {}", end.exit_code,
                                             end.output.substr(0, shown))
                               : end.problem;
}

/// An empty text, or what went wrong.
std::string Making::run_compilers(const std::vector<Compilation>& all, const std::string& folder) {
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

bool Making::compile(const std::string& folder) {
    const std::string problem = run_compilers(compilations_, folder);
    if (!problem.empty())
        fail(problem);
    return problem.empty();
}

bool Making::link(const std::string& folder) {
    std::vector<std::string> arguments{"-shared", "-Wl,-Bsymbolic",  "-Wl,-z,defs", "-pthread",
                                       "-o",      folder + "/object"};
    for (const Compilation& one : compilations_)
        arguments.push_back(folder + "/" + one.object);
    arguments.push_back(runtime_);
    const ProgramEnd end = run_program(settings_.compiler, arguments, ProgramStreams::all_taken);
    if (!end.good()) {
        fail(end.problem.empty() ? "it does not link: " + end.output : end.problem);
        return false;
    }
    return true;
}

void Making::find_root() {
    const ProgramEnd asked = run_program(settings_.verilator, {"--getenv", "VERILATOR_ROOT"},
                                         ProgramStreams::output_taken);
    root_ = asked.output.substr(0, asked.output.find('\n'));
}

std::string Making::runtime(const KeptModules& kept, std::string& problem) {
    std::string identity =
        fmt::format("runtime\n{}\n{:016x}\n", settings_.compiler, texts_digest());
    for (const std::string& flag : flags("."))
        identity += flag + '\n';
    const KeptModules::Lock lock{kept.folder(), KeptModules::key_of(identity)};
    if (const auto found = kept.find(identity))
        return found->object;
    const std::string folder = kept.begin(problem);
    if (folder.empty())
        return {};
    problem = make_runtime(kept, folder, identity);
    std::error_code error;
    fs::remove_all(folder, error);
    return problem.empty() ? kept.folder() + "/" + KeptModules::key_of(identity) + "/object"
                           : std::string{};
}

/// Compiles and publishes it; an empty text, or what went wrong.
std::string Making::make_runtime(const KeptModules& kept, const std::string& folder,
                                 const std::string& identity) {
    std::string problem;
    if (!write_file(folder + "/print.h",
                    "extern \"C\" int sme_module_print(const char* format, ...);\n"
                    "#define VL_PRINTF sme_module_print\n",
                    problem))
        return problem;
    std::vector<std::string> names{"verilated", "verilated_threads"};
    if (module_.trace_inside)
        names.emplace_back("verilated_vcd_c");
    const std::string include = root_ + "/include/";
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
    const ProgramEnd end = run_program(settings_.compiler, arguments, ProgramStreams::all_taken);
    return end.good() ? kept.publish(folder, identity, {}, made_of) : end.problem + end.output;
}

/// From what Verilator notes for make.
std::vector<std::string> Making::sources_read(const std::string& folder) const {
    std::vector<std::string> paths;
    const FileText notes = read_file(folder + "/Vmodule__ver.d", most_bytes);
    const std::string text = notes.text.value_or(std::string{});
    const std::size_t colon = text.find(" : ");
    std::size_t at = colon == std::string::npos ? text.size() : colon + 3;
    while (at < text.size()) {
        std::size_t end = at;
        std::string path;
        while (end < text.size() && text[end] != ' ' && text[end] != '\n') {
            if (text[end] == '\\' && end + 1 < text.size())
                ++end;
            path += text[end++];
        }
        if (!path.empty() && path.find("verilator_bin") == std::string::npos)
            paths.push_back(path);
        at = end + 1;
    }
    for (const Placed& file : module_.files)
        paths.push_back(file.text);
    for (const Placed& list : module_.lists)
        paths.push_back(list.text);
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

} // namespace sme::verilator
