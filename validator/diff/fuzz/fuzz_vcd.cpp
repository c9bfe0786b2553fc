// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, read as two VCD files separated by a NUL. Neither may crash or hang; in addition, the
// window size must not change the result, a file must equal itself, and the number of differences
// must not depend on the order of the files.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "diff/comparison.hpp"

using namespace sme;
using namespace sme::validator;

namespace {

/// Returns everything that a reader reports about a file.
std::string told_of(std::string_view text, std::size_t block) {
    vcd::Reader reader{"fuzz.vcd", text, block};
    std::string told;
    while (reader.more()) {
        told += std::to_string(reader.time()) + (reader.off() ? " off" : "");
        reader.take();
        for (const std::uint32_t signal : reader.changed()) {
            const vcd::Value value = reader.value(signal);
            told += " " + std::to_string(signal);
            if (value.kind != vcd::Kind::bits || value.width_bits <= 4096)
                told += "=" + vcd::value_text(value);
        }
        told += "\n";
    }
    told += std::to_string(reader.time()) + (reader.cut() ? " cut" : "");
    return told + (reader.problem() ? describe(reader.problem()->where) : std::string{});
}

/// Returns the number of differences of two files; `nullopt` if one is unreadable or nothing was
/// compared.
std::uint64_t differences(std::string_view first, std::string_view second) {
    constexpr std::uint64_t nothing = ~std::uint64_t{0};
    vcd::Reader left{"first.vcd", first, 4096}, right{"second.vcd", second, 4096};
    if (left.problem() || right.problem())
        return nothing;
    const Pairing pairing = pair_signals(left.declarations(), right.declarations(), {});
    Comparison comparison{left, right, pairing, {}, 0};
    const Outcome outcome = comparison.run([](const Difference&) { return true; });
    return left.problem() || right.problem() || !outcome.any_time ? nothing : outcome.differences;
}

void demand(bool holds) {
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all{reinterpret_cast<const char*>(data), size};
    const std::size_t split = std::min(all.find('\0'), all.size());
    const std::string_view first = all.substr(0, split);
    const std::string_view second = split < all.size() ? all.substr(split + 1) : first;
    demand(told_of(first, 1 + size % 50) == told_of(first, 4096));
    const std::uint64_t self = differences(first, first);
    demand(self == 0 || self == ~std::uint64_t{0});
    demand(differences(first, second) == differences(second, first));
    return 0;
}
