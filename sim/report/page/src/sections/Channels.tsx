// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { onColours } from "../colours";
import type { Model } from "../data/model";
import type { Channel } from "../data/report";
import { place } from "./Badge";

const mostPoints = 4000;

/** Fill levels for a plot: cycles, and the maximum number of messages from each to the next. */
function pointsOf(model: Model, channel: Channel): [number[], number[]] {
  const wave = model.wave(channel.fill);
  const { to } = model.report.waves;
  const cycles: number[] = [];
  const messages: number[] = [];
  const step = Math.max(1, Math.ceil(wave.size / mostPoints));
  for (let k = 0; k < wave.size; k += step) {
    let most = 0;
    for (let n = k; n < Math.min(wave.size, k + step); n++)
      most = Math.max(most, Number(wave.bits(n) ?? 0));
    cycles.push(wave.cycles[k] as number);
    messages.push(most);
  }
  cycles.push(to);
  messages.push(messages.at(-1) ?? 0);
  return [cycles, messages];
}

function Plot({ model, channel }: { model: Model; channel: Channel }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      const style = getComputedStyle(element);
      const [text, grid, wave, band] = ["text", "grid", "wave", "band"].map((name) =>
        style.getPropertyValue(`--${name}`).trim(),
      ) as [string, string, string, string];
      const axis = { stroke: text, grid: { stroke: grid }, ticks: { stroke: grid } };
      const stepped = uPlot.paths.stepped?.({ align: 1 });
      plot = new uPlot(
        {
          width: element.clientWidth,
          height: 150,
          scales: {
            x: { time: false },
            y: { range: [0, Math.max(1, channel.depth, channel.most)] },
          },
          axes: [axis, { ...axis, size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 1000, 10000] }],
          series: [
            { label: "cycle" },
            {
              label: "messages",
              stroke: wave,
              fill: band,
              paths: stepped,
              points: { show: false },
            },
          ],
        },
        pointsOf(model, channel),
        element,
      );
    };
    draw();
    const observer = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: 150 }),
    );
    observer.observe(element);
    const stop = onColours(draw);
    return () => {
      observer.disconnect();
      stop();
      plot?.destroy();
    };
  }, [model, channel]);
  const label = `Messages in ${channel.name}, of ${channel.depth} places, by cycle`;
  return <div ref={box} class="plot" role="img" aria-label={label} />;
}

function share(cycles: number, of: number): string {
  return of > 0 ? `${((100 * cycles) / of).toFixed(1)} %` : "";
}

/** The channels of the network, with their fill levels. */
export function Channels({ model, channels }: { model: Model; channels: Channel[] }) {
  const [shown, setShown] = useState<Set<string>>(new Set(channels.slice(0, 8).map((c) => c.name)));
  const { from, to } = model.report.waves;
  const toggle = (name: string) => {
    const next = new Set(shown);
    if (!next.delete(name)) next.add(name);
    setShown(next);
  };
  return (
    <div class="scrolls">
      <table class="table channels">
        <thead>
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Type</th>
            <th scope="col">Depth</th>
            <th scope="col">Most</th>
            <th scope="col">Mean</th>
            <th scope="col">Full</th>
            <th scope="col">Empty</th>
            <th scope="col">Messages</th>
          </tr>
        </thead>
        {channels.map((channel) => (
          <tbody key={channel.name}>
            <tr>
              <th scope="row">
                <button
                  type="button"
                  class="fold"
                  aria-expanded={shown.has(channel.name)}
                  aria-label={`${shown.has(channel.name) ? "Hide" : "Show"} how full ${channel.name} was`}
                  onClick={() => toggle(channel.name)}
                >
                  {shown.has(channel.name) ? "▾" : "▸"}
                </button>
                <code title={place(channel)}>{channel.name}</code>
              </th>
              <td data-label="From">{channel.sender}</td>
              <td data-label="To">{channel.receiver}</td>
              <td data-label="Type">{channel.type}</td>
              <td data-label="Depth">{channel.depth}</td>
              <td data-label="Most">{channel.most}</td>
              <td data-label="Mean">{channel.mean.toFixed(2)}</td>
              <td data-label="Full">{share(channel.full, to - from)}</td>
              <td data-label="Empty">{share(channel.empty, to - from)}</td>
              <td data-label="Messages">{channel.sent}</td>
            </tr>
            {shown.has(channel.name) && (
              <tr>
                <td colSpan={10}>
                  <Plot model={model} channel={channel} />
                </td>
              </tr>
            )}
          </tbody>
        ))}
      </table>
    </div>
  );
}
