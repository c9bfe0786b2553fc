// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "verilator/inspect/element.hpp"

#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// The types of a netlist, while its tree lives.
class NetlistTypes {
public:
    struct Info {
        std::uint64_t width = 0; // of its bits; of what is no bits: 0
        bool is_signed = false;
        std::uint64_t elements = 0;       // of an unpacked array of bits: `width` is then 0
        std::uint64_t each = 0;           // the bits of an element
        std::vector<VerilogRange> ranges; // of an unpacked array, the outermost first
        std::string other;           // what it is when it is no bits: "an unpacked array", "real"
        std::string dimensions = {}; // of an unpacked array, as declared: "[-1:2][3:0]"
        bool packed = false;         // bits in several dimensions, or an unpacked array of these
        std::string unsaved = {}; // what of it no checkpoint can hold: "the queue"; empty: nothing
    };

    explicit NetlistTypes(Element table);
    /// By the attribute dtype_id of an element.
    const Info& of(Element element) const;
    /// What the type of an element is made of; of bits and arrays, nothing but their width.
    PortShape shape_of(Element element) const;

private:
    Info read(Element type, int depth);
    bool is_unpacked(Element type) const;
    Info by_id(std::string_view id, int depth);
    PortShape shape(std::string_view id, int depth) const;

    std::map<std::string_view, Element> nodes_;
    std::set<std::string_view> selected_; // structures, by id, of which fields are selected
    std::map<std::string_view, Info> known_;
    Info unknown_{0, false, 0, 0, {}, "of an unknown type"};
};

/// The number of a constant as it is written in a netlist, "8'hff"; nothing past 32 bits or with x
/// and z.
bool constant_of(Element element, std::uint64_t& value);

} // namespace sme::verilator
