// SPDX-License-Identifier: Apache-2.0
import { radixes } from "../data/values";
import type { View } from "./view";

/** Descriptions of the keys, for help. */
export const keyTexts: [string, string][] = [
  ["← →", "move the cursor by a cycle"],
  ["n p", "next and previous change of the selected signal"],
  ["+ −", "zoom, as Ctrl and the wheel"],
  ["Shift+← Shift+→", "pan, as dragging and Shift and the wheel"],
  ["f, Home, End", "all cycles, the first, the last"],
  ["m", "marker at the cursor"],
  ["↑ ↓", "select a signal"],
  ["Alt+↑ Alt+↓", "move it up or down, as dragging its name"],
  ["r", "its next radix"],
  ["Enter", "fold or unfold a group"],
  ["Delete", "remove it"],
];

function ofCursor(view: View, by: number): void {
  view.moveCursor((view.cursor.value ?? Math.floor(view.span.value.from) - by) + by);
}

function ofRow(view: View, key: string): boolean {
  const row = view.selectedRow();
  if (!row) return false;
  if (key === "Delete" || key === "Backspace") view.remove(row.id);
  else if (key === "Enter" || key === " ") view.toggle(row.id);
  else if (key === "r") {
    const next = radixes[(radixes.indexOf(row.radix) + 1) % radixes.length] ?? "auto";
    view.setRadix(row.id, next);
  } else return false;
  return true;
}

/** Carries out the command of a key; false if the key has none. */
export function press(view: View, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  const row = view.selectedRow();
  switch (event.key) {
    case "ArrowLeft":
      event.shiftKey ? view.pan(-0.25) : ofCursor(view, -1);
      return true;
    case "ArrowRight":
      event.shiftKey ? view.pan(0.25) : ofCursor(view, 1);
      return true;
    case "ArrowUp":
    case "ArrowDown": {
      const by = event.key === "ArrowUp" ? -1 : 1;
      event.altKey && row ? view.move(row.id, by) : view.select(by);
      return true;
    }
    case "Home":
      view.moveCursor(view.limits.from);
      return true;
    case "End":
      view.moveCursor(view.limits.to - 1);
      return true;
    case "+":
    case "=":
      view.zoom(0.5);
      return true;
    case "-":
      view.zoom(2);
      return true;
    case "f":
      view.fit();
      return true;
    case "n":
      view.step(1);
      return true;
    case "p":
      view.step(-1);
      return true;
    case "m":
      view.marker.value = view.cursor.value;
      return true;
    default:
      return ofRow(view, event.key);
  }
}
