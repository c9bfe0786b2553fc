// SPDX-License-Identifier: Apache-2.0
//
// The signals inside a module are read only if a network names one. The result is cached like a
// built module, with the list in place of its object.
//
// Verilator cannot optimise away observed signals, so a module is built with the named ones only.
// Each new name would need another build: if other signals were named before, the build shows all
// signals.
#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/codes.hpp"
#include "base/disk_cache.hpp"
#include "base/files.hpp"
#include "verilator/build/builder.hpp"
#include "verilator/build/netlist_dump.hpp"
#include "verilator/build/settings.hpp"
#include "verilator/build/verilator_output.hpp"
#include "verilator/build/wrappers.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_bytes = std::size_t{1} << 30;

std::string identity_of_signals(const std::string& identity) {
    return identity + "signals inside 4\n";
}

std::optional<std::vector<VerilogSignal>> kept_signals(const std::string& object) {
    const FileText text = read_file(object, max_bytes);
    try {
        if (text.text)
            return signals_of(Json::parse(*text.text));
    } catch (const nlohmann::json::exception&) { // it is read again
    }
    return std::nullopt;
}

/// Returns the module with all signals shown. Leaves out loop variables and similar numbers unless
/// named: Verilator 5.006 shows them although it removed them.
VerilogModule showing_all(const VerilogModule& module, const std::vector<VerilogSignal>& inside) {
    std::set<std::string> keys(module.seen.begin(), module.seen.end());
    for (const VerilogSignal& signal : inside)
        if (const bool is_integer = signal.width == 32 && signal.is_signed && signal.ranges.empty();
            signal.problem.empty() && signal.constant.empty() && !is_integer)
            keys.insert(signal.key);
    VerilogModule result = module;
    result.seen.assign(keys.begin(), keys.end());
    return result;
}

} // namespace

std::optional<std::string> Builder::build_to_show(const VerilogModule& module,
                                                  const std::vector<VerilogSignal>& inside,
                                                  const Netlist& netlist, Diagnostics& diagnostics,
                                                  bool& built) const {
    const ModuleCache kept{settings_.folder};
    const VerilogModule all = showing_all(module, inside);
    for (const VerilogModule* const each : {&module, &all})
        if (const auto found = kept.find(identity(*each)))
            return found->object;
    VerilogModule plain = module;
    plain.seen.clear();
    plain.seen_arrays = false;
    const std::string mark = identity(plain) + "shows some\n";
    if (settings_.may_build && kept.find(mark)) {
        Diagnostics quiet; // on failure, the module is built as requested
        if (auto result = build(all, netlist, quiet, built))
            return result;
    }
    auto result = build(module, netlist, diagnostics, built);
    if (result && built)
        kept.keep(mark, netlist, "\n", {});
    return result;
}

std::optional<std::vector<VerilogSignal>> Builder::signals(const VerilogModule& module,
                                                           const Netlist& netlist,
                                                           Diagnostics& diagnostics) const {
    const std::string text = identity_of_signals(identity(module));
    const ModuleCache kept{settings_.folder};
    if (const auto found = kept.find(text))
        if (auto signals = kept_signals(found->object))
            return signals;
    if (!can_build(module, diagnostics))
        return std::nullopt;
    settings_.progress(fmt::format("reading the signals inside module '{}'", module.top.text));
    const TemporaryFolder folder{"sme-verilog"};
    if (folder.path().empty()) {
        diagnostics.add(Code::verilog_build, module.where, folder.problem());
        return std::nullopt;
    }
    std::vector<std::string> arguments{"--flatten"};
    if (!add_sources(module, netlist, folder.path(), {"*"}, arguments, diagnostics))
        return std::nullopt;
    const NetlistDump dump = dump_netlist(settings_, folder.path(), arguments);
    const ProgramEnd& end = dump.end;
    std::optional<std::vector<VerilogSignal>> result;
    try {
        if (dump.tree)
            result = read_signals(*dump.tree, path_to(module, netlist), module, settings_.unwanted);
    } catch (const ReadingInterrupted&) {
        interrupted(module, diagnostics);
        return std::nullopt;
    }
    if (result)
        kept.keep(text, netlist, json_of(*result).dump() + "\n",
                  sources_read(folder.path(), "Vmodule", module));
    else
        diagnostics.add(
            Code::verilog_build, module.where,
            fmt::format("the signals inside module '{}' cannot be read: {}", module.top.text,
                        !end.problem.empty()
                            ? end.problem
                            : fmt::format("Verilator ended with code {}", end.exit_code)));
    return result;
}

} // namespace sme::verilator
