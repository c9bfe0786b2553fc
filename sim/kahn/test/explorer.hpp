// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include <ucontext.h>

namespace sme::test {

/// Runs small programs of two or three threads in every order of their atomic operations. The
/// threads are fibers of one real thread; at each operation of Explored::Atomic the explorer
/// chooses which continues. Orders are sequentially consistent: this finds lost wake-ups and double
/// takes, while ThreadSanitizer checks memory orders.
class Explorer {
public:
    using Body = std::function<void()>;

    /// Calls `make` for fresh threads, runs them in one order and calls `check`; repeats this for
    /// all orders and returns their number.
    std::size_t explore(const std::function<std::vector<Body>()>& make, const Body& check) {
        std::size_t orders = 0;
        choices_.clear();
        do {
            run(make());
            check();
            ++orders;
        } while (advance());
        return orders;
    }

    /// Called before each atomic operation, and by a thread that must wait until `ready`.
    void step() { yield({}); }
    void wait(std::function<bool()> ready) { yield(std::move(ready)); }
    bool runs() const { return current_ != nullptr; }

    /// The explorer whose threads run. Tests are single-threaded.
    static Explorer& instance() {
        static Explorer explorer;
        return explorer;
    }

private:
    struct Fiber {
        ucontext_t context{};
        Body body;
        std::unique_ptr<char[]> stack{new char[stack_bytes]};
        std::function<bool()> ready;
        bool ended = false;
    };
    struct Choice {
        std::size_t taken;
        std::size_t of;
    };
    static constexpr std::size_t stack_bytes = 64 << 10;

    static void enter() {
        Fiber& fiber = *instance().current_;
        fiber.body();
        fiber.ended = true;
        swapcontext(&fiber.context, &instance().main_);
    }

    void yield(std::function<bool()> ready) {
        if (current_ == nullptr)
            return;
        current_->ready = std::move(ready);
        Fiber& fiber = *current_;
        swapcontext(&fiber.context, &main_);
    }

    void run(std::vector<Body> bodies) {
        std::vector<std::unique_ptr<Fiber>> fibers;
        for (Body& body : bodies) {
            fibers.push_back(std::make_unique<Fiber>());
            Fiber& fiber = *fibers.back();
            fiber.body = std::move(body);
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack.get();
            fiber.context.uc_stack.ss_size = stack_bytes;
            makecontext(&fiber.context, &Explorer::enter, 0);
        }
        at_ = 0;
        for (;;) {
            std::vector<Fiber*> able;
            bool left = false;
            for (const auto& fiber : fibers) {
                left |= !fiber->ended;
                if (!fiber->ended && (!fiber->ready || fiber->ready()))
                    able.push_back(fiber.get());
            }
            if (able.empty() && left)
                throw std::logic_error{"a thread sleeps for ever"};
            if (able.empty())
                return;
            current_ = able[choose(able.size())];
            current_->ready = {};
            swapcontext(&main_, &current_->context);
            current_ = nullptr;
        }
    }

    std::size_t choose(std::size_t of) {
        if (at_ == choices_.size())
            choices_.push_back({0, of});
        return choices_[at_++].taken;
    }
    bool advance() {
        while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().of)
            choices_.pop_back();
        if (choices_.empty())
            return false;
        ++choices_.back().taken;
        return true;
    }

    ucontext_t main_{};
    Fiber* current_ = nullptr;
    std::vector<Choice> choices_;
    std::size_t at_ = 0;
};

/// The atomics whose operations the explorer orders.
struct Explored {
    template <class T> class Atomic {
    public:
        Atomic() = default;
        Atomic(T value) : value_{value} {}
        /// A relaxed load is not a step: the parts use it for values that the thread itself wrote,
        /// and for hints.
        T load(std::memory_order order) const {
            if (order != std::memory_order_relaxed)
                step();
            return value_;
        }
        void store(T value, std::memory_order) { step(), value_ = value; }
        T exchange(T value, std::memory_order) { return step(), std::exchange(value_, value); }
        T fetch_and(T bits, std::memory_order) {
            step();
            return std::exchange(value_, value_ & bits);
        }
        bool compare_exchange_strong(T& expected, T value, std::memory_order, std::memory_order) {
            step();
            if (value_ == expected)
                return value_ = value, true;
            expected = value_;
            return false;
        }

    private:
        static void step() { Explorer::instance().step(); }
        T value_{};
    };
};

} // namespace sme::test
