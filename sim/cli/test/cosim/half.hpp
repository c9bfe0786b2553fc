// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "../command.hpp"

namespace sme::test {

/// A stream that a process slows to half its rate. `total` is a register; `flag` and `a.ready`
/// follow their inputs within the cycle.
inline constexpr const char* half_network = R"(network: halves
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
constants:
  most: u8 = 200
buses:
  a: Stream(u8)
  b: Stream(u8)
  total: hold u16 = 5
  flag: wire bool
processes:
  source:
    out: a
    state:
      n: u8
      pause: u3
    step:
      n: n + 1 when a.valid and a.ready
      a.valid: n % 5 != 4 or pause == 0
      a.data: n * 3
      pause: pause + 1
  half:
    in: a
    out: [b, total, flag]
    state:
      open: bool = true
    step:
      open: not open
      b.valid: a.valid and open
      b.data: a.data
      a.ready: b.ready and open
      total: total + u16(a.data) when a.valid and a.ready
      flag: a.data[0]
  sink:
    in: b
    state:
      k: u2
    step:
      k: k + 1
      b.ready: k != 2
checks:
  - cover: total > 50
  - cover: flag
run: {cycles: 300}
)";

/// A folder of files in which commands run.
class Folder {
public:
    Folder& with(const std::string& name, const std::string& text) {
        scratch_->write(name, text);
        return *this;
    }
    Command run(const std::string& line) const { return run_in(*scratch_, line); }
    Command cosim(const std::string& options) const {
        return sme_in(*scratch_, "cosim network.yaml " + options);
    }

private:
    std::shared_ptr<Scratch> scratch_ = std::make_shared<Scratch>();
};

} // namespace sme::test
