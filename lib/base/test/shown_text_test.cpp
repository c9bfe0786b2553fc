// SPDX-License-Identifier: Apache-2.0
#include "base/source.hpp"

#include <doctest/doctest.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"

using namespace sme;

TEST_CASE("what a terminal would obey is shown, all else is kept") {
    CHECK(shown_text("") == "");
    CHECK(shown_text("a b\n\tc \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80") ==
          "a b\n\tc \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK(shown_text("\x1b[31mred\x1b]0;title\x07") == "\\x1b[31mred\\x1b]0;title\\x07");
    CHECK(shown_text(std::string_view{"\0\r\x7f", 3}) == "\\x00\\x0d\\x7f");
    CHECK(shown_text("\xc2\x9b"
                     "31m") == "\\xc2\\x9b31m"); // the same in 8 bits, as UTF-8
    CHECK(shown_text("\x9b"
                     "31m \xff \xc3") == "\\x9b31m \\xff \\xc3");
    CHECK(shown_text("\xc2\xa0") == "\xc2\xa0");
}

TEST_CASE("a diagnostic shows control characters of a file's name") {
    Diagnostic found{Code::file_unreadable, Severity::error, {}, "there is no 'a\x1b[2Jb'", {}};
    found.note({}, "or '\x1b'");
    CHECK(render(found) == "error: there is no 'a\\x1b[2Jb' [file-unreadable]\nnote: or '\\x1b'\n");
}
