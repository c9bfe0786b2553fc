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

/// The native code of actors that run without a clock: made before the run (`compile`), or beside
/// it (`begin`). Must outlive the run, and be stopped before the run's groups end.
class NativeActors {
public:
    NativeActors(const Graph& graph, actors::Run& run, NativeSettings settings)
        : graph_{graph}, run_{run}, settings_{std::move(settings)} {}
    ~NativeActors() { stop(); }
    NativeActors(const NativeActors&) = delete;
    NativeActors& operator=(const NativeActors&) = delete;

    /// Why nothing can be compiled; empty: it can.
    std::string missing() const;
    /// Compiles all actors. Why that failed, or empty.
    std::string compile();
    /// Compiles them beside the run, unless it is over before that is worth it.
    void begin();
    void stop();

    /// All actors are native.
    bool is_live() const { return live_; }
    const std::string& why() const { return why_; } ///< they are not; after `stop`

private:
    void work();
    void exchange(std::uint32_t family, native::NativeGroup& group);
    std::string compile_all(const std::atomic<bool>* unwanted);

    const Graph& graph_;
    actors::Run& run_;
    NativeSettings settings_;
    std::unique_ptr<native::Native> native_;
    std::vector<std::unique_ptr<actors::InstanceSteps>> steps_;
    std::vector<std::vector<actors::InstanceSteps*>> by_instance_; // of each family
    std::thread thread_;
    std::atomic<bool> stopped_{false};
    std::atomic<bool> live_{false};
    std::string why_ = "the run was too short to compile anything";
};

} // namespace sme::session
