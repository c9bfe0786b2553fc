// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { showTab } from "../App";
import { onColours } from "../colours";
import type { Model } from "../data/model";
import type { Outcome } from "../data/report";
import { coloursOf } from "../waves/draw";
import { groupRow, type Row, signalRow } from "../waves/rows";
import { axisHeight, drawScene, rowHeight } from "../waves/scene";
import type { Span, View } from "../waves/view";
import { Badge, place } from "./Badge";

/** The cycles around a failure, or the first ones. */
function spanOf(model: Model, outcome: Outcome): Span {
  const { from, to } = model.report.waves;
  const at = outcome.cycle ?? from;
  const begin = Math.max(from, Math.min(at - 14, to - 20));
  return { from: begin, to: Math.max(begin + 2, Math.min(to, begin + 20)) };
}

const mostInWindow = 12;

function rowsOf(model: Model, outcome: Outcome): Row[] {
  return outcome.signals
    .slice(0, mostInWindow)
    .map((signal) => signalRow(signal, model.signal(signal).name));
}

/** A picture of the signals that a check or an output reads. */
function Window({ model, outcome }: { model: Model; outcome: Outcome }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const rows = rowsOf(model, outcome);
  const height = axisHeight + rows.length * rowHeight;
  const failed = outcome.kind === "failed" ? (outcome.cycle ?? null) : null;
  useEffect(() => {
    const area = canvas.current;
    if (!area) return;
    const observer = new ResizeObserver(() => setWidth(area.clientWidth));
    observer.observe(area);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const draw = () => {
      if (!canvas.current) return;
      const scene = {
        model,
        rows: rows.map((row) => ({ row, depth: 0 })),
        span: spanOf(model, outcome),
        scrolled: 0,
        cursor: failed,
        marker: null,
        selected: null,
      };
      drawScene(canvas.current, scene, width, height, coloursOf(canvas.current));
    };
    draw();
    return onColours(draw);
  });
  return (
    <div class="window">
      <ul class="window-names" style={{ paddingTop: `${axisHeight}px` }}>
        {rows.map((row) => (
          <li key={row.signal} style={{ height: `${rowHeight}px` }} title={row.label}>
            {row.label}
          </li>
        ))}
      </ul>
      <canvas
        ref={canvas}
        style={{ height: `${height}px` }}
        role="img"
        aria-label={`Waves of ${rows.map((row) => row.label).join(", ")}`}
      />
    </div>
  );
}

/** Shows the signals of a check or an output in the viewer. */
function open(view: View, model: Model, outcome: Outcome): void {
  const name = outcome.of ? `${outcome.of}: ${outcome.name}` : outcome.name;
  const rows = outcome.signals.map((signal) => signalRow(signal, model.signal(signal).name));
  view.rows.value = [groupRow(name, rows), ...view.rows.value.filter((row) => row.label !== name)];
  view.selected.value = rows[0]?.id ?? null;
  const span = spanOf(model, outcome);
  view.show(span);
  view.moveCursor(outcome.cycle ?? span.from);
  showTab("waves");
}

function Item({ model, view, outcome }: { model: Model; view: View; outcome: Outcome }) {
  const [shown, setShown] = useState(outcome.kind === "failed");
  return (
    <li class={outcome.kind}>
      <div class="head">
        <Badge outcome={outcome} />
        <code>
          {outcome.of && <span class="of">{outcome.of}: </span>}
          {outcome.name}
        </code>
        <small>{outcome.counts}</small>
        <small>{place(outcome)}</small>
        {outcome.signals.length > 0 && (
          <span class="acts">
            <button type="button" aria-expanded={shown} onClick={() => setShown(!shown)}>
              {shown ? "Hide waves" : "Waves"}
            </button>
            <button type="button" onClick={() => open(view, model, outcome)}>
              In the viewer
            </button>
          </span>
        )}
      </div>
      {outcome.why && <pre class="why">{outcome.why}</pre>}
      {shown && outcome.signals.length > 0 && <Window model={model} outcome={outcome} />}
    </li>
  );
}

const mostAtFirst = 50;

/** Shows checks or outputs, failed ones first. */
export function Outcomes({
  title,
  outcomes,
  model,
  view,
}: {
  title: string;
  outcomes: Outcome[];
  model: Model;
  view: View;
}) {
  const [all, setAll] = useState(false);
  const rank = ({ kind }: Outcome) => ["failed", "faulted", "skipped", "passed"].indexOf(kind);
  const sorted = [...outcomes].sort((a, b) => rank(a) - rank(b));
  const id = title.toLowerCase();
  if (outcomes.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} <small>{outcomes.length}</small>
      </h2>
      <ul class="outcomes">
        {sorted.slice(0, all ? sorted.length : mostAtFirst).map((outcome) => (
          <Item key={outcomes.indexOf(outcome)} model={model} view={view} outcome={outcome} />
        ))}
      </ul>
      {!all && sorted.length > mostAtFirst && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {sorted.length}
        </button>
      )}
    </section>
  );
}
