// SPDX-License-Identifier: Apache-2.0
#include "lockstep/random_rows.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "bits/integer.hpp"
#include "lockstep/comparison.hpp"
#include "network/build.hpp"

namespace sme::lockstep {

std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

std::uint64_t random_scalar(const Type& type, std::uint64_t random) {
    const auto width = static_cast<unsigned>(type.width_bits());
    const std::uint64_t ones = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    std::uint64_t value = random;
    if (type.kind() == TypeKind::enumeration)
        value = type.members()[random % type.members().size()].value;
    else if (width > 3) { // of narrow types all values occur anyway
        switch (mixed(random) % 16) {
        case 0: value = 0; break;
        case 1: value = ones; break;
        case 2: value = std::uint64_t{1} << (width - 1); break;
        case 3: value = ones >> 1; break;
        case 4: value = 1; break;
        default: break;
        }
    }
    value &= ones;
    if (type.is_signed() && (value >> (width - 1)) != 0)
        value |= ~ones;
    return value;
}

std::uint64_t random_in(const Type& type, std::uint64_t low, std::uint64_t high,
                        std::uint64_t random) {
    static_cast<void>(type); // a signed value is a sign-extended word, and wraps in the same way
    switch (mixed(random) % 16) {
    case 0:
    case 1: return low;
    case 2:
    case 3: return high;
    default: break;
    }
    const std::uint64_t count = high - low + 1; // 0: all values
    return count == 0 ? random : low + random % count;
}

namespace {

/// Records only that something went wrong.
class Faults final : public Control {
public:
    void halt() override {}
    void fail() override {}
    void print(std::uint64_t, std::uint32_t, std::string) override {}
    void fault(std::uint64_t, const Diagnostic&) override { any = true; }
    bool any = false;
};

} // namespace

Lookback::Lookback(const Graph& graph, const RandomRules& rules) {
    for (const RandomRules::Assumption& assumption : rules.assumptions)
        for (const RandomRules::Earlier& earlier : assumption.earlier) {
            const auto found = std::find(elements_.begin(), elements_.end(), earlier.element);
            if (found == elements_.end()) {
                elements_.push_back(earlier.element);
                bytes_.push_back(graph.family_of(earlier.element).type->size());
                depths_.push_back(earlier.ago);
            } else {
                std::uint64_t& depth = depths_[static_cast<std::size_t>(found - elements_.begin())];
                depth = std::max(depth, earlier.ago);
            }
        }
    for (std::size_t k = 0; k < elements_.size(); ++k) {
        first_.push_back(values_.size());
        values_.resize(values_.size() + bytes_[k] * depths_[k]);
    }
}

std::byte* Lookback::at(std::size_t place, std::uint64_t ago) {
    const std::uint64_t depth = depths_[place];
    const auto slot = static_cast<std::size_t>((cycles_ + depth - ago) % depth);
    return reinterpret_cast<std::byte*>(values_.data()) + first_[place] + slot * bytes_[place];
}

const std::byte* Lookback::value(const RandomRules::Earlier& earlier) const {
    const auto found = std::find(elements_.begin(), elements_.end(), earlier.element);
    return const_cast<Lookback*>(this)->at(static_cast<std::size_t>(found - elements_.begin()),
                                           earlier.ago);
}

/// Evaluates an assumption on a row, in its own arenas.
class RandomRows::InvariantChecker {
public:
    InvariantChecker(const RandomRules::Assumption& assumption, std::vector<std::size_t> sources)
        : text{assumption.text}, where{assumption.where}, sources_{std::move(sources)},
          earlier_{assumption.earlier}, parts_{assumption.parts} {
        ProcessFamily family;
        family.name = "assumption";
        family.kind = assumption.kind;
        std::vector<PortSlots> slots;
        std::int64_t offset = 0;
        for (std::size_t p = 0; p <= assumption.types.size(); ++p) {
            const bool output = p == assumption.types.size();
            BusFamily bus;
            bus.name = fmt::format("b{}", p);
            bus.type = output ? Type::boolean() : assumption.types[p];
            const auto element = static_cast<std::int64_t>(graph_.add(bus).first);
            Port port;
            port.name = bus.name;
            port.output = output;
            port.type = bus.type;
            port.buses = Segments::affine(1, element, 0);
            family.ports.push_back(port);
            slots.push_back({Segments::affine(1, offset, 0), port.buses});
            offsets_.push_back(static_cast<std::size_t>(offset));
            sizes_.push_back(bus.type->size());
            offset += static_cast<std::int64_t>((slot_size(bus) + 7) / 8 * 8);
        }
        graph_.processes.push_back(std::move(family));
        read_.resize(static_cast<std::size_t>(offset) / 8);
        write_ = read_;
        const Segments order = Segments::identity(1);
        Build build{graph_, graph_.processes[0], order, std::move(slots), {}, {}};
        group_ = graph_.processes[0].kind->build(build);
    }

