// SPDX-License-Identifier: Apache-2.0
// A low-pass filter of 16 taps over a file of samples: network.yaml in C++, on the same files.
#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <sme/sme.hpp>
#include <sme/trace.hpp>

struct Sample {
    bool valid;
    std::int16_t value;
};
struct Result {
    bool valid;
    std::int32_t value;
};
SME_STRUCT(Sample, valid, value)
SME_STRUCT(Result, valid, value)

namespace {

using Taps = std::array<std::int16_t, 16>;

class Filter : public sme::Process {
public:
    Filter(Taps taps, sme::In<Sample> x, sme::Out<Result> y) : taps_{taps}, x_{x}, y_{y} {}
    void step() {
        const Sample x = x_.read();
        if (!x.valid)
            return; // y reads as zero in the next cycle
        std::shift_right(line_.begin(), line_.end(), 1);
        line_[0] = x.value;
        y_.write({true, std::inner_product(taps_.begin(), taps_.end(), line_.begin(), 0)});
    }

private:
    Taps taps_;
    Taps line_{}; // the last samples, the newest first
    sme::In<Sample> x_;
    sme::Out<Result> y_;
};

/// Returns the numbers of a CSV file after its header, row by row; throws on other content.
std::vector<std::int32_t> read_csv(const std::string& file) {
    std::ifstream stream{file};
    std::string header;
    if (!std::getline(stream, header))
        throw std::runtime_error{file + ": cannot be read"};
    std::vector<std::int32_t> numbers;
    for (std::int32_t number = 0; stream >> number; stream.peek() == ',' && stream.get())
        numbers.push_back(number);
    if (!stream.eof())
        throw std::runtime_error{file + ": not a number after " + std::to_string(numbers.size())};
    return numbers;
}

/// Returns the output for the samples; the network gets a row per cycle.
std::vector<std::int32_t> filter(const Taps& taps, const std::vector<std::int32_t>& samples,
                                 const std::string& trace) {
    sme::Network network{"fir"};
    const auto x = network.input<Sample>("x");
    const auto y = network.bus<Result>("y");
    network.add<Filter>("filter", taps, sme::in(x), sme::out(y));
    sme::Simulator simulator{network};
    if (!trace.empty())
        sme::trace_vcd(simulator, trace);
    std::vector<std::int32_t> results;
    for (std::size_t k = 0; k + 1 < samples.size(); k += 2) { // a row: valid, value
        simulator.poke(x, Sample{samples[k] != 0, static_cast<std::int16_t>(samples[k + 1])});
        simulator.run(sme::Cycles{1});
        if (const Result result = simulator.peek(y); result.valid)
            results.push_back(result.value);
    }
    return results;
}

/// Tests whether the folder's samples.csv, filtered with its taps.csv, gives its expected.csv.
bool agrees(const std::string& folder, const std::string& trace) {
    const auto coefficients = read_csv(folder + "/taps.csv");
    Taps taps{};
    if (coefficients.size() != taps.size())
        throw std::runtime_error{folder + "/taps.csv: not 16 taps"};
    for (std::size_t k = 0; k < taps.size(); ++k)
        taps[k] = static_cast<std::int16_t>(coefficients[k]);
    const auto expected = read_csv(folder + "/expected.csv");
    const auto results = filter(taps, read_csv(folder + "/samples.csv"), trace);
    for (std::size_t k = 0; k < std::min(results.size(), expected.size()); ++k)
        if (results[k] != expected[k]) {
            std::cerr << "fir: result " << k << " is " << results[k] << ", but expected.csv has "
                      << expected[k] << '\n';
            return false;
        }
    (results.size() == expected.size() ? std::cout : std::cerr)
        << "fir: " << results.size() << " results of " << expected.size() << " as expected\n";
    return results.size() == expected.size();
}

} // namespace

int main(int argc, char** argv) try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty() || arguments.size() > 2 || arguments[0].starts_with('-')) {
        const bool help = arguments.size() == 1 && arguments[0] == "--help";
        (help ? std::cout : std::cerr) << "usage: fir FOLDER [TRACE.vcd]\n";
        return help ? 0 : 2;
    }
    return agrees(arguments[0], arguments.size() == 2 ? arguments[1] : "") ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "fir: " << error.what() << '\n';
    return 2;
}
