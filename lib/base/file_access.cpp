// SPDX-License-Identifier: Apache-2.0
#include "base/file_access.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/files.hpp"

namespace sme {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t begin_bytes = 1 << 16; // enough to identify the kind of a file

/// Resolves all links of a path, as far as it exists.
std::string resolved(const std::string& path) {
    std::error_code error;
    const fs::path result = fs::weakly_canonical(fs::absolute(path, error), error);
    const fs::path whole = (error ? fs::path{path} : result).lexically_normal();
    return (whole.has_filename() || !whole.has_relative_path() ? whole : whole.parent_path())
        .string();
}

/// The same, except that a link at the last name is kept.
std::string place_of(const std::string& path) {
    std::error_code error;
    const fs::path whole = fs::absolute(path, error).lexically_normal();
    return (fs::path{resolved(fs::path{path}.parent_path().empty()
                                  ? std::string{"."}
                                  : fs::path{path}.parent_path().string())} /
            whole.filename())
        .string();
}

bool is_hidden(const fs::path& inside) {
    return std::any_of(inside.begin(), inside.end(), [](const fs::path& part) {
        const std::string name = part.string();
        return name.size() > 1 && name[0] == '.';
    });
}

/// Returns the first bytes of a regular file; `nullopt` if it cannot be read.
std::optional<std::string> begin_of(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return std::nullopt;
    std::string text(begin_bytes, '\0');
    const ssize_t got = ::read(descriptor, text.data(), text.size());
    ::close(descriptor);
    if (got < 0)
        return std::nullopt;
    text.resize(static_cast<std::size_t>(got));
    return text;
}

} // namespace

bool FileAccess::Identity::is_same(const Identity& other) const {
    return (inode && inode == other.inode) || place == other.place || target == other.target;
}

FileAccess::Identity FileAccess::identity_of(const std::string& path) {
    Identity result;
    struct stat found {};
    if (::stat(path.c_str(), &found) == 0) {
        result.inode = {found.st_dev, found.st_ino};
        result.regular = !is_written_in_place(path);
    }
    result.place = place_of(path);
    result.target = resolved(path);
    return result;
}

void FileAccess::allow(const std::string& path) {
    writable_.push_back(resolved(path));
}

void FileAccess::allow_reading(const std::string& path) {
    readable_.push_back(resolved(path));
}

/// Allows files below an allowed folder, except hidden ones: shells and other programs run files
/// with such names automatically.
bool FileAccess::is_allowed(const std::string& target, bool writes) const {
    const auto holds = [&](const std::string& root) {
        const fs::path inside = fs::path{target}.lexically_relative(root);
        return !inside.empty() && *inside.begin() != ".." &&
               (inside == "." || !writes || !is_hidden(inside));
    };
    return std::any_of(writable_.begin(), writable_.end(), holds) ||
           (!writes && std::any_of(readable_.begin(), readable_.end(), holds));
}

void FileAccess::note_read(const std::string& path) {
    read_.push_back({path, identity_of(path)});
}

bool FileAccess::note_read_by_network(const std::string& path) {
    Identity identity = identity_of(path);
    if (bounded_ && !is_allowed(identity.target, false))
        return false;
    read_.push_back({path, std::move(identity)});
    return true;
}

/// Returns why an existing file must not be overwritten; empty if it may be.
std::string FileAccess::other_kind(const WriteRequest& wish, const std::string& path) {
    const std::optional<std::string> begin = begin_of(path);
    if (!begin)
        return fmt::format("'{}' is there and cannot be read, so that nothing says whether it is "
                           "{}; give another name, or --force to write over it",
                           path, wish.what);
    if (begin->empty() || !wish.fits || wish.fits(*begin))
        return {};
    return fmt::format("'{}' is there and is not {}; give another name, or --force to write over "
                       "it",
                       path, wish.what);
}

FileAccess::Refusal FileAccess::claim_one(const WriteRequest& wish, const std::string& path,
                                          std::string& problem) {
    const Identity identity = identity_of(path);
    constexpr std::array harmless{"/dev/null", "/dev/full"};
    if (wish.by_network && !is_allowed(identity.target, true) &&
        std::find(harmless.begin(), harmless.end(), identity.target) == harmless.end()) {
        problem = fmt::format("a network writes only below its own folder or the working folder, "
                              "and no hidden files, but '{0}' is '{1}'; give --allow '{0}' to let "
                              "it",
                              path, identity.target);
        return Refusal::outside;
    }
    if (!identity.regular) // written in place: a device, a pipe
        return Refusal::none;
    const auto is_same = [&](const Known& known) { return known.identity.is_same(identity); };
    const auto is_in_use = [&](const Known& known) {
        return is_same(known) && (wish.replaces.empty() || known.path != wish.replaces);
    };
    const auto as = [&](const Known& known) {
        return known.path == path ? std::string{} : fmt::format(", as '{}'", known.path);
    };
    if (const auto known = std::find_if(read_.begin(), read_.end(), is_in_use);
        known != read_.end()) {
        problem = fmt::format("'{}' is read by this run{}, so it cannot be written; give another "
                              "name",
                              path, as(*known));
        return Refusal::is_read;
    }
    if (const auto known = std::find_if(written_.begin(), written_.end(), is_same);
        known != written_.end()) {
        problem =
            fmt::format("'{}' is written twice by this run{}; give another name", path, as(*known));
        return Refusal::is_written;
    }
    if (identity.inode && !force_) {
        problem = other_kind(wish, path);
        if (!problem.empty())
            return Refusal::other_kind;
    }
    written_.push_back({path, identity});
    return Refusal::none;
}

FileAccess::Refusal FileAccess::claim(const WriteRequest& wish, std::string& problem) {
    const Refusal refusal = claim_one(wish, wish.path, problem);
    struct stat found {};
    if (refusal != Refusal::none || is_written_in_place(wish.path))
        return refusal;
    // A `.part` that is not a regular file is rejected when it is opened.
    if (::lstat((wish.path + ".part").c_str(), &found) == 0 && !S_ISREG(found.st_mode))
        return refusal;
    WriteRequest part = wish;
    part.by_network = false; // allowed wherever the file itself is
    return claim_one(part, wish.path + ".part", problem);
}

} // namespace sme
