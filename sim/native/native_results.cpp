// SPDX-License-Identifier: Apache-2.0
#include "native/native_results.hpp"

#include "native/native_group.hpp"

namespace sme::native {

NativeResults::NativeResults(const FusedPlan& plan, Kernel kernel,
                             const interpret::ResultsGroup& group)
    : kernel_{kernel}, group_{group}, results_(group.program().parts[0].results.size()),
      pending_(group.program().parts[0].memory_writes.size(), {no_word, 0}) {
    for (const auto& [family, datum] : plan.data)
        switch (datum.kind) {
        case Datum::Kind::results:
            data_.push_back(reinterpret_cast<std::byte*>(results_.data()));
            break;
        case Datum::Kind::pending:
            data_.push_back(reinterpret_cast<std::byte*>(pending_.data()));
            break;
        default: data_.push_back(pointer_of(group.program(), group.places(), datum));
        }
}

bool NativeResults::run(const Frame& frame, std::vector<std::uint64_t>& values,
                        std::vector<interpret::PendingWrite>* pending) {
    const Block block{frame.read, frame.write, frame.cycle,  0,      0, 1,
                      nullptr,    nullptr,     data_.data(), nullptr};
    if (kernel_(&block) != 0)
        return false;
    values.assign(results_.begin(), results_.end());
    for (std::size_t k = 0; k < pending_.size(); ++k) {
        if (pending_[k].word == no_word)
            continue;
        const expr::MemoryWrite& write = group_.program().parts[0].memory_writes[k];
        const MemorySlots& memory = group_.places().memories[write.memory];
        const interpret::PendingWrite made{
            memory.words + pending_[k].word * memory.element->size() + write.offset,
            group_.program().nodes[write.value].type.bytes(), pending_[k].value};
        if (pending)
            pending->push_back(made);
        else
            made.make();
    }
    return true;
}

} // namespace sme::native
