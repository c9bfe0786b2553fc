// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "yaml/data/data_columns.hpp"

namespace sme::yaml {

/// What a row of an input gives: the scalars of all elements of a family of buses, of a stream
/// without 'valid', which is true for every row.
class InputRow {
public:
    InputRow(const BusFamily& bus, bool stream);

    struct Scalar {
        std::string element; // "[3]" of a family, else ""
        std::string path;    // ".pair.low", or ""
        const Type* type;
    };
    const std::vector<Scalar>& scalars() const { return scalars_; }
    /// As columns of a file.
    DataColumns columns() const;

    /// Appends the slots of a row whose words are given, scalar by scalar, the lowest word of a
    /// scalar first.
    void put(const std::vector<std::uint64_t>& words, std::vector<std::byte>& slots) const;

    const BusFamily& bus() const { return bus_; }
    /// As it stands in the file: of a channel without what is made of it.
    std::string name() const;
    bool stream() const { return stream_; }

private:
    bool is_channel() const { return bus_.made; }
    bool gives(const std::string& path) const { return !stream_ || path != ".valid"; }

    const BusFamily& bus_;
    bool stream_;
    std::vector<Scalar> scalars_;
    std::vector<bool> given_; // of the leaves of an element
};

} // namespace sme::yaml
