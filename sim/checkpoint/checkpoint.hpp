// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "sme/internal/archive.hpp"
#include "sme/network.hpp"

namespace sme::checkpoint {

/// Writes records, each under its own key, with a text that describes the shape of its bytes. The
/// file appears under its name once it is complete and on disk. Throws CheckpointError when it
/// cannot be written.
class Writer {
public:
    /// `part`: see OutputFile.
    explicit Writer(const std::string& path, std::string_view part = ".part");
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    /// Writes a record of the data that `state` passes to an archive.
    void record(const std::string& key, const std::string& shape,
                const std::function<void(Archive&)>& state);
    /// The same for a record of `bytes` bytes, without collecting them first.
    void record(const std::string& key, const std::string& shape, std::uint64_t bytes,
                const std::function<void(Archive&)>& state);
    void commit();

private:
    struct Checksum;
    class Streaming;
    void begin(const std::string& key, const std::string& shape, std::uint64_t bytes);
    void put(const void* bytes, std::size_t count);

    OutputFile file_;
    std::unique_ptr<Checksum> checksum_;
};

/// An existing, complete and unchanged checkpoint. Throws CheckpointError otherwise, with the name
/// of the file.
class Reader {
public:
    struct Record {
        std::string shape;
        std::uint64_t offset = 0; // in the file
        std::uint64_t bytes = 0;
    };

    explicit Reader(const std::string& path);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    /// Null if absent.
    const Record* find(const std::string& key) const;
    /// By key.
    const std::map<std::string, Record, std::less<>>& records() const { return records_; }
    /// Reads bytes [from, from + count) of a record.
    void read(const Record& record, std::uint64_t from, void* bytes, std::size_t count) const;
    /// Passes a record to `state`, which must consume all of it.
    void restore(const std::string& key, const std::function<void(Archive&)>& state) const;

    const std::string& path() const { return path_; }
    /// Of all its bytes.
    std::uint64_t checksum() const { return checksum_; }
    [[noreturn]] void fail(const std::string& why) const;

private:
    void check(std::uint64_t bytes);
    void find_records(std::uint64_t bytes);
    void read_at(std::uint64_t offset, void* bytes, std::size_t count) const;

    std::string path_;
    int descriptor_ = -1;
    std::uint64_t checksum_ = 0;
    std::map<std::string, Record, std::less<>> records_;
};

} // namespace sme::checkpoint
