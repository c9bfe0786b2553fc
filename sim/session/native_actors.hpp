// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "actors/run.hpp"
#include "native/native.hpp"
#include "session/native_run.hpp"

namespace sme::session {

/// The native code of actors that run without a clock: compiled before the run (`compile`) or in
/// parallel with it (`begin`). Must outlive the run; call `stop` before the run's groups end.
class NativeActors {
public:
    NativeActors(const Graph& graph, actors::Run& run, NativeSettings settings)
        : graph_{graph}, run_{run}, settings_{std::move(settings)} {}
    ~NativeActors() { stop(); }
    NativeActors(const NativeActors&) = delete;
    NativeActors& operator=(const NativeActors&) = delete;

    /// Why compilation is impossible; empty if it is possible.
    std::string missing() const;
    /// Compiles all actors. Returns the error message, or empty.
    std::string compile();
    /// Compiles in parallel with the run, unless the run ends before that pays off.
    void begin();
    void stop();

    /// True if all actors are native.
    bool is_live() const { return live_; }
    const std::string& why() const { return why_; } ///< not live; valid after `stop`

private:
    void work();
    void swap_executor(std::uint32_t family, native::NativeGroup& group);
    std::string compile_all(const std::atomic<bool>* unwanted);

    const Graph& graph_;
    actors::Run& run_;
    NativeSettings settings_;
    std::unique_ptr<native::Native> native_;
    std::vector<std::unique_ptr<actors::InstanceSteps>> steps_;
    std::vector<std::vector<actors::InstanceSteps*>> by_instance_; // by family
    std::thread thread_;
    std::atomic<bool> stopped_{false};
    std::atomic<bool> live_{false};
    std::string why_ = "the run was too short to compile anything";
};

} // namespace sme::session
