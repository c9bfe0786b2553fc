// SPDX-License-Identifier: Apache-2.0
#include "verilator/build/verilator_output.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/disk_cache.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "verilator/build/arguments.hpp"
#include "verilator/build/settings.hpp"
#include "verilator/build/wrappers.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_output_bytes = std::size_t{256} << 20;
constexpr const char* seen_file = "seen.vlt"; // the signals to keep visible
constexpr const char* watched_loops = "#define SME_WATCH_LOOPS\n#include \"context.h\"\n";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Returns the names that Verilator's makefile assigns to a variable: "VM_CLASSES_FAST += \ ...".
std::vector<std::string> names_in(const std::string& makefile, const std::string& variable) {
    std::vector<std::string> names;
    const std::size_t begin = makefile.find(variable + " +=");
    if (begin == std::string::npos)
        return names;
    std::size_t at = makefile.find('\n', begin) + 1;
    while (at < makefile.size() && (makefile[at] == '\t' || makefile[at] == ' ')) {
        const std::size_t from = makefile.find_first_not_of("\t ", at);
        names.push_back(makefile.substr(from, makefile.find_first_of(" \n", from) - from));
        at = makefile.find('\n', at) + 1;
    }
    return names;
}

/// Returns the members of the model's class for its ports, by port name: "VL_IN8(&in___05Fx,0,0);"
/// is "in__x", as is "VlUnpacked<CData/*7:0*/, 4> &in___05Fx;". Reserved words of C++ get another
/// name.
std::map<std::string, std::string> members_in(const std::string& header) {
    constexpr std::string_view for_itself = "__SYM__";
    std::map<std::string, std::string> result;
    for (std::size_t at = header.find('&', 2); at != std::string::npos;
         at = header.find('&', at + 1)) {
        if (header[at - 1] != '(' && header.compare(at - 2, 2, "> ") != 0)
            continue;
        const std::size_t from = at + 1;
        const std::string member = header.substr(from, header.find_first_of(",);", from) - from);
        result[name_of(member.starts_with(for_itself) ? member.substr(for_itself.size())
                                                      : member)] = member;
    }
    return result;
}

/// Returns the multi-dimensional arrays of a flat model, which Verilator does not list among the
/// visible signals:
/// {"core.u_alu.grid", &root->core__DOT__u_alu__DOT__grid},
std::string arrays_of(const std::string& root, const std::vector<std::string>& seen) {
    std::string result;
    const std::string type = "    VlUnpacked<";
    for (std::size_t at = root.find(type); at != std::string::npos; at = root.find(type, at + 1)) {
        const std::size_t end = root.find(';', at);
        const std::size_t begin = root.rfind(' ', end) + 1;
        const std::string member = root.substr(begin, end - begin);
        const std::size_t dot = member.rfind("__DOT__");
        const std::string key = dot == std::string::npos ? member : member.substr(dot + 7);
        if (!std::binary_search(seen.begin(), seen.end(), key))
            continue;
        std::string path = member;
        replace_all(path, "__BRA____02D", "[-");
        replace_all(path, "__DOT__", ".");
        replace_all(path, "__BRA__", "[");
        replace_all(path, "__KET__", "]");
        result += fmt::format("{{\"{}\", &root->{}}}, ", name_of(path), member);
    }
    return result;
}

std::string including(const std::string& name) {
    return fmt::format("#include \"{}.cpp\"\n", name);
}

} // namespace

bool add_sources(const VerilogModule& module, const Netlist& netlist, const std::string& folder,
                 const std::vector<std::string>& seen, std::vector<std::string>& arguments,
                 Diagnostics& diagnostics) {
    std::optional<OuterModule> outer;
    std::string problem;
    if (!netlist.wrapper.empty())
        outer = OuterModule{wrapper_name(module), folder + "/" + wrapper_name(module) + ".sv"};
    bool good = !outer || write_file(outer->path, netlist.wrapper, problem);
    if (good && !(seen.empty() && netlist.seeds.empty())) {
        std::string text = "`verilator_config\n";
        const auto show = [&](const char* how, const std::string& key) {
            for (const std::string& name : std::set<std::string>{key, name_of(key)})
                text += fmt::format("{} -module \"*\" -var \"{}\"\n", how, name);
        }; // newer versions compare names, older ones keys
        for (const std::string& key : netlist.seeds) // 5.006: else each call draws a new seed
            show("public_flat_rw", key);
        for (const std::string& key : seen)
            show("public_flat_rd", key);
        arguments.push_back(folder + "/" + seen_file);
        good = write_file(arguments.back(), text, problem);
    }
    if (!good)
        diagnostics.add(Code::verilog_build, module.where, problem);
    for (std::string& argument : arguments_of(module, outer))
        arguments.push_back(std::move(argument));
    return good;
}

