// SPDX-License-Identifier: Apache-2.0
import { Reader } from "./bytes";
import type { SignalEntry, SignalType } from "./report";

/** A value as unsigned bits; undefined if the signal has no value. */
export type Bits = number | bigint | undefined;

/** The changes of a signal in time order; each holds until the next. */
export class Wave {
  private constructor(
    readonly cycles: Float64Array,
    private readonly values: Uint32Array | bigint[],
    private readonly unknown: Uint8Array | null,
  ) {}

  get size(): number {
    return this.cycles.length;
  }

  /** The index of the last change at or before a cycle, at least `from`; -1 if absent. */
  at(cycle: number, from = 0): number {
    let low = from - 1; // at or before the cycle, or absent
    let high = this.cycles.length; // after the cycle
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.cycles[middle] as number) <= cycle) low = middle;
      else high = middle;
    }
    return low;
  }

  bits(change: number): Bits {
    if (change < 0 || this.unknown?.[change]) return undefined;
    return this.values[change];
  }

  /** Reads `changes` changes from an offset; see sim/report/README.md. */
  static read(bytes: Uint8Array, offset: number, entry: SignalEntry, type: SignalType): Wave {
    const reader = new Reader(bytes, offset);
    const cycles = new Float64Array(entry.changes);
    const small = type.width <= 32;
    const values = small ? new Uint32Array(entry.changes) : new Array<bigint>(entry.changes);
    let unknown: Uint8Array | null = null;
    let cycle = 0;
    for (let k = 0; k < entry.changes; k++) {
      const step = reader.number();
      const isUnknown = step % 2 === 1;
      cycle += (step - (isUnknown ? 1 : 0)) / 2;
      cycles[k] = cycle;
      if (isUnknown) {
        unknown ??= new Uint8Array(entry.changes);
        unknown[k] = 1;
        if (!small) values[k] = 0n;
      } else values[k] = small ? reader.number() : reader.big();
    }
    return new Wave(cycles, values, unknown);
  }
}
