// SPDX-License-Identifier: Apache-2.0
import type { Model } from "../data/model";
import { type Branch, find, signalsOf } from "../data/tree";
import type { Radix } from "../data/values";

/** A line of the viewer: a signal, a clock, or a group of lines. */
export interface Row {
  readonly id: number;
  readonly label: string;
  readonly signal?: number;
  readonly clock?: number;
  readonly radix: Radix;
  readonly open: boolean; // for a group: its lines are visible
  readonly rows: readonly Row[];
}

export interface ShownRow {
  row: Row;
  depth: number;
}

let nextId = 1;

export function signalRow(signal: number, label: string): Row {
  return { id: nextId++, label, signal, radix: "auto", open: false, rows: [] };
}

export function clockRow(clock: number, label: string): Row {
  return { id: nextId++, label, clock, radix: "auto", open: false, rows: [] };
}

export function groupRow(label: string, rows: Row[], open = true): Row {
  return { id: nextId++, label, radix: "auto", open, rows };
}

export const mostOfGroup = 1000; // limit of signals added at once

/** The line of a signal, or a group for a level of names. */
export function rowOf(branch: Branch, label = branch.path, budget = { left: mostOfGroup }): Row {
  if (branch.signal !== undefined && branch.branches.size === 0) {
    budget.left--;
    return signalRow(branch.signal, label);
  }
  const rows: Row[] = [];
  if (branch.signal !== undefined) rows.push(signalRow(branch.signal, branch.label));
  for (const each of branch.branches.values()) {
    if (budget.left <= 0) break;
    rows.push(rowOf(each, each.label, budget));
  }
  return groupRow(label, rows);
}

const mostAtFirst = 60;

/** The initial rows: the clocks and the first buses, structs as groups. */
export function firstRows(model: Model): Row[] {
  const rows = model.report.waves.clocks.map((clock, k) => clockRow(k, clock.name));
  let left = mostAtFirst;
  for (const branch of model.tree.branches.values()) {
    if (left <= 0) break;
    if (branch.count > left && rows.length > model.report.waves.clocks.length) continue;
    const budget = { left };
    rows.push(rowOf(branch, branch.path, budget));
    left = budget.left;
  }
  return rows;
}

/** The rows of these names, each a signal or a level of names. */
export function rowsNamed(model: Model, names: string[]): Row[] {
  const found = names.map((name) => find(model.tree, name));
  return found.filter((branch) => branch !== undefined).map((branch) => rowOf(branch));
}

/** All visible lines, with their depth. */
export function shownRows(rows: readonly Row[], depth = 0, into: ShownRow[] = []): ShownRow[] {
  for (const row of rows) {
    into.push({ row, depth });
    if (row.open) shownRows(row.rows, depth + 1, into);
  }
  return into;
}

/** The rows with one changed; null removes it. Also removes a group without lines. */
export function changed(
  rows: readonly Row[],
  id: number,
  change: (row: Row) => Row | null,
): readonly Row[] {
  const made: Row[] = [];
  for (const row of rows) {
    if (row.id === id) {
      const other = change(row);
      if (other) made.push(other);
    } else if (row.rows.length > 0) {
      const inner = changed(row.rows, id, change);
      if (inner.length > 0) made.push(inner === row.rows ? row : { ...row, rows: inner });
    } else made.push(row);
  }
  return made;
}

/** The rows with one moved before or after its neighbour within its group. */
export function moved(rows: readonly Row[], id: number, by: number): readonly Row[] {
  const at = rows.findIndex((row) => row.id === id);
  if (at < 0)
    return rows.map((row) =>
      row.rows.length > 0 ? { ...row, rows: moved(row.rows, id, by) } : row,
    );
  const to = Math.max(0, Math.min(rows.length - 1, at + by));
  const made = [...rows];
  made.splice(to, 0, ...made.splice(at, 1));
  return made;
}

/** Sets the radix of a line, or of all lines of a group. */
export function withRadix(row: Row, radix: Radix): Row {
  return { ...row, radix, rows: row.rows.map((each) => withRadix(each, radix)) };
}

export function holdsSignal(rows: readonly Row[], signal: number): boolean {
  return rows.some((row) => row.signal === signal || holdsSignal(row.rows, signal));
}

/** The names that contain all words of a search, ignoring case; `more`: there are others. */
export function search(
  model: Model,
  text: string,
  most: number,
): { found: number[]; more: boolean } {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: number[] = [];
  for (const signal of signalsOf(model.tree, Number.POSITIVE_INFINITY)) {
    const name = model.signal(signal).name.toLowerCase();
    if (!words.every((word) => name.includes(word))) continue;
    if (found.length === most) return { found, more: true };
    found.push(signal);
  }
  return { found, more: false };
}
