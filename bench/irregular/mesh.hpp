// SPDX-License-Identifier: Apache-2.0
//
// As mesh.yaml, as a programmer writes it. In each cycle `TRAFFIC` routers get a new message.
struct Message {
    bool valid = false;
    std::uint8_t x = 0, y = 0;
    std::uint32_t data = 0;
};

struct Loop {
    static constexpr unsigned side = 64;
    struct Router {
        Message link[4]; // north, east, south, west
    };
    std::uint32_t check = 0;

    void cycle() {
        std::uint32_t next = 0;
        for (unsigned k = 0; k < side; ++k)
            next ^= sum_[k][k * 7 % side];
        for (unsigned x = 0; x < side; ++x)
            for (unsigned y = 0; y < side; ++y)
                route(x, y);
        for (unsigned x = 0; x < side; ++x)
            for (unsigned y = 0; y < side; ++y)
                if (const unsigned number = ((x * 64 + y) * 1237 + slot_ * 677) % 4096;
                    number < TRAFFIC)
                    inject_[x][y] = {true, static_cast<std::uint8_t>(x ^ (slot_ & 63)),
                                     static_cast<std::uint8_t>((y + (slot_ >> 3)) & 63), slot_};
                else
                    inject_[x][y].valid = false;
        check = next;
        slot_ = (slot_ + 1) & 0xffff;
        now_ = 1 - now_;
    }

private:
    void route(unsigned x, unsigned y) {
        const auto& from = routers_[now_];
        const Message* in[5] = {&from[x][(y + 63) % 64].link[2], &from[(x + 1) % 64][y].link[3],
                                &from[x][(y + 1) % 64].link[0], &from[(x + 63) % 64][y].link[1],
                                &inject_[x][y]};
        Router& to = routers_[1 - now_][x][y];
        for (Message& link : to.link)
            link.valid = false;
        unsigned taken = 0;
        for (const Message* m : in) {
            if (!m->valid)
                continue;
            if (m->x == x && m->y == y) {
                sum_[x][y] += m->data;
                continue;
            }
            const unsigned dx = (m->x - x) & 63, dy = (m->y - y) & 63;
            const unsigned wish = dx != 0 ? (dx & 32 ? 8 : 2) : dy & 32 ? 1 : 4;
            const unsigned free = ~taken & 15;
            const unsigned link = (wish & taken) == 0 ? wish : free & (0 - free);
            if (link == 0)
                continue;
            taken |= link;
            to.link[__builtin_ctz(link)] = *m;
        }
    }

    Router routers_[2][side][side];
    Message inject_[side][side];
    std::uint32_t sum_[side][side] = {};
    std::uint32_t slot_ = 0;
    unsigned now_ = 0;
};