namespace {

/// Returns the size of a source; 0 if it is unreadable, which the compiler reports.
std::uintmax_t bytes_of(const std::string& folder, const std::string& name) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(fmt::format("{}/{}.cpp", folder, name), error);
    return error ? 0 : size;
}

/// Returns false if it reported an error.
bool write_model(const Settings& settings, const VerilogModule& module, const Netlist& netlist,
                 const std::string& folder, const std::string& prefix, bool savable,
                 Diagnostics& diagnostics) {
    std::vector<std::string> arguments{
        "--cc", "-O3",    "--x-assign", "0",     "--x-initial",    "0",     "--prefix",
        prefix, "--Mdir", folder,       "--MMD", "--output-split", "20000", "--output-split-cfuncs",
        "500"};
    if (!netlist.seeds.empty()) // 5.006 treats random calls as pure and duplicates them
        arguments.emplace_back("-fno-expand");
    if (module.trace_inside)
        arguments.emplace_back("--trace");
    if (module.seen_arrays) // all signals are in one class
        arguments.emplace_back("--flatten");
    if (savable)
        arguments.emplace_back("--savable");
    if (!add_sources(module, netlist, folder, module.seen, arguments, diagnostics))
        return false;
    const ProgramEnd end =
        run_tool(settings, settings.verilator, arguments, ProgramStreams::all_taken);
    const std::string unwritable = why_unwritable(folder); // Verilator does not always report this
    if (end.good() && unwritable.empty()) // the inspection already reported its warnings
        return true;
    const std::size_t errors = diagnostics.errors();
    VerilogSources sources;
    add_messages(end.output, module, sources, diagnostics);
    if (diagnostics.errors() == errors)
        diagnostics.add(Code::verilog_build, module.where,
                        fmt::format("module '{}' cannot be built: {}", module.top.text,
                                    !unwritable.empty() ? unwritable
                                    : end.problem.empty()
                                        ? fmt::format("Verilator ended with code {}", end.exit_code)
                                        : end.problem));
    return false;
}

/// Repairs the C++ name of an instance "u[-1]", in which Verilator 5.006 keeps the sign.
bool name_negative_instances(const std::string& folder, const std::string& prefix,
                             std::string& problem) {
    constexpr const char* sign = "__BRA__-";
    const auto has_sign = [&](const char* header) {
        const FileText text =
            read_file(fmt::format("{}/{}{}", folder, prefix, header), max_output_bytes);
        return text.text && text.text->find(sign) != std::string::npos;
    };
    if (!has_sign("__Syms.h") && !has_sign("___024root.h"))
        return true;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, error}) {
        const std::string path = entry.path().string();
        FileText source = path.ends_with(".cpp") || path.ends_with(".h")
                              ? read_file(path, max_output_bytes)
                              : FileText{};
        if (!source.text)
            continue;
        replace_all(*source.text, sign, "__BRA____02D");
        if (!write_file(path, *source.text, problem))
            return false;
    }
    return true;
}

/// Removes accesses to three thread-local variables from the eval of a model without threads: its
/// task number is always 0, and no message is pending. In a shared object they take a quarter of a
/// small model's time.
bool leave_out_threads(const std::string& path, std::string& problem) {
    const FileText source = read_file(path, max_output_bytes);
    if (!source.text)
        return true; // the compiler reports it
    std::string text = *source.text;
    for (const char* const line : {"    Verilated::mtaskId(0);\n",
                                   "    Verilated::endOfThreadMTask(vlSymsp->__Vm_evalMsgQp);\n",
                                   "    Verilated::endOfEval(vlSymsp->__Vm_evalMsgQp);\n"})
        replace_all(text, line, "");
    return write_file(path, text, problem);
}

} // namespace

std::vector<std::string> VerilatorOutput::fast_sources(const std::string& folder,
                                                       std::size_t most) const {
    std::vector<std::string> groups{head};
    std::uintmax_t bytes = 0;
    for (const std::string& name : fast) {
        const std::uintmax_t size = bytes_of(folder, name);
        if (bytes > 0 && bytes + size > most) {
            groups.push_back(head);
            bytes = 0;
        }
        groups.back() += including(name);
        bytes += size;
    }
    return groups;
}

std::uintmax_t VerilatorOutput::bytes(const std::string& folder) const {
    std::uintmax_t sum = 0;
    for (const std::vector<std::string>* const names : {&fast, &slow})
        for (const std::string& name : *names)
            sum += bytes_of(folder, name);
    return sum;
}

