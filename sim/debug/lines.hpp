// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "debug/names.hpp"
#include "interpret/block/program_group.hpp"
#include "network/segments.hpp"

namespace sme::debug {

/// A line of a file.
struct TextLine {
    std::string path;
    std::uint32_t number = 0;
    bool operator==(const TextLine&) const = default;
};

/// Determines which instances of processes ran a followed line in a cycle. For programs that are
/// compiled for counting, and run on one thread.
class Lines {
public:
    /// Builds the groups of a program, so that its lines can be followed. This must outlive them.
    std::shared_ptr<const GroupFactory> factory(std::shared_ptr<const expr::Program> program);
    /// Call after the groups have been destroyed.
    void forget_groups() {
        programs_.clear();
        covered_->clear();
    }

    /// Follows these lines only, from the next cycle.
    void follow(const std::vector<TextLine>& lines);
    /// Call before each cycle.
    void begin_cycle();

    /// The files with lines that can be followed.
    std::set<std::string> files() const;
    /// The place of a line, at its first column; `nullopt` if no process contains it.
    std::optional<Location> location(const TextLine& line) const;
    /// All instances that contain a line, in source order.
    std::vector<ProcessPlace> places(const TextLine& line) const;
    /// The instances that ran a followed line in the cycle.
    std::vector<ProcessPlace> ran(const TextLine& line) const;

private:
    class LineGroup;
    struct Followed {
        TextLine line;
        std::vector<ProcessPlace> ran;
    };
    struct FollowedPoint {
        std::size_t line; // index in `followed_`
        const expr::CoverPoint* point;
    };
    /// A program with groups.
    struct Program {
        std::uint32_t family;
        Segments order; // position → instance
        std::shared_ptr<interpret::CoverCounts> counts;
        std::vector<FollowedPoint> points;
    };

    void add(const Build& build);
    void find_points(Program& program) const;

    std::shared_ptr<interpret::CoveredPrograms> covered_ =
        std::make_shared<interpret::CoveredPrograms>();
    std::vector<Program> programs_;
    std::vector<Followed> followed_;
};

/// Extracts messages of the Debug Adapter Protocol from a byte stream: a header with
/// Content-Length, an empty line, and the content. The other side may send anything.
class Frames {
public:
    static constexpr std::size_t max_header = 4096;
    static constexpr std::size_t max_message = std::size_t{1} << 24;

    void feed(std::string_view bytes) { waiting_ += bytes; }
    /// Returns the next complete message. `nullopt` if more bytes are needed, or after a problem.
    std::optional<std::string> next();
    /// Why the stream is invalid, so that no further message can be found; or empty.
    const std::string& problem() const { return problem_; }

    static std::string framed(const std::string& message);

private:
    bool read_header();

    std::string waiting_;
    std::optional<std::size_t> length_; // of the message at the start of `waiting_`
    std::string problem_;
};

} // namespace sme::debug
