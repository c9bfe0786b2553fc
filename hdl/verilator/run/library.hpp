// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sme/archive.hpp"
#include "verilator/module/abi.h"
#include "verilator/run/data_files.hpp"

namespace sme::verilator {

struct InsideSignal;

/// A built module in this process. It stays until the process ends.
class Library {
public:
    /// Null, with a problem, when it cannot be loaded.
    static std::shared_ptr<const Library> load(const std::string& object, std::string& problem);

    /// A module that is part of this program.
    static std::shared_ptr<const Library> linked(const sme_module_face& face);

    const sme_module_face& face() const { return *face_; }
    /// The number of a port of the module.
    std::size_t port(const std::string& name) const;

private:
    const sme_module_face* face_ = nullptr;
};

/// One instance of a module. What it says is collected until somebody takes it.
class Model {
public:
    /// How it asked for the end of the run.
    struct End {
        int how; // SME_MODULE_FINISH, ...
        std::string file;
        int line;
        std::string message;
    };
    /// Past this much text in one cycle a module is stopped.
    static constexpr std::size_t max_text = std::size_t{16} << 20;

    Model(std::shared_ptr<const Library> library, const std::vector<std::string>& plusargs,
          std::uint32_t seed, const DataFiles* data_files = nullptr);
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    /// Whether there is a model: not when making it ended at once.
    explicit operator bool() const { return model_ != nullptr; }
    std::byte* port(std::size_t number) const {
        return static_cast<std::byte*>(library_->face().port(model_, number));
    }
    void eval() { library_->face().eval(model_); }
    /// The clock low, eval, the clock high, eval.
    void cycle(std::byte* clock) {
        library_->face().cycle(model_, reinterpret_cast<unsigned char*>(clock));
    }
    void set_time(std::uint64_t picoseconds) { library_->face().set_time(model_, picoseconds); }
    /// Runs its `final` blocks and ends the line that was begun.
    void finish();
    /// The signals inside, with all scopes, each followed by a blank, before the name.
    std::vector<InsideSignal> signals() const;
    /// A signal goes to a slot of so many bytes at an offset: what changed since the last time, or
    /// all of it at first, when `show` is called.
    void place(const InsideSignal& signal, std::size_t offset, std::size_t bytes);
    void show(std::byte* base) {
        library_->face().show(model_, reinterpret_cast<unsigned char*>(base));
    }

    /// Where a signal inside lies, in its scope with the names of all modules around it. Null when
    /// the module was not built to show it.
    std::byte* inside(const std::string& scope, const std::string& name) const {
        return static_cast<std::byte*>(
            library_->face().inside(model_, scope.c_str(), name.c_str()));
    }

    /// Whether its state can be saved and loaded.
    bool savable() const { return library_->face().save != nullptr; }
    /// All of it. Throws CheckpointError when it is of another module.
    void state(Archive& archive);

    /// Whole lines that it printed since the last call.
    std::vector<std::string> take_lines();
    bool has_said_anything() const { return said_ != 0; }
    /// Not 0 when it has.
    const unsigned char* said() const { return &said_; }
    /// What the functions of the face take.
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
    unsigned char said_ = 0; // whether there are lines or an end
    const DataFiles* data_files_;
    std::string found_; // the path of the file that was looked for last
};

} // namespace sme::verilator
