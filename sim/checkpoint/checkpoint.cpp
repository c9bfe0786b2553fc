// SPDX-License-Identifier: Apache-2.0
//
// A file:  magic, version, byte order     16 + 4 + 4 bytes
//          records                         lengths of key, shape and data (4 + 4 + 8), then these
//          checksum of all the above       8 bytes, XXH3
// Numbers have the byte order of the machine, which the header records.
#include "checkpoint/checkpoint.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

// private copy: users of the library need no xxHash
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sme::checkpoint {

namespace {

constexpr char magic[16] = "SME checkpoint\n";
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;

struct Head {
    char magic[16];
    std::uint32_t version;
    std::uint32_t byte_order;
};

struct RecordHead {
    std::uint32_t key;
    std::uint32_t shape;
    std::uint64_t bytes;
};

constexpr std::size_t checksum_bytes = 8;
constexpr std::size_t block = std::size_t{1} << 20;

class Saving final : public Archive {
public:
    bool saves() const override { return true; }
    void bytes(void* data, std::size_t count) override {
        text.append(static_cast<const char*>(data), count);
    }
    std::uint64_t left() const override { return 0; }

    std::string text;
};

class Loading final : public Archive {
public:
    Loading(const Reader& reader, const Reader::Record& record)
        : reader_{reader}, record_{record} {}
    bool saves() const override { return false; }
    void bytes(void* data, std::size_t count) override {
        auto* to = static_cast<std::byte*>(data);
        if (count > left())
            throw CheckpointError{"it is shorter than it should be"};
        while (count > 0) {
            if (next_ == buffer_.size() && count >= block) { // bypasses the buffer
                reader_.read(record_, from_, to, count);
                from_ += count;
                return;
            }
            if (next_ == buffer_.size())
                fill();
            const std::size_t now = std::min(count, buffer_.size() - next_);
            std::memcpy(to, buffer_.data() + next_, now);
            next_ += now;
            to += now;
            count -= now;
        }
    }
    std::uint64_t left() const override { return record_.bytes - from_ + buffer_.size() - next_; }

private:
    void fill() {
        buffer_.resize(std::min<std::uint64_t>(block, record_.bytes - from_));
        reader_.read(record_, from_, buffer_.data(), buffer_.size());
        from_ += buffer_.size();
        next_ = 0;
    }

    const Reader& reader_;
    const Reader::Record& record_;
    std::vector<std::byte> buffer_;
    std::uint64_t from_ = 0; // of the record: the first byte not yet in the buffer
    std::size_t next_ = 0;
};

} // namespace

struct Writer::Checksum {
    Checksum() : state{XXH3_createState()} { XXH3_64bits_reset(state); }
    ~Checksum() { XXH3_freeState(state); }
    Checksum(const Checksum&) = delete;
    Checksum& operator=(const Checksum&) = delete;
    XXH3_state_t* state;
};

Writer::Writer(const std::string& path, std::string_view part)
    : file_{path, part}, checksum_{std::make_unique<Checksum>()} {
    Head head{{}, version, byte_order};
    std::memcpy(head.magic, magic, sizeof magic);
    put(&head, sizeof head);
}

Writer::~Writer() = default;

void Writer::put(const void* bytes, std::size_t count) {
    XXH3_64bits_update(checksum_->state, bytes, count);
    if (!file_.write({static_cast<const char*>(bytes), count}))
        throw CheckpointError{file_.problem()};
}

void Writer::begin(const std::string& key, const std::string& shape, std::uint64_t bytes) {
    const RecordHead head{static_cast<std::uint32_t>(key.size()),
                          static_cast<std::uint32_t>(shape.size()), bytes};
    put(&head, sizeof head);
    put(key.data(), key.size());
    put(shape.data(), shape.size());
}

class Writer::Streaming final : public Archive {
public:
    Streaming(Writer& writer, std::uint64_t bytes) : writer_{writer}, missing_{bytes} {}
    bool saves() const override { return true; }
    void bytes(void* data, std::size_t count) override {
        if (count > missing_)
            throw CheckpointError{"a record of a checkpoint is longer than was said"};
        missing_ -= count;
        writer_.put(data, count);
    }
    std::uint64_t left() const override { return missing_; }

private:
    Writer& writer_;
    std::uint64_t missing_;
};

void Writer::record(const std::string& key, const std::string& shape, std::uint64_t bytes,
                    const std::function<void(Archive&)>& state) {
    begin(key, shape, bytes);
    Streaming archive{*this, bytes};
    state(archive);
    if (archive.left() > 0)
        throw CheckpointError{"a record of a checkpoint is shorter than was said"};
}

void Writer::record(const std::string& key, const std::string& shape,
                    const std::function<void(Archive&)>& state) {
    Saving archive;
    state(archive);
    begin(key, shape, archive.text.size());
    put(archive.text.data(), archive.text.size());
}

void Writer::commit() {
    const std::uint64_t sum = XXH3_64bits_digest(checksum_->state);
    if (!file_.write({reinterpret_cast<const char*>(&sum), sizeof sum}) || !file_.sync() ||
        !file_.commit())
        throw CheckpointError{file_.problem()};
}

Reader::Reader(const std::string& path) : path_{path} {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat found {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &found) != 0)
        fail(std::strerror(errno));
    try {
        if (!S_ISREG(found.st_mode))
            fail(S_ISDIR(found.st_mode) ? "it is a folder" : "it is not a regular file");
        const auto bytes = static_cast<std::uint64_t>(found.st_size);
        check(bytes);
        find_records(bytes);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

Reader::~Reader() {
    ::close(descriptor_);
}

void Reader::fail(const std::string& why) const {
    throw CheckpointError{fmt::format("the checkpoint '{}' cannot be used: {}", path_, why)};
}

void Reader::read_at(std::uint64_t offset, void* bytes, std::size_t count) const {
    auto* to = static_cast<char*>(bytes);
    while (count > 0) {
        const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            fail(got < 0 ? std::strerror(errno) : "it became shorter while it was read");
        offset += static_cast<std::uint64_t>(got);
        to += got;
        count -= static_cast<std::size_t>(got);
    }
}

/// Checks the whole file before any of it is used.
void Reader::check(std::uint64_t bytes) {
    Head head{};
    read_at(0, &head, std::min<std::uint64_t>(bytes, sizeof head));
    if (bytes < sizeof head || std::memcmp(head.magic, magic, sizeof magic) != 0)
        fail("it is no checkpoint");
    if (head.byte_order != byte_order)
        fail("it was written on a machine of another byte order");
    if (head.version != version)
        fail(fmt::format("it has format {}, but this program reads format {}", head.version,
                         version));
    if (bytes < sizeof head + checksum_bytes)
        fail("it is cut off");
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state{XXH3_createState(),
                                                                                XXH3_freeState};
    XXH3_64bits_reset(state.get());
    std::vector<std::byte> buffer(block);
    const std::uint64_t end = bytes - checksum_bytes;
    for (std::uint64_t at = 0; at < end;) {
        const std::size_t now = std::min<std::uint64_t>(block, end - at);
        read_at(at, buffer.data(), now);
        XXH3_64bits_update(state.get(), buffer.data(), now);
        at += now;
    }
    read_at(end, &checksum_, sizeof checksum_);
    if (checksum_ != XXH3_64bits_digest(state.get()))
        fail("it is damaged or cut off: its checksum does not fit");
}

void Reader::find_records(std::uint64_t bytes) {
    const std::uint64_t end = bytes - checksum_bytes;
    std::uint64_t at = sizeof(Head);
    while (at < end) {
        RecordHead head{};
        if (end - at < sizeof head)
            fail("it is damaged: a record has no begin");
        read_at(at, &head, sizeof head);
        at += sizeof head;
        const std::uint64_t texts = std::uint64_t{head.key} + head.shape;
        if (texts > end - at || head.bytes > end - at - texts)
            fail("it is damaged: a record is longer than the file");
        std::string key(head.key, '\0');
        Record record{std::string(head.shape, '\0'), at + texts, head.bytes};
        read_at(at, key.data(), key.size());
        read_at(at + head.key, record.shape.data(), record.shape.size());
        at += texts + head.bytes;
        if (!records_.emplace(std::move(key), std::move(record)).second)
            fail("it is damaged: two records have one key");
    }
}

const Reader::Record* Reader::find(const std::string& key) const {
    const auto found = records_.find(key);
    return found == records_.end() ? nullptr : &found->second;
}

void Reader::read(const Record& record, std::uint64_t from, void* bytes, std::size_t count) const {
    if (from > record.bytes || count > record.bytes - from)
        fail("a record is shorter than it should be");
    read_at(record.offset + from, bytes, count);
}

void Reader::restore(const std::string& key, const std::function<void(Archive&)>& state) const {
    const Record* const record = find(key);
    if (!record)
        fail(fmt::format("it does not hold {}", key));
    Loading archive{*this, *record};
    try {
        state(archive);
        if (archive.left() > 0)
            throw CheckpointError{"it is longer than it should be"};
    } catch (const CheckpointError& error) {
        if (std::string_view{error.what()}.starts_with("the checkpoint '"))
            throw;
        fail(fmt::format("what it holds of {} does not fit: {}", key, error.what()));
    }
}

} // namespace sme::checkpoint
