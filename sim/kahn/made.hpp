// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kahn/graph.hpp"
#include "kahn/storage.hpp"
#include "sme/kahn_spawn.hpp"
#include "sme/untimed.hpp"

namespace sme::kahn {

/// The processes that are made in a run, and the names of all of it. Their numbers follow those of
/// the description, and are used again.
class Made final : public detail::Nursery, private detail::Ends {
public:
    Made(const KahnGraph& graph, Storage& storage, const UntimedOptions& options)
        : graph_{graph}, storage_{storage}, options_{options} {}

    /// Real time, for a run that has it.
    void set_time(detail::TimeSource* time) { time_ = time; }

    detail::Ends& ends() override { return *this; }
    detail::ChannelCore& make(const Name& name, Depth depth,
                              const detail::ChannelKind& kind) override {
        check_depth(name, depth);
        return storage_.make(name, depth, kind);
    }
    void add(std::unique_ptr<detail::Hosted> process, const Name& name,
             const detail::ProcessDescriptor& maker) override;
    void check_choice(const detail::ChannelCore& channel) const override;
    void drop(detail::ChannelCore& channel, detail::Side side) override {
        storage_.drop(channel, side);
    }
    /// Destroys a process that has returned, on the thread of a runner.
    void remove(const detail::ProcessDescriptor& process);
    /// After a run, on a runner's thread: ends the coroutines that are left.
    void stop();
    /// Destroys the remaining ones.
    void clear() { entries_.clear(); }

    std::string process_name(std::uint32_t id) const { return text_of(name_of(id)); }
    std::string channel_name(std::uint64_t id) const;
    /// Throws the KahnFault of a process that used a channel against the rules.
    [[noreturn]] void fault(std::uint32_t process, std::uint64_t channel, const char* what) const;
    /// One more than the greatest number of a process.
    std::size_t numbers() const { return described() + entries_.size(); }
    /// Calls visit(process) for those that run or wait. Only while no process runs.
    void for_each(const std::function<void(detail::ProcessDescriptor&)>& visit) const;
    /// How many were made.
    std::uint64_t count() const { return count_; }

private:
    struct Entry {
        std::unique_ptr<detail::Hosted> process; // null: the number is free
        std::optional<Name> name, maker;
    };
    detail::ChannelCore& channel(std::uint64_t, detail::Side) override { refuse(); }
    detail::SharedEnd& shared(std::uint64_t, detail::Side) override { refuse(); }
    detail::BarrierCore& barrier(std::uint64_t) override { refuse(); }
    detail::Nursery* nursery() override { return this; }
    detail::TimeSource* time() override { return time_; }
    [[noreturn]] static void refuse();
    Name name_of(std::uint32_t id) const;
    std::string makers() const;
    std::uint32_t described() const { return static_cast<std::uint32_t>(graph_.processes.size()); }

    const KahnGraph& graph_;
    Storage& storage_;
    const UntimedOptions& options_;
    mutable std::mutex mutex_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> free_;
    std::uint64_t count_ = 0;
    detail::TimeSource* time_ = nullptr;
};

} // namespace sme::kahn
