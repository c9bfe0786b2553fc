// SPDX-License-Identifier: Apache-2.0
import type { SignalEntry } from "./report";

/** A level of names: "fifo" in "stage[3].fifo.token", or the member "[3]" of a family. */
export interface Branch {
  label: string;
  path: string; // from the top
  signal?: number; // if the branch itself is a signal
  branches: Map<string, Branch>;
  count: number; // number of signals in it
}

const part = /\.?[^.[]+|\.?\[[^\]]*\]/g;

/** The parts of a name, each with its leading dot: "stage", "[3]", ".fifo". */
export function partsOf(name: string): string[] {
  return name.match(part) ?? [name];
}

/** The hierarchy of all names. */
export function treeOf(signals: SignalEntry[]): Branch {
  const top: Branch = { label: "", path: "", branches: new Map(), count: 0 };
  signals.forEach((signal, index) => {
    let at = top;
    at.count++;
    for (const each of partsOf(signal.name)) {
      let next = at.branches.get(each);
      if (!next) {
        const label = each.startsWith(".") ? each.slice(1) : each;
        next = { label, path: at.path + each, branches: new Map(), count: 0 };
        at.branches.set(each, next);
      }
      next.count++;
      at = next;
    }
    at.signal = index;
  });
  return top;
}

/** The branch of a path: a signal or a level of names. */
export function find(top: Branch, path: string): Branch | undefined {
  let at: Branch | undefined = top;
  for (const each of partsOf(path)) at = at?.branches.get(each);
  return at;
}

/** The signals of a branch in order, at most `most`. */
export function signalsOf(branch: Branch, most: number): number[] {
  const found: number[] = [];
  const visit = (at: Branch) => {
    if (found.length >= most) return;
    if (at.signal !== undefined) found.push(at.signal);
    for (const each of at.branches.values()) visit(each);
  };
  visit(branch);
  return found;
}
