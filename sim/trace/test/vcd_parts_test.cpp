// SPDX-License-Identifier: Apache-2.0
// Tests names, selections, times and the ring of chunks separately.
#include <doctest/doctest.h>

#include <chrono>
#include <set>
#include <thread>

#include "trace/collect/chunk_ring.hpp"
#include "trace/collect/selection.hpp"
#include "trace/names/names.hpp"
#include "trace/names/vcd_time.hpp"
#include "trace/vcd/vcd_encoder.hpp"
#include "trace_test.hpp"

using namespace sme::trace;

TEST_CASE("identifiers are dense: '!' to '~', then two characters, no two alike") {
    CHECK(identifier(0) == "!");
    CHECK(identifier(93) == "~");
    CHECK(identifier(94) == "!!");
    CHECK(identifier(95) == "\"!");
    CHECK(identifier(94 + 94 * 94 - 1) == "~~");
    CHECK(identifier(94 + 94 * 94) == "!!!");
    CHECK(identifier(0xffffffff).size() == 5);
    std::set<std::string> seen;
    for (std::uint32_t signal = 0; signal < 20'000; ++signal)
        seen.insert(identifier(signal));
    CHECK(seen.size() == 20'000);
}

TEST_CASE("names of one scope never collide, whatever they are made from") {
    NameSet names;
    CHECK(names.place("a") == "a");
    CHECK(names.place("a") == "a_v2");
    CHECK(names.place("a") == "a_v3");
    CHECK(names.place_family("a") == "a"); // a_0, a_1 …
    CHECK(names.place_family("a") == "a_v2");
    CHECK(names.place("a_7") == "a_7_v2"); // could be a[7]
    CHECK(names.place("a_m7_1") == "a_m7_1_v2");
    CHECK(names.place("a_b_1") == "a_b_1");
    CHECK(names.place_family("a_b") == "a_b_v2"); // a_b[1] is taken
    CHECK(names.place_family("a_1") == "a_1_v2"); // a_1[2] could be a[1, 2]
    NameSet others;
    CHECK(others.place_family("a_1") == "a_1");
    CHECK(others.place_family("a") == "a_v2");
}

TEST_CASE("a comment cannot be ended by a name in it") {
    CHECK(for_comment("x $end\ny") == "x ?end?y");
    CHECK(sanitised("") == "_");
    CHECK(sanitised("käse[1].x y") == "k__se_1__x_y");
}

TEST_CASE("patterns match whole names, and all that lies below a name") {
    CHECK(Selection{""}.everything());
    CHECK(Selection{" , "}.everything());
    const Selection token{"token"};
    CHECK(token.matches("token"));
    CHECK(token.matches("token[3]"));
    CHECK(token.matches("token.valid"));
    CHECK_FALSE(token.matches("tokens"));
    CHECK_FALSE(token.matches("my.token"));
    CHECK(Selection{"token[3]"}.matches("token[3].value"));
    CHECK_FALSE(Selection{"token[3]"}.matches("token3"));
    CHECK_FALSE(Selection{"token[3]"}.matches("token[33]"));
    CHECK(Selection{"alive[1,2]"}.matches("alive[1, 2]"));
    const Selection some{"alive[1, 2..10],node[-2..0].*"};
    CHECK(some.matches("alive[1, 2]"));
    CHECK(some.matches("alive[1, 10].valid"));
    CHECK_FALSE(some.matches("alive[1, 11]"));
    CHECK_FALSE(some.matches("alive[2, 2]"));
    CHECK(some.matches("node[-1].x"));
    CHECK_FALSE(some.matches("node[1].x"));
    CHECK(Selection{"x, alive[1, 2]"}.matches("alive[1, 2]"));
    CHECK_FALSE(Selection{"alive[1, 2]"}.matches("2]"));
    CHECK(Selection{"node*"}.matches("node[3].state"));
    CHECK(Selection{"*.value"}.matches("a.b.value"));
    CHECK_FALSE(Selection{"*.value"}.matches("a.b.values"));
    CHECK(Selection{"t?tal"}.matches("total"));
    CHECK_FALSE(Selection{"t?tal"}.matches("ttal"));
    CHECK(Selection{"*a*a*b"}.matches("aaaaaaaaaaaaaaaaaaaaaab"));
    CHECK_FALSE(Selection{"*a*a*a*a*a*a*a*a*c"}.matches(std::string(200, 'a')));
    CHECK_FALSE(Selection{"a"}.matches(""));
}

TEST_CASE("a period that cannot be halved or is too long is refused") {
    CHECK(Timescale::of({10, TimeUnit::nanoseconds}).tick == "1 ns");
    CHECK(Timescale::of({10, TimeUnit::nanoseconds}).half_ticks() == 5);
    CHECK(Timescale::of({3, TimeUnit::seconds}).tick == "100 ms");
    CHECK(Timescale::of({3, TimeUnit::seconds}).period_ticks == 30);
    CHECK(Timescale::of({2, TimeUnit::femtoseconds}).problem.empty());
    CHECK(Timescale::of({3, TimeUnit::femtoseconds}).problem ==
          "a clock period of 3 fs has no half in whole femtoseconds");
    CHECK(Timescale::of({0, TimeUnit::nanoseconds}).problem == "the clock period is zero");
    CHECK(Timescale::of({std::uint64_t{1} << 63, TimeUnit::nanoseconds}).problem ==
          "a clock period of 9223372036854775808 ns is too long for a trace");
    CHECK_FALSE(Timescale::of({~std::uint64_t{0}, TimeUnit::nanoseconds}).problem.empty());
    CHECK_FALSE(Timescale::of({(std::uint64_t{1} << 62) + 1, TimeUnit::seconds}).problem.empty());
}

TEST_CASE("the ring gives every record once and in order, and makes a fast writer wait") {
    constexpr std::uint64_t records = 500'000; // many times the capacity
    ChunkRing ring;
    std::uint64_t expected = 0;
    bool in_order = true;
    std::thread reader{[&] {
        for (auto chunk = ring.next(); !chunk.empty(); chunk = ring.next()) {
            if (expected < 200'000)
                std::this_thread::sleep_for(std::chrono::milliseconds{2});
            for (const Record& record : chunk)
                in_order = in_order && record.value == expected++;
        }
    }};
    for (std::uint64_t k = 0; k < records;) {
        Record* at = ring.room(ChunkRing::max_at_once);
        const std::uint64_t some = std::min<std::uint64_t>(k % 7, records - k);
        for (std::uint64_t j = 0; j < some; ++j)
            *at++ = {k++, 0, 1};
        ring.used(at);
        if (k < records)
            ring.append({k++, 0, 1});
    }
    ring.finish();
    reader.join();
    CHECK(in_order);
    CHECK(expected == records);
    CHECK(ring.records() == records);
}

TEST_CASE("a value of several words is one vector without leading zeros, also cut between chunks") {
    const trace_test::Scratch folder;
    trace_test::Buses buses{"n"}; // the records replace the values of the one-bit buses
    buses.add("x", sme::Type::boolean(), {{0, 4, "k"}});
    buses.lay_out();
    {
        sme::OutputFile file{folder.path("words.vcd")};
        VcdEncoder encoder{Timescale::of({})};
        ChangeFinder finder;
        CHECK(encoder.begin(file, buses, {Selection{""}, false}, finder) == 4);
        constexpr std::uint32_t more = Record::more;
        const std::vector<Record> records{
            {0, 0, Record::cycle_begins},
            {5, 1, 4 | more},
            {1, 1, 64},
            {0, 2, 4 | more},
            {0, 2, 64 | more},
            {6, 2, 64},
            {0, 3, 64 | more},
            {0, 3, 64},
            {0, 4, 3 | Record::unknown},
            {0xff, 1, 1 | more},
            {0x80, 1, 64},
            {7, 4, 3},
        };
        for (const Record& record : records)
            encoder.encode({&record, 1});
        encoder.finish(1);
        REQUIRE(file.commit());
    }
    const std::string zeros(61, '0');
    const std::string text = trace_test::text_of(folder.path("words.vcd"));
    CHECK(text.substr(text.find("#0\n")) ==
          "#0\n$dumpvars\n1!\nb101" + zeros + "001 \"\nb110 #\nb0 $\nbx %\nb1" +
              std::string(56, '0') + "10000000 \"\nb111 %\n$end\n#5\n0!\n#10\n");
}
