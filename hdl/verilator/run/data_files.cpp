// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/data_files.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/disk_cache.hpp"

namespace sme::verilator {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error) && !fs::is_directory(path, error);
}

} // namespace

DataFiles::DataFiles(const VerilogModule& module, const Netlist& netlist) : reads_{netlist.reads} {
    for (const Placed& file : module.files) {
        std::string folder = fs::path{file.text}.parent_path().string();
        if (std::find(folders_.begin(), folders_.end(), folder) == folders_.end())
            folders_.push_back(std::move(folder));
    }
}

std::string DataFiles::find(const std::string& name) const {
    const auto beside = [&](const std::string& folder) { return fs::path{folder} / name; };
    if (name.empty() || fs::path{name}.is_absolute() || is_file(name))
        return name;
    for (const MemoryFile& read : reads_)
        if (read.name == name)
            if (const fs::path path = beside(fs::path{read.file}.parent_path().string());
                is_file(path))
                return path.string();
    for (const std::string& folder : folders_)
        if (const fs::path path = beside(folder); is_file(path))
            return path.string();
    return name;
}

std::string DataFiles::contents() const {
    constexpr std::size_t max_bytes = std::size_t{256} << 20;
    std::string result;
    for (const MemoryFile& read : reads_)
        result += digest_of_file(find(read.name), max_bytes) + '\n';
    return result;
}

bool DataFiles::check(const VerilogModule& module, VerilogSources& sources,
                      Diagnostics& diagnostics) const {
    const std::size_t errors = diagnostics.errors();
    for (const MemoryFile& read : reads_) {
        if (read.name.empty())
            continue;
        const Location where = sources.at(read.file, read.line, read.column);
        const std::string found = find(read.name);
        const fs::path own = fs::path{read.file}.parent_path() / read.name;
        std::error_code error;
        if (!is_file(found)) {
            if (read.always)
                diagnostics
                    .add(Code::file_unreadable, where,
                         fmt::format("module '{}' reads '{}', but there is no such file, in the "
                                     "working folder or beside this one",
                                     module.top.text, read.name))
                    .note(module.where, "the module is used here");
        } else if (found != read.name && is_file(own) && !fs::equivalent(found, own, error))
            diagnostics
                .add(Code::file_unreadable, where,
                     fmt::format("'{}' is '{}' here, but '{}' where another file of module '{}' "
                                 "names it; give the files names of their own",
                                 read.name, own.string(), found, module.top.text))
                .note(module.where, "the module is used here");
    }
    return diagnostics.errors() == errors;
}

} // namespace sme::verilator
