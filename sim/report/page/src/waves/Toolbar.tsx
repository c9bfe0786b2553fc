// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import { type Radix, radixes, radixTexts } from "../data/values";
import type { View } from "./view";

function Tool({
  name,
  keys,
  sign,
  act,
}: {
  name: string;
  keys: string;
  sign: string;
  act: () => void;
}) {
  return (
    <button type="button" title={`${name} (${keys})`} aria-label={name} onClick={act}>
      {sign}
    </button>
  );
}

function time(cycles: number, period_ps: number): string {
  const ps = cycles * period_ps;
  for (const [unit, size] of [
    ["s", 1e12],
    ["ms", 1e9],
    ["µs", 1e6],
    ["ns", 1e3],
  ] as const)
    if (Math.abs(ps) >= size) return `${+(ps / size).toPrecision(6)} ${unit}`;
  return `${ps} ps`;
}

/** A field that shows the cursor position, and moves the cursor. */
function CursorField({ view }: { view: View }) {
  const [typed, setTyped] = useState<string | null>(null);
  const { cursor, marker } = view;
  const go = (text: string) => {
    const cycle = Number.parseInt(text, 10);
    if (Number.isFinite(cycle)) view.goTo(cycle, view.span.value.to - view.span.value.from);
    setTyped(null);
  };
  const period = view.model.report.waves.period_ps;
  return (
    <span class="cursor-field">
      <label>
        cycle{" "}
        <input
          inputMode="numeric"
          size={8}
          aria-label="Cycle of the cursor"
          value={typed ?? cursor.value ?? ""}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => go(event.currentTarget.value)}
        />
      </label>
      {cursor.value !== null && <small>{time(cursor.value, period)}</small>}
      {cursor.value !== null && marker.value !== null && (
        <small class="delta">
          {cursor.value - marker.value} cycles from the marker,{" "}
          {time(cursor.value - marker.value, period)}
        </small>
      )}
    </span>
  );
}

/** Commands for the window and the selected row. */
export function Toolbar({ view }: { view: View }) {
  const row = view.selectedRow();
  return (
    <div class="toolbar" role="toolbar" aria-label="Waveform">
      <Tool name="Zoom in" keys="+" sign="+" act={() => view.zoom(0.5)} />
      <Tool name="Zoom out" keys="−" sign="−" act={() => view.zoom(2)} />
      <Tool name="Show all" keys="f" sign="↔" act={() => view.fit()} />
      <Tool name="Pan left" keys="Shift+←" sign="«" act={() => view.pan(-0.5)} />
      <Tool name="Pan right" keys="Shift+→" sign="»" act={() => view.pan(0.5)} />
      <Tool name="Previous change" keys="p" sign="⇤" act={() => view.step(-1)} />
      <Tool name="Next change" keys="n" sign="⇥" act={() => view.step(1)} />
      <Tool
        name="Set the marker at the cursor"
        keys="m"
        sign="⚑"
        act={() => {
          view.marker.value = view.cursor.value;
        }}
      />
      <CursorField view={view} />
      <span class="of-row">
        <select
          aria-label="Radix of the selected signal"
          disabled={!row || row.clock !== undefined}
          value={row?.radix ?? "auto"}
          onChange={(event) => row && view.setRadix(row.id, event.currentTarget.value as Radix)}
        >
          {radixes.map((radix) => (
            <option key={radix} value={radix}>
              {radixTexts[radix]}
            </option>
          ))}
        </select>
        {row && (
          <>
            <Tool name="Move up" keys="Alt+↑" sign="▲" act={() => view.move(row.id, -1)} />
            <Tool name="Move down" keys="Alt+↓" sign="▼" act={() => view.move(row.id, 1)} />
            <Tool name="Remove" keys="Delete" sign="✕" act={() => view.remove(row.id)} />
          </>
        )}
        <button type="button" onClick={() => view.clear()}>
          Remove all
        </button>
      </span>
    </div>
  );
}
