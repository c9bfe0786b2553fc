// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <sme/kahn.hpp>
#include <sme/untimed.hpp>

namespace models {

/// A frame on its way through the encoder. The digest represents the computed data.
struct Frame {
    std::uint32_t number;
    std::uint64_t digest;
};

/// Units of work of one stage for one frame.
struct Job {
    std::uint64_t digest;
    std::uint32_t from;
    std::uint32_t to;
};

/// Loops in place of encoding, which take as long as x264.
struct Work {
    std::uint32_t steps; ///< of a loop, per unit; a frame has 10,000 units
};

/// Returns the sum over units from `from` to `to`, independent of their distribution to workers.
inline std::uint64_t done(const Work& work, const Job& job) {
    std::uint64_t sum = 0;
    for (std::uint32_t unit = job.from; unit < job.to; ++unit) {
        std::uint64_t x = job.digest + 0x9e3779b97f4a7c15U * (unit + 1U);
        for (std::uint32_t k = 0; k < work.steps; ++k) {
            x ^= x >> 29U;
            x *= 0xbf58476d1ce4e5b9U;
        }
        sum += x ^ (x >> 32U);
    }
    return sum;
}

/// The work of one process so far.
struct Effort {
    std::uint64_t units = 0;
    std::chrono::nanoseconds time{0};

    std::uint64_t spend(const Work& work, const Job& job) {
        const auto start = std::chrono::steady_clock::now();
        const std::uint64_t result = done(work, job);
        time += std::chrono::steady_clock::now() - start;
        units += job.to - job.from;
        return result;
    }
};

using FrameIn = sme::ChannelIn<Frame>;
using FrameOut = sme::ChannelOut<Frame>;

/// Sends frames 0, 1, 2, …
class Camera : public sme::KahnProcess {
public:
    Camera(std::uint32_t frames, FrameOut y) : frames_{frames}, y_{y} {}
    sme::KahnTask run() {
        for (std::uint32_t k = 0; k < frames_; ++k)
            co_await y_.send({k, std::uint64_t{k} + 1});
    }

private:
    std::uint32_t frames_;
    FrameOut y_;
};

/// A camera that takes so many frames a second.
class PacedCamera : public sme::KahnProcess {
public:
    PacedCamera(sme::RealTime time, std::uint64_t rate, std::uint32_t frames, FrameOut y)
        : time_{time}, rate_{rate}, frames_{frames}, y_{y} {}
    sme::KahnTask run() {
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint32_t k = 0; k < frames_; ++k) {
            const auto due =
                begin + std::chrono::nanoseconds{std::uint64_t{1'000'000'000} * k / rate_};
            co_await time_.sleep(due - std::chrono::steady_clock::now());
            co_await y_.send({k, std::uint64_t{k} + 1});
        }
    }

private:
    sme::RealTime time_;
    std::uint64_t rate_;
    std::uint32_t frames_;
    FrameOut y_;
};

/// Receives a frame from each input and merges them under the number of the first; `nullopt` if an
/// input has ended.
inline sme::KahnCoroutine<std::optional<Frame>> joined(const std::vector<FrameIn>& inputs) {
    Frame frame{};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        auto got = co_await inputs[k].receive();
        if (!got)
            co_return std::nullopt;
        frame = {k == 0 ? got->number : frame.number, 31 * frame.digest + got->digest};
    }
    co_return frame;
}

/// Takes a frame from each input, works on them, and sends one with the number of the first.
class Stage : public sme::KahnProcess {
public:
    Stage(std::vector<FrameIn> x, FrameOut y, std::uint32_t units, Work work)
        : x_{std::move(x)}, y_{y}, units_{units}, work_{work} {}
    sme::KahnTask run() {
        while (auto frame = co_await joined(x_)) {
            frame->digest += effort.spend(work_, {frame->digest, 0, units_});
            co_await sme::clock(units_);
            co_await y_.send(*frame);
        }
    }
    Effort effort;

private:
    std::vector<FrameIn> x_;
    FrameOut y_;
    std::uint32_t units_;
    Work work_;
};

/// A worker that shares the work of a farmed stage.
class StageWorker : public sme::KahnProcess {
public:
    StageWorker(sme::ChannelIn<Job> task, sme::ChannelOut<std::uint64_t> result, Work work)
        : task_{task}, result_{result}, work_{work} {}
    sme::KahnTask run() {
        while (auto job = co_await task_.receive()) {
            const std::uint64_t sum = effort.spend(work_, *job);
            co_await sme::clock(job->to - job->from);
            co_await result_.send(sum);
        }
    }
    Effort effort;

private:
    sme::ChannelIn<Job> task_;
    sme::ChannelOut<std::uint64_t> result_;
    Work work_;
};

/// A stage whose workers do the work: the same result for any number of workers.
class FarmedStage : public sme::KahnProcess {
public:
    FarmedStage(std::vector<FrameIn> x, FrameOut y, std::uint32_t units,
                std::vector<sme::ChannelOut<Job>> tasks,
                std::vector<sme::ChannelIn<std::uint64_t>> results)
        : x_{std::move(x)}, y_{y}, units_{units}, tasks_{std::move(tasks)}, results_{std::move(
                                                                                results)} {}
    sme::KahnTask run() {
        while (auto frame = co_await joined(x_)) {
            const std::uint64_t digest = frame->digest;
            for (std::size_t k = 0; k < tasks_.size(); ++k)
                co_await tasks_[k].send({digest, part(k), part(k + 1)});
            for (const auto& result : results_)
                if (auto sum = co_await result.receive())
                    frame->digest += *sum;
            co_await y_.send(*frame);
        }
    }

private:
    std::uint32_t part(std::size_t k) const {
        return static_cast<std::uint32_t>(units_ * k / tasks_.size());
    }
    std::vector<FrameIn> x_;
    FrameOut y_;
    std::uint32_t units_;
    std::vector<sme::ChannelOut<Job>> tasks_;
    std::vector<sme::ChannelIn<std::uint64_t>> results_;
};

/// A branch: sends each frame to all outputs.
class Fork : public sme::KahnProcess {
public:
    Fork(FrameIn x, std::vector<FrameOut> y) : x_{x}, y_{std::move(y)} {}
    sme::KahnTask run() {
        while (auto frame = co_await x_.receive())
            for (const FrameOut& output : y_)
                co_await output.send(*frame);
    }

private:
    FrameIn x_;
    std::vector<FrameOut> y_;
};

/// Delays by one frame: sends an empty frame first, then its inputs.
class Reference : public sme::KahnProcess {
public:
    Reference(FrameIn x, FrameOut y) : x_{x}, y_{y} {}
    sme::KahnTask run() {
        co_await y_.send({0, 0});
        while (auto frame = co_await x_.receive())
            co_await y_.send(*frame);
    }

private:
    FrameIn x_;
    FrameOut y_;
};

/// Receives the encoded frames, which arrive in order.
class Sink : public sme::KahnProcess {
public:
    explicit Sink(FrameIn x) : x_{x} {}
    sme::KahnTask run() {
        while (auto frame = co_await x_.receive()) {
            in_order = in_order && frame->number == frames;
            ++frames;
            digest = 31 * digest + frame->digest;
        }
    }
    std::uint32_t frames = 0;
    bool in_order = true;
    std::uint64_t digest = 0;

private:
    FrameIn x_;
};

} // namespace models
