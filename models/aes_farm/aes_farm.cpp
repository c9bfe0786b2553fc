// SPDX-License-Identifier: Apache-2.0
// A source distributes parts of a byte block to workers that encrypt them.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <sme/clocked.hpp>
#include <sme/kahn_patterns.hpp>
#include <sme/load.hpp>
#include <sme/verilog.hpp>

#include "aes.hpp"
#include "source.hpp"
#include "support/program.hpp"
#include "support/untimed.hpp"

namespace {

using models::Aes128;
using models::AesBlock;
using models::Part;
using models::Source;

/// Encrypts in place, in software.
class Worker : public sme::KahnProcess {
public:
    Worker(sme::ChannelIn<Part> task, sme::ChannelOut<Part> result, const Aes128* cipher)
        : task_{task}, result_{result}, cipher_{cipher} {}
    sme::KahnTask run() {
        while (auto part = co_await task_.receive()) {
            cipher_->encrypt(*part);
            co_await result_.send(*part);
        }
    }

private:
    sme::ChannelIn<Part> task_;
    sme::ChannelOut<Part> result_;
    const Aes128* cipher_;
};

/// Encrypts in place, with a core in the clocked network, block by block.
class CoreWorker : public sme::KahnProcess {
public:
    CoreWorker(sme::ChannelIn<Part> task, sme::ChannelOut<Part> result,
               sme::ChannelOut<AesBlock> text, sme::ChannelIn<AesBlock> cipher)
        : task_{task}, result_{result}, text_{text}, cipher_{cipher} {}
    sme::KahnTask run() {
        while (auto part = co_await task_.receive()) {
            for (std::size_t at = 0; at < part->size(); at += 16) {
                const Part here = part->subspan(at, 16);
                AesBlock block;
                std::ranges::copy(here, block.begin());
                co_await text_.send(block);
                if (auto done = co_await cipher_.receive())
                    std::ranges::copy(*done, here.begin());
            }
            co_await result_.send(*part);
        }
    }

private:
    sme::ChannelIn<Part> task_;
    sme::ChannelOut<Part> result_;
    sme::ChannelOut<AesBlock> text_;
    sme::ChannelIn<AesBlock> cipher_;
};

struct Options {
    std::uint64_t workers = 16;
    std::uint64_t bytes = 1U << 20U;
    std::uint64_t passes = 1;
    models::Runners runners;
    std::string cores;
    std::string key = "000102030405060708090a0b0c0d0e0f";
    std::string input;
    std::string output;
};

AesBlock key_of(const std::string& digits) {
    AesBlock key{};
    const auto is_digit = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    if (digits.size() != 32 || !std::ranges::all_of(digits, is_digit))
        throw models::BadInput{"--key '" + digits + "': give 32 hexadecimal digits"};
    for (std::size_t k = 0; k < key.size(); ++k)
        key[k] = static_cast<std::uint8_t>(std::stoul(digits.substr(2 * k, 2), nullptr, 16));
    return key;
}

/// Returns the input, or the requested number of bytes from a counter.
std::string block_of(const Options& options) {
    std::string block;
    if (options.input.empty()) {
        block.resize(options.bytes);
        for (std::size_t k = 0; k < block.size(); ++k)
            block[k] = static_cast<char>((k >> 4U) >> (8U * (k & 7U)));
    } else {
        block = models::bytes_of(options.input);
    }
    if (block.size() % 16 != 0)
        throw models::BadInput{"a block of " + std::to_string(block.size()) +
                               " bytes: AES takes a multiple of 16"};
    if (options.workers > block.size() / 16)
        throw models::BadInput{std::to_string(options.workers) + " workers have only " +
                               std::to_string(block.size() / 16) +
                               " blocks of 16 bytes to encrypt; give --workers less"};
    return block;
}

/// Encrypts without a clock; returns the number of bytes.
std::uint64_t encrypt(const Options& options, const AesBlock& key, Part whole) {
    const Aes128 cipher{key};
    sme::KahnNetwork network{"aes_farm"};
    const auto workers = sme::add_workers<Worker, Part, Part>(network, "worker", options.workers,
                                                              sme::Depth{1}, &cipher);
    const auto source = network.add<Source>("source", out(workers.tasks), in(workers.results),
                                            whole, options.passes);
    sme::Untimed farm{network, options.runners.options()};
    const double seconds = models::seconds_of(farm);
    const std::uint64_t done = farm.process(source).done_bytes;
    std::printf("%.3f s, %.1f MB/s\n", seconds, static_cast<double>(done) / 1e6 / seconds);
    return done;
}

/// Encrypts with cores in Verilog, each driven by a worker; returns the number of bytes.
std::uint64_t encrypt_on_cores(const Options& options, Part whole) {
    sme::LoadedNetwork network = sme::load(
        options.cores,
        {.parameters = {{"cores", std::to_string(options.workers)}, {"key", "0x" + options.key}},
         .verilog = sme::VerilogTools{.folder = models::module_folder()}});
    sme::KahnNetwork kahn{"aes_farm"};
    std::vector<sme::JoinedStream> streams;
    std::vector<sme::Channel<Part>> tasks;
    std::vector<sme::Channel<Part>> results;
    for (std::uint64_t k = 0; k < options.workers; ++k) {
        const std::string number = "[" + std::to_string(k) + "]";
        const auto text = kahn.channel<AesBlock>("to_core" + number);
        const auto cipher = kahn.channel<AesBlock>("from_core" + number);
        streams.push_back(sme::to_stream(text, "text" + number));
        streams.push_back(sme::from_stream("cipher" + number, cipher));
        tasks.push_back(kahn.channel<Part>("task" + number));
        results.push_back(kahn.channel<Part>("result" + number));
        kahn.add<CoreWorker>("worker" + number, in(tasks.back()), out(results.back()), out(text),
                             in(cipher));
    }
    const auto source = kahn.add<Source>("source", out(tasks), in(results), whole, options.passes);
    const sme::ClockedKahn clocked = sme::add_clocked(network, kahn, {.streams = streams});
    sme::Simulator simulator{network};
    const std::uint64_t blocks = options.passes * whole.size() / 16;
    simulator.run(sme::Cycles{100 * (blocks + options.workers)}); // it halts long before
    std::printf("%llu cycles\n", static_cast<unsigned long long>(simulator.cycle()));
    return clocked.process(simulator, source).done_bytes;
}

bool run(const Options& options) {
    const AesBlock key = key_of(options.key);
    std::string block = block_of(options);
    const Part whole{reinterpret_cast<std::uint8_t*>(block.data()), block.size()};
    std::printf(
        "%llu workers, %zu bytes, %llu passes: ", static_cast<unsigned long long>(options.workers),
        block.size(), static_cast<unsigned long long>(options.passes));
    const std::uint64_t done =
        options.cores.empty() ? encrypt(options, key, whole) : encrypt_on_cores(options, whole);
    if (!options.output.empty())
        models::write_file(options.output, block);
    return done == options.passes * block.size();
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"aes_farm", "AES-128 in ECB, by workers that share a block"};
    program.number("workers", options.workers, 1, 1'000'000, "how many encrypt")
        .number("bytes", options.bytes, 16, std::uint64_t{1} << 30U, "to encrypt, without --input")
        .number("passes", options.passes, 1, 1000, "how often, each over the result of the last")
        .text("cores", options.cores, "cores.yaml: the workers are cores in Verilog, with a clock")
        .text("key", options.key, "32 hexadecimal digits")
        .text("input", options.input, "a file of bytes to encrypt")
        .text("output", options.output, "where the result is written");
    options.runners.add_to(program);
    return program.run(argc, argv, [&] { return run(options); });
}
