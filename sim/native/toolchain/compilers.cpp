// SPDX-License-Identifier: Apache-2.0
#include "native/toolchain/compilers.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "runtime/clock.hpp"

namespace sme::native {

Compilers::Compilers(std::vector<std::size_t> files, std::function<std::string(std::size_t)> text,
                     const CompilerSettings& settings, unsigned at_once)
    : text_{std::move(text)}, settings_{settings}, files_{std::move(files)} {
    const std::size_t threads = std::min<std::size_t>(at_once, files_.size());
    const std::lock_guard lock{mutex_};
    while (workers_.size() < threads) {
        workers_.push_back(std::make_unique<Worker>());
        Worker& worker = *workers_.back();
        try {
            worker.thread = std::thread{[this, &worker] { work(worker); }};
        } catch (const std::system_error&) {
            workers_.pop_back();
            if (workers_.empty())
                throw;
            return; // the existing threads do all the work
        }
    }
}

void Compilers::work(Worker& worker) {
    for (std::size_t file = 0; begin(worker, file);) {
        Compiled compiled = compile(file, worker);
        const std::lock_guard lock{mutex_};
        made_.push_back({file, std::move(compiled), worker.slow});
        worker.busy = false;
        ready_.notify_one();
    }
}

/// Takes the next file.
bool Compilers::begin(Worker& worker, std::size_t& file) {
    const std::lock_guard lock{mutex_};
    if (next_ == files_.size())
        return false;
    file = files_[next_++];
    worker.unwanted = false;
    worker.busy = true;
    worker.slow = false;
    worker.begin = Clock::now();
    return true;
}

Compiled Compilers::compile(std::size_t file, const Worker& worker) const {
    try {
        CompilerSettings settings = settings_;
        settings.unwanted = &worker.unwanted;
        return native::compile(text_(file), settings);
    } catch (const std::bad_alloc&) {
        Compiled failed;
        failed.problem = "there is not enough memory to compile native code";
        return failed;
    }
}

std::vector<Compilers::Made> Compilers::take(std::chrono::milliseconds most) {
    std::unique_lock lock{mutex_};
    if (most.count() > 0)
        ready_.wait_for(lock, most, [&] { return !made_.empty(); });
    return std::exchange(made_, {});
}

bool Compilers::done() const {
    const std::lock_guard lock{mutex_};
    return next_ == files_.size() && made_.empty() &&
           std::none_of(workers_.begin(), workers_.end(),
                        [](const auto& worker) { return worker->busy; });
}

double Compilers::longest_s() const {
    const std::lock_guard lock{mutex_};
    double longest = 0;
    for (const auto& worker : workers_)
        if (worker->busy)
            longest = std::max(longest, seconds_of(Clock::now() - worker->begin));
    return longest;
}

void Compilers::stop_slow(double seconds) {
    const std::lock_guard lock{mutex_};
    for (const auto& worker : workers_)
        if (worker->busy && seconds_of(Clock::now() - worker->begin) >= seconds)
            worker->slow = worker->unwanted = true;
}

void Compilers::begin_no_more() {
    const std::lock_guard lock{mutex_};
    next_ = files_.size();
}

void Compilers::stop() {
    {
        const std::lock_guard lock{mutex_};
        next_ = files_.size();
        for (const auto& worker : workers_)
            worker->unwanted = true;
    }
    for (const auto& worker : workers_)
        if (worker->thread.joinable())
            worker->thread.join();
}

} // namespace sme::native