std::string VerilatorOutput::slow_source() const {
    std::string text = head;
    for (const std::string& name : slow)
        text += including(name);
    return text;
}

std::optional<VerilatorOutput> run_verilator(const Settings& settings, const VerilogModule& module,
                                             const Netlist& netlist, const std::string& folder,
                                             const OutputNames& names, Diagnostics& diagnostics) {
    if (!write_model(settings, module, netlist, folder, names.prefix,
                     module.savable && netlist.unsavable.empty(), diagnostics))
        return std::nullopt;
    const FileText makefile =
        read_file(fmt::format("{}/{}_classes.mk", folder, names.prefix), max_output_bytes);
    const FileText header =
        read_file(fmt::format("{}/{}.h", folder, names.prefix), max_output_bytes);
    std::string problem = "Verilator did not write what it writes";
    const auto members = members_in(header.text.value_or(std::string{}));
    const bool has_ports =
        std::all_of(netlist.ports.begin(), netlist.ports.end(), [&](const ModulePort& port) {
            return members.contains(outer_port(port.port.name));
        });
    if (!makefile.text || !header.text || !has_ports ||
        !leave_out_threads(fmt::format("{}/{}.cpp", folder, names.prefix), problem) ||
        !name_negative_instances(folder, names.prefix, problem)) {
        diagnostics.add(Code::verilog_build, module.where,
                        fmt::format("module '{}' cannot be built: {}", module.top.text, problem));
        return std::nullopt;
    }
    VerilatorOutput result;
    result.head = watched_loops;
    for (const ModulePort& port : netlist.ports) // such as W_OK and EOF
        result.head += fmt::format("#undef {}\n", port.port.name);
    result.fast = names_in(*makefile.text, "VM_CLASSES_FAST");
    result.slow = names_in(*makefile.text, "VM_CLASSES_SLOW");
    for (const char* more : {"VM_SUPPORT_FAST", "VM_SUPPORT_SLOW"})
        for (std::string& name : names_in(*makefile.text, more)) {
            const bool shows =
                name.find("__Trace__") != std::string::npos && !name.ends_with("__Slow");
            (shows ? result.fast : result.slow).push_back(std::move(name));
        }
    std::string ports, port_names;
    for (const ModulePort& port : netlist.ports) {
        ports += fmt::format("&top->{}, ", members.at(outer_port(port.port.name)));
        port_names += fmt::format("\"{}\", ", port.port.name);
    }
    std::string arrays;
    if (module.seen_arrays)
        arrays = arrays_of(
            read_file(fmt::format("{}/{}___024root.h", folder, names.prefix), max_output_bytes)
                .text.value_or(std::string{}),
            module.seen);
    result.abi = module_abi_text;
    replace_all(result.abi, "@ROOT@", arrays.empty() ? "" : "#include \"@CLASS@___024root.h\"");
    replace_all(result.abi, "@ARRAYS@", arrays);
    replace_all(result.abi, "@TOP@", module.top.text);
    replace_all(result.abi, "@CLASS@", names.prefix);
    replace_all(result.abi, "@ENTRY@", names.entry);
    replace_all(result.abi, "@PORTS@", ports);
    replace_all(result.abi, "@NAMES@", port_names);
    return result;
}

std::vector<std::string> sources_read(const std::string& folder, const std::string& prefix,
                                      const VerilogModule& module) {
    std::vector<std::string> paths;
    const FileText notes = read_file(folder + "/" + prefix + "__ver.d", max_output_bytes);
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
        if (!path.empty() && path.find("verilator_bin") == std::string::npos &&
            path != folder + "/" + wrapper_name(module) + ".sv" && path != folder + "/" + seen_file)
            paths.push_back(path);
        at = end + 1;
    }
    for (const Placed& file : module.files)
        paths.push_back(file.text);
    for (const Placed& list : module.lists)
        paths.push_back(list.text);
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

std::vector<std::string> prerequisites(const std::string& path) {
    std::vector<std::string> result;
    const std::string text = read_file(path, max_output_bytes).text.value_or(std::string{});
    std::string word;
    const auto end_word = [&] {
        if (!word.empty())
            result.push_back(std::exchange(word, {}));
    };
    for (std::size_t at = text.find(": "); at < text.size(); ++at) {
        const char c = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\n';
        if (c == '\\' && next != '\n')
            word += text[++at];
        else if (c == '\\' || c == ' ' || c == '\n' || (c == ':' && word.empty()))
            end_word();
        else
            word += c;
    }
    end_word();
    return result;
}

bool write_file(const std::string& path, const std::string& text, std::string& problem) {
    OutputFile file{path};
    if (file.write(text) && file.commit())
        return true;
    problem = file.problem();
    return false;
}

} // namespace sme::verilator
