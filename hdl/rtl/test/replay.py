# SPDX-License-Identifier: Apache-2.0
"""What a YAML process read and wrote, cycle by cycle, as a bench in Verilog for its counterpart.

A case of modules.toml names a network, and for each port of the module the signals of the trace
that it is made of, the leftmost first; `job.key[15:0]` stands for job.key[15] to job.key[0].
"""

import re
import tempfile
from pathlib import Path


def read_vcd(path):
    """Returns the widths of all signals, and the text of the value changes."""
    scopes, signals = [], {}
    text = path.read_text()
    head, _, body = text.partition("$enddefinitions $end")
    for kind, words in re.findall(r"\$(scope|upscope|var)\b(.*?)\$end", head, re.DOTALL):
        words = words.split()
        if kind == "scope":
            scopes.append(words[1])
        elif kind == "upscope":
            scopes.pop()
        else:
            signals[".".join(scopes[1:] + [words[3]])] = (words[2], int(words[1]))
    return signals, body


def cycles(body):
    """Yields the values (identifier → bits) of each cycle run, without those after the last one."""
    values, period, time = {}, 10, None
    for line in body.splitlines():
        if line.startswith("#"):
            if time is not None and time % period == 0:
                yield dict(values)
            time = int(line[1:])
        elif line.startswith(("0", "1")):
            values[line[1:]] = line[0]
        elif line.startswith("b"):
            bits, identifier = line[1:].split()
            values[identifier] = bits


def spelled(text, signals):
    """Yields the trace's (identifier, width) of the signals of a port."""
    for name in text.split():
        ranged = re.fullmatch(r"(.+)\[(\d+):(\d+)\]", name)
        names = [name]
        if ranged:
            high, low = int(ranged[2]), int(ranged[3])
            names = [f"{ranged[1]}_{k}" for k in range(high, low - 1, -1)]
        for one in names:
            if one not in signals:
                raise KeyError(f"no '{one}' in the trace; there are {' '.join(sorted(signals))}")
            yield signals[one]


def ports_of(case, signals):
    """Returns (name, [(identifier, width)], width) for input ports, and for output ports."""
    def of(table):
        for port, text in table.items():
            parts = list(spelled(text, signals))
            yield port, parts, sum(width for _, width in parts)
    return list(of(case["in"])), list(of(case["out"]))


def recorded(case, sme, root, run):
    """Runs the network: (input ports, output ports, a row of bits per cycle, inputs leftmost)."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "run.vcd"
        run([sme, "run", root / case["network"], "--trace", trace]
            + case.get("arguments", []), folder)
        signals, body = read_vcd(trace)
    inputs, outputs = ports_of(case, signals)
    parts = [part for _, parts, _ in inputs + outputs for part in parts]
    rows = ["".join(values[identifier].rjust(width, "0") for identifier, width in parts)
            for values in cycles(body)]
    if len(rows) < 10:
        raise ValueError(f"{case['network']} ran {len(rows)} cycles only")
    return inputs, outputs, rows


BENCH = """// A run of {network}, again.
module replay;
    reg clk = 0, rst = 1;
    reg [{width}-1:0] row, rows [0:{count}-1];
{wires}
    {name} #({parameters}) dut (.clk(clk), .rst(rst){connections});
    integer t, failures = 0;
    initial begin
        $readmemb("{file}", rows);
        row = rows[0];
        repeat (2) begin #5 clk = 1; #5 clk = 0; end
        rst = 0;
        for (t = 0; t < {count}; t = t + 1) begin
            row = rows[t];
            #4;
            if ({actual} !== row[{outputs}-1:0] && failures < 3) begin
                $display("failed: in cycle %0d the outputs are %h, not %h", t, {actual},
                         row[{outputs}-1:0]);
                failures = failures + 1;
            end
            #1 clk = 1;
            #5 clk = 0;
        end
        if (failures == 0)
            $display("passed: {count} cycles of {network}");
    end
endmodule
"""


def write_bench(name, case, recording, folder):
    """Writes the bench `replay`, and its rows."""
    inputs, outputs, rows = recording
    (folder / "rows.txt").write_text("\n".join(rows) + "\n")
    connections, low = "", len(rows[0])
    for port, _, width in inputs:
        low -= width
        connections += f", .{port}(row[{low + width - 1}:{low}])"
    connections += "".join(f", .{port}({port})" for port, _, _ in outputs)
    parameters = case.get("parameters", {})
    text = BENCH.format(
        network=case["network"], name=name, file=folder / "rows.txt", width=len(rows[0]),
        count=len(rows), connections=connections, outputs=sum(width for _, _, width in outputs),
        wires="".join(f"    wire [{width - 1}:0] {port};\n" for port, _, width in outputs),
        parameters=", ".join(f".{key}({value})" for key, value in parameters.items()),
        actual="{" + ", ".join(port for port, _, _ in outputs) + "}")
    file = folder / "replay.v"
    file.write_text(text)
    return file
