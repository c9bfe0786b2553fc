// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sme/process.hpp"
#include "sme/values.hpp"

namespace sme {

/// The target when state is saved and the source when it is loaded: one function does both.
///
/// A process class that keeps state between cycles has a member
///
///     template <class Archive> void state(Archive& archive) { archive(count_, sum_, waiting_); }
///
/// that lists every member its steps change, always in the same order, and no port. Members may be
/// numbers, bools, enumerations, bus values, strings, the containers, tuples, optionals and random
/// engines of the standard library, and classes that have `state` themselves.
class Archive {
public:
    virtual ~Archive();

    /// True when saving, false when loading.
    virtual bool saves() const = 0;
    /// Saves or fills `count` bytes. Throws CheckpointError when fewer are left to load.
    virtual void bytes(void* data, std::size_t count) = 0;
    /// When loading: an upper bound of the bytes left.
    virtual std::uint64_t left() const = 0;

    template <class... T> void operator()(T&... values) { (value(values), ...); }

private:
    template <class T> struct IsPort : std::false_type {};
    template <class T> struct IsPort<In<T>> : std::true_type {};
    template <class T> struct IsPort<Out<T>> : std::true_type {};

    template <class T> static constexpr bool is_bus_value = requires { TypeOf<T>::get(); };
    template <class T> static constexpr bool has_state = requires(T& value, Archive& archive) {
        value.state(archive);
    };
    template <class T>
    static constexpr bool is_random_engine = requires(T& value, std::ostream& out,
                                                      std::istream& in) {
        typename T::result_type;
        T::min();
        out << value;
        in >> value;
    };
    template <class T> static constexpr bool is_optional = requires(T& value) {
        value.has_value();
        value.emplace();
        value.reset();
    };
    template <class T> static constexpr bool is_tuple = requires { std::tuple_size<T>::value; };
    template <class T> static constexpr bool is_sequence = requires(T& value) {
        value.resize(1);
        value.begin();
    };
    template <class T> static constexpr bool is_set = requires(T& value) {
        typename T::key_type;
        value.clear();
        value.begin();
    };

    template <class T> void value(T& value) {
        static_assert(!IsPort<T>::value, "ports are not stored: leave them out of state()");
        static_assert(!std::is_const_v<T>, "what is const cannot be loaded: a constructor's "
                                           "argument needs no place in state()");
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = value ? 1 : 0;
            bytes(&byte, 1);
            value = byte != 0;
        } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            bytes(&value, sizeof value);
        else if constexpr (has_state<T>)
            value.state(*this);
        else if constexpr (is_bus_value<T> && !is_tuple<T>)
            bus_value(value);
        else if constexpr (is_random_engine<T>)
            random_engine(value);
        else if constexpr (is_optional<T>)
            optional(value);
        else if constexpr (is_tuple<T>)
            std::apply([this](auto&... each) { (this->value(each), ...); }, value);
        else if constexpr (is_sequence<T>)
            sequence(value);
        else if constexpr (is_set<T>)
            set(value);
        else
            static_assert(has_state<T>, "state() cannot store this member: give its class a "
                                        "'template <class Archive> void state(Archive&)'");
    }

    template <class T> void bus_value(T& value) {
        alignas(8) std::byte slot[sizeof(T) < 8 ? 8 : sizeof(T)] = {};
        if (saves())
            internal::store(slot, value);
        bytes(slot, sizeof(T));
        if (!saves())
            value = internal::load<T>(slot);
    }

    template <class T> void random_engine(T& value) {
        std::string text;
        if (saves()) {
            std::ostringstream out;
            out << value;
            text = out.str();
        }
        sequence(text);
        if (!saves()) {
            std::istringstream in{text};
            in >> value;
        }
    }

    template <class T> void optional(T& value) {
        bool there = value.has_value();
        this->value(there);
        if (!there)
            value.reset();
        else if (!value)
            value.emplace();
        if (value)
            this->value(*value);
    }

    /// Saves or loads the number of elements. Each element takes at least one byte, so a damaged
    /// number is rejected before it exhausts the memory.
    std::uint64_t count(std::uint64_t own);

    template <class T> void sequence(T& value) {
        const std::uint64_t elements = count(value.size());
        if (!saves())
            value.resize(elements);
        using Element = typename T::value_type;
        if constexpr (requires { value.data(); } &&
                      (std::is_arithmetic_v<Element> || std::is_enum_v<Element>))
            bytes(value.data(), elements * sizeof(Element));
        else if constexpr (std::is_same_v<Element, bool>) // of vector<bool>
            for (auto each : value) {
                bool bit = each;
                this->value(bit);
                each = bit;
            }
        else
            for (Element& each : value)
                this->value(each);
    }

    template <class T> void set(T& value) {
        const std::uint64_t elements = count(value.size());
        if (saves()) {
            for (const auto& each : value)
                if constexpr (requires { typename T::mapped_type; }) {
                    std::pair<typename T::key_type, typename T::mapped_type> copy{each};
                    this->value(copy);
                } else {
                    typename T::key_type copy{each};
                    this->value(copy);
                }
            return;
        }
        value.clear();
        for (std::uint64_t k = 0; k < elements; ++k)
            if constexpr (requires { typename T::mapped_type; }) {
                std::pair<typename T::key_type, typename T::mapped_type> each{};
                this->value(each);
                value.insert(value.end(), std::move(each));
            } else {
                typename T::key_type each{};
                this->value(each);
                value.insert(value.end(), std::move(each));
            }
    }
};

} // namespace sme
