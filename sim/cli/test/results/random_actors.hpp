// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/test/scratch.hpp"

namespace sme::test {

/// A random network of actors only: sources and files, then actors that take unused outputs, with
/// channels of all depths and delays. Each actor ends, or waits for another forever.
class RandomActors {
public:
    explicit RandomActors(unsigned seed) : random_{seed} {
        for (int k = below(3); k >= 0; --k)
            add_source(k);
        for (int k = 2 + below(6); k > 0; --k)
            add_actor(k);
        for (std::size_t k = 0; k < open_.size(); ++k)
            close(open_[k], k);
    }

    void write(const Scratch& scratch) const {
        for (const auto& [name, text] : files_)
            scratch.write(name, text);
        scratch.write("network.yaml", "network: n\nchannels:\n" + channels_ + "processes:\n" +
                                          processes_ + section("inputs", inputs_) +
                                          section("outputs", outputs_) + "run: {cycles: 4000}\n");
    }

private:
    static std::string section(const char* name, const std::string& lines) {
        return lines.empty() ? "" : fmt::format("{}:\n{}", name, lines);
    }
    int below(int end) { return std::uniform_int_distribution<int>{0, end - 1}(random_); }
    const char* one_of(std::vector<const char*> texts) {
        return texts[static_cast<std::size_t>(below(static_cast<int>(texts.size())))];
    }

    std::string channel() {
        std::string name = fmt::format("c{}", count_++);
        channels_ += fmt::format("  {}: {}{}u8\n", name,
                                 one_of({"", "", "depth 1 ", "depth 2 ", "depth 4 ", "depth 7 "}),
                                 one_of({"", "", "delay 2 ", "delay 3 "}));
        return name;
    }
    /// Takes a channel without a receiver.
    std::string take() {
        const auto at = open_.begin() + below(static_cast<int>(open_.size()));
        std::string name = *at;
        open_.erase(at);
        return name;
    }

    void add_source(int number) {
        const std::string y = channel();
        open_.push_back(y);
        const int messages = 1 + below(30);
        if (below(2) == 0) {
            std::string rows = "value\n";
            for (int k = 0; k < messages; ++k)
                rows += fmt::format("{}\n", below(256));
            files_.emplace_back(fmt::format("{}.csv", y), std::move(rows));
            inputs_ += fmt::format("  {0}: {0}.csv\n", y);
            return;
        }
        processes_ += fmt::format("  s{}:\n    out: {{y: {}}}\n    state: {{k: u8}}\n    step:\n"
                                  "      y: k * 7 + {}{}\n      k: k + 1\n    done: k == {}\n",
                                  number, y, below(10), one_of({"", " when k % 3 != 1"}), messages);
    }

    void add_actor(int number) {
        const bool two = open_.size() > 1 && below(2) == 0;
        const std::string x = take(), w = two ? take() : "", y = channel();
        open_.push_back(y);
        const std::string head = fmt::format("  p{}:\n    in: {{x: {}{}}}\n    out: {{y: {}",
                                             number, x, two ? ", w: " + w : "", y);
        switch (two ? 10 + below(3) : below(4)) {
        case 0: // transforms
            processes_ += head + fmt::format("}}\n    state: {{n: u8}}\n    step:\n      y: x + n\n"
                                             "      n: n + x\n{}",
                                             below(3) == 0 ? "    done: n > 200\n" : "");
            break;
        case 1: // drops
            processes_ += head + fmt::format("}}\n    state: {{n: u8}}\n    step:\n"
                                             "      y: x when n % {} == 0\n      n: n + 1\n",
                                             2 + below(4));
            break;
        case 2: // repeats
            processes_ += head + fmt::format("}}\n    state: {{n: u8}}\n    take: {{x: n == {0}}}\n"
                                             "    step:\n      y: x + n\n"
                                             "      n: if n == {0} then 0 else n + 1\n",
                                             1 + below(3));
            break;
        case 3: { // splits
            const std::string z = channel();
            open_.push_back(z);
            processes_ +=
                head + fmt::format(", z: {}}}\n    state: {{n: u8}}\n    step:\n      y: {}\n"
                                   "      z: {}\n      n: n + 1\n",
                                   z, one_of({"x", "x when x[0]", "x when n[1]"}),
                                   one_of({"x + 1", "x when not x[0]", "x when n[2]"}));
            break;
        }
        case 10: // joins
            processes_ += head + "}\n    step:\n      y: x ^ w\n";
            break;
        case 11: // merges
            processes_ += head + "}\n    receive:\n      x: not x.ended or w.ended\n"
                                 "      w: not w.ended\n    let:\n"
                                 "      from_x: w.ended or not x.ended and x <= w\n"
                                 "    take:\n      x: from_x\n      w: not from_x\n"
                                 "    step:\n      y: if from_x then x else w\n";
            break;
        default: // alternates
            processes_ += head + "}\n    state: {t: u2}\n    receive:\n      x: t != 3\n"
                                 "      w: t == 3\n    step:\n"
                                 "      y: if t == 3 then w else x\n      t: t + 1\n";
        }
    }

    void close(const std::string& channel, std::size_t number) {
        if (below(2) == 0)
            outputs_ += fmt::format("  out{}.csv: {{record: {}}}\n", number, channel);
        else
            processes_ += fmt::format("  t{}:\n    in: {{x: {}}}\n    state: {{q: u8}}\n"
                                      "    step:\n      q: q * 3 + x\n",
                                      number, channel);
    }

    std::mt19937 random_;
    int count_ = 0;
    std::string channels_, processes_, inputs_, outputs_;
    std::vector<std::pair<std::string, std::string>> files_;
    std::vector<std::string> open_;
};

} // namespace sme::test
