// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

class Auditor;

/// The queues that distribute work to threads: the C++ value, the name in `sme run`, the
/// description.
#define SME_QUEUES(X)                                                                              \
    X(fixed, "static", "a list for each thread")                                                   \
    X(atomic, "atomic", "one list, from which an idle thread takes the next range")                \
    X(stealing, "stealing", "a list for each thread, from which idle threads take")

enum class QueueKind : std::uint8_t {
#define SME_QUEUE(value, name, text) value, ///< text
    SME_QUEUES(SME_QUEUE)
#undef SME_QUEUE
};

#define SME_QUEUE(value, name, text) QueueKind::value,
inline constexpr std::array all_queues{SME_QUEUES(SME_QUEUE)};
#undef SME_QUEUE
#define SME_QUEUE(value, name, text) std::string_view{name},
inline constexpr std::array queue_names{SME_QUEUES(SME_QUEUE)};
#undef SME_QUEUE
#define SME_QUEUE(value, name, text) std::string_view{text},
inline constexpr std::array queue_texts{SME_QUEUES(SME_QUEUE)};
#undef SME_QUEUE

/// How a thread waits for the others.
enum class Wait : std::uint8_t {
    automatic, ///< spins for a while, then sleeps; sleeps at once if threads outnumber CPUs
    spin,      ///< never sleeps
    block,     ///< sleeps at once
};
/// The names in `sme run`.
inline constexpr std::array<std::string_view, 3> wait_names{"auto", "spin", "block"};

/// Whether processes run whose inputs and state have not changed, so that they would write the same
/// again.
enum class Skipping : std::uint8_t {
    automatic, ///< as is faster, by measurement
    always,    ///< they do not run, wherever that is known
    never,     ///< all processes run in every cycle
};
/// The names in `sme run`.
inline constexpr std::array<std::string_view, 3> skipping_names{"auto", "always", "never"};

/// A few neighbouring instances of one part of a process that are scheduled together.
struct Chunk {
    std::uint32_t level; ///< chunks of one level may run at the same time
    std::uint32_t group; ///< the process family in the network; higher numbers: delays and inputs
    std::uint32_t part;
    std::uint64_t first; ///< instances by position, which is the order of their slots
    std::uint64_t count;
    double cost_ns; ///< measured, for one step of all of them
};

/// Two chunks, one of which reads what the other writes.
struct ChunkLink {
    std::uint32_t a;
    std::uint32_t b;
    double weight; ///< number of buses between them
};

/// For each thread the numbers of its chunks. Each chunk appears exactly once.
using Placement = std::vector<std::vector<std::uint32_t>>;

/// The input of a policy.
struct Workload {
    unsigned threads;
    std::span<const Chunk> chunks; ///< in the order of levels, then in source order
    std::uint64_t seed;
    /// Returns the links between chunks; computed on demand.
    std::function<std::vector<ChunkLink>()> links;
    /// Returns the nanoseconds per cycle of a placement: measured in real cycles while the run has
    /// some left, otherwise computed from the costs.
    std::function<double(const Placement&)> time;
};

/// A policy lost or repeated a chunk, or returned lists for a different number of threads.
class PlacementError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Decides which thread runs which chunk. Called between cycles.
class Policy {
public:
    virtual ~Policy() = default;
    virtual Placement place(const Workload& workload) = 0;
};

/// Returns the enumeration value with this name; `nullopt` for an unknown name.
template <class Enumeration, class Names>
std::optional<Enumeration> value_named(const Names& names, std::string_view name) {
    for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == name)
            return static_cast<Enumeration>(k);
    return std::nullopt;
}

/// The names of the built-in policies.
inline constexpr std::array<std::string_view, 4> policy_names{"optimize", "blocks", "round-robin",
                                                              "monte-carlo"};
/// Returns null for an unknown name.
std::unique_ptr<Policy> make_policy(const std::string& name);

inline constexpr unsigned max_threads = 1024;

/// How a simulator runs. The values on the buses depend on the seed only.
struct SimulatorOptions {
    unsigned threads = 0; ///< 1 to 1024; 0: the fastest number, by measurement
    QueueKind queue = QueueKind::fixed;
    std::shared_ptr<Policy> policy = {}; ///< null: "optimize"
    bool adaptive = false;               ///< place again when the threads are unbalanced
    Wait wait = Wait::automatic;
    std::uint64_t grain = 0;   ///< for the atomic queue: instances per take; 0: by cost
    bool serial_levels = true; ///< runs sequences of cheap levels on one thread
    Skipping skipping = Skipping::automatic;
    std::uint64_t seed = 0; ///< for `random` and random placements
    /// Judges every step of the run (<sme/validate.hpp>); null: no judge.
    std::shared_ptr<Auditor> auditor = {};
    /// If set, the processes of a level run one at a time in a random order with this seed.
    std::optional<std::uint64_t> shuffle = {};
    /// Receives the lines that Verilog modules print ($display), between cycles; null: they are
    /// dropped.
    std::function<void(const std::string& line)> print = {};
};

} // namespace sme
