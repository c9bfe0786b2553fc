// SPDX-License-Identifier: Apache-2.0
//
// A separate part of a program counts how often each line runs, over all instances. If a followed
// line ran, that part is stepped again with recursively halved ranges of instances, until the
// counts distinguish the instances.
#include "debug/lines.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <strings.h>

#include "interpret/observers/operands.hpp"
#include "network/build.hpp"

namespace sme::debug {

namespace {

bool is_at(const expr::CoverPoint& point, const TextLine& line) {
    if (point.kind != expr::CoverPoint::Kind::line || !point.where.source ||
        point.where.source->position(point.where.begin).line != line.number)
        return false;
    std::error_code error;
    return point.where.source->path() == line.path ||
           std::filesystem::equivalent(point.where.source->path(), line.path, error);
}

void sort(std::vector<ProcessPlace>& places) {
    const auto order = [](const ProcessPlace& place) {
        return std::tuple{place.family, place.instance};
    };
    std::sort(places.begin(), places.end(),
              [&](const ProcessPlace& a, const ProcessPlace& b) { return order(a) < order(b); });
    places.erase(std::unique(places.begin(), places.end()), places.end());
}

} // namespace

class Lines::LineGroup final : public Group {
public:
    LineGroup(std::unique_ptr<Group> group, Lines& lines, std::size_t program)
        : group_{std::move(group)}, lines_{lines}, program_{program} {}

    void step(unsigned part, Range range, const Frame& frame) override {
        const Program& own = lines_.programs_[program_];
        if (part != own.counts->program().cover.part || own.points.empty())
            return group_->step(part, range, frame);
        find(range, frame);
    }
    void finish(Control& control) override { group_->finish(control); }
    void state(Archive& archive) override { group_->state(archive); }
    std::string unsaved() const override { return group_->unsaved(); }

private:
    void find(Range range, const Frame& frame) {
        const Program& own = lines_.programs_[program_];
        const std::vector<std::uint64_t> before = counts(own, frame.thread);
        group_->step(own.counts->program().cover.part, range, frame);
        const std::vector<std::uint64_t> now = counts(own, frame.thread);
        if (now == before)
            return;
        if (range.count > 1) {
            interpret::NullControl silence; // discard messages, which the first pass has shown
            Frame again = frame;
            again.control = &silence;
            const std::uint64_t half = range.count / 2;
            find({range.first, half}, again);
            return find({range.first + half, range.count - half}, again);
        }
        for (std::size_t p = 0; p < now.size(); ++p)
            if (now[p] > before[p])
                lines_.followed_[own.points[p].line].ran.push_back(
                    {own.family, static_cast<std::uint64_t>(own.order.at(range.first))});
    }

    /// The current counts of the program's points.
    static std::vector<std::uint64_t> counts(const Program& own, unsigned thread) {
        const std::uint64_t* const sums = own.counts->of(thread);
        std::vector<std::uint64_t> made;
        for (const FollowedPoint& each : own.points) {
            made.push_back(each.point->always * sums[own.counts->runs()]);
            for (const std::uint32_t result : each.point->results)
                made.back() += sums[result];
        }
        return made;
    }

