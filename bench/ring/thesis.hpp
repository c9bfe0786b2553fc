// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

/// The sequential design of T. Asheim, "Implementing high performance Synchronous Message
/// Exchange" (University of Copenhagen), written from its description. Numbers are its sections.
namespace thesis {

/// 1.3.2: a writing slot and a reading slot, each a signed integer.
class Bus {
public:
    int read() const { return reading_; }
    void write(int value) { writing_ = value; }

    /// The value propagation phase: copies the written value to the readers. A bus that is not
    /// written in the next cycle reads as 0 in the one after.
    void sync() {
        reading_ = writing_;
        writing_ = 0;
    }

private:
    int writing_ = 0;
    int reading_ = 0;
};

/// 1.3.2: a unit of work, run by a function call.
class Process {
public:
    Process() = default;
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    virtual ~Process() = default;

    /// The execution phase of one cycle.
    virtual void step() = 0;
};

/// 4.2: the process of the synchronization-dominated benchmark.
class Adder : public Process {
public:
    Adder(Bus* in, Bus* out) : in_{in}, out_{out} {}

    void step() override {
        int val = in_->read();
        out_->write(++val);
    }

private:
    Bus* in_;
    Bus* out_;
};

/// 2.2.3 and 2.4: the queue of processes, an array; here for one thread. Owns neither processes nor
/// buses.
class Network {
public:
    void add(Process& process) { queue_.push_back(&process); }
    void add(Bus& bus) { buses_.push_back(&bus); }

    void run(int cycles);

private:
    std::vector<Process*> queue_;
    std::vector<Bus*> buses_;
};

} // namespace thesis
