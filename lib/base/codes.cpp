// SPDX-License-Identifier: Apache-2.0
#include "base/codes.hpp"

namespace sme {

namespace {
constexpr CodeInfo registry[] = {
#define SME_CODE(name, slug, severity, meaning) {Code::name, slug, Severity::severity, meaning},
    SME_CODES(SME_CODE)
#undef SME_CODE
};
} // namespace

std::span<const CodeInfo> all_codes() {
    return registry;
}

const CodeInfo& info(Code code) {
    return registry[static_cast<std::size_t>(code)];
}

} // namespace sme