    std::unique_ptr<Group> group_;
    Lines& lines_;
    std::size_t program_;
};

std::shared_ptr<const GroupFactory> Lines::factory(std::shared_ptr<const expr::Program> program) {
    return std::make_shared<const GroupFactory>(
        [this, counted = interpret::counted_program_factory(std::move(program), covered_)](
            const Build& build) {
            const std::size_t before = covered_->size();
            std::unique_ptr<Group> group = counted->build(build);
            if (covered_->size() == before) // the program has no line to count
                return group;
            add(build);
            group = std::make_unique<LineGroup>(std::move(group), *this, programs_.size() - 1);
            return group;
        });
}

void Lines::add(const Build& build) {
    const auto family = static_cast<std::uint32_t>(&build.family - build.graph.processes.data());
    programs_.push_back({family, build.order, covered_->back(), {}});
    find_points(programs_.back());
}

void Lines::find_points(Program& program) const {
    program.points.clear();
    for (std::size_t k = 0; k < followed_.size(); ++k)
        for (const expr::CoverPoint& point : program.counts->program().cover.points)
            if (is_at(point, followed_[k].line))
                program.points.push_back({k, &point});
}

void Lines::follow(const std::vector<TextLine>& lines) {
    followed_.clear();
    for (const TextLine& line : lines)
        followed_.push_back({line, {}});
    for (Program& program : programs_)
        find_points(program);
}

void Lines::begin_cycle() {
    for (Followed& each : followed_)
        each.ran.clear();
}

std::set<std::string> Lines::files() const {
    std::set<std::string> found;
    for (const Program& program : programs_)
        for (const expr::CoverPoint& point : program.counts->program().cover.points)
            if (point.kind == expr::CoverPoint::Kind::line && point.where.source)
                found.insert(point.where.source->path());
    return found;
}

std::optional<Location> Lines::location(const TextLine& line) const {
    for (const Program& program : programs_)
        for (const expr::CoverPoint& point : program.counts->program().cover.points)
            if (is_at(point, line)) {
                Location where = point.where;
                where.begin = where.end = where.source->offset(line.number, 1);
                return where;
            }
    return std::nullopt;
}

std::vector<ProcessPlace> Lines::places(const TextLine& line) const {
    std::vector<ProcessPlace> found;
    for (const Program& program : programs_) {
        const std::vector<expr::CoverPoint>& points = program.counts->program().cover.points;
        if (std::any_of(points.begin(), points.end(),
                        [&](const expr::CoverPoint& point) { return is_at(point, line); }))
            for (std::uint64_t k = 0; k < program.order.size(); ++k)
                found.push_back({program.family, k});
    }
    sort(found);
    return found;
}

std::vector<ProcessPlace> Lines::ran(const TextLine& line) const {
    std::vector<ProcessPlace> found;
    for (const Followed& each : followed_)
        if (each.line == line)
            found.insert(found.end(), each.ran.begin(), each.ran.end());
    sort(found);
    return found;
}

/// Removes the header; false if it is incomplete or invalid.
bool Frames::read_header() {
    const std::size_t end = waiting_.find("\r\n\r\n");
    if ((end == waiting_.npos ? waiting_.size() : end) > max_header) {
        problem_ = fmt::format("a header has more than {} bytes", max_header);
        return false;
    }
    if (end == waiting_.npos)
        return false;
    constexpr std::string_view name = "Content-Length:";
    for (std::size_t at = 0; at < end;) {
        const std::size_t line_end = std::min(waiting_.find("\r\n", at), end);
        std::string_view line{waiting_.data() + at, line_end - at};
        at = line_end + 2;
        if (line.size() < name.size() || strncasecmp(line.data(), name.data(), name.size()) != 0)
            continue;
        line.remove_prefix(name.size());
        while (line.starts_with(' '))
            line.remove_prefix(1);
        std::size_t length = 0;
        const auto [last, error] = std::from_chars(line.data(), line.data() + line.size(), length);
        if (length_ || error != std::errc{} || last != line.data() + line.size() ||
            length > max_message) {
            problem_ = fmt::format("Content-Length is no single number up to {}", max_message);
            return false;
        }
        length_ = length;
    }
    if (!length_)
        problem_ = "a header has no Content-Length";
    waiting_.erase(0, end + 4);
    return length_.has_value();
}

std::optional<std::string> Frames::next() {
    if (!problem_.empty() || (!length_ && !read_header()) || waiting_.size() < *length_)
        return std::nullopt;
    std::string message = waiting_.substr(0, *length_);
    waiting_.erase(0, *length_);
    length_.reset();
    return message;
}

std::string Frames::framed(const std::string& message) {
    return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

} // namespace sme::debug
