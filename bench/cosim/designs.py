# SPDX-License-Identifier: Apache-2.0
"""What is verilated: each design as a network, and as a program around Verilator's model."""

from dataclasses import dataclass
from pathlib import Path

from support.measure import ROOT

HERE = Path(__file__).resolve().parent
RTL = ROOT / "hdl/rtl"
KEY = 0x000102030405060708090A0B0C0D0E0F
RING_NODES = 1000


@dataclass
class Design:
    """A module, the network around it, and what its driver does."""

    name: str
    top: str
    sources: list
    network: str                # YAML; FILES stands for the sources
    parameters: dict
    connect: str                # C++ of the driver, run in each cycle
    check: str                  # C++ of the driver: the number to print
    record: str                 # the same number in the network
    begin: str = ""             # C++, before the reset
    has_reset: bool = True
    compared: int = 200         # the cycle in which both sides must show the same value
    known: int | None = None    # the expected value, if known

    def yaml(self, rows: str = "") -> str:
        """The network; with the name of a file, every value of `record` goes there."""
        files = ", ".join(str(source) for source in self.sources)
        recorded = f"outputs:\n  {rows}:\n    record: {self.record}\n" if rows else ""
        return self.network.replace("FILES", files) + recorded


def aes(cores: int = 1) -> Design:
    key = " ".join(f"design->key[{k}] = 0x{KEY >> (32 * k) & 0xffffffff:08x}u;" for k in range(4))
    return Design(
        name="aes", top="aes_feedback",
        sources=[HERE / "verilog/aes_feedback.v",
                 *(RTL / f"{name}.v" for name in ("aes", "aes_mode", "aes_cipher", "aes_sbox"))],
        network=f"""network: aes
buses:
  text[{cores}]: u128
processes:
  core[k < {cores}]:
    verilog: {{files: [FILES], top: aes_feedback, reset: rst}}
    in:
      key: u128(0x{KEY:032x})
      text: text[k]
    out:
      result: text[k]
""",
        parameters={}, begin=key,
        connect="for (int k = 0; k < 4; ++k) design->text[k] = design->result[k];",
        check="design->result[0]", record="u32(text[0])")


def ring() -> Design:
    verilog = ROOT / "bench/ring/verilator"
    return Design(
        name="ring", top="ring", sources=[verilog / "ring.v", verilog / "ring_node.v"],
        network=f"""network: ring
buses:
  token: u32
processes:
  ring:
    verilog: {{files: [FILES], top: ring, parameters: {{NODES: {RING_NODES}}}}}
    out: token
""",
        parameters={"NODES": RING_NODES}, connect="", check="design->token", record="token",
        has_reset=False)


def fifo() -> Design:
    """A small module with its drivers: in YAML, and in C++ in the loop."""
    return Design(
        name="fifo", top="fifo", sources=[RTL / "fifo.v"],
        network="""network: fifo
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
buses:
  x: Stream(u32)
  y: Stream(u32)
  sum: hold u32
processes:
  source:
    out: x
    state:
      n: u32
    step:
      n: n + 1 when x.ready
      x.valid: true
      x.data: n
  queue:
    verilog: {files: [FILES], top: fifo, parameters: {width: 32}, reset: rst}
    in: x
    out: y
  sink:
    in: y
    out: sum
    state:
      k: u2
    step:
      k: k + 1
      y.ready: k != 2
      sum: sum + y.data when y.valid and y.ready
""",
        parameters={"width": 32}, begin="uint32_t n = 0, sum = 0, k = 0; design->x_valid = 1;",
        connect="design->x_data = n; design->y_ready = k != 2; n += design->x_ready; "
                "if (design->y_valid && design->y_ready) sum += design->y_data; k = (k + 1) & 3;",
        check="sum", record="sum")


def processor() -> Design:
    """A processor beside its memory, in YAML and in C++ in the loop: it counts primes over and over."""
    program = HERE / "programs/primes.hex"
    return Design(
        name="rv32", top="rv32", sources=[HERE / "verilog/rv32.v"],
        network=f"""network: rv32
parameters:
  program: file = {program}
buses:
  valid: bool
  address: u32
  data: u32
  strobe: u4
  ready: bool
  word: u32
  found: hold u32
processes:
  core:
    verilog: {{files: [FILES], top: rv32, reset: rst}}
    in: {{mem_ready: ready, mem_rdata: word}}
    out: {{mem_valid: valid, mem_addr: address, mem_wdata: data, mem_wstrb: strobe}}
  memory:
    in: [valid, address, data, strobe]
    out: [ready, word, found]
    state:
      ram: u32[1024] = file(program)
    let:
      begins: valid and not ready
      stores: begins and strobe != 0
      place: u10(address >> 2)
      mask: cat(k < 32, strobe[k / 8])
    step:
      ready: begins
      word: ram[place]
      ram[place]: (ram[place] & ~mask) | (data & mask) when stores and not address[17]
      found: data when stores and address[17]
""",
        parameters={},
        begin=f'static uint32_t ram[1024]; unsigned next = 0; std::FILE* const file = std::fopen("{program}", "r"); '
              "for (int k = 0; file && std::fscanf(file, \"%x\", &next) == 1; ++k) ram[k] = next; "
              "uint32_t word = 0, found = 0; bool ready = false;",
        connect="design->mem_ready = ready; design->mem_rdata = word; ready = design->mem_valid && !ready; "
                "uint32_t& place = ram[design->mem_addr >> 2 & 1023]; word = place; "
                "if (ready && design->mem_wstrb) { "
                "const uint32_t mask = (design->mem_wstrb * 0x00204081u & 0x01010101u) * 0xffu; "
                "if (design->mem_addr >> 17 & 1) found = design->mem_wdata; "
                "else place = (place & ~mask) | (design->mem_wdata & mask); }",
        check="found", record="found", compared=20_000, known=25)


def ports(count: int, folder: Path) -> Design:
    """`count` inputs and as many outputs of 32 bits, each output the next input plus one."""
    text = (HERE / "verilog/ports.v").read_text()
    lines = {
        "@INPUTS@": [f"    input  wire [31:0] x{k}," for k in range(count)],
        "@OUTPUTS@": [f"    output reg  [31:0] y{k}," for k in range(count)],
        "@STEPS@": [f"        y{k} <= rst ? 32'd{k} : x{k} + 32'd1;" for k in range(count)],
    }
    for mark, made in lines.items():
        text = text.replace(mark, "\n".join(made))
    path = folder / f"ports{count}.v"
    path.write_text(text)
    bound = "\n".join(f"      x{k}: bus{(k + 1) % count}" for k in range(count))
    written = "\n".join(f"      y{k}: bus{k}" for k in range(count))
    buses = "\n".join(f"  bus{k}: u32" for k in range(count))
    connect = " ".join(f"design->x{k} = design->y{(k + 1) % count};" for k in range(count))
    return Design(
        name=f"ports{count}", top="ports", sources=[path],
        network=f"""network: ports
buses:
{buses}
processes:
  ports:
    verilog: {{files: [FILES], top: ports, reset: rst}}
    in:
{bound}
      unused: 0
    out:
{written}
""",
        parameters={}, begin="design->unused = 0;", connect=connect, check="design->y0",
        record="bus0")
