// SPDX-License-Identifier: Apache-2.0
#include "verilator/build/netlist_dump.hpp"

#include "base/files.hpp"
#include "verilator/build/installation.hpp"

namespace sme::verilator {

NetlistDump dump_netlist(const Settings& settings, const std::string& folder,
                         const std::vector<std::string>& arguments) {
    constexpr std::size_t max_bytes = std::size_t{1} << 30;
    const std::string path = folder + "/netlist", meta = folder + "/netlist.meta";
    const bool json = installation_of(settings).writes_json();
    std::vector<std::string> all{"-Wno-DEPRECATED", "--Mdir",  folder,
                                 "--prefix",        "Vmodule", "--MMD"};
    if (json)
        all.insert(all.end(),
                   {"--json-only", "--json-only-output", path, "--json-only-meta-output", meta});
    else
        all.insert(all.end(), {"--xml-only", "--xml-output", path});
    all.insert(all.end(), arguments.begin(), arguments.end());
    NetlistDump result;
    result.end =
        run_tool(settings, settings.verilator, all, ProgramStreams::all_taken, settings.reading);
    const FileText text = read_file(path, max_bytes);
    result.problem = text.problem;
    if (!result.end.good() || !text.text)
        return result;
    if (json)
        result.tree =
            read_json(*text.text, read_file(meta, max_bytes).text.value_or(std::string{}));
    else
        result.tree = read_xml(*text.text);
    return result;
}

} // namespace sme::verilator
