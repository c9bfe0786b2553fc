# SPDX-License-Identifier: Apache-2.0
"""The processor of the models `cpu` and `pipeline`, as a programmer sees it: an assembler and an
instruction-level simulator. It knows nothing of cycles, microcode or stages.

Eight registers and 256 words of memory, 16 bits each. An instruction is one word:
    code(4) d(3) a(3) b(3) -(3)      or      code(4) d(3) a(3) offset(6)      or      code(4) d(3) number(9)
"""
from collections import namedtuple

FORMS = {  # name: code, operands
    "nop": (0, ""), "add": (1, "dab"), "sub": (2, "dab"), "and": (3, "dab"), "or": (4, "dab"), "xor": (5, "dab"),
    "shr": (6, "dab"), "addi": (7, "dao"), "li": (8, "dn"), "load": (9, "dao"), "store": (10, "dao"),
    "beq": (11, "dal"), "bne": (12, "dal"), "blt": (13, "dal"), "halt": (15, ""),
}
WORDS = 256
Step = namedtuple("Step", "pc name to value")  # to is None if no register is written


class Problem(Exception):
    pass


def _number(text, low, high, line):
    value = int(text, 0)
    if not low <= value <= high:
        raise Problem(f"line {line}: {text} is not in {low} ... {high}")
    return value


def _register(text, line):
    if text not in (f"r{k}" for k in range(8)):
        raise Problem(f"line {line}: '{text}' is no register")
    return int(text[1:])


def assemble(text):
    """Assembles 'label:', 'name operands', '.word n, n, ...'; '@ n': address; ';' starts a comment."""
    labels, items, at = {}, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split(";")[0].strip()
        if line.startswith("@"):
            at = _number(line[1:], 0, WORDS - 1, number)
        elif line.endswith(":"):
            labels[line[:-1].strip()] = at
        elif line.startswith(".word"):
            words = line[5:].split(",")
            items.append((number, at, ".word", words))
            at += len(words)
        elif line:
            name, _, rest = line.partition(" ")
            items.append((number, at, name, [operand.strip() for operand in rest.split(",") if operand.strip()]))
            at += 1
    image = [0] * WORDS
    for number, at, name, operands in items:
        if name == ".word":
            image[at:at + len(operands)] = [int(word, 0) & 0xFFFF for word in operands]
            continue
        code, form = FORMS[name]
        if len(operands) != len(form):
            raise Problem(f"line {number}: '{name}' takes {len(form)} operands")
        word = code << 12
        for kind, operand in zip(form, operands):
            if kind in "dab":
                word |= _register(operand, number) << {"d": 9, "a": 6, "b": 3}[kind]
            elif kind == "n":
                word |= _number(operand, 0, 511, number)
            else:
                value = labels[operand] - at - 1 if kind == "l" else int(operand, 0)
                word |= _number(str(value), -32, 31, number) & 63
        image[at] = word
    return image


def _signed(value, bits=16):
    return value - (1 << bits) if value >> (bits - 1) else value


def run(image, most=100_000):
    """Runs until halt. Returns the memory at the end and a Step for each instruction."""
    memory, registers, pc, steps = list(image), [0] * 8, 0, []
    names = {code: name for name, (code, _) in FORMS.items()}
    while len(steps) < most:
        word = memory[pc]
        name = names[word >> 12]
        d, a, b = word >> 9 & 7, word >> 6 & 7, word >> 3 & 7
        x, y, offset = registers[a], registers[b], _signed(word & 63, 6)
        value, follow = None, (pc + 1) % WORDS
        if name in ("add", "sub", "and", "or", "xor", "shr"):
            value = {"add": x + y, "sub": x - y, "and": x & y, "or": x | y, "xor": x ^ y, "shr": x >> y if y < 16 else 0}[name]
        elif name == "addi":
            value = x + offset
        elif name == "li":
            value = word & 511
        elif name == "load":
            value = memory[(x + offset) % WORDS]
        elif name == "store":
            memory[(x + offset) % WORDS] = registers[d]
        elif name in ("beq", "bne", "blt"):
            left, right = registers[d], x
            taken = {"beq": left == right, "bne": left != right, "blt": _signed(left) < _signed(right)}[name]
            follow = (pc + 1 + offset) % WORDS if taken else follow
        if value is not None:
            registers[d] = value & 0xFFFF
        steps.append(Step(pc, name, d if value is not None else None, registers[d] if value is not None else None))
        if name == "halt":
            return memory, steps
        pc = follow
    raise Problem(f"no halt after {most} instructions")


def hex_text(words, comment):
    rows = (" ".join(f"{word:04x}" for word in words[k:k + 8]) for k in range(0, len(words), 8))
    return f"// {comment}\n" + "".join(row + "\n" for row in rows)
