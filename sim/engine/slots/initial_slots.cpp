// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "engine/slots/arenas.hpp"
#include "network/build.hpp"

namespace sme::engine {

void put_initial(const BusFamily& bus, const Segment& run, std::byte* memory) {
    const std::size_t value_bytes = bus.type->size();
    const std::size_t slot_bytes = slot_size(bus);
    const bool each = bus.initial.size() > value_bytes; // each element has its own value
    const std::byte* const values = bus.initial.data();
    if (each && slot_bytes == value_bytes && run.stride == static_cast<std::int64_t>(slot_bytes)) {
        std::memcpy(memory + run.offset, values + run.first * value_bytes, run.count * value_bytes);
        return;
    }
    const std::size_t marks = bus.has_marks() && bus.has_initial ? bus.type->leaf_count() : 0;
    for (std::uint64_t k = run.first; k < run.end(); ++k) {
        std::byte* const slot = memory + run.at(k);
        std::memset(slot, 0, slot_bytes);
        if (!bus.initial.empty())
            std::memcpy(slot, values + (each ? k * value_bytes : 0), value_bytes);
        std::memset(slot + value_bytes, 1, marks);
    }
}

} // namespace sme::engine
