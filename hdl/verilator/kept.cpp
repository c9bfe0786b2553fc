// SPDX-License-Identifier: Apache-2.0
#include "verilator/kept.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "verilator/netlist_text.hpp"

namespace sme::verilator {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int format_version = 4;
constexpr std::size_t most_bytes = std::size_t{512} << 20;    // of one file
constexpr std::uintmax_t most_kept = std::uintmax_t{2} << 30; // of all modules together

std::string digest_of(const std::string& path) {
    const FileText file = read_file(path, most_bytes);
    if (!file.text)
        return "none";
    return fmt::format("{:016x}-{}", Digest{}.add(*file.text).value(), file.text->size());
}

} // namespace

KeptModules::Lock::Lock(const std::string& folder, const std::string& key) {
    std::error_code error;
    fs::create_directories(folder, error);
    const std::string path = fmt::format("{}/{}.lock", folder, key);
    descriptor_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor_ < 0) {
        problem_ = fmt::format("'{}': {}", path, std::strerror(errno));
        return;
    }
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
}

KeptModules::Lock::~Lock() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

std::string KeptModules::key_of(const std::string& identity) {
    return fmt::format("{:016x}", Digest{}.add(identity).value());
}

std::optional<KeptModule> KeptModules::find(const std::string& identity) const {
    const std::string place = folder_ + "/" + key_of(identity);
    const FileText text = read_file(place + "/module.json", most_bytes);
    if (!text.text)
        return std::nullopt;
    try {
        const Json file = Json::parse(*text.text);
        if (file.at("format") != format_version || file.at("identity") != identity)
            return std::nullopt;
        for (const auto& [path, digest] : file.at("made of").items())
            if (digest_of(path) != digest.get<std::string>())
                return std::nullopt;
        KeptModule made{place + "/object", netlist_of(file.at("netlist"))};
        if (digest_of(made.object) != file.at("object").get<std::string>())
            return std::nullopt;
        return made;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt; // damaged: it is built again
    }
}

std::string KeptModules::begin(std::string& problem) const {
    std::error_code error;
    fs::create_directories(folder_, error);
    std::string made = folder_ + "/making-XXXXXX";
    if (::mkdtemp(made.data()))
        return made;
    problem = fmt::format("'{}': {}", folder_, std::strerror(errno));
    return {};
}

std::string KeptModules::publish(const std::string& made_in, const std::string& identity,
                                 const Netlist& netlist,
                                 const std::vector<std::string>& made_of) const {
    Json file;
    file["format"] = format_version;
    file["identity"] = identity;
    file["object"] = digest_of(made_in + "/object");
    Json sources = Json::object();
    for (const std::string& path : made_of)
        sources[path] = digest_of(path);
    file["made of"] = sources;
    file["netlist"] = json_of(netlist);
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator{made_in, error})
        if (entry.path().filename() != "object")
            fs::remove_all(entry.path(), error);
    OutputFile out{made_in + "/module.json"};
    if (!out.write(file.dump(1) + "\n") || !out.commit())
        return out.problem();
    const std::string place = folder_ + "/" + key_of(identity);
    fs::remove_all(place, error);
    fs::rename(made_in, place, error);
    if (error)
        return fmt::format("'{}': {}", place, error.message());
    remove_old();
    return {};
}

/// The oldest go when all together are too large.
void KeptModules::remove_old() const {
    struct Kept {
        fs::file_time_type time;
        std::uintmax_t bytes = 0;
        fs::path path;
    };
    std::vector<Kept> all;
    std::uintmax_t bytes = 0;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder_, error}) {
        if (!fs::exists(entry.path() / "module.json", error))
            continue;
        Kept& kept = all.emplace_back();
        kept.path = entry.path();
        kept.time = fs::last_write_time(entry.path(), error);
        for (const fs::directory_entry& file : fs::directory_iterator{entry.path(), error})
            kept.bytes += file.is_regular_file(error) ? file.file_size(error) : 0;
        bytes += kept.bytes;
    }
    std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.time < b.time; });
    for (const Kept& kept : all) {
        if (bytes <= most_kept)
            return;
        fs::remove_all(kept.path, error);
        bytes -= kept.bytes;
    }
}

} // namespace sme::verilator
