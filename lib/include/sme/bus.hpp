// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace sme {

/// The library is used wrongly, or the network is invalid. The message names the object, file and
/// line of the call, or contains every diagnostic.
class NetworkError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The value that a bus shows after a cycle in which no process wrote it.
enum class Unwritten : std::uint8_t {
    zero,  ///< zero of the bus's type
    hold,  ///< its previous value
    error, ///< reading it is a model fault
};

/// The delay is the number of cycles from a write to its read: 0 is a wire, 1 a register, n a
/// pipeline of n stages.
template <class T> struct BusOptions {
    std::uint32_t delay = 1;
    Unwritten unwritten = Unwritten::zero;
    /// The value that readers see in cycles 0 to delay − 1. Not allowed for wires.
    std::optional<T> initial = {};
};

/// A name with the file and line where it was given. `sme::indexed("node", 3)` is "node[3]"; the
/// text is built only on demand.
class Name {
public:
    Name(const char* text, const char* file = __builtin_FILE(),
         std::uint32_t line = __builtin_LINE())
        : text_{text}, file_{file}, line_{line} {}
    Name(std::string text, const char* file = __builtin_FILE(),
         std::uint32_t line = __builtin_LINE())
        : text_{std::move(text)}, file_{file}, line_{line} {}
    Name(std::string text, std::uint64_t index, const char* file, std::uint32_t line)
        : text_{std::move(text)}, index_{index}, file_{file}, line_{line} {}

    const std::string& text() const { return text_; }
    const std::optional<std::uint64_t>& index() const { return index_; }
    const char* file() const { return file_; }
    std::uint32_t line() const { return line_; }

private:
    std::string text_;
    std::optional<std::uint64_t> index_;
    const char* file_;
    std::uint32_t line_;
};

inline Name indexed(std::string text, std::uint64_t index, const char* file = __builtin_FILE(),
                    std::uint32_t line = __builtin_LINE()) {
    return {std::move(text), index, file, line};
}

namespace detail {

/// The content of a handle of a bus.
struct BusKey {
    std::uint64_t id;      // in its network
    std::uint64_t network; // the number of that network
};

} // namespace detail

/// A handle of a bus, valid as long as its network.
template <class T> class Bus {
public:
    std::uint64_t id() const { return key_.id; }
    const detail::BusKey& key() const { return key_; }

private:
    friend class Network;
    template <class> friend class Buses;
    explicit Bus(const detail::BusKey& key) : key_{key} {}
    detail::BusKey key_;
};

/// A family of buses of one type.
template <class T> class Buses {
public:
    std::uint64_t size() const { return count_; }
    /// Throws NetworkError if k >= size().
    Bus<T> operator[](std::uint64_t k) const {
        if (k >= count_)
            throw NetworkError{"bus " + std::to_string(k) + " of a family of " +
                               std::to_string(count_)};
        return Bus<T>{{first_.id + k, first_.network}};
    }

private:
    friend class Network;
    Buses(const detail::BusKey& first, std::uint64_t count) : first_{first}, count_{count} {}
    detail::BusKey first_;
    std::uint64_t count_;
};

} // namespace sme
