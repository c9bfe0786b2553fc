// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sme/type.hpp"

namespace sme::trace {

/// A file that a view consists of.
struct ViewFile {
    std::string name;
    std::string text;
};

/// Files that name the values of enumerations, one for each, by number from 1 on: called
/// "stem.Phase.txt", of types that have a name in common "stem.Phase-2.txt".
class ValueNames {
public:
    /// What stands in the file of a type; `name` is that of the file without its ending.
    using Text = std::string (*)(const Type& type, const std::string& name);

    ValueNames(std::string stem, std::size_t most, Text text)
        : stem_{std::move(stem)}, most_{most}, text_{text} {}

    /// 0 when there are too many.
    std::size_t number_of(const TypeRef& type);
    const std::string& file(std::size_t number) const { return files_[number - 1].name; }
    std::vector<ViewFile> take() { return std::move(files_); }

private:
    std::string name_for(const std::string& type);

    std::string stem_;
    std::size_t most_;
    Text text_;
    std::vector<ViewFile> files_;
    std::map<std::string, std::size_t> numbers_; // by all that is said of a type
    std::map<std::string, unsigned> uses_;
};

} // namespace sme::trace
