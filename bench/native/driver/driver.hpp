// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "Design.h"
#include "verilated.h"

namespace bench {

/// A Verilator model in its own context, on one thread.
struct Model {
    std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>();
    std::unique_ptr<Design> design;

    Model() {
        context->threads(1);
        design = std::make_unique<Design>(context.get());
        design->clk = 0;
        design->eval(); // runs the initial blocks; no edge yet
    }
    void edge() const {
        design->clk = 0;
        design->eval();
        design->clk = 1;
        design->eval();
    }
};

/// The value of a port, or a row of a file, as 32-bit words, lowest first.
using Words = std::vector<std::uint32_t>;

/// Reads hexadecimal numbers, one per line.
inline std::vector<Words> read_rows(const char* path) {
    std::vector<Words> rows;
    std::ifstream file{path};
    for (std::string line; std::getline(file, line);) {
        Words words;
        while (!line.empty()) {
            const std::size_t from = line.size() > 8 ? line.size() - 8 : 0;
            words.push_back(static_cast<std::uint32_t>(std::stoul(line.substr(from), nullptr, 16)));
            line.resize(from);
        }
        rows.push_back(words);
    }
    if (rows.empty()) {
        std::fprintf(stderr, "nothing is in '%s'\n", path);
        std::exit(2);
    }
    return rows;
}

/// Ports of up to 64 bits are numbers, wider ones arrays of words.
template <class Port> constexpr bool is_wide = !std::is_integral_v<Port>;
template <class Port> constexpr std::size_t words_of = (sizeof(Port) + 3) / 4;

template <class Port> void put(Port& port, const Words& words) {
    if constexpr (is_wide<Port>)
        for (std::size_t k = 0; k < words_of<Port>; ++k)
            port[k] = words[k];
    else if constexpr (sizeof(Port) == 8)
        port = words[0] | std::uint64_t{words[1]} << 32;
    else
        port = static_cast<Port>(words[0]);
}

template <class Port> std::uint32_t word(const Port& port, std::size_t k) {
    if constexpr (is_wide<Port>)
        return port[k];
    else
        return static_cast<std::uint32_t>(std::uint64_t{port} >> (32 * k));
}

template <class Port> bool same(const Port& port, const Words& words) {
    for (std::size_t k = 0; k < words_of<Port>; ++k)
        if (word(port, k) != words[k])
            return false;
    return true;
}

template <class Port> std::string hex(const Port& port) {
    std::string text;
    for (std::size_t k = words_of<Port>; k-- > 0;) {
        char digits[9];
        std::snprintf(digits, sizeof digits, "%08x", word(port, k));
        text += digits;
    }
    return text;
}

/// Returns the cycles per second of a loop.
template <class Loop> double rate(long cycles, Loop loop) {
    const auto begin = std::chrono::steady_clock::now();
    loop();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return static_cast<double>(cycles) / took.count();
}

inline int report(double rate, long cycle, const std::string& check) {
    std::printf("cycles_per_s %.1f cycle %ld check %s\n", rate, cycle, check.c_str());
    return 0;
}

inline int wrong(long cycle, const std::string& shown) {
    std::fprintf(stderr, "cycle %ld: %s is not the published answer\n", cycle, shown.c_str());
    return 1;
}

} // namespace bench
