// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <sme/sme.hpp>

/// The mean of two numbers, without a ninth bit.
class Mean : public sme::Process {
public:
    Mean(sme::In<std::uint8_t> a, sme::In<std::uint8_t> b, sme::Out<std::uint8_t> y)
        : a_{a}, b_{b}, y_{y} {}
    void step() {
        const unsigned a = a_.read(), b = b_.read();
        y_.write(static_cast<std::uint8_t>((a & b) + ((a ^ b) >> 1)));
    }

private:
    sme::In<std::uint8_t> a_, b_;
    sme::Out<std::uint8_t> y_;
};
