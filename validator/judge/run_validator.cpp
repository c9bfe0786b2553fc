// SPDX-License-Identifier: Apache-2.0
#include "sme/validate.hpp"

#include <fmt/format.h>

#include "judge/invariant_checker.hpp"

namespace sme {

namespace validator {

std::string sentence(const Violation& violation) {
    std::string who;
    if (!violation.process.empty())
        who += fmt::format(", process '{}'", violation.process);
    if (!violation.bus.empty())
        who += fmt::format(", bus '{}'", violation.bus);
    return fmt::format("in cycle {}{}: {}", violation.cycle, who, violation.text);
}

} // namespace validator

struct Validator::Data {
    std::shared_ptr<validator::InvariantChecker> judge =
        std::make_shared<validator::InvariantChecker>();
};

Validator::Validator() : data_{std::make_unique<Data>()} {}
Validator::~Validator() = default;

std::shared_ptr<Auditor> Validator::auditor() const {
    return data_->judge;
}

std::vector<Validator::Violation> Validator::violations() const {
    std::vector<Violation> result;
    for (const validator::Violation& found : data_->judge->violations())
        result.push_back({std::string{name_of(found.invariant)}, found.cycle, found.process,
                          found.bus, sentence(found)});
    return result;
}

std::uint64_t Validator::cycles() const {
    return data_->judge->cycles();
}

} // namespace sme
