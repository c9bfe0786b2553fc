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

/// The queues that hand work to threads: the value in C++, the name in `sme run`, what it does.
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

/// What a thread does that waits for the others.
enum class Wait : std::uint8_t {
    automatic, ///< spins for a while, then sleeps; sleeps at once when threads outnumber the CPUs
    spin,      ///< never sleeps
    block,     ///< sleeps at once
};
/// As `sme run` calls them.
inline constexpr std::array<std::string_view, 3> wait_names{"auto", "spin", "block"};

/// A few neighbouring instances of one part of a process that stay together.
struct Chunk {
    std::uint32_t level; ///< chunks of one level may run at the same time
    std::uint32_t group; ///< of the process family in the network; beyond those: delays and inputs
    std::uint32_t part;
    std::uint64_t first; ///< its instances by position: the order of their slots
    std::uint64_t count;
    double cost_ns; ///< of one step of all of them, as measured
};

/// Two chunks that read what the other wrote.
struct ChunkLink {
    std::uint32_t a;
    std::uint32_t b;
    double weight; ///< buses between them
};

/// For each thread the numbers of its chunks. Each chunk stands in it once.
using Placement = std::vector<std::vector<std::uint32_t>>;

/// What a policy decides about.
struct Workload {
    unsigned threads;
    std::span<const Chunk> chunks; ///< in the order of levels, then in source order
    std::uint64_t seed;
    /// Links between chunks; made when they are asked for.
    std::function<std::vector<ChunkLink>()> links;
    /// Nanoseconds a cycle with a placement: of real cycles while the run has some left, of the
    /// costs otherwise.
    std::function<double(const Placement&)> time;
};

/// A policy lost or repeated a chunk, or gave lists for another number of threads.
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

/// The value of an enumeration by one of its names; nothing for any other name.
template <class Enumeration, class Names>
std::optional<Enumeration> value_named(const Names& names, std::string_view name) {
    for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == name)
            return static_cast<Enumeration>(k);
    return std::nullopt;
}

/// The policies that are there by name.
inline constexpr std::array<std::string_view, 4> policy_names{"optimize", "blocks", "round-robin",
                                                              "monte-carlo"};
/// Null for any other name.
std::unique_ptr<Policy> make_policy(const std::string& name);

inline constexpr unsigned max_threads = 1024;

/// How a simulator runs. The values on the buses depend on the seed alone.
struct SimulatorOptions {
    unsigned threads = 0; ///< 1 to 1024; 0: as many as are measured to be fastest
    QueueKind queue = QueueKind::fixed;
    std::shared_ptr<Policy> policy = {}; ///< null: "optimize"
    bool adaptive = false;               ///< place again when the threads are out of balance
    Wait wait = Wait::automatic;
    std::uint64_t grain = 0;   ///< of the atomic queue: instances a take; 0: by cost
    bool serial_levels = true; ///< one thread runs rows of cheap levels
    std::uint64_t seed = 0;    ///< decides `random` and random placements
    /// Judges every step of the run (<sme/validate.hpp>); null: no judge.
    std::shared_ptr<Auditor> auditor = {};
    /// When set, the processes of a level run one at a time in a random order, which this decides.
    std::optional<std::uint64_t> shuffle = {};
    /// Takes the lines that Verilog modules print ($display), between cycles; null: they are
    /// dropped.
    std::function<void(const std::string& line)> print = {};
};

} // namespace sme
