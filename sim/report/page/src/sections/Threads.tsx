// SPDX-License-Identifier: Apache-2.0
import { scaleLinear } from "d3-scale";
import { useEffect, useRef, useState } from "preact/hooks";
import { onColours } from "../colours";
import type { Threads as Measured } from "../data/report";
import { coloursOf, prepare, valueFont } from "../waves/draw";
import type { Span } from "../waves/view";
import { zoomable } from "../waves/zoom";

const laneHeight = 28;
const top = 24;

type Event = {
  thread: number;
  name: string;
  waits: boolean;
  begin: number;
  end: number;
  cycle: number;
  level: number;
};

function eventsOf(measured: Measured): Event[] {
  return measured.events.map(
    ([thread = 0, name = 0, begin = 0, end = 0, cycle = 0, level = 0]) => ({
      thread,
      name: measured.names[name] ?? "",
      waits: name === 0,
      begin,
      end,
      cycle,
      level,
    }),
  );
}

function timeText(ns: number): string {
  return ns >= 1e6 ? `${+(ns / 1e6).toPrecision(7)} ms` : `${+(ns / 1e3).toPrecision(7)} µs`;
}

/** Draws a lane of events; merges events below a pixel. */
function drawLane(
  context: CanvasRenderingContext2D,
  events: Event[],
  y: number,
  xOf: (ns: number) => number,
  width: number,
  colours: ReturnType<typeof coloursOf>,
): void {
  let drawn = -1;
  for (const event of events) {
    const [left, right] = [xOf(event.begin), xOf(event.end)];
    if (right < 0 || left > width || right < drawn + 0.5) continue;
    drawn = Math.max(right, left + 0.5);
    context.fillStyle = event.waits ? colours.grid : colours.wave;
    context.globalAlpha = event.waits ? 1 : 0.75;
    context.fillRect(left, y + 3, Math.max(0.5, right - left), laneHeight - 6);
    context.globalAlpha = 1;
    if (right - left < 60 || event.waits) continue;
    context.save();
    context.beginPath();
    context.rect(left, y, right - left, laneHeight);
    context.clip();
    context.fillStyle = colours.text;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.font = valueFont;
    context.fillText(event.name, Math.max(left, 0) + 4, y + laneHeight / 2);
    context.restore();
  }
}

function Timeline({ events }: { events: Event[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const span = useRef<Span>({ from: 0, to: 1 });
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<Event | null>(null);
  const threads = [...new Set(events.map(({ thread }) => thread))].sort((a, b) => a - b);
  const lanes = threads.map((thread) => events.filter((event) => event.thread === thread));
  const height = top + lanes.length * laneHeight;
  const end = events.reduce((most, event) => Math.max(most, event.end), 1);

  useEffect(() => {
    const area = canvas.current;
    if (!area) return;
    const limits = { from: 0, to: end };
    span.current = { ...limits };
    const draw = () => {
      const context = prepare(area, width, height);
      if (!context || width === 0) return;
      const colours = coloursOf(area);
      const scale = scaleLinear([span.current.from, span.current.to], [0, width]);
      context.font = "11px system-ui, sans-serif";
      context.fillStyle = colours.text;
      context.textAlign = "left";
      context.textBaseline = "middle";
      for (const tick of scale.ticks(Math.max(1, width / 130)))
        context.fillText(timeText(tick), scale(tick) + 3, top / 2);
      context.strokeStyle = colours.grid;
      for (const tick of scale.ticks(Math.max(1, width / 130)))
        context.strokeRect(Math.round(scale(tick)) + 0.5, 0, 0, height);
      lanes.forEach((lane, k) => {
        drawLane(context, lane, top + k * laneHeight, scale, width, colours);
      });
    };
    const show = (to: Span) => {
      const length = Math.max(100, Math.min(end, to.to - to.from));
      const from = Math.max(0, Math.min(end - length, to.from));
      span.current = { from, to: from + length };
      draw();
    };
    const pan = (share: number) => {
      const by = (span.current.to - span.current.from) * share;
      show({ from: span.current.from + by, to: span.current.to + by });
      zooming.update(width);
    };
    const zooming = zoomable(area, { limits, current: () => span.current, show, pan });
    zooming.update(width);
    const keys = (event: KeyboardEvent) => {
      const { from, to } = span.current;
      const zoom = event.key === "+" || event.key === "=" ? 0.25 : event.key === "-" ? 1 : 0;
      if (event.key === "ArrowLeft") pan(-0.2);
      else if (event.key === "ArrowRight") pan(0.2);
      else if (event.key === "f") show(limits);
      else if (zoom === 0.25)
        show({ from: from + (to - from) * 0.25, to: to - (to - from) * 0.25 });
      else if (zoom === 1) show({ from: from - (to - from) / 2, to: to + (to - from) / 2 });
      else return;
      event.preventDefault();
      zooming.update(width);
    };
    area.addEventListener("keydown", keys);
    draw();
    const observer = new ResizeObserver(() => setWidth(area.clientWidth));
    observer.observe(area);
    const stop = onColours(draw);
    return () => {
      zooming.stop();
      observer.disconnect();
      stop();
      area.removeEventListener("keydown", keys);
    };
  }, [events, width, end]);

  const point = (event: PointerEvent) => {
    const lane = lanes[Math.floor((event.offsetY - top) / laneHeight)] ?? [];
    const { from, to } = span.current;
    const at = from + (event.offsetX / Math.max(width, 1)) * (to - from);
    setPointed(lane.find(({ begin, end }) => begin <= at && at < end) ?? null);
  };
  return (
    <>
      <div class="timeline">
        <ul style={{ paddingTop: `${top}px` }}>
          {threads.map((thread) => (
            <li key={thread} style={{ height: `${laneHeight}px` }}>
              thread {thread}
            </li>
          ))}
        </ul>
        <canvas
          ref={canvas}
          style={{ height: `${height}px` }}
          tabIndex={0}
          aria-label="What each thread did when; + and - zoom, the arrow keys pan, f shows all"
          onPointerMove={point}
        />
      </div>
      <p role="status" class="pointed">
        {pointed
          ? `${pointed.name}: cycle ${pointed.cycle}, level ${pointed.level}, ${timeText(pointed.end - pointed.begin)}`
          : "Drag to pan, Ctrl and the wheel zoom; point at a piece of work to see what it is."}
      </p>
    </>
  );
}

/** The activity of the run's threads in the measured cycles. */
export function Threads({ threads }: { threads: Measured }) {
  const [events] = useState(() => eventsOf(threads));
  return (
    <>
      <pre class="thread-text">{threads.text}</pre>
      {events.length > 0 && <Timeline events={events} />}
    </>
  );
}
