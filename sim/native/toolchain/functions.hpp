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

/// A C function that is called from outside its file.
struct CFunction {
    static constexpr std::uint32_t no_file = ~std::uint32_t{0};
    std::string name;
    std::string text;             // with its private helpers and a comment
    std::uint32_t file = no_file; // its C file
};

/// The functions written so far for a network. Functions with the same body are shared.
class Functions {
public:
    Tables& tables() { return tables_; }
    const Tables& tables() const { return tables_; }

    /// A name that no function has yet.
    std::string unique(const std::string& wanted);
    /// Adds a function under a name that is already reserved. Returns its number.
    std::uint32_t add(std::string name, std::string text);
    /// The number of the function with this body, in which its name is '@'; adds it if it is new.
    std::uint32_t share(const Subject& subject, const std::string& body);
    /// Removes the functions from a number on.
    void cut(std::uint32_t count);

    std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }
    const CFunction& operator[](std::uint32_t number) const { return all_[number]; }
    CFunction& operator[](std::uint32_t number) { return all_[number]; }
    /// The number of different bodies given to `share`.
    std::size_t shared() const { return known_.size(); }
    /// The total size of the texts of all functions.
    std::size_t bytes() const;

private:
    Tables tables_;
    std::map<std::string, std::uint32_t> known_; // body → number
    std::set<std::string> names_;
    std::vector<CFunction> all_;
};

/// Distributes functions to C files: a file takes functions while there is room. A single function
/// may exceed the limit.
class CFiles {
public:
    /// `file_bytes`: the limit for the functions of a file.
    explicit CFiles(std::size_t file_bytes) : file_bytes_{file_bytes} {}

    /// Puts all functions into one file.
    void make_one() { file_bytes_ = ~std::size_t{0}; }
    /// Assigns a function to a file, unless it has one.
    void place(CFunction& function, std::uint32_t number);
    /// Starts a new file of any size, if there may be several files; `close` ends it.
    void open() {
        if (file_bytes_ == ~std::size_t{0})
            return;
        if (!files_.back().empty())
            files_.emplace_back();
        left_ = ~std::size_t{0};
    }
    /// Starts a new file for the next function, if there may be several.
    void close() { left_ = file_bytes_ == ~std::size_t{0} ? left_ : 0; }

    /// The numbers of the functions of each file; at least one file.
    const std::vector<std::vector<std::uint32_t>>& files() const { return files_; }

private:
    std::size_t file_bytes_;
    std::size_t left_ = 0; // bytes in the last file
    std::vector<std::vector<std::uint32_t>> files_ = {{}};
};

} // namespace sme::native
