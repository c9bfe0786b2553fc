// SPDX-License-Identifier: Apache-2.0
#include "native/fuzz/case.hpp"

#include <algorithm>

namespace sme::fuzz {

Case make_case(Choices& choices) {
    constexpr unsigned max_calls = 6;
    const Want want = choices.chance(35)   ? Want::trouble
                      : choices.chance(50) ? Want::quiet
                                           : Want::all;
    const unsigned more = choices.chance(50) ? choices.below(50) : 0; // than the generator follows
    const unsigned swap = choices.below(64);
    std::vector<std::uint64_t> lengths;
    for (unsigned k = choices.below(max_calls); k > 0; --k)
        lengths.push_back(choices.chance(50) ? 1 : choices.between(2, 9));
    Case result{generate(choices, true, want), 1, 0, {}, 1, false};
    result.cycles = result.network.cycles + more;
    result.swap = swap % result.cycles;
    std::uint64_t left = result.cycles;
    for (const std::uint64_t length : lengths)
        if (length < left) {
            result.calls.push_back(length);
            left -= length;
        }
    result.calls.push_back(left);
    result.file_bytes = choices.chance(20) ? 1 : choices.between(1'000, 8'000);
    result.cover = choices.chance(30);
    return result;
}

} // namespace sme::fuzz
