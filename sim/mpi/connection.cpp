// SPDX-License-Identifier: Apache-2.0
#include "mpi/connection.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "mpi/plugin.h"

namespace sme::mpi {

namespace {

class Ranks final : public Connection {
public:
    explicit Ranks(sme_mpi& mpi) : mpi_{mpi} {}
    ~Ranks() override { mpi_.finish(); }

    unsigned rank() const override { return static_cast<unsigned>(mpi_.rank); }
    unsigned ranks() const override { return static_cast<unsigned>(mpi_.ranks); }

    void start(std::span<const Sent> sent, std::span<const Received> received) override {
        sent_.clear();
        received_.clear();
        for (const Sent& each : sent)
            sent_.push_back({static_cast<int>(each.to), const_cast<std::byte*>(each.bytes.data()),
                             each.bytes.size()});
        for (const Received& each : received)
            received_.push_back(
                {static_cast<int>(each.from), each.bytes.data(), each.bytes.size()});
        mpi_.start(sent_.data(), sent_.size(), received_.data(), received_.size());
    }
    void wait() override { mpi_.wait(); }

    std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& own) override {
        std::vector<std::vector<std::byte>> result;
        const auto take = [](void* to, int, const void* data, std::size_t bytes) {
            const auto* const from = static_cast<const std::byte*>(data);
            static_cast<std::vector<std::vector<std::byte>>*>(to)->emplace_back(from, from + bytes);
        };
        mpi_.gather(own.data(), own.size(), take, &result);
        return result;
    }

    void set_patience(double seconds, std::function<void()> lost) override {
        lost_ = std::move(lost);
        mpi_.host = this;
        mpi_.lost = [](void* ranks) { static_cast<Ranks*>(ranks)->lost_(); };
        mpi_.patience_s = seconds;
    }

    [[noreturn]] void end_all(int exit_code) override {
        mpi_.abort(exit_code);
        std::abort(); // never reached
    }

private:
    sme_mpi& mpi_;
    std::function<void()> lost_;
    std::vector<sme_mpi_message> sent_, received_;
};

} // namespace

std::unique_ptr<Connection> connect(const std::string& plugin, std::string& problem) {
    // its own libraries look up symbols of MPI among all
    void* const library = ::dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        const char* const error = ::dlerror();
        problem = error ? error : "it cannot be loaded";
        return nullptr;
    }
    const auto open = reinterpret_cast<decltype(&sme_mpi_open)>(::dlsym(library, "sme_mpi_open"));
    const char* why = "it is no plug-in of this command";
    sme_mpi* const mpi = open ? open(&why) : nullptr;
    if (!mpi) {
        problem = fmt::format("'{}' cannot be used: {}", plugin, why);
        return nullptr;
    }
    return std::make_unique<Ranks>(*mpi);
}

} // namespace sme::mpi
