// SPDX-License-Identifier: Apache-2.0
#include "base/disk_cache.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.hpp"
#include "base/files.hpp"

namespace sme {

namespace fs = std::filesystem;

namespace {

/// Returns whether it belongs to the current user, is not a link, and is not writable by others.
bool is_ours(const std::string& path) {
    struct stat found {};
    return ::lstat(path.c_str(), &found) == 0 && found.st_uid == ::geteuid() &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

} // namespace

TemporaryFolder::TemporaryFolder(const std::string& name) {
    std::error_code error;
    std::string result = (fs::temp_directory_path(error) / (name + "-XXXXXX")).string();
    if (::mkdtemp(result.data()))
        path_ = result;
    else
        problem_ = "no temporary folder can be made, '" + result + "': " + std::strerror(errno);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty())
        fs::remove_all(path_, error);
}

std::string why_unwritable(const std::string& folder) {
    OutputFile probe{folder + "/probe"};
    probe.write(std::string(std::size_t{1} << 16, ' '));
    probe.flush();
    return probe.problem();
}

bool is_of_another(const std::string& folder) {
    struct stat found {};
    if (::stat(folder.c_str(), &found) == 0)
        return found.st_uid != ::geteuid();
    fs::path above{folder};
    while (::stat(above.c_str(), &found) != 0 && above.has_relative_path())
        above = above.parent_path();
    return found.st_uid != ::geteuid() && found.st_uid != 0;
}

std::string own_folder(const std::string& folder) {
    if (folder.empty())
        return "neither HOME nor XDG_CACHE_HOME names a folder for it";
    if (is_of_another(folder))
        return fmt::format("'{}' belongs to another user", folder);
    fs::path result;
    int error = 0;
    for (const fs::path& part : fs::path{folder}) {
        result /= part;
        if (::mkdir(result.c_str(), 0700) != 0 && errno != EEXIST && error == 0)
            error = errno;
    }
    struct stat found {};
    if (::stat(folder.c_str(), &found) != 0)
        return fmt::format("'{}': {}", folder, std::strerror(error != 0 ? error : errno));
    if (found.st_uid != ::geteuid())
        return fmt::format("'{}' belongs to another user", folder);
    const mode_t others = S_IWGRP | S_IWOTH;
    if ((found.st_mode & others) != 0 && ::chmod(folder.c_str(), found.st_mode & 07777 & ~others))
        return fmt::format("'{}': {}", folder, std::strerror(errno));
    return {};
}

DiskCache::Lock::Lock(const std::string& folder, const std::string& key,
                      const std::atomic<bool>* unwanted) {
    problem_ = own_folder(folder);
    if (!problem_.empty())
        return;
    const std::string path = fmt::format("{}/{}.lock", folder, key);
    descriptor_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor_ < 0) {
        problem_ = fmt::format("'{}': {}", path, std::strerror(errno));
        return;
    }
    constexpr std::chrono::milliseconds pause{5};
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || (unwanted && unwanted->load())) {
            problem_ = fmt::format("'{}' is in use", path);
            return;
        }
        std::this_thread::sleep_for(pause);
    }
}

DiskCache::Lock::~Lock() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

std::string DiskCache::key_of(const std::string& identity) {
    return fmt::format("{:016x}", Digest{}.add(identity).value());
}

bool DiskCache::holds(const std::string& key, const std::string& file) const {
    return own_folder(folder_).empty() && is_ours(place(key)) && is_ours(place(key) + "/" + file);
}

std::string DiskCache::begin(std::string& problem) const {
    problem = own_folder(folder_);
    if (!problem.empty())
        return {};
    std::string result = folder_ + "/making-XXXXXX";
    if (::mkdtemp(result.data()))
        return result;
    problem = fmt::format("'{}': {}", folder_, std::strerror(errno));
    return {};
}

std::string DiskCache::publish(const std::string& made_in, const std::string& key) const {
    std::error_code error;
    fs::remove_all(place(key), error);
    fs::rename(made_in, place(key), error);
    if (error)
        return fmt::format("'{}': {}", place(key), error.message());
    remove_old();
    return {};
}

void DiskCache::touch(const std::string& key) const {
    std::error_code error;
    fs::last_write_time(place(key), fs::file_time_type::clock::now(), error);
}

void DiskCache::remove_old() const {
    struct Kept {
        fs::file_time_type time;
        std::uintmax_t bytes = 0;
        fs::path path;
    };
    std::vector<Kept> all;
    std::uintmax_t bytes = 0;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder_, error}) {
        if (!fs::exists(entry.path() / mark_, error))
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
        if (bytes <= max_bytes_)
            return;
        fs::remove_all(kept.path, error);
        fs::remove(kept.path.string() + ".lock", error);
        bytes -= kept.bytes;
    }
}

std::string digest_of_file(const std::string& path, std::size_t max_bytes) {
    const FileText file = read_file(path, max_bytes);
    if (!file.text)
        return "none";
    return fmt::format("{:016x}-{}", Digest{}.add(*file.text).value(), file.text->size());
}

} // namespace sme
