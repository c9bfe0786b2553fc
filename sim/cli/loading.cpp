// SPDX-License-Identifier: Apache-2.0
#include "cli/loading.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "base/disk_cache.hpp"
#include "base/program.hpp"
#include "base/source.hpp"
#include "cli/findings.hpp"
#include "cli/output_files.hpp"
#include "cli/programs.hpp"
#include "cli/terminal.hpp"
#include "verilator/run/plugin.hpp"

namespace sme::cli {

std::string modules_folder() {
    std::string folder = session::cache_folder("verilog");
    if (!folder.empty() && !is_of_another(folder))
        return folder;
    static const TemporaryFolder none{"sme-verilog"}; // modules built for this command only
    return none.path();
}

namespace {

verilator::Settings verilog_settings(const Options& options,
                                     const std::shared_ptr<FileAccess>& files) {
    verilator::Settings settings;
    settings.reads = [files](const std::string& path) { files->note_read(path); };
    settings.verilator = find_program("verilator").value_or("");
    settings.compiler = find_program("c++").value_or("");
    settings.folder = modules_folder();
    settings.may_build = options.compile;
    settings.may_run = !options.safe;
    if (options.safe)
        settings.forbidden_by = "--safe";
    settings.savable = options.checkpoint_every > 0 || !options.resume.empty() ||
                       options.command == "debug"; // the debugger steps back
    settings.unwanted = &interrupted();
    settings.jobs = std::max(1U, std::thread::hardware_concurrency());
    settings.progress = [](const std::string& what) {
        catch_signals(); // a signal stops the compiler and leaves no half-built module
        if (is_terminal(STDERR_FILENO))
            print_error(fmt::format("sme: {}\n", shown_text(what)));
    };
    return settings;
}

/// Loads the library for Verilog modules, once; null after setting the problem.
decltype(&sme_new_verilog_modules) verilog_library(const Options& options, std::string& problem) {
    static std::mutex one_at_a_time;
    static decltype(&sme_new_verilog_modules) function = nullptr;
    static std::string failed; // a failed build is not repeated
    const std::lock_guard lock{one_at_a_time};
    problem = failed;
    if (function || !failed.empty())
        return function;
    const std::string path = path_of_part(verilog_plugin, options, problem);
    void* const library = problem.empty() ? ::dlopen(path.c_str(), RTLD_NOW) : nullptr;
    if (library)
        function =
            reinterpret_cast<decltype(function)>(::dlsym(library, "sme_new_verilog_modules"));
    if (!function)
        problem = failed = fmt::format("cannot load '{}', which runs Verilog modules: {}", path,
                                       problem.empty() ? ::dlerror() : problem);
    return function;
}

/// The memories of few words, which a report shows like states.
std::vector<trace::TracedWords> small_memories(const Graph& graph, const Options& options) {
    constexpr std::uint64_t most = 64; // words of an instance
    std::vector<trace::TracedWords> found =
        trace::choose_memories(graph, options.trace_select.empty() ? "*" : options.trace_select)
            .memories;
    std::erase_if(found, [&](const trace::TracedWords& each) {
        return graph.processes[each.family].memories[each.memory].words > most;
    });
    return found;
}

} // namespace

int load_failure(const Diagnostics& diagnostics) {
    if (interrupted())
        return signal_exit_code();
    // errors of the network come before reports of other programs about it
    const auto is_building = [](const Diagnostic& found) {
        return found.severity != Severity::error || found.code == Code::verilog_missing ||
               found.code == Code::verilog_error || found.code == Code::verilog_build;
    };
    return std::all_of(diagnostics.all().begin(), diagnostics.all().end(), is_building)
               ? exit_code::building
               : exit_code::usage;
}

void add_options(const Options& options, const std::shared_ptr<FileAccess>& files,
                 VerilogModules::Purpose purpose, session::LoadSettings& settings, bool savable) {
    settings.parameters = options.parameters;
    settings.test = options.test;
    settings.outputs = options.outputs;
    settings.inputs = options.given_inputs;
    settings.sets_open_inputs = options.command == "vpi" || options.command == "debug";
    settings.library = session::library_folder();
    settings.files = files.get();
    settings.parts = options.command == "check" && !options.print;
    settings.metastability = options.metastability.has_value();
    settings.cover = options.covers();
    settings.against = options.against ? yaml::Against::all
                       : options.print ? yaml::Against::components
                                       : yaml::Against::none;
    settings.mark_writes = options.validate;
    settings.size = options.load_limit;
    settings.open_modules = [options, files, purpose, savable](std::string& problem) {
        const auto new_modules = verilog_library(options, problem);
        if (!new_modules)
            return std::shared_ptr<VerilogModules>{};
        verilator::Settings own = verilog_settings(options, files);
        own.savable = own.savable || savable;
        return std::shared_ptr<VerilogModules>{new_modules(own, purpose)};
    };
    settings.seed = options.run.seed;
    files->allow_reading(settings.library);
    settings.traced = options.command != "run" || !options.trace.empty() || !options.page.empty();
    settings.keep_bound = settings.keep_bound || options.design;
    settings.draw_machines = !options.drawn_machine.empty();
}

namespace {

/// Returns false for commands that need no value of an open input: `sme debug` can set it, and
/// hardware has a port.
bool is_fed_by_run(const Options& options) {
    const std::string& command = options.command;
    return command == "run" || command == "validate" || command == "view" || command == "fifos" ||
           command == "predict" || (command == "test" && !options.test.empty());
}

std::string without_source(const std::string& input, const Options& options,
                           const yaml::Design& design) {
    if (options.command == "test")
        return fmt::format("nothing feeds the open input '{0}' in this test; name it under its "
                           "'inputs', as in '{0}: random'",
                           input);
    const bool other_test = !design.tests.empty() && options.test.empty();
    return fmt::format("nothing feeds the open input '{0}' in this run; give it a source: "
                       "'--input {0}=FILE' or '--input {0}=random'{1}",
                       input, other_test ? ", or choose a test with '--test'" : "");
}

} // namespace

LoadResult load_network(const Options& options, VerilogModules::Purpose purpose,
                        LoadSettings settings) {
    if (purpose == VerilogModules::Purpose::run)
        catch_signals(); // a signal leaves no half-built module
    Diagnostics diagnostics;
    if (options.strict && !settings.untimed)
        diagnostics.make_strict();
    const std::shared_ptr<FileAccess> files = file_access(options);
    add_options(options, files, purpose, settings, settings.ranks != nullptr);
    trace::MemoryChoice memories;
    std::vector<trace::TracedWords> page_words;
    settings.change = [&, change = std::move(settings.change)](
                          yaml::Design& design, VerilogModules& modules, Diagnostics& found) {
        if (change)
            change(design, modules, found);
        if (is_fed_by_run(options))
            for (const yaml::OpenInput& open : design.open_inputs)
                found.add(Code::open_input, open.where, without_source(open.name, options, design));
        memories = trace::choose_memories(design.graph, options.trace_memory);
        if (!options.page.empty())
            page_words = options.trace_memory.empty() ? small_memories(design.graph, options)
                                                      : memories.memories;
        for (const auto* words : {&memories.memories, &page_words})
            for (const trace::TracedWords& memory : *words)
                design.graph.processes[memory.family].let_writes_wait();
    };
    const auto lets = std::make_shared<TracedLets>(options.trace_let);
    if (!options.trace_let.empty())
        settings.wants_let = [&](const std::string& name) { return lets->wants(name); };
    settings.analyse = settings.analyse && !settings.untimed;
    session::Observed observed;
    std::optional<session::Loaded> loaded = session::load(
        options.network, settings,
        [&](VerilogModules* modules) {
            yaml::GroupFactories result = session::factories(observed, modules);
            result.let = [&](auto probe, const std::string& name) {
                return lets->observe(std::move(probe), name);
            };
            result.watch = settings.watch;
            result.watch_messages = settings.messages;
            if (!settings.compares_outputs)
                result.recording = [recording = result.recording](const auto& written) {
                    auto own = std::make_shared<expr::Recording>(*written);
                    own->has_expected = false;
                    return recording(std::move(own));
                };
            if (settings.ranks && settings.ranks->rank() > 0)
                result.recording = session::factories_of_each(false, modules).recording;
            if (!settings.evaluates_checks || settings.untimed)
                result.checks = nullptr;
            if (settings.untimed) {
                result.deadlock = nullptr;
                result.halt = nullptr;
            }
            return result;
        },
        diagnostics);
    const bool quiet = settings.quiet || settings.untimed; // untimed: buses of checks seem unused
    if (!settings.silent && (diagnostics.has_errors() ? !settings.loads_again : !quiet))
        show(diagnostics);
    if (!loaded)
        return {std::nullopt, load_failure(diagnostics), render(diagnostics), false};
    for (const std::string& note : loaded->design.notes)
        if (!settings.silent && !quiet && !options.design)
            print_note(note);
    if (loaded->design.library)
        return {std::nullopt, exit_code::fine, {}, true};
    return {Loaded{std::move(*loaded), std::move(observed), nullptr, nullptr, nullptr, files,
                   std::move(memories), lets, nullptr, options.strict, std::move(page_words)},
            exit_code::fine,
            {},
            false};
}

std::vector<trace::TracedWords> traced_words(const Loaded& loaded) {
    std::vector<trace::TracedWords> words = loaded.memories.memories;
    for (trace::TracedWords& let : loaded.lets->words())
        words.push_back(std::move(let));
    return words;
}

std::optional<std::uint64_t> cycles_to_run(const Options& options, const session::Loaded& loaded) {
    if (options.cycles)
        return options.cycles;
    if (loaded.design.cycles)
        return loaded.design.cycles;
    if (loaded.design.ends_by_itself || loaded.design.may_halt)
        return std::uint64_t{1} << 62; // practically unlimited
    return std::nullopt;
}

} // namespace sme::cli
