// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace sme {

/// A new folder below the system's temporary folder, removed by the destructor.
class TemporaryFolder {
public:
    /// Its name begins with `name`. The path is empty if the folder could not be created.
    explicit TemporaryFolder(const std::string& name);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }
    /// Returns why the path is empty.
    const std::string& problem() const { return problem_; }

private:
    std::string path_;
    std::string problem_;
};

/// Returns why a program could not write to a folder: "cannot write ...: No space left on device";
/// empty if writing works. For programs that do not report the reason themselves.
std::string why_unwritable(const std::string& folder);

/// Returns whether a folder belongs to a user other than the current one. For a folder that does
/// not exist, checks the folder in which it would be created, except for system folders.
bool is_of_another(const std::string& folder);

/// Creates a folder for the current user only, or removes other users' write permission from an
/// existing one. Returns an empty text, or why nothing can be kept in it.
std::string own_folder(const std::string& folder);

/// A cache of folders, each under a key, with results that are slow to build. An entry is always
/// complete: it is built in a folder next to the others and renamed. Several processes may use one
/// cache at the same time.
class DiskCache {
public:
    /// When the total size exceeds `max_bytes`, the least recently used entries are removed. `mark`
    /// is a file that every entry has.
    DiskCache(std::string folder, std::string mark, std::uintmax_t max_bytes)
        : folder_{std::move(folder)}, mark_{std::move(mark)}, max_bytes_{max_bytes} {}

    /// Gives one caller at a time access to a key, across all processes, while this lives. Waits
    /// for the lock until `unwanted` is true. If the lock fails, `problem` gives the reason, and
    /// nothing is kept.
    class Lock {
    public:
        Lock(const std::string& folder, const std::string& key,
             const std::atomic<bool>* unwanted = nullptr);
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
        const std::string& problem() const { return problem_; }

    private:
        int descriptor_ = -1;
        std::string problem_;
    };

    const std::string& folder() const { return folder_; }
    std::string place(const std::string& key) const { return folder_ + "/" + key; }
    /// Returns whether the entry has a file that only the current user could have put there: it and
    /// the folders above it belong to that user, and others may not write to them.
    bool holds(const std::string& key, const std::string& file) const;
    /// Returns the key of a text that identifies an entry's inputs.
    static std::string key_of(const std::string& identity);

    /// Creates a folder in which to build an entry; empty, with `problem` set, if it cannot.
    std::string begin(std::string& problem) const;
    /// Publishes a folder under a key. Returns an empty text, or why it failed.
    std::string publish(const std::string& made_in, const std::string& key) const;
    /// Marks an entry as just used.
    void touch(const std::string& key) const;

private:
    void remove_old() const;

    std::string folder_, mark_;
    std::uintmax_t max_bytes_;
};

/// Returns a file's size and digest; "none" if the file cannot be read or is larger than
/// `max_bytes`.
std::string digest_of_file(const std::string& path, std::size_t max_bytes);

} // namespace sme
