// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "network/verilog.hpp"
#include "sme/internal/archive.hpp"
#include "verilator/inspect/netlist.hpp"
#include "verilator/module/abi.h"
#include "verilator/run/data_files.hpp"

namespace sme::verilator {

struct InsideSignal;

/// A built module loaded into this process. It stays loaded until the process ends.
class Library {
public:
    /// Returns null, with a problem, if it cannot be loaded.
    static std::shared_ptr<const Library> load(const std::string& object, std::string& problem);

    /// Returns a module that is linked into this program.
    static std::shared_ptr<const Library> linked(const sme_module_abi& abi);

    const sme_module_abi& abi() const { return *abi_; }
    /// Returns the number of a port of the module.
    std::size_t port(const std::string& name) const;

private:
    const sme_module_abi* abi_ = nullptr;
};

/// One instance of a module. Collects its output until the caller takes it.
class Model {
public:
    /// How it requested the end of the run.
    struct End {
        int how; // SME_MODULE_FINISH, ...
        std::string file;
        int line;
        std::string message;
    };
    /// More output than this in one cycle stops a module.
    static constexpr std::size_t max_text = std::size_t{16} << 20;

    Model() = default; // none
    Model(std::shared_ptr<const Library> library, const std::vector<std::string>& plusargs,
          std::uint32_t seed, const DataFiles* data_files = nullptr);
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    /// Tests whether a model exists; it does not if its construction ended the run.
    explicit operator bool() const { return model_ != nullptr; }
    std::byte* port(std::size_t number) const {
        return static_cast<std::byte*>(library_->abi().port(model_, number));
    }
    void eval() { library_->abi().eval(model_); }
    /// Runs the clock low, eval, the clock high, eval.
    void cycle(std::byte* clock) {
        library_->abi().cycle(model_, reinterpret_cast<unsigned char*>(clock));
    }
    void set_time(std::uint64_t picoseconds) { library_->abi().set_time(model_, picoseconds); }
    /// Runs its `final` blocks and ends an open line.
    void finish();
    /// Returns the inside signals; the name follows all scopes, each with a trailing space.
    std::vector<InsideSignal> signals() const;
    /// Assigns a signal to a slot of `bytes` bytes at an offset. `show` writes the signals changed
    /// since its last call, at first all.
    void place(const InsideSignal& signal, std::size_t offset, std::size_t bytes);
    void show(std::byte* base) {
        library_->abi().show(model_, reinterpret_cast<unsigned char*>(base));
    }

    /// Returns the address of an inside signal; the scope names all surrounding modules. Null if
    /// the module was not built to show it.
    std::byte* inside(const std::string& scope, const std::string& name) const {
        return static_cast<std::byte*>(library_->abi().inside(model_, scope.c_str(), name.c_str()));
    }

    /// Tests whether its state can be saved and loaded.
    bool savable() const { return library_->abi().save != nullptr; }
    /// Saves or loads its whole state. Throws CheckpointError if it is from another module.
    void state(Archive& archive);

    /// Returns the complete lines printed since the last call.
    std::vector<std::string> take_lines();
    bool has_said_anything() const { return said_ != 0; }
    /// Returns a flag that is not 0 if it has.
    const unsigned char* said() const { return &said_; }
    /// Returns the handle for the functions of the abi.
    void* handle() const { return model_; }
    const std::optional<End>& end() const { return end_; }

private:
    static int print(void* instance, const char* text, std::size_t bytes);
    static void end_by(void* instance, int how, const char* file, int line, const char* message);
    static const char* find_file(void* instance, const char* name);

    std::shared_ptr<const Library> library_;
    void* model_ = nullptr;
    std::vector<std::string> lines_;
    std::string open_line_;
    std::size_t text_ = 0; // of the lines
    std::optional<End> end_;
    unsigned char said_ = 0; // whether lines or an end are pending
    const DataFiles* data_files_ = nullptr;
    std::string found_; // the path of the last file looked up
};

/// The module description in a generated class.
struct BuiltDescription {
    VerilogModule module; // its clocks; without sources
    Netlist netlist;
};

std::string description_of(const VerilogModule& module, const Netlist& netlist);
BuiltDescription read_description(const std::string& text);

/// Tests whether a name is valid for a generated class.
bool is_class_name(const std::string& name);

/// Return the texts of a process class, `name`.hpp and `name`_class.cpp.
std::string class_header(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist);
std::string class_source(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist);

} // namespace sme::verilator
