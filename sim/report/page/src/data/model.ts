// SPDX-License-Identifier: Apache-2.0
import { fromBase64, inflate } from "./bytes";
import type { Report, SignalEntry, SignalType } from "./report";
import { type Branch, treeOf } from "./tree";
import { Wave } from "./wave";

/** A report with its waves, which are read on demand. */
export class Model {
  readonly tree: Branch;
  private readonly offsets: number[] = [];
  private readonly waves = new Map<number, Wave>();
  private readonly names = new Map<string, number>();

  constructor(
    readonly report: Report,
    private readonly bytes: Uint8Array,
  ) {
    let offset = 0;
    report.waves.signals.forEach((signal, index) => {
      this.offsets.push(offset);
      offset += signal.bytes;
      this.names.set(signal.name, index);
    });
    const shown = report.waves.signals.slice(0, report.waves.signals.length - this.fills());
    this.tree = treeOf(shown);
  }

  /** The last signals are those of channels, which are not in the tree. */
  private fills(): number {
    return this.report.channels?.length ?? 0;
  }

  signal(index: number): SignalEntry {
    return this.report.waves.signals[index] as SignalEntry;
  }

  type(index: number): SignalType {
    return this.report.waves.types[this.signal(index).type] as SignalType;
  }

  named(name: string): number | undefined {
    return this.names.get(name);
  }

  wave(index: number): Wave {
    let made = this.waves.get(index);
    if (!made) {
      const offset = this.offsets[index] as number;
      made = Wave.read(this.bytes, offset, this.signal(index), this.type(index));
      this.waves.set(index, made);
    }
    return made;
  }
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

/** Reads the data in the page. */
export async function load(): Promise<Model> {
  const report = JSON.parse(textOf("sme-report")) as Report;
  if (report.format !== "sme report 1") throw new Error(`unknown format '${report.format}'`);
  return new Model(report, await inflate(fromBase64(textOf("sme-waves"))));
}
