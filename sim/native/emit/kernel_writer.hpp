// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "native/emit/part_writer.hpp"
#include "native/emit/pieces.hpp"

namespace sme::native {

/// What a kernel finds behind `data`.
struct Datum {
    enum class Kind : std::uint8_t {
        memory,
        table,
        kept,
        random,   ///< of rows only: what the numbers of random(T) depend on in a family
        pending,  ///< of rows only: the memory writes of a family that wait
        places,   ///< of rows only: the tables of the places of irregular instances of a part
        results,  ///< of observers only: where results go
        waiting,  ///< of laps only: memory writes that wait, of a family
        watches,  ///< of laps only: what observers wait for
        moved,    ///< of laps only: the ring or the rows of a step that moves values
        next,     ///< of laps only: the row that such a step offers
        function, ///< of rows and laps only: the function of that number, in another file
    };
    Kind kind;
    std::uint32_t number = 0;
    auto operator<=>(const Datum&) const = default;
};

/// Constant arrays of the network, each once.
class Tables {
public:
    /// The name of an array with these values.
    std::string name(const expr::Table& table, CType type);
    /// The arrays that are named in any of these functions, which an array may stand before.
    std::string text(const std::vector<const std::string*>& functions) const;

    /// Longer ones are not written: kernels find them behind `data`.
    static constexpr std::size_t most_values = 4096;

private:
    std::map<std::string, std::size_t> known_; // values → number
    std::vector<std::string> texts_;
};

/// The parts of a family's program that need not be looked at for each piece.
struct PartShape {
    bool stepwise = false; // instance by instance: it writes memories
    bool may_stop = false; // there are things that only the interpreter does
    bool loops = false;    // it has loops
    bool collects = false; // loops of it write memories, which waits
};
PartShape shape_of(const expr::PartProgram& part);

/// The C of one part for one pattern.
struct KernelText {
    std::string body; // a function called NAME
    std::vector<Datum> data;
};

/// `aliases`: slots that are read may be those that are written.
KernelText write_kernel(const Subject& subject, unsigned part, const Pieces& pieces,
                        const Pattern& pattern, bool aliases, Tables& tables);

} // namespace sme::native
