// SPDX-License-Identifier: Apache-2.0
//
// Uses any bytes as a file of value changes that feeds a bus. It must not crash or hang; the result
// is whole rows or a diagnostic. The first byte selects the sampling.
#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "yaml/data/vcd_rows.hpp"

using namespace sme;

namespace {

/// A file in memory, with a path.
class MemoryFile {
public:
    MemoryFile(const std::uint8_t* data, std::size_t size)
        : descriptor_{::memfd_create("waves", MFD_CLOEXEC)} {
        if (::write(descriptor_, data, size) != static_cast<ssize_t>(size))
            std::abort();
    }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

TypeRef sample_type() {
    const TypeRef phase = Type::enumeration("Phase", 2, {{"idle", 0}, {"run", 1}});
    return Type::structure("Sample", {{"valid", Type::boolean()},
                                      {"value", Type::signed_integer(16)},
                                      {"phase", Type::array(phase, 2)},
                                      {"wide", Type::unsigned_integer(70)}});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const MemoryFile file{data + 1, size - 1};
    BusFamily bus;
    bus.name = "raw";
    bus.type = sample_type();
    const yaml::InputRow row{bus, bus.name, (data[0] & 8) != 0};
    yaml::VcdInput input;
    input.path = file.path();
    input.edge = (data[0] & 1) != 0 ? yaml::VcdInput::Edge::falling : yaml::VcdInput::Edge::rising;
    input.sample =
        (data[0] & 2) != 0 ? yaml::VcdInput::Sample::after : yaml::VcdInput::Sample::before;
    input.unknown =
        (data[0] & 4) != 0 ? yaml::VcdInput::Unknown::zero : yaml::VcdInput::Unknown::error;
    Diagnostics diagnostics;
    const auto rows = yaml::rows_of_vcd(input, row, diagnostics);
    const std::uint64_t held = rows ? rows->rows + (rows->row_behind ? 1u : 0u) : 0;
    if (diagnostics.has_errors() == static_cast<bool>(rows) ||
        (rows && rows->values.size() != held * rows->row_bytes))
        std::abort();
    return 0;
}
