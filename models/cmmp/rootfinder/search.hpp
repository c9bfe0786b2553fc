// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace models::rootfinder {

struct Evaluation {
    double value;
    std::uint32_t terms; ///< of the series or the fraction
};

/// Returns the normal integral from x to infinity, for x >= 0: a power series below 2.32, else a
/// continued fraction; (2.2) and (2.3) of the report.
inline Evaluation normal_tail(double x) {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    std::uint32_t terms = 1;
    if (x < 2.32) {
        double term = x;
        double sum = x;
        for (; term > sum * 1e-17; ++terms) {
            term *= x * x / (2 * terms + 1);
            sum += term;
        }
        return {0.5 - density * sum, terms};
    }
    double fraction = x; // by Lentz's method, from the front
    double front = x;
    double back = 0;
    for (double factor = 0; std::abs(factor - 1) > 3e-16; ++terms) {
        back = 1 / (x + terms * back);
        front = x + terms / front;
        factor = front * back;
        fraction *= factor;
    }
    return {density / fraction, terms};
}

/// The search interval of a root, initially 10 long, in cells of 1e-15.
class Interval {
public:
    static constexpr std::uint64_t cells = 10'000'000'000'000'000;
    static double x_of(std::uint64_t cell) { return static_cast<double>(cell) * 1e-15; }

    explicit Interval(std::uint64_t points) : points_{points} {}
    /// Returns the k-th dividing point, as a cell.
    std::uint64_t point(std::uint64_t k) const {
        return std::min(low_ + (k + 1) * part(), low_ + length_);
    }
    /// Continues with the part after `points_before` points.
    void narrow(std::uint64_t points_before) {
        const std::uint64_t high = low_ + length_;
        const std::uint64_t length = part();
        low_ = std::min(low_ + points_before * length, high - length);
        length_ = length;
        ++iterations_;
    }
    bool found() const { return length_ == 1; }
    double root() const { return x_of(low_); }
    std::uint32_t iterations() const { return iterations_; }

private:
    std::uint64_t part() const { return (length_ + points_) / (points_ + 1); }

    std::uint64_t points_;
    std::uint64_t low_ = 0;
    std::uint64_t length_ = cells;
    std::uint32_t iterations_ = 0;
};

/// A root and the effort to find it.
struct Root {
    double tail; ///< of the normal distribution
    double x;    ///< its start
    std::uint32_t iterations;
};

/// Returns the k-th value to find the root for: from 0.49 to 5e-7, repeatedly.
inline double tail_of(std::uint64_t k) {
    return 0.49 * std::pow(10, -0.12 * static_cast<double>(k % 50));
}

} // namespace models::rootfinder
