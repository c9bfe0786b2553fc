// SPDX-License-Identifier: Apache-2.0
// Recognises spoken sentences by a beam search of several processes on C.mmp.
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "../lanes.hpp"
#include "../machine.hpp"
#include "on_cmmp.hpp"
#include "support/program.hpp"

namespace {

using namespace models;
using namespace models::harpy;

struct Options {
    std::string dictionary = "dictionary.txt";
    std::string sentences = "sentences.txt";
    std::string output;
    std::string lanes;
    std::uint64_t seed = 1;
    std::uint64_t noise = 70;
    std::uint64_t threshold = 60;
    Version version = Version::overlapped;
    cmmp::MachineOptions machine;
};

bool run(const Options& options) {
    const Knowledge knowledge{options.dictionary, options.sentences};
    std::vector<Utterance> utterances;
    for (std::size_t k = 0; k < knowledge.sentences.size(); ++k)
        utterances.emplace_back(knowledge, k, options.seed, options.noise);
    cmmp::MachineOptions own = options.machine;
    own.spans = options.lanes.empty() ? 0 : 10'000;
    cmmp::Machine<Work> machine{
        own, Work{knowledge, utterances, options.version, own.processes, options.threshold}};
    machine.run();
    const Work& work = machine.work();
    const double forward = static_cast<double>(work.forward_cycles * cmmp::cycle_us) / 1e6;
    std::printf("forward step %.3f s, processors %.2f %% in use; %.3f s in all\n", forward,
                work.useful / 10 / forward / static_cast<double>(own.processes), machine.seconds());
    std::printf("pruning step %.3f s\n",
                static_cast<double>(work.pruning_cycles * cmmp::cycle_us) / 1e6);
    for (const auto& [name, counts] :
         {std::pair{"candidates", work.segments}, std::pair{"pairs", work.pairs_of_segments}}) {
        const double all = std::accumulate(counts.begin(), counts.end(), 0.0) / 100;
        std::printf(
            "segments with up to 10 %s %.1f %%, up to 100 %.1f %%, up to 1000 %.1f %%, more "
            "%.1f %%\n",
            name, static_cast<double>(counts[0]) / all, static_cast<double>(counts[1]) / all,
            static_cast<double>(counts[2]) / all, static_cast<double>(counts[3]) / all);
    }
    std::string lines;
    std::size_t right = 0;
    for (std::size_t k = 0; k < work.recognised.size(); ++k) {
        const Recognised& found = work.recognised[k];
        right += found.words == knowledge.sentences[k] ? 1U : 0U;
        lines += found.words.empty()
                     ? "lost\n"
                     : fmt::format("{} {}\n", found.misfit, knowledge.text(found.words));
    }
    std::printf("%zu of %zu sentences recognised\n", right, work.recognised.size());
    if (!options.output.empty())
        write_file(options.output, lines);
    if (!options.lanes.empty())
        write_file(options.lanes, lanes(machine, work.ends.back()));
    return true;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    options.machine.processes = 8;
    models::Program program{"harpy", "Recognises spoken sentences on C.mmp"};
    program.text("dictionary", options.dictionary, "a word and its phonemes a line")
        .text("sentences", options.sentences, "what is said, a sentence a line")
        .number("seed", options.seed, 0, UINT64_MAX, "of the voices")
        .number("noise", options.noise, 0, 1000, "100: wrong phonemes may fit as well as right")
        .number("threshold", options.threshold, 0, UINT64_MAX / 2, "how wide the beam is")
        .choice("version", options.version, version_names, "how the work is dealt")
        .number("processes", options.machine.processes, 1, cmmp::processors_max, "of C.mmp")
        .text("output", options.output, "where the misfit and the words of each are written")
        .text("lanes", options.lanes, "a .svg file that shows what processors do in 12 steps");
    options.machine.add_to(program);
    return program.run(argc, argv, [&] { return run(options); });
}
