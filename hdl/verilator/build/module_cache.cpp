// SPDX-License-Identifier: Apache-2.0
#include "verilator/build/module_cache.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/files.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int format_version = 7;
constexpr std::size_t max_module_bytes = std::size_t{512} << 20; // of one file
constexpr std::uintmax_t max_kept = std::uintmax_t{2} << 30;     // of all modules together

std::string digest_of(const std::string& path) {
    return digest_of_file(path, max_module_bytes);
}

} // namespace

ModuleCache::ModuleCache(const std::string& folder) : kept_{folder, "module.json", max_kept} {}

std::optional<KeptModule> ModuleCache::find(const std::string& identity) const {
    if (!kept_.holds(key_of(identity), "object"))
        return std::nullopt; // its object would be loaded and run
    const std::string place = kept_.place(key_of(identity));
    const FileText text = read_file(place + "/module.json", max_module_bytes);
    if (!text.text)
        return std::nullopt;
    try {
        const Json file = Json::parse(*text.text);
        if (file.at("format") != format_version || file.at("identity") != identity)
            return std::nullopt;
        for (const auto& [path, digest] : file.at("sources").items())
            if (digest_of(path) != digest.get<std::string>())
                return std::nullopt;
        KeptModule result{place + "/object", netlist_of(file.at("netlist"))};
        if (digest_of(result.object) != file.at("object").get<std::string>())
            return std::nullopt;
        kept_.touch(key_of(identity));
        return result;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt; // damaged: build it again
    }
}

std::string ModuleCache::sources_of(const std::string& object) {
    const std::string file = fs::path{object}.parent_path() / "module.json";
    const Json entry =
        Json::parse(read_file(file, max_module_bytes).text.value_or(""), nullptr, false);
    std::string result;
    if (entry.is_object() && entry.contains("sources"))
        for (const auto& [path, digest] : entry.at("sources").items())
            result += digest.dump() + '\n';
    return result;
}

std::string ModuleCache::publish(const std::string& made_in, const std::string& identity,
                                 const Netlist& netlist,
                                 const std::vector<std::string>& made_of) const {
    Json file;
    file["format"] = format_version;
    file["identity"] = identity;
    file["object"] = digest_of(made_in + "/object");
    Json sources = Json::object();
    for (const std::string& path : made_of)
        sources[path] = digest_of(path);
    file["sources"] = sources;
    file["netlist"] = json_of(netlist);
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator{made_in, error})
        if (entry.path().filename() != "object")
            fs::remove_all(entry.path(), error);
    ::chmod((made_in + "/object").c_str(), S_IRUSR | S_IWUSR);
    OutputFile out{made_in + "/module.json"};
    if (!out.write(file.dump(1) + "\n") || !out.commit())
        return out.problem();
    return kept_.publish(made_in, key_of(identity));
}

void ModuleCache::keep(const std::string& identity, const Netlist& netlist, const std::string& text,
                       const std::vector<std::string>& made_of) const {
    std::string problem;
    const std::string folder = begin(problem);
    if (folder.empty())
        return;
    OutputFile out{folder + "/object"};
    if (out.write(text) && out.commit())
        publish(folder, identity, netlist, made_of);
    std::error_code error;
    fs::remove_all(folder, error);
}

} // namespace sme::verilator
