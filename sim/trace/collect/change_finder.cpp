// SPDX-License-Identifier: Apache-2.0
#include "trace/collect/change_finder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "network/build.hpp"

namespace sme::trace {

FamilySignals::FamilySignals(const Traced& traced, std::size_t number, const Observed& observed,
                             ChangeFinder& finder)
    : bus_{traced.family(observed.graph(), number)},
      words_{traced.is_chosen(observed.graph(), number)
                 ? place_words(traced.words[number - observed.graph().buses.size()], observed)
                 : PlacedWords{}},
      slots_{words_.first ? words_.offsets : observed.slots(number)}, finder_{finder},
      scalars_{bus_.type->scalars()} {}

std::uint32_t FamilySignals::take(std::uint64_t first, std::uint64_t count,
                                  const Selection& selection, std::uint32_t signal,
                                  const Declare& declare) {
    std::vector<std::uint32_t> chosen(scalars_.size()), run; // run: elements with equal choice
    std::iota(chosen.begin(), chosen.end(), 0u);
    std::uint64_t run_first = first;
    std::uint32_t run_signal = signal;
    for (std::uint64_t element = first; element < first + count; ++element) {
        if (!selection.everything())
            chosen = chosen_of(element, selection);
        if (chosen != run) {
            add_run(run_first, element - run_first, run, run_signal);
            run = chosen;
            run_first = element;
            run_signal = signal;
        }
        if (chosen.empty())
            continue;
        declare(element, chosen);
        signal += static_cast<std::uint32_t>(chosen.size());
    }
    add_run(run_first, first + count - run_first, run, run_signal);
    return signal;
}

std::vector<std::uint32_t> FamilySignals::chosen_of(std::uint64_t element,
                                                    const Selection& selection) const {
    const std::string own = name(element);
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t k = 0; k < scalars_.size(); ++k)
        if (selection.matches(own + scalars_[k].path))
            chosen.push_back(k);
    return chosen;
}

void FamilySignals::add_run(std::uint64_t first, std::uint64_t count,
                            const std::vector<std::uint32_t>& scalars, std::uint32_t signal) {
    if (scalars.empty())
        return;
    if (!words_.first)
        finder_.add_elements({bus_.first + first, count});
    const auto each = static_cast<std::uint32_t>(scalars.size());
    const std::vector<TracedLeaf> leaves = leaves_of(scalars);
    for_each_run(slots_, first, count, [&](const Segment& run) {
        const auto before = static_cast<std::uint32_t>(run.first - first);
        const auto wires = bus_.wire() ? std::optional{bus_.first + run.first} : std::nullopt;
        finder_.add(leaves, slot_size(bus_), run, wires, signal + before * each, words_.first);
    });
}

std::vector<TracedLeaf> FamilySignals::leaves_of(const std::vector<std::uint32_t>& scalars) const {
    std::vector<TracedLeaf> traced;
    std::uint32_t scalar = 0;
    auto presence = static_cast<std::uint32_t>(bus_.type->size()); // of the first word
    for (const std::uint32_t k : scalars) {
        for (; scalar < k; ++scalar)
            presence += static_cast<std::uint32_t>(scalars_[scalar].type->leaf_count());
        const Leaf& leaf = scalars_[k];
        TracedLeaf& result = traced.emplace_back();
        const std::uint64_t words = leaf.type->leaf_count();
        result.offset = leaf.offset;
        result.bytes = static_cast<std::uint8_t>(leaf.type->size() / words);
        result.width_bits = static_cast<std::uint8_t>(leaf.type->width_bits() - 64 * (words - 1));
        result.words = static_cast<std::uint8_t>(words);
        if (bus_.unwritten == Unwritten::error)
            result.presence = presence;
    }
    return traced;
}

// Adjacent slots form one span, which is compared block by block. In a block that differs, words
// (slots that are one scalar, or an array of scalars) are compared in a branch-free loop; other
// slots are compared scalar by scalar, for the scalars that begin in the block.

