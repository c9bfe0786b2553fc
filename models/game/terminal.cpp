// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <algorithm>
#include <array>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <curses.h>

namespace game {
namespace {

constexpr int columns = 2 * static_cast<int>(width) + 2;
constexpr int lines = static_cast<int>(height) + 4; // header, frame, footer

constexpr std::array noted{SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t caught = 0; // the last of them

/// Returns the colour of a row of the matrix, as if a colour filter covered it.
short colour_of(unsigned row) {
    switch (row) {
    case 0: return COLOR_MAGENTA;
    case 3: return COLOR_RED;
    case 4: return COLOR_YELLOW;
    case 5: return COLOR_GREEN;
    case height - 1: return COLOR_CYAN;
    default: return COLOR_WHITE;
    }
}

Key meaning_of(int character) {
    switch (character) {
    case KEY_LEFT:
    case 'a':
    case 'h': return Key::left;
    case KEY_RIGHT:
    case 'd':
    case 'l': return Key::right;
    case ' ': return Key::start;
    case 'p': return Key::pause;
    case 'q': return Key::quit;
    case KEY_RESIZE: return Key::resized;
    default: return Key::other;
    }
}

} // namespace

struct Terminal::Screen {
    /// Records signals that would end the program.
    Screen();
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    std::array<struct sigaction, noted.size()> before{};
    SCREEN* screen = nullptr;
    std::string pixel;
};

Terminal::Screen::Screen() {
    struct sigaction note {};
    note.sa_handler = [](int number) { caught = number; };
    sigemptyset(&note.sa_mask);
    for (std::size_t k = 0; k < noted.size(); ++k)
        sigaction(noted[k], &note, &before[k]);
}

Terminal::Screen::~Screen() {
    if (screen) {
        endwin();
        delscreen(screen);
    }
    for (std::size_t k = 0; k < noted.size(); ++k)
        sigaction(noted[k], &before[k], nullptr);
}

Terminal::Terminal() {
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0)
        throw models::BadInput{"the game is played in a terminal, but standard " +
                               std::string{::isatty(STDIN_FILENO) == 0 ? "input" : "output"} +
                               " is none"};
    std::setlocale(LC_ALL, "");
    caught = 0;
    screen_ = std::make_unique<Screen>();
    screen_->pixel = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? "██" : "##";
    screen_->screen = newterm(nullptr, stdout, stdin);
    if (!screen_->screen)
        throw models::BadInput{"the variable TERM names no terminal that can be drawn on; give "
                               "such as TERM=xterm"};
    cbreak();
    noecho();
    curs_set(0);
    set_escdelay(25);
    keypad(stdscr, true);
    nodelay(stdscr, true);
    if (has_colors()) {
        start_color();
        use_default_colors();
        for (short colour = 1; colour < 8; ++colour)
            init_pair(colour, colour, -1);
    }
}

Terminal::~Terminal() = default;

std::string Terminal::too_small() const {
    if (COLS >= columns && LINES >= lines)
        return "";
    return "the terminal has " + std::to_string(COLS) + " x " + std::to_string(LINES) +
           " characters, but the game needs " + std::to_string(columns) + " x " +
           std::to_string(lines);
}

void Terminal::show(const Picture& picture, std::uint64_t frame, const std::string& advice) {
    erase();
    if (const std::string problem = too_small(); !problem.empty()) {
        mvaddstr(0, 0, problem.c_str());
        refresh();
        return;
    }
    std::array<char, columns + 1> head{};
    std::snprintf(head.data(), head.size(), "score %2u   lives %u   frame %llu", picture.score,
                  picture.lives, static_cast<unsigned long long>(frame));
    mvaddstr(0, 0, head.data());
    WINDOW* const field = subwin(stdscr, lines - 2, columns, 1, 0);
    box(field, 0, 0);
    delwin(field);
    for (unsigned y = 0; y < height; ++y) {
        attrset(COLOR_PAIR(colour_of(y)));
        for (unsigned x = 0; x < width; ++x)
            if ((picture.rows[y] >> x & 1U) != 0)
                mvaddstr(static_cast<int>(y) + 2, 2 * static_cast<int>(x) + 1,
                         screen_->pixel.c_str());
    }
    attrset(A_NORMAL);
    mvaddstr(lines - 1, 0, advice.c_str());
    refresh();
}

Key Terminal::key(std::chrono::milliseconds most) {
    int character = getch();
    if (character == ERR && caught == 0) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        const int ready = ::poll(&input, 1, static_cast<int>(std::max<long>(most.count(), 0)));
        if (ready > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
            return Key::ended;
        character = getch();
    }
    if (caught != 0)
        return Key::ended;
    return character == ERR ? Key::none : meaning_of(character);
}

int last_signal() {
    return caught;
}

} // namespace game
