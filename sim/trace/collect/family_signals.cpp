// SPDX-License-Identifier: Apache-2.0
#include "trace/collect/family_signals.hpp"

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
    const auto each = static_cast<std::uint32_t>(scalars.size());
    const std::vector<TracedLeaf> leaves = leaves_of(scalars);
    for_each_run(slots_, first, count, [&](const Segment& run) {
        const auto before = static_cast<std::uint32_t>(run.first - first);
        finder_.add(leaves, slot_size(bus_), run, bus_.wire(), signal + before * each,
                    words_.first);
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
        TracedLeaf& made = traced.emplace_back();
        const std::uint64_t words = leaf.type->leaf_count();
        made.offset = leaf.offset;
        made.bytes = static_cast<std::uint8_t>(leaf.type->size() / words);
        made.width_bits = static_cast<std::uint8_t>(leaf.type->width_bits() - 64 * (words - 1));
        made.words = static_cast<std::uint8_t>(words);
        if (bus_.unwritten == Unwritten::error)
            made.presence = presence;
    }
    return traced;
}

} // namespace sme::trace
