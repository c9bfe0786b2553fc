// SPDX-License-Identifier: Apache-2.0

import { instance } from "@viz-js/viz";
import { select } from "d3-selection";
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from "d3-zoom";
import { useEffect, useRef, useState } from "preact/hooks";
import { showTab } from "../App";
import type { Graph as Drawn } from "../data/report";
import type { View } from "../waves/view";
import { rowsOfBuses } from "./buses";

/** Turns a part of the picture into a button. */
function asButton(part: Element, label: string, act: () => void): void {
  part.setAttribute("role", "button");
  part.setAttribute("tabindex", "0");
  part.setAttribute("aria-label", label);
  part.classList.add("acts");
  part.addEventListener("click", act);
  part.addEventListener("keydown", (event) => {
    const { key } = event as KeyboardEvent;
    if (key !== "Enter" && key !== " ") return;
    event.preventDefault();
    act();
  });
}

/** Connects edges, numbered from 1 in order, and nodes, named n0, n1, …, as in the DOT text. */
function connect(svg: SVGSVGElement, graph: Drawn, show: (buses: string[]) => void): void {
  for (const title of svg.querySelectorAll(".edge title")) title.remove(); // node numbers
  graph.edges.forEach(({ buses, uses }, k) => {
    const part = svg.getElementById(`edge${k + 1}`);
    if (!part || buses.length === 0) return;
    const tip = document.createElementNS(svg.namespaceURI, "title");
    tip.textContent = uses.join("\n");
    part.prepend(tip);
    asButton(part, `Waves of ${buses.join(", ")}`, () => show(buses));
    for (const line of part.querySelectorAll("path")) {
      const wide = line.cloneNode() as SVGPathElement; // a wider target for fingers
      wide.setAttribute("class", "wide");
      part.append(wide);
    }
  });
  for (const part of svg.querySelectorAll(".node")) {
    const number = Number(part.querySelector("title")?.textContent?.slice(1));
    const edges = graph.edges.filter(({ from, to }) => from === number || to === number);
    const buses = edges.flatMap((edge) => edge.buses);
    const name = part.querySelector("text")?.textContent;
    if (name && buses.length > 0) asButton(part, `Waves around ${name}`, () => show(buses));
  }
  for (const title of svg.querySelectorAll(".node title, .graph > title, .cluster > title"))
    title.remove(); // no tooltips with numbers
}

function fitted(svg: SVGSVGElement, box: HTMLElement) {
  const { width, height } = svg.viewBox.baseVal;
  const scale = Math.min(box.clientWidth / width, box.clientHeight / height, 1.6);
  const [x, y] = [(box.clientWidth - width * scale) / 2, (box.clientHeight - height * scale) / 2];
  return zoomIdentity.translate(x, y).scale(scale);
}

const legible = 0.45; // the smallest scale with legible names

/** Shows the whole picture, or the surroundings of its first node if the whole is illegible. */
function atFirst(svg: SVGSVGElement, box: HTMLElement) {
  const all = fitted(svg, box);
  const places = [...svg.querySelectorAll(".node")].map((node) => node.getBoundingClientRect());
  const first = places.sort((a, b) => a.x - b.x)[0];
  if (all.k >= legible || !first) return all;
  const frame = svg.getBoundingClientRect(); // before scaling
  const [x, y] = [first.x - frame.x, first.y - frame.y];
  return zoomIdentity
    .translate(24 - x * legible, box.clientHeight / 2 - y * legible)
    .scale(legible);
}

/** The network as `sme run --graph` draws it. */
export function Graph({ graph, view }: { graph: Drawn; view: View }) {
  const box = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState("");
  const zooming = useRef<{ by(factor: number): void; fit(): void }>();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let gone = false;
    const draw = async () => {
      const viz = await instance();
      if (gone) return;
      const svg = viz.renderSVGElement(graph.dot);
      connect(svg, graph, (buses) => {
        view.add(rowsOfBuses(view.model, buses));
        showTab("waves");
      });
      const inner = document.createElement("div");
      inner.className = "drawing";
      inner.append(svg);
      element.replaceChildren(inner);
      const { width, height } = svg.viewBox.baseVal;
      svg.setAttribute("width", `${width}`);
      svg.setAttribute("height", `${height}`);
      const behaviour: ZoomBehavior<HTMLDivElement, unknown> = zoom<HTMLDivElement, unknown>()
        .scaleExtent([0.02, 8])
        .clickDistance(4)
        .on("zoom", ({ transform: { x, y, k } }: D3ZoomEvent<HTMLDivElement, unknown>) => {
          inner.style.transform = `translate(${x}px,${y}px) scale(${k})`;
        });
      const chosen = select<HTMLDivElement, unknown>(element);
      chosen.call(behaviour).on("dblclick.zoom", null);
      const fit = () => chosen.call(behaviour.transform, fitted(svg, element));
      zooming.current = { by: (factor) => chosen.call(behaviour.scaleBy, factor), fit };
      chosen.call(behaviour.transform, atFirst(svg, element));
    };
    draw().catch((error: unknown) => setProblem(String(error)));
    return () => {
      gone = true;
      select(element).on(".zoom", null);
    };
  }, [graph, view]);
  return (
    <>
      <div class="toolbar" role="toolbar" aria-label="Network">
        <button type="button" aria-label="Zoom in" onClick={() => zooming.current?.by(1.5)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zooming.current?.by(1 / 1.5)}>
          −
        </button>
        <button type="button" aria-label="Show all" onClick={() => zooming.current?.fit()}>
          ↔
        </button>
        <small>
          A click on a bus or a process adds its waves; a bus under the pointer says how often it
          was active.
        </small>
      </div>
      {problem && <p class="note">The network cannot be drawn: {problem}</p>}
      <div
        ref={box}
        class="graph"
        aria-label={`The network ${view.model.report.network}`}
        role="application"
      >
        <p class="note">drawing …</p>
      </div>
    </>
  );
}
