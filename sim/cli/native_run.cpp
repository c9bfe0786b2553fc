// SPDX-License-Identifier: Apache-2.0
#include "cli/native_run.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.hpp"
#include "cli/findings.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"

namespace sme::cli {

namespace {

/// $CC, which is the name or the path of one program, or cc. Empty: there is none.
std::string c_compiler() {
    const char* const wanted = std::getenv("CC");
    const std::string name = wanted && *wanted ? wanted : "cc";
    return name.find('/') != std::string::npos ? name : find_program(name).value_or("");
}

} // namespace

int NativeRun::prepare(const Options& options, const Loaded& loaded, engine::Engine& engine) {
    if (!options.native && options.emit_c.empty())
        return exit_code::fine;
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Group*> groups;
    for (std::uint32_t f = 0; f < loaded.design.graph.processes.size(); ++f)
        groups.push_back(&engine.group(f));
    native_ =
        std::make_unique<native::Native>(loaded.design.graph, groups, engine.layout().wires_begin);
    writing_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!options.emit_c.empty())
        if (const int failed = write_c(options.emit_c, loaded.design.graph.name);
            failed != exit_code::fine)
            return failed;
    return options.native ? compile(options, loaded, engine) : exit_code::fine;
}

int NativeRun::write_c(const std::string& folder, const std::string& network) const {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    OutputFile file{(std::filesystem::path{folder} / (native::c_name(network) + ".c")).string()};
    file.write(native_->unit().text());
    if (file.commit())
        return exit_code::fine;
    complain(Code::file_unwritable, file.problem());
    return exit_code::file;
}

int NativeRun::compile(const Options& options, const Loaded& loaded, engine::Engine& engine) {
    native::CompilerSettings settings;
    settings.compiler = c_compiler();
    settings.folder = native_folder();
    settings.unwanted = &interrupted();
    if (settings.compiler.empty() || !options.compile) {
        complain(Code::compiler_missing,
                 options.compile ? "native code needs a C compiler, but there is no cc in PATH; on "
                                   "Debian: apt-get install gcc"
                                 : "native code needs a C compiler, which --no-compile forbids to "
                                   "start");
        return exit_code::building;
    }
    compiled_ = native::compile(native_->unit().text(), settings);
    if (!compiled_.note.empty())
        fmt::print(stderr, "note: native code is not kept: {}\n", compiled_.note);
    std::string problem = compiled_.problem;
    if (compiled_.object && !native_->load(compiled_.object, problem))
        compiled_.object = nullptr;
    if (!compiled_.object) {
        complain(Code::native_failed, fmt::format("native code cannot be made: {}", problem));
        return interrupted() ? signal_exit_code() : exit_code::building;
    }
    for (std::uint32_t f = 0; f < loaded.design.graph.processes.size(); ++f)
        if (Group* const steps = native_->group(f))
            engine.exchange(f, *steps);
    return exit_code::fine;
}

std::string NativeRun::stats() const {
    if (!compiled_.object)
        return "engine: interpreted\n";
    return fmt::format("engine: native, {} processes as {} functions, written in {:.4f} s, {} in "
                       "{:.4f} s\n",
                       native_->unit().families().size(), native_->unit().functions(), writing_s_,
                       compiled_.kept ? "taken from the cache" : "compiled", compiled_.seconds);
}

} // namespace sme::cli
