// SPDX-License-Identifier: Apache-2.0
import { scaleLinear } from "d3-scale";
import type { Model } from "../data/model";
import { type Colours, drawClock, drawWave, type Lane, prepare } from "./draw";
import type { Row, ShownRow } from "./rows";
import type { Span } from "./view";

export const rowHeight = 24;
export const axisHeight = 26;

export interface Scene {
  model: Model;
  rows: ShownRow[];
  span: Span;
  scrolled: number; // pixels of rows above the first visible row
  cursor: number | null;
  marker: number | null;
  selected: number | null;
}

function colourOf(model: Model, row: Row, colours: Colours): string {
  return row.signal !== undefined && model.signal(row.signal).state ? colours.state : colours.wave;
}

function drawRow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  row: Row,
  lane: Lane,
  of: Colours,
) {
  const { model } = scene;
  if (row.clock !== undefined) {
    const clock = model.report.waves.clocks[row.clock];
    if (clock) drawClock(context, lane, clock, of.clock);
  } else if (row.signal !== undefined) {
    const wave = model.wave(row.signal);
    const type = model.type(row.signal);
    drawWave(context, lane, wave, type, row.radix, colourOf(model, row, of), of);
  }
}

function drawAxis(
  context: CanvasRenderingContext2D,
  span: Span,
  width: number,
  height: number,
  of: Colours,
) {
  const scale = scaleLinear([span.from, span.to], [0, width]);
  const step = Math.max(60, 9 * String(Math.ceil(span.to)).length + 20);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const tick of scale.ticks(Math.max(1, width / step)).filter(Number.isInteger)) {
    const x = Math.round(scale(tick)) + 0.5;
    context.strokeStyle = of.grid;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height);
    context.stroke();
    context.fillStyle = of.text;
    context.fillText(String(tick), x + 4, axisHeight / 2);
  }
}

function drawLine(context: CanvasRenderingContext2D, x: number, height: number, colour: string) {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
  context.lineWidth = 1;
}

/** Draws the axis and the visible rows. */
export function drawScene(
  canvas: HTMLCanvasElement,
  scene: Scene,
  width: number,
  height: number,
  colours: Colours,
): void {
  const context = prepare(canvas, width, height);
  if (!context || width <= 0) return;
  const scale = width / (scene.span.to - scene.span.from);
  drawAxis(context, scene.span, width, height, colours);
  context.save();
  context.beginPath();
  context.rect(0, axisHeight, width, height - axisHeight);
  context.clip();
  const first = Math.floor(scene.scrolled / rowHeight);
  const last = Math.ceil((scene.scrolled + height - axisHeight) / rowHeight);
  scene.rows.slice(first, last).forEach(({ row }, k) => {
    const top = axisHeight + (first + k) * rowHeight - scene.scrolled;
    if (row.id === scene.selected) {
      context.fillStyle = colours.selected;
      context.fillRect(0, top, width, rowHeight);
    }
    const lane: Lane = {
      from: scene.span.from,
      scale,
      width,
      end: scene.model.report.waves.to,
      y: top + 4,
      height: rowHeight - 8,
    };
    drawRow(context, scene, row, lane, colours);
  });
  context.restore();
  const at = (cycle: number) => (cycle - scene.span.from) * scale;
  if (scene.marker !== null) drawLine(context, at(scene.marker), height, colours.marker);
  if (scene.cursor !== null) {
    const x = at(scene.cursor);
    context.fillStyle = colours.cursor;
    context.globalAlpha = 0.12;
    context.fillRect(x, 0, Math.max(scale, 1), height);
    context.globalAlpha = 1;
    drawLine(context, x, height, colours.cursor);
  }
}
