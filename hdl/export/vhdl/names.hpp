// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "export/rtl/module.hpp"

namespace sme::hdl::vhdl {

/// Returns a VHDL spelling for the name of an external item: "Sum" or "\sum_\". A name that differs
/// from another in `all` only by case becomes an extended identifier.
std::string exact_name(const std::string& name, const std::vector<std::string>& all);

/// The identifiers of modules in VHDL, which ignores case and allows underscores only between other
/// characters. A name that VHDL does not allow, or that differs from another one only by case, is
/// changed or becomes an extended identifier: "\Sum\".
class Names {
public:
    explicit Names(const std::vector<rtl::Module>& modules);

    const std::string& of(const std::string& name) const;
    /// Returns a path below the top module: "core(2).unit.sum" of "core[2].unit.sum".
    std::string of_path(const std::string& path) const;
    /// Returns an unused name.
    std::string fresh(const std::string& wanted);

private:
    void add(const std::string& name);

    std::set<std::string> all_; // names before their translation to VHDL
    std::map<std::string, std::string> known_;
    std::set<std::string> taken_;    // in lower case
    std::set<std::string> extended_; // identifiers
};

/// The type of a signal: std_logic, unsigned or signed.
enum class Shape : std::uint8_t { bit, bits, number };

Shape shape_of(std::uint64_t width, bool is_signed);
/// Returns "std_logic", "unsigned(7 downto 0)", "integer".
std::string type_text(const rtl::Declared& what);
std::string type_text(std::uint64_t width, bool is_signed);
/// Returns the type without its range: "std_logic", "unsigned", "signed".
const char* type_mark(Shape shape);

/// The meaning of a module's names at an expression.
struct Scope {
    const Names& names;
    std::map<std::string, rtl::Declared> declared = {};
    std::map<std::string, const rtl::Function*> functions = {};
    std::map<std::string, std::uint64_t> words = {};   // of memories
    std::map<std::string, std::string> variables = {}; // of a process: the variable that replaces
                                                       // each signal
    std::map<std::string, rtl::ExprRef> constants = {};

    Shape shape_of(const rtl::Expr& expr) const;
    /// Returns the declared shape, or that of the place if it has no declaration.
    bool is_signed(const rtl::Place& place) const;
    Shape target_shape(const rtl::Place& place) const;
};

/// Writes a network as VHDL-2008: one file per module, in an order for analysis. The first file is
/// the package of functions that the others use; packages of components follow if processes are
/// Verilog modules.
std::vector<ExportedFile> files(const Exported& exported);

/// Returns the name of the test bench, and of its file without the extension.
std::string bench_name(const Exported& exported);
/// Returns the test bench that replays a run of `cycles` cycles. It observes the inside through
/// copies of the modules that have instances.
std::string bench_text(const Exported& exported, std::uint64_t cycles);
/// Returns the values that it reads: one line per value, in each cycle those of all inputs and of
/// all watched vectors. `values` are the files from `RunRecorder`.
ExportedFile bench_values(const std::vector<ExportedFile>& values);

} // namespace sme::hdl::vhdl