    /// Takes over the earlier values, which `holds` reads.
    void look_back(const Lookback& lookback) {
        auto* const read = reinterpret_cast<std::byte*>(read_.data());
        for (std::size_t k = 0; k < earlier_.size(); ++k) {
            const std::size_t p = sources_.size() + k;
            std::memcpy(read + offsets_[p], lookback.value(earlier_[k]), sizes_[p]);
        }
    }

    bool holds(const std::byte* row) {
        auto* const read = reinterpret_cast<std::byte*>(read_.data());
        auto* const write = reinterpret_cast<std::byte*>(write_.data());
        for (std::size_t p = 0; p < sources_.size(); ++p)
            std::memcpy(read + offsets_[p], row + sources_[p], sizes_[p]);
        Faults faults;
        const Frame frame{read, write, 0, &faults};
        for (unsigned part = 0; part < parts_; ++part)
            group_->step(part, {0, 1}, frame);
        const bool good = !faults.any && write[offsets_.back()] != std::byte{0};
        held += good ? 1u : 0u;
        return good;
    }

    const std::string text;
    const Location where;
    std::uint64_t held = 0; // draws of the current row for which it held

private:
    Graph graph_;
    std::vector<std::size_t> sources_; // by input: offset in the row
    std::vector<RandomRules::Earlier> earlier_;
    std::vector<std::size_t> offsets_, sizes_;
    std::vector<std::uint64_t> read_, write_;
    unsigned parts_;
    std::unique_ptr<Group> group_;
};

RandomRows::RandomRows(const Graph& graph, std::vector<std::uint64_t> elements,
                       const RandomRules& rules, std::uint64_t seed)
    : lookback_{graph, rules}, seed_{seed} {
    std::size_t bytes = 0;
    for (std::size_t place = 0; place < elements.size(); ++place) {
        const TypeRef& type = types_.emplace_back(graph.family_of(elements[place]).type);
        offsets_.push_back(bytes);
        for (const Leaf& leaf : type->leaves()) {
            Scalar& scalar = scalars_.emplace_back();
            scalar.place = place;
            scalar.offset = bytes + leaf.offset;
            scalar.owner = type;
            scalar.type = leaf.type;
            for (const RandomRules::Range& range : rules.ranges)
                if (range.element == elements[place] && range.offset == leaf.offset) {
                    scalar.ranged = true;
                    scalar.low = range.low;
                    scalar.high = range.high;
                }
        }
        bytes += (type->size() + 7) / 8 * 8;
    }
    row_.resize(bytes);
    for (const RandomRules::Assumption& assumption : rules.assumptions) {
        std::vector<std::size_t> sources;
        for (const std::uint64_t element : assumption.elements)
            sources.push_back(offsets_[static_cast<std::size_t>(
                std::find(elements.begin(), elements.end(), element) - elements.begin())]);
        judges_.push_back(std::make_unique<InvariantChecker>(assumption, std::move(sources)));
    }
}

RandomRows::~RandomRows() = default;

void RandomRows::put(const Scalar& scalar, std::uint64_t random) {
    const std::uint64_t value = scalar.ranged
                                    ? random_in(*scalar.type, scalar.low, scalar.high, random)
                                    : random_scalar(*scalar.type, random);
    std::memcpy(row_.data() + scalar.offset, &value,
                std::min<std::size_t>(scalar.type->size(), sizeof value));
}

std::size_t RandomRows::holding() {
    std::size_t count = 0;
    for (const auto& judge : judges_)
        count += judge->holds(row_.data()) ? 1u : 0u;
    return count;
}

bool RandomRows::draw(const std::vector<bool>& kept) {
    for (const auto& judge : judges_) {
        judge->held = 0;
        judge->look_back(lookback_);
    }
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < scalars_.size(); ++k)
        if (!kept[scalars_[k].place])
            free.push_back(k);
    const std::uint64_t place = mixed(mixed(seed_) + rows_);
    ++rows_;
    std::size_t good = 0;
    for (unsigned attempt = 0; attempt < whole_draws; ++attempt) {
        const std::uint64_t here = mixed(place + attempt);
        for (const std::size_t k : free)
            put(scalars_[k], mixed(here + k));
        good = holding();
        if (good == judges_.size())
            return true;
    }
    for (unsigned attempt = 0; attempt < single_draws && !free.empty(); ++attempt) {
        const std::uint64_t here = mixed(place + whole_draws + attempt);
        const Scalar& scalar = scalars_[free[here % free.size()]];
        std::uint64_t before = 0;
        const std::size_t bytes = std::min<std::size_t>(scalar.type->size(), sizeof before);
        std::memcpy(&before, row_.data() + scalar.offset, bytes);
        put(scalar, mixed(here));
        const std::size_t now = holding();
        if (now == judges_.size())
            return true;
        if (now < good)
            std::memcpy(row_.data() + scalar.offset, &before, bytes);
        else
            good = now;
    }
    return false;
}

