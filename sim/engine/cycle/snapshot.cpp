// SPDX-License-Identifier: Apache-2.0
#include "engine/cycle/snapshot.hpp"

#include <cstring>

#include <fmt/format.h>

#include "engine/engine.hpp"
#include "sme/archive.hpp"

namespace sme::engine {

namespace {

class Saving final : public Archive {
public:
    explicit Saving(std::vector<std::byte>& into) : into_{into} {}
    bool saves() const override { return true; }
    void bytes(void* data, std::size_t count) override {
        const auto* const from = static_cast<const std::byte*>(data);
        into_.insert(into_.end(), from, from + count);
    }
    std::uint64_t left() const override { return 0; }

private:
    std::vector<std::byte>& into_;
};

class Loading final : public Archive {
public:
    explicit Loading(const std::vector<std::byte>& from) : from_{from} {}
    bool saves() const override { return false; }
    void bytes(void* data, std::size_t count) override {
        if (count > left())
            throw CheckpointError{"it is shorter than it should be"};
        if (count > 0)
            std::memcpy(data, from_.data() + next_, count);
        next_ += count;
    }
    std::uint64_t left() const override { return from_.size() - next_; }

private:
    const std::vector<std::byte>& from_;
    std::size_t next_ = 0;
};

} // namespace

Snapshot Engine::snapshot() {
    Snapshot made;
    made.cycle = loop_->cycle();
    for (const Piece& piece : pieces()) {
        std::vector<std::byte>& record = made.records[piece.key];
        if (piece.bytes)
            record.reserve(*piece.bytes);
        Saving archive{record};
        piece.state(archive);
    }
    return made;
}

void Engine::restore(const Snapshot& from) {
    for (const Piece& piece : pieces()) {
        const auto record = from.records.find(piece.key);
        if (record == from.records.end()) {
            if (piece.observer)
                continue;
            throw CheckpointError{fmt::format("{} is not in it", piece.key)};
        }
        Loading archive{record->second};
        piece.state(archive);
    }
    loop_->begin_at(from.cycle);
}

} // namespace sme::engine
