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

/// Options or an input that a model cannot work with; its text says what to give instead.
class BadInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// "a, b, c".
std::string list_of(std::span<const std::string_view> names);

/// The command line of a model: `--name VALUE`, all optional; `--help` lists them.
class Program {
public:
    Program(std::string name, const std::string& what);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// A whole number from `min` to `max`; what `value` holds is the default.
    Program& number(const char* name, std::uint64_t& value, std::uint64_t min, std::uint64_t max,
                    const char* help);
    Program& text(const char* name, std::string& value, const char* help);
    /// One of `names`, which are those of an enumeration's values, in order.
    template <class Enumeration, class Names>
    Program& choice(const char* name, Enumeration& value, const Names& names, const char* help) {
        const auto before = static_cast<std::size_t>(value);
        return choice(
            name, std::span<const std::string_view>{names}, before,
            [&value](std::size_t index) { value = static_cast<Enumeration>(index); }, help);
    }
    /// An option without a value.
    Program& flag(const char* name, bool& value, const char* help);

    /// Reads the options and calls `body`, which says whether the result is right. Returns the exit
    /// code: 0, 1 for a wrong result or a failed run, 2 for wrong options or input.
    int run(int argc, char** argv, const std::function<bool()>& body);

private:
    Program& choice(const char* name, std::span<const std::string_view> names, std::size_t value,
                    const std::function<void(std::size_t)>& set, const char* help);

    struct Options;
    std::unique_ptr<Options> options_;
};

/// All bytes of a file. Throws BadInput when it cannot be read, is no file, is empty, or has more
/// than `max` bytes.
std::string bytes_of(const std::string& path, std::uint64_t max = std::uint64_t{1} << 30U);

/// Writes a file under its name as a whole, or not at all. Throws std::runtime_error.
void write_file(const std::string& path, const std::string& bytes);

/// Where built Verilog modules are kept, as by the sme command: under XDG_CACHE_HOME, or .cache of
/// HOME. Throws BadInput when neither is set.
std::string module_folder();

} // namespace models