namespace {

constexpr std::size_t block_bytes = 64; // scalars do not cross blocks

template <class Word> Word load(const std::byte* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

std::uint64_t load_scalar(const std::byte* from, unsigned bytes) {
    switch (bytes) {
    case 1: return load<std::uint8_t>(from);
    case 2: return load<std::uint16_t>(from);
    case 4: return load<std::uint32_t>(from);
    default: return load<std::uint64_t>(from);
    }
}

bool blocks_equal(const std::byte* a, const std::byte* b) {
    std::uint64_t difference = 0;
    for (std::size_t k = 0; k < block_bytes; k += 8)
        difference |= load<std::uint64_t>(a + k) ^ load<std::uint64_t>(b + k);
    return difference == 0;
}

template <class Word>
void find_words_of(const std::byte* now, std::byte* before, std::uint64_t count,
                   std::uint32_t signal, std::uint32_t width_bits, RecordSink& found) {
    constexpr std::size_t block_words = block_bytes / sizeof(Word);
    static_assert(block_words <= RecordSink::max_at_once);
    while (count > 0) {
        const std::size_t words = std::min<std::uint64_t>(count, block_words);
        if (words < block_words || !blocks_equal(now, before)) {
            Record* at = found.room(words);
            for (std::uint32_t k = 0; k < words; ++k) {
                const Word word = load<Word>(now + k * sizeof(Word));
                *at = {word, signal + k, width_bits};
                at += word != load<Word>(before + k * sizeof(Word));
            }
            found.used(at);
            std::memcpy(before, now, words * sizeof(Word));
        }
        now += block_bytes;
        before += block_bytes;
        signal += static_cast<std::uint32_t>(words);
        count -= words;
    }
}

bool is_known(const TracedLeaf& leaf, const std::byte* slot) {
    return leaf.presence == TracedLeaf::always || slot[leaf.presence] != std::byte{0};
}

bool is_equal(const TracedLeaf& leaf, const std::byte* now, const std::byte* before) {
    const bool known = is_known(leaf, now);
    return known == is_known(leaf, before) &&
           (!known || std::memcmp(now + leaf.offset, before + leaf.offset,
                                  std::size_t{leaf.bytes} * leaf.words) == 0);
}

void append_value(const TracedLeaf& leaf, const std::byte* slot, std::uint32_t signal, bool known,
                  RecordSink& found) {
    if (leaf.words == 1 || !known)
        return found.append({load_scalar(slot + leaf.offset, leaf.bytes), signal,
                             leaf.width_bits | (known ? 0 : Record::unknown)});
    for (unsigned k = leaf.words; k-- > 0;)
        found.append({load_scalar(slot + leaf.offset + std::size_t{k} * leaf.bytes, leaf.bytes),
                      signal,
                      (k + 1u == leaf.words ? leaf.width_bits : 64u) | (k > 0 ? Record::more : 0)});
}

} // namespace

ChangeFinder::Layout ChangeFinder::layout_of(const std::vector<TracedLeaf>& leaves,
                                             std::size_t slot_bytes) {
    Layout result{leaves, {}, slot_bytes, true, false};
    std::uint32_t place = 0;
    for (const TracedLeaf& leaf : leaves) {
        result.far |= leaf.presence != TracedLeaf::always || leaf.words > 1;
        result.words = result.words && leaf.bytes == leaves[0].bytes &&
                       leaf.width_bits == leaves[0].width_bits && leaf.offset == place * leaf.bytes;
        ++place;
    }
    result.words = result.words && !result.far && place * leaves[0].bytes == slot_bytes;
    place = 0;
    for (std::size_t block = 0; block < slot_bytes; block += block_bytes) {
        result.block_leaves.push_back(place);
        while (place < leaves.size() && leaves[place].offset < block + block_bytes)
            ++place;
    }
    result.block_leaves.push_back(place);
    return result;
}

void ChangeFinder::add(const std::vector<TracedLeaf>& leaves, std::size_t slot_bytes,
                       const Segment& offsets, std::optional<std::uint64_t> wires,
                       std::uint32_t first_signal, const std::byte* memory) {
    const auto same = [](const TracedLeaf& a, const TracedLeaf& b) {
        return a.offset == b.offset && a.bytes == b.bytes && a.width_bits == b.width_bits &&
               a.words == b.words && a.presence == b.presence;
    };
    if (layouts_.empty() || layouts_.back().slot_bytes != slot_bytes ||
        !std::equal(leaves.begin(), leaves.end(), layouts_.back().leaves.begin(),
                    layouts_.back().leaves.end(), same))
        layouts_.push_back(layout_of(leaves, slot_bytes));
    Row row{layouts_.size() - 1, memory,        static_cast<std::size_t>(offsets.offset),
            offsets.stride,      offsets.count, shadow_bytes_,
            first_signal,        wires};
    if (row.count == 1)
        row.stride = static_cast<std::int64_t>(slot_bytes);
    if (rows_.empty() || !extend(rows_.back(), row))
        rows_.push_back(row);
    shadow_bytes_ += offsets.count * slot_bytes;
}

bool ChangeFinder::extend(Row& row, const Row& next) const {
    const Layout& layout = layouts_[row.layout];
    const bool fits =
        next.layout == row.layout && next.memory == row.memory &&
        next.wires == (row.wires ? std::optional{*row.wires + row.count} : std::nullopt) &&
        row.stride == static_cast<std::int64_t>(layout.slot_bytes) && next.stride == row.stride &&
        next.offset == row.offset + row.count * layout.slot_bytes &&
        next.signal == row.signal + row.count * layout.leaves.size();
    if (fits)
        row.count += next.count;
    return fits;
}

void ChangeFinder::find_all(const Frame& frame, RecordSink& found) {
    for (const Row& row : rows_) {
        const Layout& layout = layouts_[row.layout];
        const std::byte* slot = row.slots(frame);
        std::uint32_t signal = row.signal;
        for (std::uint64_t k = 0; k < row.count; ++k, slot += row.stride) {
            const bool has_value = this->has_value(row, k, frame);
            for (const TracedLeaf& leaf : layout.leaves)
                append_value(leaf, slot, signal++, has_value && is_known(leaf, slot), found);
            std::memcpy(&shadow_[row.shadow + k * layout.slot_bytes], slot, layout.slot_bytes);
        }
    }
}

void ChangeFinder::values(const std::vector<std::byte>& shadow, bool wires,
                          RecordSink& found) const {
    for (const Row& row : rows_) {
        const Layout& layout = layouts_[row.layout];
        const std::byte* slot = &shadow[row.shadow];
        std::uint32_t signal = row.signal;
        for (std::uint64_t k = 0; k < row.count; ++k, slot += layout.slot_bytes)
            for (const TracedLeaf& leaf : layout.leaves)
                append_value(leaf, slot, signal++, (!row.wires || wires) && is_known(leaf, slot),
                             found);
    }
}

void ChangeFinder::find(const Frame& frame, RecordSink& found) {
    for (const Row& row : rows_) {
        if (row.wires && !frame.wires_settled) {
            if (missing_ && missing_->others_computed)
                find_computed(row, frame, found);
            continue;
        }
        const Layout& layout = layouts_[row.layout];
        const bool side_by_side = row.stride == static_cast<std::int64_t>(layout.slot_bytes);
        const std::uint64_t together = side_by_side ? row.count : 1;
        const std::byte* now = row.slots(frame);
        std::byte* before = &shadow_[row.shadow];
        std::uint32_t signal = row.signal;
        for (std::uint64_t k = 0; k < row.count; k += together) {
            if (layout.words)
                find_words(layout.leaves[0], now, before, together * layout.leaves.size(), signal,
                           found);
            else
                find_in_slots(layout, now, before, together, signal, found);
            now += row.stride;
            before += layout.slot_bytes;
            signal += static_cast<std::uint32_t>(layout.leaves.size());
        }
    }
}

void ChangeFinder::find_computed(const Row& row, const Frame& frame, RecordSink& found) {
    const Layout& layout = layouts_[row.layout];
    const std::byte* now = row.slots(frame);
    std::byte* before = &shadow_[row.shadow];
    std::uint32_t signal = row.signal;
    for (std::uint64_t k = 0; k < row.count; ++k) {
        if (has_value(row, k, frame))
            find_in_slots(layout, now, before, 1, signal, found);
        else
            for (std::uint32_t n = 0; n < layout.leaves.size(); ++n)
                if (is_known(layout.leaves[n], before))
                    append_value(layout.leaves[n], before, signal + n, false, found);
        now += row.stride;
        before += layout.slot_bytes;
        signal += static_cast<std::uint32_t>(layout.leaves.size());
    }
}

void ChangeFinder::find_words(const TracedLeaf& leaf, const std::byte* now, std::byte* before,
                              std::uint64_t count, std::uint32_t signal, RecordSink& found) {
    switch (leaf.bytes) {
    case 1: return find_words_of<std::uint8_t>(now, before, count, signal, leaf.width_bits, found);
    case 2: return find_words_of<std::uint16_t>(now, before, count, signal, leaf.width_bits, found);
    case 4: return find_words_of<std::uint32_t>(now, before, count, signal, leaf.width_bits, found);
    default:
        return find_words_of<std::uint64_t>(now, before, count, signal, leaf.width_bits, found);
    }
}

void ChangeFinder::find_in_slots(const Layout& layout, const std::byte* now, std::byte* before,
                                 std::uint64_t count, std::uint32_t signal, RecordSink& found) {
    const std::uint64_t at_once = std::max<std::uint64_t>(4 * block_bytes / layout.slot_bytes, 1);
    while (count > 0) {
        const std::uint64_t slots = std::min(count, at_once);
        const std::size_t bytes = slots * layout.slot_bytes;
        const bool equal = std::memcmp(now, before, bytes) == 0;
        for (std::uint64_t k = 0; k < slots && !equal; ++k)
            find_in_slot(layout, now + k * layout.slot_bytes, before + k * layout.slot_bytes,
                         signal + static_cast<std::uint32_t>(k * layout.leaves.size()), found);
        if (!equal)
            std::memcpy(before, now, bytes);
        now += bytes;
        before += bytes;
        signal += static_cast<std::uint32_t>(slots * layout.leaves.size());
        count -= slots;
    }
}

void ChangeFinder::find_in_slot(const Layout& layout, const std::byte* now, const std::byte* before,
                                std::uint32_t signal, RecordSink& found) {
    for (std::size_t block = 0; block + 1 < layout.block_leaves.size(); ++block) {
        const std::size_t begin = block * block_bytes;
        const std::size_t bytes = std::min(block_bytes, layout.slot_bytes - begin);
        if (!layout.far && std::memcmp(now + begin, before + begin, bytes) == 0)
            continue;
        for (std::uint32_t k = layout.block_leaves[block]; k < layout.block_leaves[block + 1];
             ++k) {
            const TracedLeaf& leaf = layout.leaves[k];
            if (!is_equal(leaf, now, before))
                append_value(leaf, now, signal + k, is_known(leaf, now), found);
        }
    }
}

} // namespace sme::trace
