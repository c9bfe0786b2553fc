// SPDX-License-Identifier: Apache-2.0
//
// Draws waves on a canvas. The cost of a row depends on its pixels, not its changes: where several
// changes share a pixel, it draws a band, and finds the first change after it by binary search.
import type { Clock, SignalType } from "../data/report";
import { type Radix, valueText } from "../data/values";
import type { Bits, Wave } from "../data/wave";

export interface Colours {
  wave: string;
  text: string;
  band: string;
  unknown: string;
  grid: string;
  cursor: string;
  marker: string;
  state: string;
  clock: string;
  selected: string;
}

/** The current colours of the page's style. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    wave: colour("wave"),
    text: colour("text"),
    band: colour("band"),
    unknown: colour("unknown"),
    grid: colour("grid"),
    cursor: colour("cursor"),
    marker: colour("marker"),
    state: colour("state"),
    clock: colour("clock"),
    selected: colour("selected"),
  };
}

/** The area of a row: cycles from `from`, `scale` pixels each. */
export interface Lane {
  from: number;
  scale: number;
  width: number;
  end: number; // the cycle after the last one with values
  y: number;
  height: number;
}

const characterWidth = 6.7; // in the font below
export const valueFont = "11px ui-monospace, 'DejaVu Sans Mono', monospace";

export function drawWave(
  context: CanvasRenderingContext2D,
  lane: Lane,
  wave: Wave,
  type: SignalType,
  radix: Radix,
  colour: string,
  colours: Colours,
): void {
  const right = Math.min(lane.width, (lane.end - lane.from) * lane.scale);
  const xOf = (change: number) =>
    change < wave.size ? ((wave.cycles[change] as number) - lane.from) * lane.scale : right;
  const isLevel = type.width === 1 && type.kind !== "enum";
  const least = isLevel ? 1.5 : 4; // minimum width of a separately drawn value, in pixels
  const from = wave.at(lane.from);
  const row: Drawn = { context, lane, wave, type, radix, colours, from, isLevel, filled: -1 };
  let change = Math.max(0, row.from);
  let left = Math.max(0, xOf(change));
  context.beginPath(); // one path for all values: one line is faster than many
  while (change < wave.size && left < right) {
    const next = Math.min(right, xOf(change + 1));
    if (next - left >= least) {
      addValue(row, change, left, next);
      left = next;
      change++;
      continue;
    }
    fillTo(row, left);
    // a band up to the first change whose value is wide enough
    let end = left;
    let behind = change;
    do {
      end = Math.floor(end) + 1;
      behind = Math.max(behind, wave.at(lane.from + end / lane.scale, behind));
    } while (end < right && xOf(behind + 1) - end < least);
    end = Math.min(end, right);
    context.fillStyle = colour;
    context.globalAlpha = 0.55;
    context.fillRect(left, lane.y, end - left, lane.height);
    context.globalAlpha = 1;
    left = end;
    change = behind;
  }
  fillTo(row, left);
  context.strokeStyle = colour;
  context.stroke();
}

/** A row that is being drawn. */
interface Drawn {
  context: CanvasRenderingContext2D;
  lane: Lane;
  wave: Wave;
  type: SignalType;
  radix: Radix;
  colours: Colours;
  from: number; // the change that holds at the left edge
  isLevel: boolean;
  filled: number; // start of consecutive nonzero values; -1: not in one
}

/** Fills the area behind nonzero values. */
function fillTo(row: Drawn, right: number): void {
  if (row.filled < 0) return;
  row.context.fillStyle = row.colours.band;
  row.context.fillRect(row.filled, row.lane.y + 1, right - row.filled, row.lane.height - 2);
  row.filled = -1;
}

