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
#include "sme/untimed.hpp"

namespace sme::kahn {

/// The processes that are made in a run, and the names of all of it. Their numbers follow those of
/// the description, and are used again.
class Made final : public internal::Nursery, private internal::Ends {
public:
    Made(const KahnGraph& graph, Storage& storage, const UntimedOptions& options)
        : graph_{graph}, storage_{storage}, options_{options} {}

    /// Real time, for a run that has it.
    void set_time(internal::TimeSource* time) { time_ = time; }

    internal::Ends& ends() override { return *this; }
    internal::ChannelCore& make(const Name& name, Depth depth,
                                const internal::ChannelKind& kind) override {
        check_depth(name, depth);
        return storage_.make(name, depth, kind);
    }
    void add(std::unique_ptr<internal::Hosted> process, const Name& name,
             const internal::ProcessDescriptor& maker) override;
    void check_choice(const internal::ChannelCore& channel) const override;
    void drop(internal::ChannelCore& channel, internal::Side side) override {
        storage_.drop(channel, side);
    }
    /// Destroys a process that has returned, on the thread of a runner.
    void remove(const internal::ProcessDescriptor& process);
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
    void for_each(const std::function<void(internal::ProcessDescriptor&)>& visit) const;
    /// How many were made.
    std::uint64_t count() const { return count_; }

private:
    struct Entry {
        std::unique_ptr<internal::Hosted> process; // null: the number is free
        std::optional<Name> name, maker;
    };
    internal::ChannelCore& channel(std::uint64_t, internal::Side) override { refuse(); }
    internal::SharedEnd& shared(std::uint64_t, internal::Side) override { refuse(); }
    internal::BarrierCore& barrier(std::uint64_t) override { refuse(); }
    internal::Nursery* nursery() override { return this; }
    internal::TimeSource* time() override { return time_; }
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
    internal::TimeSource* time_ = nullptr;
};

} // namespace sme::kahn