bool RandomRows::allows(const std::vector<std::byte>& row) {
    return std::all_of(judges_.begin(), judges_.end(), [&](const auto& judge) {
        judge->look_back(lookback_);
        return judge->holds(row.data());
    });
}

void RandomRows::state(Archive& archive) {
    archive.bytes(row_.data(), row_.size());
    archive(rows_);
    lookback_.state(archive);
}

std::vector<std::byte> RandomRows::idle(const Graph& graph,
                                        const std::vector<std::uint64_t>& elements) const {
    std::vector<std::byte> row(row_.size());
    for (std::size_t place = 0; place < elements.size(); ++place) {
        const std::vector<std::byte> value = initial_of(graph, elements[place]);
        std::memcpy(row.data() + offsets_[place], value.data(), value.size());
    }
    for (const Scalar& scalar : scalars_) {
        if (!scalar.ranged)
            continue;
        const std::size_t bytes = scalar.type->size(); // at most 8
        std::uint64_t value = 0;
        std::memcpy(&value, row.data() + scalar.offset, bytes);
        value = canonical(value, 8 * static_cast<unsigned>(bytes), scalar.type->is_signed());
        const std::uint64_t flip = scalar.type->is_signed() ? std::uint64_t{1} << 63 : 0;
        const std::uint64_t ordered =
            std::clamp(value ^ flip, scalar.low ^ flip, scalar.high ^ flip) ^ flip;
        std::memcpy(row.data() + scalar.offset, &ordered, bytes);
    }
    return row;
}

std::vector<std::pair<std::size_t, std::size_t>> RandomRows::scalars() const {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (const Scalar& scalar : scalars_)
        result.emplace_back(scalar.offset, scalar.type->size());
    return result;
}

Diagnostic RandomRows::problem() const {
    const auto worst =
        std::min_element(judges_.begin(), judges_.end(), [](const auto& one, const auto& other) {
            return one->held < other->held;
        });
    Diagnostic result{Code::assumption_unmet, Severity::fault, (*worst)->where, {}, {}};
    result.message = fmt::format(
        "no values were found for cycle {} for which all assumptions hold: in {} draws of all "
        "inputs and {} of single scalars '{}' held {} times; weaken it",
        rows_ - 1, whole_draws, single_draws, (*worst)->text, (*worst)->held);
    return result;
}

} // namespace sme::lockstep
