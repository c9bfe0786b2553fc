// SPDX-License-Identifier: Apache-2.0
// The programs wordcount and kmeans of models/, on threads without processes: words THREADS FILE
// [LIST], or kmeans THREADS POINTS GROUPS. They print the output of the models.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "kmeans/networks.hpp"
#include "kmeans/points.hpp"
#include "phoenix.hpp"
#include "support/program.hpp"
#include "wordcount/networks.hpp"

namespace {

using namespace models;

class Stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int count_words(std::size_t threads, const char* file, const char* list) {
    const std::string text = bytes_of(file);
    const Stopwatch watch;
    const std::vector<Counts> counts =
        phoenix::map_reduce(CountWords{}, parts_of(text, threads), threads);
    Counts all;
    for (const Counts& part : phoenix::map_reduce(OrderWords{}, counts, threads))
        all.insert(all.end(), part.begin(), part.end());
    std::sort(all.begin(), all.end(), comes_first);
    const double seconds = watch.seconds();
    std::printf("%llu words, %zu different: %.3f s\n",
                static_cast<unsigned long long>(words_of(all)), all.size(), seconds);
    if (list != nullptr)
        write_file(list, listing_of(all));
    return 0;
}

int group_points(std::size_t threads, std::uint64_t points, std::uint64_t groups) {
    const std::vector<Point> all = random_points(points, 1);
    const Stopwatch watch;
    Settled settled{all, groups};
    for (bool changed = true; changed;) {
        const auto means = std::make_shared<const std::vector<Point>>(settled.means);
        std::vector<NewMeans::Input> parts;
        for (std::size_t k = 0; k < threads; ++k)
            parts.push_back({part_of(all, k, threads), means});
        std::vector<Group> found(groups);
        for (const auto& outputs : phoenix::map_reduce(NewMeans{}, parts, threads))
            for (const NewMeans::Output& output : outputs)
                found[output.number] = output.group;
        changed = settled.take(found);
    }
    std::printf("%.3f s, %llu rounds\n", watch.seconds(),
                static_cast<unsigned long long>(settled.rounds));
    return 0;
}

} // namespace

int main(int count, char** words) {
    const auto number = [&](int k) { return std::strtoull(words[k], nullptr, 10); };
    try {
        if (count >= 4 && std::strcmp(words[1], "words") == 0)
            return count_words(number(2), words[3], count > 4 ? words[4] : nullptr);
        if (count == 5 && std::strcmp(words[1], "kmeans") == 0)
            return group_points(number(2), number(3), number(4));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    std::fprintf(stderr, "usage: %s words THREADS FILE [LIST], or kmeans THREADS POINTS GROUPS\n",
                 words[0]);
    return 2;
}
