// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "yaml/data/data_columns.hpp"

namespace sme::yaml {

/// The layout of an input row: the scalars of all elements of a family of buses. A stream omits
/// 'valid', which is true for every row.
class InputRow {
public:
    InputRow(const BusFamily& bus, bool stream);

    struct Scalar {
        std::string element; // "[3]" in a family, else ""
        std::string path;    // ".pair.low", or ""
        const Type* type;
    };
    const std::vector<Scalar>& scalars() const { return scalars_; }
    /// Returns the layout as columns of a file.
    DataColumns columns() const;

    /// Appends the slots of a row from its words, scalar by scalar, lowest word first.
    void put(const std::vector<std::uint64_t>& words, std::vector<std::byte>& slots) const;

    const BusFamily& bus() const { return bus_; }
    /// Returns the name in the file; for a channel, without generated suffixes.
    std::string name() const;
    bool stream() const { return stream_; }

private:
    bool is_channel() const { return bus_.made; }
    bool gives(const std::string& path) const { return !stream_ || path != ".valid"; }

    const BusFamily& bus_;
    bool stream_;
    std::vector<Scalar> scalars_;
    std::vector<bool> given_; // by leaf of an element
};

} // namespace sme::yaml
