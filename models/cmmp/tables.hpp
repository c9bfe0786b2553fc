// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace models::cmmp {

/// C.mmp as Oleinick measured it; a cycle of the clock is 10 microseconds.
constexpr std::uint64_t cycle_us = 10;
constexpr std::size_t processors_max = 16;
constexpr std::size_t banks_max = 16;

/// Table 1: references per second of each processor in bank 3, in hundreds; equal to thousandths of
/// a reference per 10 microseconds.
constexpr std::array<std::uint32_t, processors_max> processor_rates{
    4433, 6624, 6908, 7078, 4272, 6857, 6737, 7018, 4639, 6883, 6780, 6897, 6810, 6894, 4609, 4599};

/// Table 2: the same for processor 15 in each bank.
constexpr std::array<std::uint32_t, banks_max> bank_rates{
    4525, 4616, 4560, 4599, 4576, 4324, 4516, 4478, 4342, 4349, 4349, 4350, 4577, 4551, 4588, 4594};

constexpr bool is_semiconductor(std::size_t bank) {
    return bank == 5 || (bank >= 8 && bank <= 11);
}

/// Table 3: the bandwidth of a bank per 10 microseconds, in thousandths of a reference.
constexpr std::uint32_t bandwidth(std::size_t bank) {
    return is_semiconductor(bank) ? 14'900 : 17'100;
}

/// Demand of a processor alone in a bank in 10 microseconds, in thousandths of a reference.
constexpr std::uint32_t rate(std::size_t processor, std::size_t bank) {
    return (processor_rates[processor] * bank_rates[bank] + bank_rates[15] / 2) / 4599;
}

/// References of 100 evaluations of F(x): table 1, processor 0, 15.559 s at 443.3 a millisecond.
constexpr std::uint64_t references_of_100 = 6'897'305;

/// Demand of an average PDP-11/40, of which C.mmp has eleven, in 10 microseconds.
constexpr std::uint32_t average_rate = 6862;

/// Returns the thousandths of a reference that such a processor makes in this time.
constexpr std::uint64_t references(double milliseconds) {
    return static_cast<std::uint64_t>(milliseconds * 1000 / cycle_us * average_rate);
}

/// 3.4.3 and figure 10: four processors of eleven have devices that interrupt them, for 1 to 15 ms.
/// The text names 8 and 13; the others are chosen.
constexpr bool has_devices(std::size_t processor) {
    return processor == 3 || processor == 6 || processor == 8 || processor == 13;
}
constexpr std::uint64_t service_min_ms = 1, service_max_ms = 15;

/// How processes wait for each other.
enum class Primitive : std::uint8_t { none, spin, kernel, pm1_300, pm1_0, pm0 };
constexpr std::array<std::string_view, 6> primitive_names{"none",    "spin",  "k-sem",
                                                          "pm1-300", "pm1-0", "pm0"};

/// Table 9, in microseconds.
struct PrimitiveCosts {
    std::uint32_t v;           ///< for the process that does a V
    std::uint32_t wake;        ///< from its end until the other process runs
    std::uint32_t p;           ///< from a P until the processor is free
    std::uint32_t module_wake; ///< of the policy module, one process at a time
};
constexpr std::array<PrimitiveCosts, 6> primitive_costs{{{0, 0, 0, 0},
                                                         {30, 30, 0, 0},
                                                         {3000, 5000, 3000, 0},
                                                         {5000, 13000, 6000, 0},
                                                         {5000, 50000, 6000, 20000},
                                                         {6000, 55000, 9000, 62000}}};

} // namespace models::cmmp
