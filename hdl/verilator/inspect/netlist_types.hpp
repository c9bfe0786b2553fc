// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "verilator/inspect/element.hpp"

#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// The types of a netlist; valid while its tree lives.
class NetlistTypes {
public:
    struct Info {
        std::uint64_t width = 0; // of its bits; 0 if it is not bits
        bool is_signed = false;
        std::uint64_t elements = 0;       // of an unpacked array of bits: `width` is then 0
        std::uint64_t each = 0;           // the bits of an element
        std::vector<VerilogRange> ranges; // of an unpacked array, the outermost first
        std::string other;                // the type if it is not bits: "an unpacked array", "real"
        std::string dimensions = {};      // of an unpacked array, as declared: "[-1:2][3:0]"
        bool packed = false;              // multi-dimensional bits, or an unpacked array of these
        std::string unsaved = {};         // the part without checkpoint support: "the queue"
    };

    explicit NetlistTypes(Element table);
    /// Returns the type of an element, by its attribute dtype_id.
    const Info& of(Element element) const;
    /// Returns the structure of an element's type; of bits and arrays, only their width.
    PortShape shape_of(Element element) const;

private:
    Info read(Element type, int depth);
    bool is_unpacked(Element type) const;
    Info by_id(std::string_view id, int depth);
    PortShape shape(std::string_view id, int depth) const;

    std::map<std::string_view, Element> nodes_;
    std::set<std::string_view> selected_; // ids of structures with selected fields
    std::map<std::string_view, Info> known_;
    Info unknown_{0, false, 0, 0, {}, "of an unknown type"};
};

/// Parses a constant of a netlist, "8'hff"; fails past 32 bits or with x or z.
bool constant_of(Element element, std::uint64_t& value);

} // namespace sme::verilator
