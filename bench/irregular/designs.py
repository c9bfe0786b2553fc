# SPDX-License-Identifier: Apache-2.0
"""Large irregular designs, each as a network, as Verilog and as a C++ loop; all show the same `check`."""

import random
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLED = 16            # buses in `check`
PHASES = 20             # of the guarded design: each process works in one of them


class Design:
    """`name` is also that of the folder of what is built."""

    name = ""
    items = 1           # processes, for the table
    arguments = ()      # of our command besides the usual ones
    only_ours = False   # nothing to compare with
    outputs = ""        # more of them, as YAML

    def yaml(self) -> str:
        raise NotImplementedError

    def verilog(self) -> str:
        """With the top module `whole`, ports clk and check."""
        raise NotImplementedError

    def loop(self) -> str:
        """C++ that defines `struct Loop` with `void cycle()` and `std::uint32_t check`."""
        raise NotImplementedError


def sampled(count: int) -> list:
    step = max(count // SAMPLED, 1)
    return list(range(0, count, step))[:SAMPLED]


class Processes(Design):
    """Different processes of about ten operations on two buses of others; with `guarded`, each works in one of
    twenty cycles."""

    def __init__(self, count: int, guarded: bool) -> None:
        self.name = f"{'guarded' if guarded else 'all'}_{count}"
        self.items, self.guarded = count, guarded
        choose = random.Random(1)
        self.rows = []
        for k in range(count):
            far = choose.randrange(count)
            near = (k + 1) % count
            operations = [choose.choice("+-^|&") for _ in range(3)]
            numbers = [choose.randrange(1, 1 << 32) for _ in range(3)]
            self.rows.append((k, near, far if far != near else k, operations, numbers, choose.randrange(32)))

    def yaml(self) -> str:
        lines = [f"network: {self.name}", "buses:", "  check: u32", "  phase: u5"]
        hold = "hold " if self.guarded else ""
        lines += [f"  b{k}: {hold}u32" for k in range(self.items)]
        lines += ["processes:", "  phases:", "    out: phase", "    step:",
                  f"      phase: if phase == {PHASES - 1} then 0 else phase + 1"]
        for k, near, far, (one, two, three), (a, b, c), shift in self.rows:
            guard = f" when phase == {k % PHASES}" if self.guarded else ""
            phase = ", phase: phase" if self.guarded else ""
            lines += [f"  p{k}:", f"    in: {{a: b{near}, b: b{far}{phase}}}", f"    out: {{y: b{k}}}", "    state:",
                      f"      n: u32 = {k}", "    step:", f"      n: n * {a | 1} + (a {one} {b}){guard}",
                      f"      y: (if n < {c} then (a {two} b) >> {shift} else (n {three} b) * {k | 1}){guard}"]
        shown = [f"b{k}" for k in sampled(self.items)]
        lines += ["  checksum:", f"    in: [{', '.join(shown)}]", "    out: check", "    step:",
                  f"      check: {' ^ '.join(shown)}"]
        return "\n".join(lines) + "\n"

    def verilog(self) -> str:
        lines = []
        for k, _, _, (one, two, three), (a, b, c), shift in self.rows:
            guard = f"if (phase == {k % PHASES}) " if self.guarded else ""
            lines += [f"module p{k}(input wire clk, input wire [4:0] phase, input wire [31:0] a, input wire [31:0] b,",
                      "    output reg [31:0] y);", f"  reg [31:0] n = {k};", "  initial y = 0;",
                      f"  always @(posedge clk) {guard}begin", f"    n <= n * 32'd{a | 1} + (a {one} 32'd{b});",
                      f"    y <= n < 32'd{c} ? (a {two} b) >> {shift} : (n {three} b) * 32'd{k | 1};", "  end",
                      "endmodule"]
        lines += ["module whole(input wire clk, output reg [31:0] check);", "  reg [4:0] phase = 0;"]
        lines += [f"  wire [31:0] b{k};" for k in range(self.items)]
        lines += [f"  p{k} i{k}(clk, phase, b{near}, b{far}, b{k});" for k, near, far, *_ in self.rows]
        lines += ["  initial check = 0;", "  always @(posedge clk) begin",
                  f"    phase <= phase == {PHASES - 1} ? 5'd0 : phase + 5'd1;",
                  f"    check <= {' ^ '.join(f'b{k}' for k in sampled(self.items))};", "  end", "endmodule"]
        return "\n".join(lines) + "\n"

    def loop(self) -> str:
        """Straight code in functions of 500 processes; values in two arrays that swap, or in place where guarded."""
        lines = ["struct Loop {", f"  std::uint32_t n[{self.items}], b[2][{self.items}] = {{}}, check = 0;",
                 "  unsigned now = 0, phase = 0;", "  Loop() {", f"    for (unsigned k = 0; k < {self.items}; ++k)",
                 "      n[k] = k;", "  }"]
        if self.guarded:
            return "\n".join(lines) + "\n" + self.guarded_loop()
        calls = []
        for begin in range(0, self.items, 500):
            calls.append(f"    part{begin}(b[now], b[1 - now]);")
            lines.append(f"  __attribute__((noinline)) void part{begin}(const std::uint32_t* from, std::uint32_t* to) {{")
            lines += ["    " + self.statement(row, "from", "to") for row in self.rows[begin:begin + 500]]
            lines.append("  }")
        shown = " ^ ".join(f"b[now][{k}]" for k in sampled(self.items))
        return "\n".join([*lines, "  void cycle() {", f"    const std::uint32_t next = {shown};", *calls,
                          "    check = next;", "    now = 1 - now;", "  }", "};"]) + "\n"

    def statement(self, row: tuple, source: str, target: str) -> str:
        k, near, far, (one, two, three), (a, b, c), shift = row
        first, second = f"{source}[{near}]", f"{source}[{far}]"
        return (f"{{ const std::uint32_t a = {first}, b = {second}, m = n[{k}]; "
                f"n[{k}] = m * {a | 1}u + (a {one} {b}u); "
                f"{target}[{k}] = m < {c}u ? (a {two} b) >> {shift} : (m {three} b) * {k | 1}u; }}")

    def guarded_loop(self) -> str:
        """The processes of a phase read what was there before any of them wrote."""
        lines, cases = [], []
        for phase in range(PHASES):
            rows = self.rows[phase::PHASES]
            lines.append(f"  __attribute__((noinline)) void phase{phase}(std::uint32_t* from, std::uint32_t* to) {{")
            lines += ["    " + self.statement(row, "from", "to") for row in rows]
            lines += [f"    from[{row[0]}] = to[{row[0]}];" for row in rows]
            lines.append("  }")
            cases.append(f"    case {phase}: phase{phase}(b[0], b[1]); break;")
        shown = " ^ ".join(f"b[0][{k}]" for k in sampled(self.items))
        return "\n".join([*lines, "  void cycle() {", f"    const std::uint32_t next = {shown};", "    switch (phase) {",
                          *cases, "    }", "    check = next;",
                          f"    phase = phase == {PHASES - 1} ? 0 : phase + 1;", "  }", "};"]) + "\n"


# What a network does besides its work: arguments of our command, and more outputs.
BESIDE = {
    "traced": (("--trace", "trace.fst", "--trace-select", "check"), ""),
    "covered": (("--coverage", "covered.info"), ""),
    "recorded": ((), "  every.csv: {record: [check, b1, b2]}\n"),
    "loops": ((), ""),
    "clocks": ((), ""),
}
LOOPING = """  looping:
    in: {a: b7}
    out: {y: looped}
    state: {m: "u32[64]"}
    step:
      m: array(k < 64, m[k] + a)
      y: m[0]
"""
SLOW = """  slow:
    domain: slow
    out: slowly
    state: {n: u32}
    step:
      n: n + 1
      slowly: n
"""


class Beside(Processes):
    """2,000 processes that all work, and one thing more that excludes a cycle kernel."""

    only_ours = True

    def __init__(self, name: str) -> None:
        super().__init__(2_000, guarded=False)
        self.name, self.kind = f"{name}_2000", name
        self.arguments, self.outputs = BESIDE[name]

    def yaml(self) -> str:
        text = super().yaml()
        if self.kind == "loops":
            text = text.replace("  check: u32\n", "  check: u32\n  looped: u32\n", 1) + LOOPING
        if self.kind == "clocks":
            text = text.replace("\nbuses:\n", "\ndomains: {fast: 1, slow: every 4 offset 1}\nbuses:\n  slowly: u32\n", 1)
            text += SLOW
        return text


class FromFiles(Design):
    """A design by hand: `mesh.yaml`, `mesh.v` and `mesh.hpp`, with one number set in each."""

    def __init__(self, file: str, name: str, items: int, number: str, value: int) -> None:
        self.file, self.name, self.items, self.number, self.value = file, name, items, number, value

    def text(self, ending: str) -> str:
        text = (HERE / f"{self.file}.{ending}").read_text()
        return text.replace(f"@{self.number}@", str(self.value))

    def yaml(self) -> str:
        return self.text("yaml")

    def verilog(self) -> str:
        return self.text("v")

    def loop(self) -> str:
        return f"#define {self.number.upper()} {self.value}\n" + self.text("hpp")


# New messages in a cycle, by percent of the routers that hold one: a message is on its way for 33 cycles.
TRAFFIC = {percent: round(64 * 64 * percent / 100 / 33) for percent in (1, 5, 20, 100)}


def designs(largest: int) -> list:
    found = [Processes(count, guarded) for guarded in (False, True) for count in (200, 2_000, 20_000)
             if count <= largest]
    found += [FromFiles("mesh", f"mesh_{percent}", 64 * 64, "traffic", value) for percent, value in TRAFFIC.items()]
    found.append(FromFiles("processors", "processors_5", 256, "groups", 20))
    return found + [Beside(name) for name in BESIDE if largest >= 2_000]
