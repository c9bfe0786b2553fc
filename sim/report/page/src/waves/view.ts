// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from "@preact/signals";
import type { Model } from "../data/model";
import type { Radix } from "../data/values";
import type { Row } from "./rows";
import * as rowsOf from "./rows";

/** The cycles in a window; fractions are allowed. */
export interface Span {
  from: number;
  to: number;
}

/** The state of the viewer: its rows, window and cursor. */
export class View {
  readonly rows;
  readonly span;
  readonly cursor = signal<number | null>(null);
  readonly marker = signal<number | null>(null);
  readonly selected = signal<number | null>(null); // the id of a row
  readonly shown = computed(() => rowsOf.shownRows(this.rows.value));
  readonly limits: Span;

  constructor(readonly model: Model) {
    const { from, to } = model.report.waves;
    this.limits = { from, to: Math.max(to, from + 1) };
    this.rows = signal<readonly Row[]>(rowsOf.firstRows(model));
    this.span = signal<Span>({ from, to: Math.min(this.limits.to, from + 40) });
    if (model.report.ok) this.moveCursor(from);
    else this.goTo(this.limits.to - 1, 40);
  }

  selectedRow(): Row | undefined {
    return this.shown.value.find(({ row }) => row.id === this.selected.value)?.row;
  }

  /** Appends rows, except signals that are already present, and selects the first. */
  add(rows: Row[]): void {
    const fresh = rows.filter(
      (row) => row.signal === undefined || !rowsOf.holdsSignal(this.rows.value, row.signal),
    );
    this.rows.value = [...this.rows.value, ...fresh];
    const first = fresh[0] ?? this.rowOf(rows[0]?.signal);
    if (first) this.selected.value = first.id;
  }

  private rowOf(index: number | undefined): Row | undefined {
    return index === undefined
      ? undefined
      : this.shown.value.find(({ row }) => row.signal === index)?.row;
  }

  remove(id: number): void {
    const at = this.shown.value.findIndex(({ row }) => row.id === id);
    this.rows.value = rowsOf.changed(this.rows.value, id, () => null);
    const next = this.shown.value[Math.min(at, this.shown.value.length - 1)];
    this.selected.value = next ? next.row.id : null;
  }

  clear(): void {
    this.rows.value = [];
    this.selected.value = null;
  }

  move(id: number, by: number): void {
    this.rows.value = rowsOf.moved(this.rows.value, id, by);
  }

  toggle(id: number): void {
    this.rows.value = rowsOf.changed(this.rows.value, id, (row) => ({ ...row, open: !row.open }));
  }

  setRadix(id: number, radix: Radix): void {
    this.rows.value = rowsOf.changed(this.rows.value, id, (row) => rowsOf.withRadix(row, radix));
  }

  select(by: number): void {
    const rows = this.shown.value;
    const at = rows.findIndex(({ row }) => row.id === this.selected.value);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + by))];
    if (next) this.selected.value = next.row.id;
  }

  show(span: Span): void {
    const { from, to } = this.limits;
    const length = Math.max(2, Math.min(to - from, span.to - span.from));
    const begin = Math.max(from, Math.min(to - length, span.from));
    this.span.value = { from: begin, to: begin + length };
  }

  fit(): void {
    this.show(this.limits);
  }

  /** Zooms around the cursor if it is visible, else around the middle. */
  zoom(factor: number): void {
    const { from, to } = this.span.value;
    const cursor = this.cursor.value;
    const at = cursor !== null && cursor >= from && cursor <= to ? cursor : (from + to) / 2;
    this.show({ from: at - (at - from) * factor, to: at + (to - at) * factor });
  }

  pan(share: number): void {
    const { from, to } = this.span.value;
    const by = (to - from) * share;
    this.show({ from: from + by, to: to + by });
  }

  /** Moves the cursor to a cycle, and the window with it. */
  moveCursor(cycle: number): void {
    const { from, to } = this.limits;
    const at = Math.max(from, Math.min(to - 1, Math.floor(cycle)));
    this.cursor.value = at;
    const span = this.span.value;
    if (at + 1 <= span.from || at >= span.to) {
      const length = span.to - span.from;
      this.show({ from: at - length / 2, to: at + length / 2 });
    }
  }

  /** Moves the cursor to the next or previous change of the selected signal. */
  step(direction: 1 | -1): void {
    const row = this.selectedRow();
    const at = this.cursor.value ?? Math.floor(this.span.value.from);
    if (row?.signal === undefined) {
      this.moveCursor(at + direction);
      return;
    }
    const wave = this.model.wave(row.signal);
    const change = wave.at(direction > 0 ? at : at - 1) + (direction > 0 ? 1 : 0);
    if (change >= 0 && change < wave.size) this.moveCursor(wave.cycles[change] as number);
  }

  /** Shows the cycles around one, with the cursor at it. */
  goTo(cycle: number, length = 24): void {
    this.show({ from: cycle - length * 0.7, to: cycle + length * 0.3 });
    this.moveCursor(cycle);
  }
}
