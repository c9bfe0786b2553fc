// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

namespace sme::test {

/// A network of `count` processes, all with different steps: single ones and families, registers
/// and wires in chains, state, memories, delays, random numbers, printed lines. Each reads outputs
/// of an earlier and a later one.
class ManyProcesses {
public:
    explicit ManyProcesses(unsigned count) {
        for (unsigned k = 0; k < count; ++k)
            add(k, (k * 7 + 5) % count);
    }

    std::string text() const {
        return "network: many\nbuses:\n" + buses_ + "processes:\n" + processes_ +
               "checks:\n  - always: b0 < 4294967295 or b1 != 17\n";
    }

private:
    /// `from`: the process whose bus it reads.
    void add(unsigned k, unsigned from) {
        const unsigned a = k * 2654435761U, b = k * 40503U + 7;
        const bool wire = k % 8 == 2 || k % 8 == 3;
        buses_ += fmt::format("  b{}: {}u32\n", k, wire ? "wire " : k % 16 == 6 ? "delay 3 " : "");
        if (k % 8 == 5 || k % 8 == 7)
            return add_family(k, from, k % 8 == 5 ? 20 + k % 7 : 5);
        if (k % 8 == 3)
            from = k - 1; // a wire
        else if (from % 8 == 2 || from % 8 == 3)
            from = k % 8 == 2 ? 0 : from; // no loops of wires
        begin(fmt::format("p{}", k), fmt::format("a: b{}", from), fmt::format("b{}", k));
        switch (k % 8) {
        case 1:
            processes_ += fmt::format("    state:\n      n: u32 = {}\n    step:\n"
                                      "      n: n * {} + a\n      y: n ^ {}\n",
                                      k, a | 1, b);
            break;
        case 3: // its memory writes wait for the end of the cycle
            processes_ += fmt::format("    state:\n      m: u16[4]\n    step:\n"
                                      "      m[a % 4]: u16(a >> 8)\n"
                                      "      y: (a + {}) ^ u32(m[(a >> 3) % 4])\n",
                                      a);
            break;
        case 4:
            processes_ += fmt::format("    state:\n      n: u8\n      m: u16[8]\n    step:\n"
                                      "      n: n + 1\n      m[a % 8]: u16(a) ^ u16({})\n"
                                      "      y: u32(m[n % 8]) + {}\n",
                                      b % 65536, a);
            break;
        case 6:
            processes_ += fmt::format("    state:\n      n: u32\n    step:\n      n: n + 1\n"
                                      "      y: a + u32(random(u16)) * {}\n"
                                      "      print: \"{} at {{cycle}}\" when n == {}\n",
                                      b, k, 20 + k % 40);
            break;
        default: processes_ += fmt::format("    step:\n      y: (a + {}) ^ (a >> {})\n", a, k % 31);
        }
    }

    void add_family(unsigned k, unsigned from, unsigned count) {
        buses_ += fmt::format("  x{}[{}]: u32\n", k, count);
        begin(fmt::format("f{}[k < {}]", k, count),
              fmt::format("a: b{}\n      s: x{}[(k + 3) % {}]", from, k, count),
              fmt::format("x{}[k]", k));
        processes_ += fmt::format("    state:\n      m: u16[4]\n    step:\n"
                                  "      m[s % 4]: u16(u32(a + k)) when a & {} != 0\n"
                                  "      y: s * {} + u32(m[k % 4]) + a + 1\n",
                                  k % 8 == 5 ? 0 : 3, k * 2 + 1);
        begin(fmt::format("p{}", k), fmt::format("xs: x{}", k), fmt::format("b{}", k));
        processes_ += fmt::format("    step:\n      y: xs[{}] ^ {}\n", k % count, k);
    }

    void begin(const std::string& name, const std::string& in, const std::string& out) {
        processes_ +=
            fmt::format("  {}:\n    in:\n      {}\n    out:\n      y: {}\n", name, in, out);
    }

    std::string buses_, processes_;
};

} // namespace sme::test
