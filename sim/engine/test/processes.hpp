// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sme/sme.hpp>

/// Processes and helpers that several engine tests use.
namespace processes {

/// Writes row t in cycle t, if that row exists and holds a value.
template <class T> class Script : public sme::Process {
public:
    Script(sme::Out<T> y, std::vector<std::optional<T>> rows) : y_{y}, rows_{std::move(rows)} {}
    void step() {
        if (cycle() < rows_.size() && rows_[cycle()])
            y_.write(*rows_[cycle()]);
    }

private:
    sme::Out<T> y_;
    std::vector<std::optional<T>> rows_;
};

/// Records the value that it reads in every cycle.
template <class T> class Probe : public sme::Process {
public:
    explicit Probe(sme::In<T> x) : x_{x} {}
    void step() { seen.push_back(x_.read()); }
    std::vector<T> seen;

private:
    sme::In<T> x_;
};

/// Adds one.
class Node : public sme::Process {
public:
    Node(sme::In<int> x, sme::Out<int> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() + 1); }

private:
    sme::In<int> x_;
    sme::Out<int> y_;
};

/// Adds a ring of nodes; returns its buses.
inline auto add_ring(sme::Network& network, std::uint64_t nodes) {
    auto token = network.buses<int>("token", nodes);
    for (std::uint64_t k = 0; k < nodes; ++k)
        network.add<Node>(sme::indexed("node", k), sme::in(token[(k + nodes - 1) % nodes]),
                          sme::out(token[k]));
    return token;
}

/// The message of the exception E that `action` throws; empty if it throws nothing.
template <class E, class Action> std::string message_of(Action action) {
    try {
        action();
    } catch (const E& error) {
        return error.what();
    }
    return {};
}

inline bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace processes
