// SPDX-License-Identifier: Apache-2.0
//
// Conway's game of life on a torus, written for speed without tricks: one byte per cell, two boards
// with a border that repeats the opposite side, two loops, which the compiler vectorises.
// WIDTH HEIGHT CYCLES: runs the board that peers.py also writes, and prints a sum over some cells.
// First it runs the R-pentomino, of which 116 cells remain after 1103 generations.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace {

class Board {
public:
    Board(std::size_t w, std::size_t h) : w_{w}, h_{h}, now_((w + 2) * (h + 2)), next_(now_) {}

    std::uint8_t& at(std::size_t x, std::size_t y) { return now_[(y + 1) * (w_ + 2) + x + 1]; }

    void step() {
        repeat_borders();
        const std::size_t w = w_, line = w + 2; // local copies: a byte store may alias a member
        for (std::size_t y = 1; y <= h_; ++y) {
            const std::uint8_t* const above = &now_[(y - 1) * line];
            const std::uint8_t* const here = above + line;
            const std::uint8_t* const below = here + line;
            std::uint8_t* const out = &next_[y * line];
            for (std::size_t x = 1; x <= w; ++x) {
                const auto around =
                    static_cast<std::uint8_t>(above[x - 1] + above[x] + above[x + 1] + here[x - 1] +
                                              here[x + 1] + below[x - 1] + below[x] + below[x + 1]);
                out[x] = static_cast<std::uint8_t>((around | here[x]) == 3);
            }
        }
        std::swap(now_, next_);
    }

    /// Returns a checksum over cells from every part of the board.
    unsigned long check() {
        unsigned long sum = 0;
        for (std::size_t k = 0; k < w_; ++k)
            sum += at(k, k * 7 % h_) * k * k;
        return sum;
    }

    unsigned long living() {
        unsigned long count = 0;
        for (std::size_t y = 0; y < h_; ++y)
            for (std::size_t x = 0; x < w_; ++x)
                count += at(x, y);
        return count;
    }

private:
    void repeat_borders() {
        const std::size_t line = w_ + 2;
        std::memcpy(&now_[0], &now_[h_ * line], line);
        std::memcpy(&now_[(h_ + 1) * line], &now_[line], line);
        for (std::size_t y = 0; y < h_ + 2; ++y) {
            now_[y * line] = now_[y * line + w_];
            now_[y * line + w_ + 1] = now_[y * line + 1];
        }
    }

    std::size_t w_, h_;
    std::vector<std::uint8_t> now_, next_;
};

bool knows_the_r_pentomino() {
    Board board{1000, 1000};
    for (const auto& [x, y] : {std::pair{501, 500}, std::pair{502, 500}, std::pair{500, 501},
                               std::pair{501, 501}, std::pair{501, 502}})
        board.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y)) = 1;
    for (int k = 0; k < 1103; ++k)
        board.step();
    return board.living() == 116;
}

} // namespace

int main(int count, char** words) {
    if (count != 4)
        return 2;
    const std::size_t w = std::strtoul(words[1], nullptr, 10),
                      h = std::strtoul(words[2], nullptr, 10);
    const long cycles = std::atol(words[3]);
    if (!knows_the_r_pentomino()) {
        std::fprintf(stderr, "the R-pentomino does not leave 116 cells\n");
        return 1;
    }
    Board board{w, h};
    for (std::uint64_t y = 0; y < h; ++y)
        for (std::uint64_t x = 0; x < w; ++x)
            board.at(x, y) = (x * x * x + 5 * x * y * y + 7 * y) % 101 < 35;
    const auto begin = std::chrono::steady_clock::now();
    for (long cycle = 0; cycle < cycles; ++cycle)
        board.step();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("cycles_per_s %.3f cycle %ld check %lu\n",
                static_cast<double>(cycles) / took.count(), cycles, board.check());
    return 0;
}
