// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "kahn/storage.hpp"
#include "kahn/test/explorer.hpp"
#include "sme/kahn_choice.hpp"
#include "sme/kahn_process.hpp"

using sme::test::Explored;
using sme::test::Explorer;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SME_WITHOUT_FIBERS true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SME_WITHOUT_FIBERS true
#endif
#endif
#ifndef SME_WITHOUT_FIBERS
#define SME_WITHOUT_FIBERS false
#endif

namespace {

using Position = sme::internal::Position<Explored>;

/// The two counts of a channel of a given depth, as ChannelOf uses them, and the woken side.
struct Counts {
    Position sent;
    Position received;
    std::uint64_t depth = 1;
    bool reader_woken = false;
    bool writer_woken = false;
    std::vector<int> slots = std::vector<int>(2, -1);
    std::vector<int> got;

    void send(int value) {
        for (;;) {
            std::uint64_t seen = received.load();
            const std::uint64_t count = Position::count(sent.own());
            if (count - Position::count(seen) < depth)
                break;
            if (received.mark(seen)) {
                Explorer::instance().wait([this] { return writer_woken; });
                writer_woken = false;
            }
        }
        const std::uint64_t count = Position::count(sent.own());
        slots[count % 2] = value;
        if (sent.publish((count + 1) * Position::one, true))
            reader_woken = true;
    }
    void close() {
        const std::uint64_t last = (sent.own() & ~Position::sleeping) | Position::closed;
        if (sent.publish(last, true))
            reader_woken = true;
    }
    bool receive() {
        for (;;) {
            std::uint64_t seen = sent.load();
            const std::uint64_t count = Position::count(received.own());
            if (Position::count(seen) != count) {
                got.push_back(slots[count % 2]);
                if (received.publish((count + 1) * Position::one, true))
                    writer_woken = true;
                return true;
            }
            if ((seen & Position::closed) != 0)
                return false;
            if (sent.mark(seen)) {
                Explorer::instance().wait([this] { return reader_woken; });
                reader_woken = false;
            }
        }
    }
};

/// A process that chooses between two channels, and their senders, like Alt and Choice.
struct Chosen {
    sme::internal::ChoiceWord<Explored> word;
    std::array<Position, 2> sent;
    std::array<std::uint64_t, 2> received{};
    bool resumed = false;
    bool twice = false; ///< it was resumed again before it ran

    std::uint64_t take_marks(std::size_t count) {
        std::uint64_t taken = 0;
        for (std::size_t k = 0; k < count; ++k)
            taken += sent[k].take_mark(true);
        return taken;
    }
    void send(std::size_t channel) {
        const std::uint64_t count = Position::count(sent[channel].own());
        if (!sent[channel].publish((count + 1) * Position::one, true))
            return;
        using Taken = sme::internal::ChoiceWord<Explored>::Taken;
        const Taken taken = word.take();
        if (taken == Taken::last || (taken == Taken::first && word.count_off(take_marks(2) + 1)))
            resume();
    }
    void resume() {
        twice = twice || resumed;
        resumed = true;
    }
    void sleep() {
        word.begin(2);
        std::size_t marked = 0;
        while (marked < 2) {
            std::uint64_t seen = sent[marked].load();
            bool there = false;
            while (!(there = Position::count(seen) != received[marked]) &&
                   !sent[marked].mark(seen)) {
            }
            if (there)
                break;
            ++marked;
        }
        const bool sleeps = (marked == 2 && word.sleep(2)) ||
                            !word.count_off(take_marks(marked) + (2 - marked) + 1);
        if (!sleeps)
            return;
        Explorer::instance().wait([this] { return resumed; });
        resumed = false;
    }
    /// Takes a message; false if the channel is empty.
    bool take() {
        for (std::size_t k = 0; k < 2; ++k)
            if (Position::count(sent[k].own()) != received[k]) {
                ++received[k];
                return true;
            }
        return false;
    }
};

struct Item {
    int place = -1;
    int taken = 0;
};

template <unsigned places> using Window = sme::kahn::MigrationWindow<Item, Explored, places>;

} // namespace

TEST_CASE("no order of a sender and a receiver loses a wake-up or a message" *
          doctest::skip(SME_WITHOUT_FIBERS)) {
    for (const std::uint64_t depth : {1U, 2U}) {
        std::unique_ptr<Counts> counts;
        const std::size_t orders = Explorer::instance().explore(
            [&] {
                counts = std::make_unique<Counts>();
                counts->depth = depth;
                return std::vector<Explorer::Body>{[&] {
                                                       counts->send(1);
                                                       counts->send(2);
                                                       counts->close();
                                                   },
                                                   [&] {
                                                       while (counts->receive()) {
                                                       }
                                                   }};
            },
            [&] {
                REQUIRE(counts->got == std::vector<int>{1, 2});
            });
        CHECK(orders > 1000);
    }
}

TEST_CASE("no order of senders and a process that chooses loses a wake-up, or has two" *
          doctest::skip(SME_WITHOUT_FIBERS)) {
    std::unique_ptr<Chosen> chosen;
    const auto explore = [&](std::vector<Explorer::Body> senders, int choices) {
        return Explorer::instance().explore(
            [&] {
                chosen = std::make_unique<Chosen>();
                std::vector<Explorer::Body> threads = senders;
                threads.emplace_back([&, choices] {
                    for (int k = 0; k < choices; ++k) {
                        chosen->sleep();
                        const bool something = chosen->take();
                        REQUIRE(something); // it is never woken without a message
                    }
                });
                return threads;
            },
            [&] {
                REQUIRE(chosen->word.is_idle());
                REQUIRE(!chosen->resumed);
                REQUIRE(!chosen->twice);
            });
    };
    const std::size_t two = explore({[&] { chosen->send(0); }, [&] { chosen->send(1); }}, 1);
    const std::size_t again = explore({[&] {
                                          chosen->send(0);
                                          chosen->send(1);
                                      }},
                                      2);
    CHECK(two > 1000);
    CHECK(again > 500);
}

TEST_CASE("no order of an owner and two thieves takes a batch twice, or loses one" *
          doctest::skip(SME_WITHOUT_FIBERS)) {
    std::unique_ptr<Window<2>> window;
    std::array<Item, 3> items;
    const auto thief = [&] {
        if (Item* item = window->steal())
            ++item->taken;
    };
    const auto owner = [&](std::size_t count) {
        for (std::size_t k = 0; k < count; ++k)
            window->put(items[k]); // the third displaces the first, if it is still there
        for (std::size_t k = 0; k < count; ++k)
            if (window->take_back(items[k]))
                ++items[k].taken;
    };
    const auto explore = [&](std::size_t count, int thieves) {
        return Explorer::instance().explore(
            [&] {
                window = std::make_unique<Window<2>>();
                items.fill({});
                std::vector<Explorer::Body> threads(static_cast<std::size_t>(thieves), thief);
                threads.emplace_back([&, count] { owner(count); });
                return threads;
            },
            [&] {
                for (std::size_t k = 0; k < count; ++k)
                    REQUIRE(items[k].taken == 1);
            });
    };
    const std::size_t a = explore(3, 1);
    const std::size_t b = explore(1, 2);
    CHECK(a > 500);
    CHECK(b > 1000);
}
