// SPDX-License-Identifier: Apache-2.0
//
// Any file is either a valid checkpoint of this network or rejected; no input causes a crash, a
// hang or high memory use.
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sme/sme.hpp"

namespace {

class Keeper : public sme::Process {
public:
    Keeper(sme::In<std::uint16_t> x, sme::Out<std::uint16_t> y) : x_{x}, y_{y} {}
    void step() {
        seen_[x_.read()].push_back(flag_);
        flag_ = !flag_;
        text_ += 'x';
        y_.write(static_cast<std::uint16_t>(seen_.size() + text_.size()));
    }
    template <class Archive> void state(Archive& archive) { archive(seen_, text_, flag_); }

private:
    sme::In<std::uint16_t> x_;
    sme::Out<std::uint16_t> y_;
    std::map<std::uint16_t, std::vector<bool>> seen_;
    std::string text_;
    bool flag_ = false;
};

struct Small {
    Small() {
        const auto x = network.bus<std::uint16_t>("x", {.delay = 3});
        const auto y = network.bus<std::uint16_t>("y", {.unwritten = sme::Unwritten::hold});
        network.add<Keeper>("a", sme::in(x), sme::out(y));
        network.add<Keeper>("b", sme::in(y), sme::out(x));
    }
    sme::Network network{"small"};
};

const Small& small() {
    static const Small result;
    return result;
}

/// Creates a file in memory.
int file() {
    static const int result = ::memfd_create("checkpoint", MFD_CLOEXEC);
    return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    constexpr std::size_t checksum = 8;
    if (size >= checksum) {
        const std::uint64_t sum = XXH3_64bits(data, size - checksum);
        std::memcpy(bytes.data() + size - checksum, &sum, sizeof sum);
    }
    if (::ftruncate(file(), 0) != 0 ||
        ::pwrite(file(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        std::abort();
    sme::Simulator simulator{small().network, {.threads = 1}};
    try {
        simulator.load("/proc/self/fd/" + std::to_string(file()));
        simulator.run(sme::Cycles{3});
    } catch (const sme::CheckpointError&) {
    }
    return 0;
}
