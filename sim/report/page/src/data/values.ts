// SPDX-License-Identifier: Apache-2.0
import type { SignalType } from "./report";
import type { Bits } from "./wave";

export const radixes = ["auto", "bin", "hex", "dec", "signed"] as const;
/** The format of a value; auto: as in traces, with the names of members. */
export type Radix = (typeof radixes)[number];

export const radixTexts: Record<Radix, string> = {
  auto: "as declared",
  bin: "binary",
  hex: "hexadecimal",
  dec: "decimal",
  signed: "signed",
};

function digits(bits: number | bigint, base: 2 | 16, width: number): string {
  return bits.toString(base).padStart(base === 2 ? width : Math.ceil(width / 4), "0");
}

function signed(bits: number | bigint, width: number): string {
  return BigInt.asIntN(width, BigInt(bits)).toString();
}

/** A fixed-point number as an exact decimal: "-0.125", "3.0". */
function fixed(units: bigint, fraction: number): string {
  const all = ((units < 0n ? -units : units) * 5n ** BigInt(fraction)).toString();
  const text = all.padStart(fraction + 1, "0");
  const whole = text.slice(0, text.length - fraction);
  const places = text.slice(text.length - fraction).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}.${places === "" ? "0" : places}`;
}

function declared(bits: number | bigint, type: SignalType): string {
  if (type.fraction !== undefined) {
    const plain = BigInt(bits);
    return fixed(type.kind === "signed" ? BigInt.asIntN(type.width, plain) : plain, type.fraction);
  }
  if (type.kind === "signed") return signed(bits, type.width);
  if (type.width > 64) return `0x${digits(bits, 16, type.width)}`;
  const decimal = bits.toString();
  if (type.kind === "enum")
    return type.members?.find(([value]) => value === decimal)?.[1] ?? decimal;
  return decimal;
}

/** Formats a value; "x" if undefined. */
export function valueText(bits: Bits, type: SignalType, radix: Radix): string {
  if (bits === undefined) return "x";
  switch (radix) {
    case "auto":
      return declared(bits, type);
    case "bin":
      return digits(bits, 2, type.width);
    case "hex":
      return digits(bits, 16, type.width);
    case "dec":
      return bits.toString();
    case "signed":
      return signed(bits, type.width);
  }
}
