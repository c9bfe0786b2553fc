// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace models {

/// Invalid options or input for a model; the text says what to give instead.
class BadInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Returns "a, b, c".
std::string list_of(std::span<const std::string_view> names);

/// The command line of a model: `--name VALUE`, all optional; `--help` lists them.
class Program {
public:
    Program(std::string name, const std::string& what);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Adds a whole number from `min` to `max`; the current `value` is the default.
    Program& number(const char* name, std::uint64_t& value, std::uint64_t min, std::uint64_t max,
                    const char* help);
    Program& text(const char* name, std::string& value, const char* help);
    /// Adds a choice of `names`, which name an enumeration's values in order.
    template <class Enumeration, class Names>
    Program& choice(const char* name, Enumeration& value, const Names& names, const char* help) {
        const auto before = static_cast<std::size_t>(value);
        return choice(
            name, std::span<const std::string_view>{names}, before,
            [&value](std::size_t index) { value = static_cast<Enumeration>(index); }, help);
    }
    /// Adds an option without a value.
    Program& flag(const char* name, bool& value, const char* help);

    /// Parses the options and calls `body`, which returns whether the result is correct. Returns
    /// the exit code: 0, 1 for a wrong result or a failed run, 2 for wrong options or input.
    int run(int argc, char** argv, const std::function<bool()>& body);

private:
    Program& choice(const char* name, std::span<const std::string_view> names, std::size_t value,
                    const std::function<void(std::size_t)>& set, const char* help);

    struct Options;
    std::unique_ptr<Options> options_;
};

/// Returns all bytes of a file. Throws BadInput if it cannot be read, is not a file, is empty, or
/// has more than `max` bytes.
std::string bytes_of(const std::string& path, std::uint64_t max = std::uint64_t{1} << 30U);

/// Writes a file completely, or not at all. Throws std::runtime_error.
void write_file(const std::string& path, const std::string& bytes);

/// Returns the cache of built Verilog modules, which the sme command also uses: under
/// XDG_CACHE_HOME, or .cache of HOME. Throws BadInput if neither is set.
std::string module_folder();

} // namespace models
