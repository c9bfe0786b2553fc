// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "debug/lines.hpp"

using sme::debug::Frames;

TEST_CASE("messages are found whatever the pieces that they come in") {
    const std::string stream =
        "Content-Length: 2\r\n\r\n{}content-length:0\r\nX: y\r\n\r\n" + Frames::framed("\r\n\r\n");
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        CAPTURE(size);
        Frames frames;
        std::string found;
        for (std::size_t at = 0; at < stream.size(); at += size) {
            frames.feed(std::string_view{stream}.substr(at, size));
            while (const auto message = frames.next())
                found += "<" + *message + ">";
        }
        CHECK(found == "<{}><><\r\n\r\n>");
        CHECK(frames.problem() == "");
    }
}

TEST_CASE("a stream that holds no messages is refused, and nothing is taken for one") {
    for (const std::string& wrong :
         {std::string{"X: 1\r\n\r\n{}"}, std::string{"Content-Length: x\r\n\r\n{}"},
          std::string{"Content-Length: -1\r\n\r\n{}"}, std::string{"Content-Length: 2 3\r\n\r\n{}"},
          std::string{"Content-Length: 1\r\nContent-Length: 1\r\n\r\n{}"},
          std::string{"Content-Length: 99999999999999999999999\r\n\r\n{}"},
          std::string{"Content-Length: 16777217\r\n\r\n{}"}, std::string{"\r\n\r\n"},
          std::string(5000, 'x')}) {
        CAPTURE(wrong);
        Frames frames;
        frames.feed(wrong);
        CHECK(!frames.next());
        CHECK(frames.problem() != "");
        frames.feed("Content-Length: 2\r\n\r\n{}");
        CHECK(!frames.next());
    }
    Frames waits;
    waits.feed("Content-Length: 3\r\n\r\n{}");
    CHECK(!waits.next());
    CHECK(waits.problem() == "");
}
