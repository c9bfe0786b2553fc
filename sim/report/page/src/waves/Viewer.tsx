// SPDX-License-Identifier: Apache-2.0
import { effect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { onColours } from "../colours";
import { valueText } from "../data/values";
import { type Colours, coloursOf } from "./draw";
import { Finder } from "./Finder";
import { keyTexts, press } from "./keys";
import type { Row, ShownRow } from "./rows";
import { axisHeight, drawScene, rowHeight } from "./scene";
import { Toolbar } from "./Toolbar";
import type { View } from "./view";
import { zoomable } from "./zoom";

/** The value of a row at the cursor. */
function valueAt(view: View, row: Row): string {
  const cursor = view.cursor.value;
  if (cursor === null || row.signal === undefined) return "";
  const wave = view.model.wave(row.signal);
  return valueText(wave.bits(wave.at(cursor)), view.model.type(row.signal), row.radix);
}

/** Drags a row by its name. */
function startDrag(view: View, row: Row, down: PointerEvent): void {
  view.selected.value = row.id;
  let y = down.clientY;
  const move = (event: PointerEvent) => {
    while (Math.abs(event.clientY - y) > rowHeight * 0.75) {
      const by = event.clientY > y ? 1 : -1;
      view.move(row.id, by);
      y += by * rowHeight;
    }
  };
  const end = () => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", end);
    window.removeEventListener("pointercancel", end);
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}

function Name({
  view,
  shown,
  at,
  count,
}: {
  view: View;
  shown: ShownRow;
  at: number;
  count: number;
}) {
  const { row, depth } = shown;
  const isGroup = row.rows.length > 0;
  const value = valueAt(view, row);
  const full = row.signal === undefined ? row.label : view.model.signal(row.signal).name;
  return (
    <div
      class={`row ${row.id === view.selected.value ? "selected" : ""}`}
      style={{ top: `${axisHeight + at * rowHeight}px`, height: `${rowHeight}px` }}
      id={`row-${row.id}`}
      role="option"
      tabIndex={-1}
      aria-selected={row.id === view.selected.value}
      aria-setsize={count}
      aria-posinset={at + 1}
      aria-label={value ? `${full} is ${value}` : full}
      data-signal={row.signal === undefined ? undefined : full}
      title={full}
      onPointerDown={(event) => startDrag(view, row, event)}
    >
      <span class="label" style={{ paddingLeft: `${depth * 12 + 4}px` }}>
        {isGroup && (
          <button
            type="button"
            class="fold"
            tabIndex={-1}
            aria-label={`${row.open ? "Fold" : "Unfold"} ${row.label}`}
            onClick={() => view.toggle(row.id)}
          >
            {row.open ? "▾" : "▸"}
          </button>
        )}
        {row.label}
      </span>
      <span class="value">{value}</span>
    </div>
  );
}

/** The visible rows, and a canvas for their waves. */
function Stage({ view }: { view: View }) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const colours = useRef<Colours | null>(null);
  const rows = view.shown.value;
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - 5);
  const seen = rows.slice(first, first + Math.ceil(size.height / rowHeight) + 10);

  useEffect(() => {
    const area = canvas.current;
    const box = scroller.current;
    if (!area || !box) return;
    const measure = () => setSize({ width: area.clientWidth, height: box.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    measure();
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const area = canvas.current;
    if (!area) return;
    let frame = 0;
    const draw = () => {
      colours.current ??= coloursOf(area);
      const { model } = view;
      const [cursor, marker, selected] = [
        view.cursor.value,
        view.marker.value,
        view.selected.value,
      ];
      const scene = {
        model,
        rows: view.shown.value,
        span: view.span.value,
        scrolled,
        cursor,
        marker,
        selected,
      };
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        if (colours.current) drawScene(area, scene, size.width, size.height, colours.current);
      });
    };
    const stop = effect(draw);
    const stopColours = onColours(() => {
      colours.current = null;
      draw();
    });
    return () => {
      stop();
      stopColours();
      cancelAnimationFrame(frame);
    };
  }, [view, scrolled, size]);

  useEffect(() => {
    const area = canvas.current;
    if (!area) return;
    const zooming = zoomable(area, {
      limits: view.limits,
      current: () => view.span.peek(),
      show: (span) => view.show(span),
      pan: (share) => view.pan(share),
    });
    const stop = effect(() => {
      view.span.value;
      zooming.update(size.width);
    });
    return () => {
      stop();
      zooming.stop();
    };
  }, [view, size]);

  useEffect(() => {
    const box = scroller.current;
    const at = view.shown.peek().findIndex(({ row }) => row.id === view.selected.value);
    if (!box || at < 0) return;
    const top = at * rowHeight;
    const room = box.clientHeight - axisHeight - rowHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + room) box.scrollTop = top - room;
  }, [view, view.selected.value]);

  const click = (event: MouseEvent) => {
    const { from, to } = view.span.value;
    const at = from + (event.offsetX / Math.max(size.width, 1)) * (to - from);
    view.moveCursor(at);
    const row = rows[Math.floor((event.offsetY - axisHeight + scrolled) / rowHeight)];
    if (row && event.offsetY > axisHeight) view.selected.value = row.row.id;
  };
  return (
    <div
      class="scroller"
      ref={scroller}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
    >
      <div class="sheet" style={{ height: `${axisHeight + rows.length * rowHeight}px` }}>
        <div
          class="names"
          role="listbox"
          tabIndex={0}
          aria-label="Signals"
          aria-activedescendant={
            view.selected.value === null ? undefined : `row-${view.selected.value}`
          }
          onKeyDown={(event) => {
            if (press(view, event)) event.preventDefault();
          }}
        >
          {seen.map((shown, k) => (
            <Name key={shown.row.id} view={view} shown={shown} at={first + k} count={rows.length} />
          ))}
        </div>
        <canvas
          ref={canvas}
          class="canvas"
          style={{ height: `${size.height}px` }}
          tabIndex={0}
          aria-label="Waves; the values at the cursor stand beside the names"
          onClick={click}
          onKeyDown={(event) => {
            if (press(view, event)) event.preventDefault();
          }}
        />
      </div>
    </div>
  );
}

/** The waveform viewer. */
export function Viewer({ view }: { view: View }) {
  const { waves } = view.model.report;
  return (
    <div class="waves">
      {waves.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <Toolbar view={view} />
      <div class="wave-body">
        <Finder view={view} />
        <Stage view={view} />
      </div>
      <details class="keys">
        <summary>Keys</summary>
        <dl>
          {keyTexts.map(([keys, text]) => (
            <div key={keys}>
              <dt>{keys}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
