// SPDX-License-Identifier: Apache-2.0
#include "native/toolchain/functions.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "native/ir/c_names.hpp"

namespace sme::native {

std::string Functions::unique(const std::string& wanted) {
    std::string name = wanted;
    for (unsigned k = 2; !names_.insert(name).second; ++k)
        name = fmt::format("{}_{}", wanted, k);
    return name;
}

std::uint32_t Functions::add(std::string name, std::string text) {
    all_.push_back({std::move(name), std::move(text)});
    return static_cast<std::uint32_t>(all_.size() - 1);
}

std::uint32_t Functions::share(const Subject& subject, const std::string& body) {
    const auto [known, fresh] = known_.try_emplace(body);
    if (!fresh)
        return known->second;
    const std::string name = unique(c_name(subject.family.name) + "_"); // no local has such a name
    std::string text = body;
    for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos; at += name.size())
        text.replace(at, 1, name);
    std::string place = describe(subject.family.declared);
    for (std::size_t at = 0; (at = place.find("*/", at)) != std::string::npos;)
        place.insert(at + 1, " "); // a folder "x*"
    known->second = add(name, fmt::format("\n/* {}: {} */\n{}", subject.family.name, place, text));
    return known->second;
}

void Functions::cut(std::uint32_t count) {
    all_.resize(count);
    std::erase_if(known_, [&](const auto& known) { return known.second >= count; });
}

std::size_t Functions::bytes() const {
    std::size_t sum = 0;
    for (const CFunction& function : all_)
        sum += function.text.size();
    return sum;
}

void CFiles::place(CFunction& function, std::uint32_t number) {
    if (function.file != CFunction::no_file)
        return;
    const std::size_t bytes = function.text.size();
    if (bytes > left_) {
        if (!files_.back().empty())
            files_.emplace_back();
        left_ = file_bytes_;
    }
    function.file = static_cast<std::uint32_t>(files_.size() - 1);
    files_.back().push_back(number);
    left_ -= std::min(bytes, left_);
}

} // namespace sme::native
