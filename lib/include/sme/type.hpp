// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sme {

class Type;
/// Types are immutable and shared.
using TypeRef = std::shared_ptr<const Type>;

enum class TypeKind : std::uint8_t {
    boolean,
    unsigned_integer,
    signed_integer,
    enumeration,
    structure,
    array
};

/// A named part of a struct, at a byte offset from the start of the struct.
struct Field {
    std::string name;
    TypeRef type;
    std::uint32_t offset = 0;
    bool back = false; // in a bundle: the reader writes it
};

/// A name for one value of an enumeration.
struct Member {
    std::string name;
    std::uint64_t value;
    bool operator==(const Member&) const = default;
};

/// A scalar inside a value: its location and its path there (".a[2]"; "" for a scalar). The words
/// of a wide integer share its path.
struct Leaf {
    std::string path;
    std::uint32_t offset;
    const Type* type;    // for a word: the unsigned integer of its bits
    std::uint32_t field; // the top-level field that contains it; 0 if the value is no struct
};

/// The type of a bus, a port, a state or an expression.
///
/// A scalar is a bool, an integer, a fixed-point number or an enumeration. A slot is canonical:
/// scalars of 1 to 8, 16, 32 and 64 bits take 1, 2, 4 and 8 bytes, with unused high bits zero or
/// sign-extended; wider ones are 64-bit words, lowest first. Fields are in declared order at their
/// natural alignment, with padding zero. Arrays are their elements in sequence.
class Type {
public:
    static constexpr unsigned max_bits = 4096;

    static TypeRef boolean();
    /// `width_bits` is 1 to `max_bits`; more than 64 is a wide integer.
    static TypeRef unsigned_integer(unsigned width_bits);
    /// The same; the words of a wide one are unsigned, without copies of the sign.
    static TypeRef signed_integer(unsigned width_bits);
    /// A fixed-point number with this many bits before the point, with the sign, and after it:
    /// together 1 to `max_bits`. Stored as the integer of these bits.
    static TypeRef fixed(bool is_signed, unsigned whole_bits, unsigned fraction_bits);
    /// Stored as the unsigned integer of `width_bits` (1 to 64), which must hold every member.
    /// Names and values of members are distinct.
    static TypeRef enumeration(std::string name, unsigned width_bits, std::vector<Member> members);
    /// Computes the offsets in `fields`. `name` may be empty.
    static TypeRef structure(std::string name, std::vector<Field> fields);
    static TypeRef array(TypeRef element, std::uint64_t count);

    TypeKind kind() const { return kind_; }
    bool is_scalar() const { return kind_ <= TypeKind::enumeration; }
    bool is_integer() const { return is_numeric() && !is_fixed_; }
    bool is_fixed() const { return is_fixed_; }
    /// Returns true for an integer or a fixed-point number.
    bool is_numeric() const {
        return kind_ == TypeKind::unsigned_integer || kind_ == TypeKind::signed_integer;
    }
    bool is_signed() const { return kind_ == TypeKind::signed_integer; }
    /// Returns true if the unused high bits of a slot are copies of the sign; those of a wide
    /// number are zero.
    bool extends_sign() const { return is_signed() && !is_wide(); }
    /// Returns true for a number of several words.
    bool is_wide() const { return is_scalar() && leaf_count_ > 1; }

    /// Returns how many of the bits are after the point; 0 for anything but a fixed-point number.
    unsigned fraction_bits() const { return fraction_bits_; }

    /// Returns the number of significant bits; for a struct or array, the sum over all its scalars.
    std::uint64_t width_bits() const { return width_bits_; }
    std::size_t size() const { return size_; }
    std::size_t alignment() const { return alignment_; }

    /// Returns true for a struct with back fields: its buses are wires in both directions.
    bool is_bundle() const;
    /// For a bundle: returns the struct of the fields that the writer writes.
    TypeRef forward() const;

    const std::vector<Field>& fields() const { return fields_; }
    /// Returns the field's position, or -1.
    int find_field(const std::string& name) const;
    const TypeRef& element() const { return element_; }
    std::uint64_t count() const { return count_; }
    /// For an enumeration: returns the members in declared order.
    const std::vector<Member>& members() const { return members_; }
    /// Returns the member with that name or value, or null.
    const Member* find_member(const std::string& name) const;
    const Member* find_member(std::uint64_t value) const;

    /// Returns the number of leaves of a value: one for a scalar, the number of words for a wide
    /// integer.
    std::uint64_t leaf_count() const { return leaf_count_; }

    /// Returns every leaf of a value in the order of offsets.
    std::vector<Leaf> leaves() const;
    /// Returns every scalar of a value in the order of offsets; a wide integer is a single scalar.
    std::vector<Leaf> scalars() const;

    /// Returns the type as written in the language: "u16", "Sample", "u8[4]", "{a: u8, b: bool}".
    std::string name() const;
    /// Returns the name with its definition: "Pair {a: u8, b: bool}".
    std::string written_out() const;

private:
    Type() = default;
    static Type integer(TypeKind kind, unsigned width_bits);

    TypeKind kind_ = TypeKind::boolean;
    bool is_fixed_ = false;
    unsigned fraction_bits_ = 0;
    std::uint64_t width_bits_ = 1;
    std::size_t size_ = 1;
    std::size_t alignment_ = 1;
    std::uint64_t leaf_count_ = 1;
    std::string name_;
    std::vector<Field> fields_;
    std::vector<Member> members_;
    TypeRef element_;
    std::uint64_t count_ = 0;
};

/// Structs with equal fields are equal, and so are enumerations of equal members and width; the
/// names of the types do not matter.
bool operator==(const Type& a, const Type& b);

/// Returns the names of two types for a message, or their definitions where different types have
/// the same name.
std::pair<std::string, std::string> distinct_names(const Type& a, const Type& b);

} // namespace sme
