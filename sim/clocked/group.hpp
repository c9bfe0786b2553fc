// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clocked/host.hpp"
#include "network/build.hpp"
#include "runtime/abilities.hpp"
#include "sme/clocked.hpp"
#include "sme/internal/group.hpp"

namespace sme::clocked {

/// All processes of a Kahn network, followed by its channels, in one simulator. The instance of a
/// process resumes it; that of a channel shows its fill.
class KahnGroup final : public Group {
public:
    KahnGroup(std::shared_ptr<const KahnGraph> graph, const ClockedOptions& options,
              const Build& build);
    ~KahnGroup() override;
    KahnGroup(const KahnGroup&) = delete;
    KahnGroup& operator=(const KahnGroup&) = delete;

    void step(unsigned part, Range range, const Frame& frame) override;
    std::string unsaved() const override;
    void add_abilities(Abilities& abilities) override { abilities.kahn = this; }

    const KahnGraph& graph() const { return *graph_; }
    std::shared_ptr<Channels> channels() const { return channels_; }
    internal::Hosted& process(std::uint32_t number) { return hosts_[number]->process(); }
    std::vector<ChannelReport> reports() const;

private:
    void step_process(std::uint32_t number, std::uint64_t position, const Frame& frame);
    void look_for_deadlock(std::uint64_t position, const Frame& frame);
    Diagnostic deadlock(const std::vector<std::uint32_t>& found) const;
    std::vector<std::uint32_t> ring(std::uint32_t from, std::uint64_t cycle) const;
    std::optional<std::vector<std::uint32_t>> stuck(std::uint64_t cycle) const;
    std::optional<std::uint32_t> waits_for(std::uint32_t process, std::uint64_t cycle) const;
    std::string channel_text(std::uint32_t channel, bool sends) const;
    std::string line(std::uint32_t process) const;

    std::shared_ptr<const KahnGraph> graph_;
    ClockedOptions options_;
    Outputs outputs_;
    std::shared_ptr<Channels> channels_;
    std::vector<std::unique_ptr<Host>> hosts_; // in source order
    std::vector<std::uint64_t> sources_;       // by position
    std::vector<std::uint64_t> offsets_;       // of the output at each position
    bool marked_ = false;                      // the slots have marks of written values
    bool searched_ = false;                    // since something moved
    std::atomic<std::uint64_t> ended_{0};
    /// The number of processes active in a cycle, by the cycle's number modulo 3: one counter is
    /// incremented, one is read, one is cleared.
    std::array<std::atomic<std::uint64_t>, 3> moved_{};
};

} // namespace sme::clocked
