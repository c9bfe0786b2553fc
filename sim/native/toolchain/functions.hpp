// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "native/emit/kernel.hpp"

namespace sme::native {

/// A C function that is called from outside of its file.
struct CFunction {
    static constexpr std::uint32_t no_file = ~std::uint32_t{0};
    std::string name;
    std::string text;             // with what only it uses, and a comment
    std::uint32_t file = no_file; // the C file that it stands in
};

/// What is written of a network so far. Functions with the same body are one.
class Functions {
public:
    Tables& tables() { return tables_; }
    const Tables& tables() const { return tables_; }

    /// A name that no function has so far.
    std::string unique(const std::string& wanted);
    /// Adds a function whose name is taken already. Returns its number.
    std::uint32_t add(std::string name, std::string text);
    /// The number of the function with this body, in which it is called '@'; it is added when it
    /// is new.
    std::uint32_t share(const Subject& subject, const std::string& body);
    /// Forgets the functions from a number on.
    void cut(std::uint32_t count);

    std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }
    const CFunction& operator[](std::uint32_t number) const { return all_[number]; }
    CFunction& operator[](std::uint32_t number) { return all_[number]; }
    /// How many were given to `share`, each counted once.
    std::size_t shared() const { return known_.size(); }
    /// Of the texts of all functions.
    std::size_t bytes() const;

private:
    Tables tables_;
    std::map<std::string, std::uint32_t> known_; // body → number
    std::set<std::string> names_;
    std::vector<CFunction> all_;
};

/// Deals functions out to C files: a file takes functions as long as there is room for them. One
/// function may be larger than that.
class CFiles {
public:
    /// `file_bytes`: of the functions of a file.
    explicit CFiles(std::size_t file_bytes) : file_bytes_{file_bytes} {}

    /// One file takes all that is placed.
    void make_one() { file_bytes_ = ~std::size_t{0}; }
    /// Gives a function a place unless it has one.
    void place(CFunction& function, std::uint32_t number);
    /// What is placed next begins a file where there may be several.
    void close() { left_ = file_bytes_ == ~std::size_t{0} ? left_ : 0; }

    /// The numbers of the functions of each file; at least one file.
    const std::vector<std::vector<std::uint32_t>>& files() const { return files_; }

private:
    std::size_t file_bytes_;
    std::size_t left_ = 0; // bytes in the last file
    std::vector<std::vector<std::uint32_t>> files_ = {{}};
};

} // namespace sme::native
