// SPDX-License-Identifier: Apache-2.0
#include "checkpoint/checkpoint.hpp"

#include <cstring>
#include <numeric>

#include <doctest/doctest.h>

#include "base/test/scratch.hpp"

namespace {

using namespace sme;
using checkpoint::Reader;
using checkpoint::Writer;

std::string error_of(const auto& call) {
    try {
        call();
    } catch (const CheckpointError& error) {
        return error.what();
    }
    return "";
}

std::vector<std::byte> counted(std::size_t count) {
    std::vector<std::byte> result(count);
    for (std::size_t k = 0; k < count; ++k)
        result[k] = static_cast<std::byte>(k * 7 + k / 251);
    return result;
}

} // namespace

TEST_CASE("records come back by their keys, whatever their size") {
    const test::Scratch folder;
    const std::string path = folder.path("c");
    const std::size_t sizes[] = {0, 1, 4095, 1 << 20, (1 << 20) + 1, 5'000'001};
    Writer writer{path};
    for (const std::size_t size : sizes) {
        std::vector<std::byte> bytes = counted(size);
        writer.record("known " + std::to_string(size), "a shape", size,
                      [&](Archive& archive) { archive.bytes(bytes.data(), size); });
        writer.record("gathered " + std::to_string(size), "",
                      [&](Archive& archive) { archive(bytes); });
    }
    CHECK(!std::filesystem::exists(path));
    writer.commit();
    const Reader reader{path};
    CHECK(reader.records().size() == 2 * std::size(sizes));
    CHECK(reader.find("known 1")->shape == "a shape");
    CHECK(reader.find("known 2") == nullptr);
    for (const std::size_t size : sizes) {
        CAPTURE(size);
        std::vector<std::byte> known(size), gathered;
        reader.restore("known " + std::to_string(size), [&](Archive& archive) {
            const std::size_t half = size / 2; // in two unequal pieces
            archive.bytes(known.data(), half);
            archive.bytes(known.data() + half, size - half);
        });
        reader.restore("gathered " + std::to_string(size),
                       [&](Archive& archive) { archive(gathered); });
        CHECK(known == counted(size));
        CHECK(gathered == counted(size));
    }
}

TEST_CASE("a record that is read differently from how it was written is refused") {
    const test::Scratch folder;
    const std::string path = folder.path("c");
    Writer writer{path};
    std::uint32_t number = 7;
    std::uint64_t many = ~std::uint64_t{0};
    writer.record("number", "", [&](Archive& archive) { archive(number); });
    writer.record("many", "", [&](Archive& archive) { archive(many); });
    writer.commit();
    const Reader reader{path};
    std::uint16_t small = 0;
    std::uint64_t large = 0;
    std::vector<std::uint8_t> bytes;
    CHECK(test::contains(
        error_of([&] { reader.restore("number", [&](Archive& archive) { archive(small); }); }),
        "what it holds of number does not fit: it is longer"));
    CHECK(test::contains(
        error_of([&] { reader.restore("number", [&](Archive& archive) { archive(large); }); }),
        "it is shorter"));
    CHECK(test::contains(
        error_of([&] { reader.restore("many", [&](Archive& archive) { archive(bytes); }); }),
        "it says 18446744073709551615 elements, but only 0 bytes follow"));
    CHECK(test::contains(error_of([&] { reader.restore("none", [](Archive&) {}); }),
                         "does not hold none"));
}

TEST_CASE("a record of another length than was said is no record") {
    const test::Scratch folder;
    for (const std::uint64_t said : {3u, 5u}) {
        Writer writer{folder.path("c")};
        std::uint32_t number = 7;
        CHECK(error_of([&] {
                  writer.record("number", "", said, [&](Archive& archive) { archive(number); });
              }) != "");
    }
    CHECK(folder.files().empty()); // no partial file remains
}

TEST_CASE("a file of another format says so") {
    const test::Scratch folder;
    const std::string path = folder.path("c");
    Writer{path}.commit();
    const std::string good = test::text_of(path);
    const auto with = [&](std::size_t at, char byte) {
        std::string bytes = good;
        bytes[at] = byte;
        folder.write("bad", bytes);
        return error_of([&] { const Reader reader{folder.path("bad")}; });
    };
    CHECK(error_of([&] { const Reader reader{path}; }) == "");
    CHECK(test::contains(with(0, 'T'), "it is no checkpoint"));
    CHECK(test::contains(with(16, 2), "it has format 2, but this program reads format 1"));
    CHECK(test::contains(with(20, 1), "another byte order"));
    CHECK(test::contains(with(24, 1), "its checksum does not fit"));
}
