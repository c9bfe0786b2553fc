// SPDX-License-Identifier: Apache-2.0
// A ring of nodes that add one to a token and pass it on: network.yaml in C++.
#include <charconv>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string_view>
#include <system_error>

#include <sme/sme.hpp>

namespace {

/// Adds one to the token and passes it on; the token wraps.
class Node : public sme::Process {
public:
    Node(sme::In<std::int32_t> x, sme::Out<std::int32_t> y) : x_{x}, y_{y} {}
    void step() { y_.write(static_cast<std::int32_t>(static_cast<std::uint32_t>(x_.read()) + 1U)); }

private:
    sme::In<std::int32_t> x_;
    sme::Out<std::int32_t> y_;
};

/// Parses a whole number >= 1; returns false if it is invalid.
bool read_count(std::string_view text, std::uint64_t& count) {
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, count);
    return error == std::errc{} && rest == end && count > 0;
}

/// Tests the tokens. Every token starts at 0 and gains one per cycle, so all show the number of
/// cycles.
bool all_show(sme::Simulator& simulator, const sme::Buses<std::int32_t>& token,
              std::uint64_t cycles) {
    const auto expected = static_cast<std::int32_t>(static_cast<std::uint32_t>(cycles));
    for (std::uint64_t k = 0; k < token.size(); ++k)
        if (const std::int32_t shown = simulator.peek(token[k]); shown != expected) {
            std::cerr << "ring: token[" << k << "] is " << shown << ", but it must be " << expected
                      << '\n';
            return false;
        }
    return true;
}

bool run(std::uint64_t nodes, std::uint64_t cycles) {
    sme::Network ring{"ring"};
    const auto token = ring.buses<std::int32_t>("token", nodes);
    for (std::uint64_t k = 0; k < nodes; ++k)
        ring.add<Node>(sme::indexed("node", k), sme::in(token[(k + nodes - 1) % nodes]),
                       sme::out(token[k]));

    sme::Simulator simulator{ring};
    simulator.run(sme::Cycles{cycles});
    if (!all_show(simulator, token, cycles))
        return false;
    std::cout << "ring: " << nodes << " nodes, " << cycles << " cycles, every token is "
              << simulator.peek(token[0]) << '\n';
    return true;
}

} // namespace

int main(int argc, char** argv) {
    constexpr std::string_view usage = "usage: ring [NODES [CYCLES]]\n"
                                       "  NODES   1 or more (default: 1000)\n"
                                       "  CYCLES  1 or more (default: 100000)\n";
    if (argc == 2 && std::string_view{argv[1]} == "--help") {
        std::cout << usage;
        return 0;
    }
    std::uint64_t nodes = 1000;
    std::uint64_t cycles = 100'000;
    if (argc > 3 || (argc > 1 && !read_count(argv[1], nodes)) ||
        (argc > 2 && !read_count(argv[2], cycles))) {
        std::cerr << usage;
        return 2;
    }
    try {
        return run(nodes, cycles) ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "ring: " << error.what() << '\n';
        return 1;
    }
}
