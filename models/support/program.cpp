// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

namespace po = boost::program_options;

namespace models {
namespace {

std::uint64_t number_of(const std::string& name, const std::string& text, std::uint64_t min,
                        std::uint64_t max) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || rest != end || number < min || number > max)
        throw BadInput{"--" + name + " '" + text + "': give a whole number from " +
                       std::to_string(min) + " to " + std::to_string(max)};
    return number;
}

} // namespace

std::string list_of(std::span<const std::string_view> names) {
    std::string list;
    for (const std::string_view name : names)
        list.append(list.empty() ? "" : ", ").append(name);
    return list;
}

struct Program::Options {
    std::string name;
    po::options_description known;
    std::vector<std::function<void(const po::variables_map&)>> read;
};

Program::Program(std::string name, const std::string& what)
    : options_{
          std::make_unique<Options>(Options{std::move(name), po::options_description{what}, {}})} {
    options_->known.add_options()("help", "lists the options");
}
Program::~Program() = default;

Program& Program::number(const char* name, std::uint64_t& value, std::uint64_t min,
                         std::uint64_t max, const char* help) {
    options_->known.add_options()(
        name, po::value<std::string>()->default_value(std::to_string(value)), help);
    options_->read.emplace_back([=, &value](const po::variables_map& given) {
        value = number_of(name, given[name].as<std::string>(), min, max);
    });
    return *this;
}

Program& Program::text(const char* name, std::string& value, const char* help) {
    options_->known.add_options()(name, po::value<std::string>(&value)->default_value(value), help);
    return *this;
}

Program& Program::choice(const char* name, std::span<const std::string_view> names,
                         std::size_t value, const std::function<void(std::size_t)>& set,
                         const char* help) {
    options_->known.add_options()(
        name, po::value<std::string>()->default_value(std::string{names[value]}),
        (std::string{help} + ": " + list_of(names)).c_str());
    options_->read.emplace_back([=](const po::variables_map& given) {
        const auto& text = given[name].as<std::string>();
        const auto found = std::ranges::find(names, text);
        if (found == names.end())
            throw BadInput{"--" + std::string{name} + " '" + text + "': give one of " +
                           list_of(names)};
        set(static_cast<std::size_t>(found - names.begin()));
    });
    return *this;
}

Program& Program::flag(const char* name, bool& value, const char* help) {
    options_->known.add_options()(name, po::bool_switch(&value), help);
    return *this;
}

int Program::run(int argc, char** argv, const std::function<bool()>& body) {
    try {
        po::variables_map given;
        po::store(po::command_line_parser(argc, argv)
                      .options(options_->known)
                      .positional({}) // values without an option are not accepted
                      .run(),
                  given);
        if (given.count("help") > 0) {
            std::cout << options_->known;
            return 0;
        }
        po::notify(given);
        for (const auto& read : options_->read)
            read(given);
        const bool right = body();
        std::cout.flush();
        if (!std::cout)
            throw std::runtime_error{"standard output could not be written"};
        return right ? 0 : 1;
    } catch (const po::error& error) {
        std::cerr << options_->name << ": " << error.what() << "; --help lists the options\n";
        return 2;
    } catch (const BadInput& error) {
        std::cerr << options_->name << ": " << error.what() << '\n';
        return 2;
    } catch (const std::exception& error) {
        std::cerr << options_->name << ": " << error.what() << '\n';
        return 1;
    }
}

std::string bytes_of(const std::string& path, std::uint64_t max) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        throw BadInput{"'" + path + "': there is no such file"};
    if (!std::filesystem::is_regular_file(status))
        throw BadInput{"'" + path + "' is no file that could be read as a whole"};
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error || size > max)
        throw BadInput{"'" + path + "' has more than " + std::to_string(max) +
                       " bytes; give a smaller file"};
    if (size == 0)
        throw BadInput{"'" + path + "' is empty"};
    std::ifstream file{path, std::ios::binary};
    std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    if (!file || bytes.size() != size)
        throw BadInput{"'" + path + "' could not be read"};
    return bytes;
}

void write_file(const std::string& path, const std::string& bytes) {
    const std::string under_way = path + "." + std::to_string(::getpid()) + ".part";
    std::ofstream file{under_way, std::ios::binary};
    file << bytes;
    file.close();
    std::error_code error;
    if (file)
        std::filesystem::rename(under_way, path, error);
    if (!file || error) {
        std::filesystem::remove(under_way, error);
        throw std::runtime_error{"'" + path + "' could not be written"};
    }
}

std::string module_folder() {
    if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache && *cache != '\0')
        return std::string{cache} + "/sme/verilog";
    if (const char* const home = std::getenv("HOME"); home && *home != '\0')
        return std::string{home} + "/.cache/sme/verilog";
    throw BadInput{"no folder for built Verilog modules: set XDG_CACHE_HOME or HOME"};
}

} // namespace models
