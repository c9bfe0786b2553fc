// SPDX-License-Identifier: Apache-2.0
#include "mpi/connection.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "mpi/plugin.h"

namespace sme::mpi {

namespace {

/// Ends this program, and so the run, if it lives longer than the patience: around calls of MPI
/// that wait for all ranks and cannot be interrupted. Time in which this program was stopped does
/// not count.
class Watch {
public:
    explicit Watch(const Patience& patience) {
        if (patience.seconds > 0)
            thread_ = std::thread{[this, &patience] { count(patience); }};
    }
    ~Watch() {
        {
            const std::lock_guard lock{mutex_};
            over_ = true;
        }
        changed_.notify_one();
        if (thread_.joinable())
            thread_.join();
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

private:
    void count(const Patience& patience) {
        std::unique_lock lock{mutex_};
        for (double left_s = patience.seconds; left_s > 0;) {
            const double step_s = std::min(left_s, 0.5);
            if (changed_.wait_for(lock, std::chrono::duration<double>{step_s},
                                  [this] { return over_; }))
                return;
            left_s -= step_s;
        }
        patience.report();
        std::_Exit(patience.exit_code); // mpirun then ends the others
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::thread thread_;
};

class Ranks final : public Connection {
public:
    Ranks(sme_mpi& mpi, Patience patience) : mpi_{mpi}, patience_{std::move(patience)} {
        mpi_.host = this;
        mpi_.lost = [](void* ranks) { static_cast<Ranks*>(ranks)->end_lost(); };
        mpi_.patience_s = patience_.seconds;
    }
    ~Ranks() override {
        const Watch watch{patience_};
        mpi_.finish();
    }

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

    [[noreturn]] void end_all(int exit_code) override {
        mpi_.abort(exit_code);
        std::abort(); // never reached
    }

private:
    [[noreturn]] void end_lost() {
        patience_.report();
        end_all(patience_.exit_code);
    }

    sme_mpi& mpi_;
    Patience patience_;
    std::vector<sme_mpi_message> sent_, received_;
};

} // namespace

std::unique_ptr<Connection> connect(const std::string& plugin, Patience patience,
                                    std::string& problem) {
    // its own libraries look up symbols of MPI among all
    void* const library = ::dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        const char* const error = ::dlerror();
        problem = error ? error : "it cannot be loaded";
        return nullptr;
    }
    const auto open = reinterpret_cast<decltype(&sme_mpi_open)>(::dlsym(library, "sme_mpi_open"));
    const char* why = "it is no plug-in of this command";
    sme_mpi* mpi = nullptr;
    if (open) {
        const Watch watch{patience};
        mpi = open(&why);
    }
    if (!mpi) {
        problem = fmt::format("'{}' cannot be used: {}", plugin, why);
        return nullptr;
    }
    return std::make_unique<Ranks>(*mpi, std::move(patience));
}

} // namespace sme::mpi