/** Adds a value to the path of its row; draws anything but lines immediately. */
function addValue(row: Drawn, change: number, left: number, right: number): void {
  const { context, wave, type, radix, colours } = row;
  const { y, height } = row.lane;
  const bits = wave.bits(change);
  const isZero = bits === undefined || bits === 0 || bits === 0n;
  if (isZero) fillTo(row, left);
  else if (row.filled < 0) row.filled = left;
  if (bits === undefined) {
    context.strokeStyle = colours.unknown;
    context.strokeRect(left + 0.5, y + 0.5, right - left - 1, height - 1);
    write(context, "x", left, right, y + height / 2, colours.unknown);
  } else if (row.isLevel) addLevel(row, change, bits, left, right);
  else {
    addShape(context, left, right, y + 0.5, y + height - 0.5);
    if (right - left > characterWidth + 2)
      write(context, valueText(bits, type, radix), left, right, y + height / 2, colours.text);
  }
}

/** Adds a bit, high or low, with its leading edge. */
function addLevel(row: Drawn, change: number, bits: Bits, left: number, right: number): void {
  const { context, wave } = row;
  const { y, height } = row.lane;
  const levelOf = (of: Bits) => y + (of === 0 ? height - 0.5 : 0.5);
  const before = change > 0 && row.from < change ? wave.bits(change - 1) : bits;
  context.moveTo(left, levelOf(before ?? bits));
  context.lineTo(left, levelOf(bits));
  context.lineTo(right, levelOf(bits));
}

/** Adds the outline of a value of several bits. */
function addShape(
  context: CanvasRenderingContext2D,
  left: number,
  right: number,
  top: number,
  bottom: number,
): void {
  const slope = Math.min(3, (right - left) / 2);
  const middle = (top + bottom) / 2;
  context.moveTo(left, middle);
  context.lineTo(left + slope, top);
  context.lineTo(right - slope, top);
  context.lineTo(right, middle);
  context.lineTo(right - slope, bottom);
  context.lineTo(left + slope, bottom);
  context.lineTo(left, middle);
}

/** Draws a text in the middle of a value, shortened to fit. */
function write(
  context: CanvasRenderingContext2D,
  text: string,
  left: number,
  right: number,
  middle: number,
  colour: string,
): void {
  const room = Math.floor((right - left - 2) / characterWidth);
  if (room < 1) return;
  const shown = text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1))}…`;
  if (shown === "…" && text.length > 1) return;
  context.fillStyle = colour;
  context.font = valueFont;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(shown, (left + right) / 2, middle + 0.5);
}

/** True if a clock is high at the start of a cycle; see lib/base/clock_rate.hpp. */
function isHigh(clock: Clock, cycle: number): boolean {
  const { every, offset } = clock;
  return ((cycle + every - 1 - offset) % every) * 2 < every;
}

export function drawClock(
  context: CanvasRenderingContext2D,
  lane: Lane,
  clock: Clock,
  colour: string,
): void {
  const right = Math.min(lane.width, (lane.end - lane.from) * lane.scale);
  if (lane.scale * clock.every < 3) {
    context.fillStyle = colour;
    context.globalAlpha = 0.55;
    context.fillRect(0, lane.y, right, lane.height);
    context.globalAlpha = 1;
    return;
  }
  const high = lane.y + 0.5;
  const low = lane.y + lane.height - 0.5;
  context.strokeStyle = colour;
  context.beginPath();
  // in half cycles, because clocks with odd periods fall in the middle of a cycle
  const first = Math.floor(lane.from);
  const halves = Math.ceil(right / lane.scale + 1) * 2;
  for (let half = 0; half <= halves; half++) {
    const cycle = first + Math.floor(half / 2);
    const x = (first + half / 2 - lane.from) * lane.scale;
    if (x > right) break;
    const begins = isHigh(clock, cycle);
    const falls = half % 2 === 1 && clock.every % 2 === 1 && begins && !isHigh(clock, cycle + 1);
    const isUp = clock.every === 1 ? half % 2 === 0 : begins && !falls;
    const y = isUp ? high : low;
    context.lineTo(Math.max(0, x), y);
    context.lineTo(Math.min(right, Math.max(0, x + lane.scale / 2)), y);
  }
  context.stroke();
}

/** Fits a canvas to its shown size, sharp on any screen; its context uses CSS pixels. */
export function prepare(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}
